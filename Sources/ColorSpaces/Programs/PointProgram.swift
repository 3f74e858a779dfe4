/// A list of stages applied to each pixel independently.
///
/// Color conversions, tone curves and film inversions are all point programs, so neighbors fuse. A program is data: it can be
/// printed, rewritten, run here in double precision, and lowered to the pixel kernels.
public struct PointProgram: Sendable {
  /// One step of a program. All steps act on red, green and blue; none changes alpha.
  @nonexhaustive
  public indirect enum Stage: Sendable {
    // Indirect, as each call for a color copies the stage: a reference, not hundreds of bytes with references of their own.

    /// `channel · scale + offset`, each channel by itself.
    case affine(scale: SIMD3<Double>, offset: SIMD3<Double>)
    /// Mixes the channels.
    case matrix(ColorMatrix)
    /// From encoded values to linear light.
    case decode(TransferFunction)
    /// From linear light to encoded values.
    case encode(TransferFunction)
    /// A named curve for each channel.
    case curves(String, Curve, Curve, Curve)
    /// Looks the color up in a table.
    case table(ColorTable)
    /// The tables of an ICC profile, to three channels. Where it takes four, the fourth lies where alpha lies in other pictures.
    case channels(ChannelProgram)
    /// From lightness and two opponents to lightness, chroma and hue in degrees, 0..<360. Gray has the hue 0.
    case polar
    /// From lightness, chroma and hue in degrees to lightness and two opponents.
    case rectangular
    /// Brings colors outside of a gamut into it.
    case gamut(GamutStage)
    /// Holds every channel in a range.
    case clamp(ClosedRange<Double>)
    /// Multiplies the channels by alpha.
    case premultiply
    /// Divides the channels by alpha; 0 where alpha is zero.
    case unpremultiply
    /// A change of all three channels together, as a list of operations in double precision.
    case formula(Formula)
    /// A change of all three channels together, by code in double precision that runs for each pixel: slow.
    case map(String, @Sendable (SIMD3<Double>) -> SIMD3<Double>)
    /// Code of the caller's, run over strips of pixels.
    case rows(String, @Sendable (PixelStrip) -> Void)
  }

  /// The stages, in the order in which they are applied.
  public package(set) var stages: [Stage]

  /// What made the stages that cannot be compared by their values, in their order; empty where that is not known.
  package var makers: [StageMaker?] = []

  /// A program of the given stages; without any, it changes nothing.
  public init(_ stages: [Stage] = []) { self.stages = stages }

  /// A program of the stages that `describe` adds.
  package init(_ describe: (inout PointProgram) -> Void) {
    self.init()
    describe(&self)
  }

  /// Adds a stage at the end.
  public mutating func append(_ stage: Stage) { stages.append(stage) }

  /// Adds `channel · scale + offset`.
  public mutating func affine(scale: Double = 1, offset: Double = 0) {
    append(.affine(scale: SIMD3(repeating: scale), offset: SIMD3(repeating: offset)))
  }

  /// Adds one curve for the three channels.
  public mutating func curve(_ name: String, _ curve: Curve) {
    append(.curves(name, curve, curve, curve))
  }

  /// Adds code that is run over strips of pixels.
  public mutating func rows(_ name: String, _ body: @escaping @Sendable (PixelStrip) -> Void) {
    append(.rows(name, body))
  }

  /// Runs the program on the color of one pixel in double precision, the reference of every faster implementation.
  public func callAsFunction(
    _ color: SIMD3<Double>, alpha: Double = 1, x: Int = 0, y: Int = 0
  ) -> SIMD3<Double> {
    stages.reduce(color) { color, stage in stage(color, alpha: alpha, x: x, y: y) }
  }

  /// Runs the program on opaque colors, with the same results as one by one. This copies each stage once, not for every color.
  package func callAsFunction(_ colors: [SIMD3<Double>]) -> [SIMD3<Double>] {
    stages.reduce(colors) { colors, stage in stage(colors) }
  }
}

extension PointProgram.Stage {
  fileprivate func callAsFunction(_ colors: [SIMD3<Double>]) -> [SIMD3<Double>] {
    switch self {
    case .matrix(let matrix): colors.map { matrix * $0 }
    case .encode(let transfer): transfer.encode(colors)
    default: colors.map { self($0, alpha: 1, x: 0, y: 0) }
    }
  }

  func callAsFunction(_ v: SIMD3<Double>, alpha: Double, x: Int, y: Int) -> SIMD3<Double> {
    switch self {
    case .affine(let scale, let offset): v * scale + offset
    case .matrix(let matrix): matrix * v
    case .decode(let transfer): transfer.decode(v)
    case .encode(let transfer): transfer.encode(v)
    case .formula(let formula): formula(v, alpha: alpha)
    case .map(_, let change): change(v)
    case .curves(_, let red, let green, let blue): SIMD3(red(v.x), green(v.y), blue(v.z))
    case .table(let table): table(v)
    case .channels(let program): program(v, fourth: alpha)
    case .clamp(let range):
      v.replacing(with: range.lowerBound, where: v .< range.lowerBound)
        .replacing(with: range.upperBound, where: v .> range.upperBound)
    case .polar: polarized(FormulaVector<Double>(v)).simd
    case .rectangular: ColorSpaces.rectangular(v)
    case .gamut(let stage): stage(v)
    case .premultiply: v * alpha
    case .unpremultiply: alpha == 0 ? .zero : v / alpha
    case .rows(_, let body): PixelStrip.withPixel(v, alpha: alpha, x: x, y: y, body)
    }
  }
}

extension PointProgram.Stage: CustomStringConvertible {
  /// The text of this stage in plans, such as “decode sRGB”.
  public var description: String {
    switch self {
    case .affine(let scale, let offset):
      "affine" + (scale == .one ? "" : " ×\(text(scale))")
        + (offset == .zero ? "" : " \(signedText(offset))")
    case .matrix: "matrix"
    case .decode(let transfer): "decode \(transfer)"
    case .encode(let transfer): "encode \(transfer)"
    case .curves(let name, _, _, _): name
    case .table(let table): "table of \(table.size)³ colors"
    case .channels(let program): "\(program)"
    case .clamp(let range): "clamp \(text(range.lowerBound))…\(text(range.upperBound))"
    case .polar: "to hue"
    case .rectangular: "from hue"
    case .gamut(let stage): "\(stage)"
    case .premultiply: "premultiply"
    case .unpremultiply: "unpremultiply"
    case .formula(let formula): formula.name
    case .map(let name, _), .rows(let name, _): name
    }
  }
}

extension PointProgram: CustomStringConvertible {
  /// The text of the program in plans: its stages, joined by arrows.
  public var description: String { stages.map(\.description).joined(separator: " → ") }
}

private func text(_ v: SIMD3<Double>) -> String {
  v.x == v.y && v.y == v.z ? text(v.x) : "(\(text(v.x)), \(text(v.y)), \(text(v.z)))"
}

/// With its sign in front, where it is one for all channels.
private func signedText(_ v: SIMD3<Double>) -> String {
  v.x == v.y && v.y == v.z && v.x < 0 ? "-\(text(-v.x))" : "+\(text(v))"
}

/// Four decimals at most, without a trailing zero: plans are for reading. Smaller values keep the digits of single precision.
private func text(_ x: Double) -> String {
  let rounded = (x * 10_000).rounded() / 10_000
  if rounded == 0, x != 0 { return "\(Float(x))" }
  return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
}
