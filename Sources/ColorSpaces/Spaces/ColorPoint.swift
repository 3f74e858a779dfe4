/// A color: three components and the color space they are encoded in.
public struct ColorPoint: Hashable, Sendable {
  /// The encoded components, in the order of the space's channels.
  public var components: SIMD3<Double>
  /// The color space of the components.
  public let space: ColorSpace

  /// Creates a color from its encoded components.
  public init(_ red: Double, _ green: Double, _ blue: Double, in space: ColorSpace) {
    self.init([red, green, blue], in: space)
  }

  /// Creates a color from its encoded components.
  public init(_ components: SIMD3<Double>, in space: ColorSpace) {
    (self.components, self.space) = (components, space)
  }

  /// Creates a color from components of which some may be missing (nil).
  ///
  /// A missing component becomes 0; a missing hue becomes that of the space's white, because color appearance models
  /// such as CAM16 need it to convert their slightly colored grays back.
  ///
  /// - Precondition: There are three components.
  public init(withMissing components: [Double?], in space: ColorSpace) {
    precondition(components.count == 3, "A color has three components; got \(components.count).")
    self.init(components[0] ?? 0, components[1] ?? 0, components[2] ?? 0, in: space)
    if let hue = space.hueChannel, components[hue] == nil, let white = space.transfer.encodedWhite {
      self.components[hue] = white[hue]
    }
  }

  /// Returns the color converted to another space, with chromatic adaptation between white points. Nothing is clamped:
  /// a color outside the gamut of `target` gets components below 0 or above 1.
  public func converted(to target: ColorSpace) -> ColorPoint {
    ColorPoint(PointProgram(converting: space, to: target)(components), in: target)
  }

  /// Returns the color converted without chromatic adaptation (absolute colorimetry): where the white points differ,
  /// white does not become white.
  public func convertedAbsolutely(to target: ColorSpace) -> ColorPoint {
    let colors = target.withColors
    let conversion = colors.primaries.toXYZ.inverse * space.primaries.toXYZ
    let numbers = target.transfer.encode(colors.matrix(to: target) * (conversion * light))
    return ColorPoint(numbers, in: target)
  }

  /// The channel of a hue that is powerless because the color is gray (CSS Color 4, 4.4); nil for other colors.
  public var powerlessChannel: Int? {
    guard case .coordinates(let coordinates) = space.transfer.form, let hue = coordinates.hue else {
      return nil
    }
    return hue.isPowerless(in: components) ? hue.channel : nil
  }

  /// Returns whether the color is in the gamut of `space`: whether each linear channel lies between the values of
  /// encoded black and white, within `tolerance` (1 is white). A color with a NaN channel is in no gamut.
  ///
  /// Spaces with a transfer curve per channel encode 0…1. Other coordinates have the gamut of the RGB space beneath
  /// them, such as sRGB's for HSL, and no limit where they are based on XYZ. Gray spaces hold grays only: the linear
  /// channels of their primaries must be equal within `tolerance`. Where a profile's tables define the grays, which may
  /// be tinted, each linear channel must be that of the gray of the same luminance.
  public func isInside(_ space: ColorSpace, tolerance: Double = 1e-9) -> Bool {
    if space.isGray, space.origin != nil, case .coordinates = space.transfer.form {
      let light = converted(to: space.linear.withColors).components
      let apart = space.gray(ofLuminance: (light * space.luminanceWeights).sum()) - light
      return all((apart .<= tolerance) .& (apart .>= -tolerance))
    }
    if space.isGray {
      let light = converted(to: space.linear.withColors).components
      guard light.max() - light.min() <= tolerance else { return false }
    }
    let (light, gamut) = (converted(to: space.linear).components, Gamut(of: space))
    // In contrast to `min()` and `max()`, comparisons do not skip NaN.
    return all((light .>= gamut.low - tolerance) .& (light .<= gamut.high + tolerance))
  }

  /// The luminance Y; 1 for the white of the space.
  public var luminance: Double { (light * space.luminanceWeights).sum() }

  private var light: SIMD3<Double> { space.transfer.decode(components) }
}

extension ColorSpace {
  /// The linear channels of the gray with a luminance, by bisection of encoded grays 0…1; at an end for other luminances.
  fileprivate func gray(ofLuminance luminance: Double) -> SIMD3<Double> {
    func gray(_ encoded: Double) -> SIMD3<Double> { transfer.decode(SIMD3(repeating: encoded)) }
    func isDarker(_ encoded: Double) -> Bool {
      (gray(encoded) * luminanceWeights).sum() < luminance
    }
    var (low, high) = (0.0, 1.0)
    // A space whose 0 is white falls.
    let rises = (gray(0) * luminanceWeights).sum() <= (gray(1) * luminanceWeights).sum()
    for _ in 0..<53 {
      let middle = (low + high) / 2
      if isDarker(middle) == rises { low = middle } else { high = middle }
    }
    return gray(isDarker(low) == rises ? high : low)
  }
}

extension PointProgram {
  /// Creates the program that converts encoded values of one space to another, for straight alpha.
  public init(converting source: ColorSpace, to target: ColorSpace) {
    self.init()
    if source == target { return }
    if !source.transfer.isLinear { append(.decode(source.transfer)) }
    let matrix = source.matrix(to: target)
    if matrix != .identity { append(.matrix(matrix)) }
    if !target.transfer.isLinear { append(.encode(target.transfer)) }
  }
}
