public import ColorSpaces
public import ImageBuffer

/// The precision with which a source stores colors, which determines the colors that may have been rounded to the same
/// samples.
///
/// It is the default tolerance of all tests for out-of-gamut colors. A color counts as out of gamut only if every color
/// that rounds to the same samples does. Storing an sRGB color in another space therefore never makes it an
/// out-of-gamut color.
public struct ColorPrecision: Hashable, Sendable {
  /// The space of the samples.
  public let space: ColorSpace
  /// The sample format. Rounding may have changed each channel by half a code, or half a unit in the last place.
  public let format: SampleFormat
  /// Whether color was premultiplied by alpha before rounding.
  public let isPremultiplied: Bool
  /// The maximum error of a sample from compression, as a fraction of the largest code.
  public let compressionError: Double
  /// The maximum error of each encoded value, where samples are not the encoded values themselves, such as luma and chroma;
  /// otherwise nil.
  let channelErrors: SIMD3<Double>?

  /// The precision of samples in a space.
  public init(
    _ format: SampleFormat, in space: ColorSpace, isPremultiplied: Bool = false,
    compressionError: Double = 0
  ) {
    self.init(
      format, in: space, isPremultiplied: isPremultiplied, compressionError: compressionError,
      channelErrors: nil)
  }

  /// The precision of opaque samples that are not the encoded values of `space` themselves, such as luma and chroma, given
  /// the maximum error of each encoded value.
  package init(_ format: SampleFormat, in space: ColorSpace, channelErrors: SIMD3<Double>) {
    self.init(
      format, in: space, isPremultiplied: false, compressionError: 0, channelErrors: channelErrors)
  }

  private init(
    _ format: SampleFormat, in space: ColorSpace, isPremultiplied: Bool, compressionError: Double,
    channelErrors: SIMD3<Double>?
  ) {
    (self.format, self.space, self.isPremultiplied) = (format, space, isPremultiplied)
    (self.compressionError, self.channelErrors) = (compressionError, channelErrors)
  }

  /// Returns the precision of the same samples with another space assigned.
  fileprivate func tagged(as space: ColorSpace) -> ColorPrecision {
    ColorPrecision(
      format, in: space, isPremultiplied: isPremultiplied, compressionError: compressionError,
      channelErrors: channelErrors)
  }

  /// The minimum tolerance of a linear channel.
  ///
  /// ICC profiles store primaries in steps of 2⁻¹⁶: half a step in each of three channels is 2.3·10⁻⁵. Single precision
  /// adds 2·10⁻⁶.
  static let computation = 2.5e-5

  /// Whether all encoded values of a channel have the same maximum error.
  var isUniform: Bool { !isPremultiplied && (format == .uint8 || format == .uint16) }

  /// The maximum error of an encoded value of a channel.
  func error(of value: Double, alpha: Double, in channel: Int) -> Double {
    if let channelErrors { return channelErrors[channel] }
    let rounding =
      switch format {
      case .uint8: 0.5 / 255
      case .uint16: 0.5 / 65_535
      case .float16: halfUnit(of: value, digits: 10, leastExponent: -14)
      case .float32: halfUnit(of: value, digits: 23, leastExponent: -126)
      @unknown default: 0.0
      }
    guard isPremultiplied else { return rounding + compressionError }
    // A straight value is the quotient of two rounded values.
    return (rounding * (1 + abs(value)) + compressionError) / max(alpha, 1.0 / 65_535)
  }

  /// Half a unit in the last place of a floating-point format with so many fraction bits.
  ///
  /// Single precision may have moved a power of two below it, where units are half as large.
  private func halfUnit(of value: Double, digits: Int, leastExponent: Int) -> Double {
    let value = value * (1 + 0x1p-20)
    let exponent = value.isNormal ? max(Int(value.exponent), leastExponent) : leastExponent
    return Double(sign: .plus, exponent: exponent - digits - 1, significand: 1)
  }
}

extension ColorPrecision: CustomStringConvertible {
  /// The precision in words, such as “half a code of 8 bits in Display P3”.
  public var description: String {
    if channelErrors != nil { return "half a code of video in \(space.name)" }
    let rounding =
      switch format {
      case .uint8: "half a code of 8 bits"
      case .uint16: "half a code of 16 bits"
      case .float16: "half precision"
      case .float32: "single precision"
      @unknown default: "\(format)"
      }
    if compressionError == 0 { return "\(rounding) in \(space.name)" }
    let codes = Self.codes(of: compressionError)
    return "\(rounding) and \(codes) codes for compression in \(space.name)"
  }

  /// Returns an error of samples in 0…1 as codes of 8 bits, with one decimal.
  package static func codes(of error: Double) -> Double { (error * 2550).rounded() / 10 }
}

extension Picture {
  /// The precisions of this picture's sources; single precision for a picture that is entirely computed.
  ///
  /// With several sources, a color counts as out of gamut if it does at each of these precisions.
  public var sourcePrecisions: [ColorPrecision] {
    struct Visit: Hashable {
      let node: ObjectIdentifier
      let space: ColorSpace?
    }
    var found: [ColorPrecision] = []
    func add(_ precision: ColorPrecision) {
      if !found.contains(precision) { found.append(precision) }
    }
    var pending: [(node: Node, space: ColorSpace?)] = [(node, nil)]
    var visited: Set<Visit> = []
    while let (node, tag) = pending.popLast() {
      guard visited.insert(Visit(node: ObjectIdentifier(node), space: tag)).inserted else {
        continue
      }
      var space = tag
      if let precision = node.samplePrecision {
        add(tag.map(precision.tagged) ?? precision)
      } else if let format = node.storedFormat {
        add(ColorPrecision(format, in: node.space, isPremultiplied: node.state.isPremultiplied))
      } else if node.isTag {
        // The tag nearest to the source defines the meaning of its samples.
        space = node.space
      }
      pending += node.inputs.map { ($0, space) }
    }
    return found.isEmpty ? [ColorPrecision(.float32, in: space)] : found
  }

  /// Returns the filter, or the reduction, with the precision of this picture's sources if it depends on that.
  func resolved<Filter>(_ filter: Filter) -> Filter {
    guard let dependent = filter as? any PrecisionDependent else { return filter }
    return dependent.resolved(for: sourcePrecisions) as? Filter ?? filter
  }
}

extension Node {
  /// The precision of a source's colors; nil for computed nodes.
  var samplePrecision: ColorPrecision? {
    guard let samples else { return nil }
    return precision
      ?? ColorPrecision(
        samples.format, in: space, isPremultiplied: state.isPremultiplied,
        compressionError: rowSource?.compressionError ?? 0)
  }
}

/// A filter or a reduction that depends on the precision of the sources of the picture it is applied to.
protocol PrecisionDependent {
  func resolved(for precisions: [ColorPrecision]) -> Self
}
