internal import CPixelKernels
internal import ColorSpaces
public import ImageBuffer

extension Picture {
  /// Returns this picture with its values at this point quantized to a sample format; integer formats also clamp them.
  ///
  /// No rewrite moves steps across it. A cache behind it uses samples of this size. The values are quantized in the domain
  /// that `plan` shows: after filters and conversions that is linear light, for which 8 bits are too few. Halves have 11
  /// significant bits and a range up to 65,504.
  public func stored(as format: SampleFormat) -> Picture {
    let node = Node(
      .stored(node, format), region: node.region, hasAlpha: hasAlpha, in: space, state)
    return Picture(node, origin: origin, failure: failure).recorded(
      Storing(as: format), of: [self])
  }
}

/// Quantizes values to a sample format: ``Picture/stored(as:)`` in recipes.
struct Storing: RecipeFilter {
  var format: SampleFormat

  init(as format: SampleFormat) { self.format = format }

  func picture(of inputs: [Picture]) -> Picture { inputs[0].stored(as: format) }

  static let declaration = Declaration<Storing>(
    "store",
    "Quantizes values, in the encoding that plans show, to a sample format; integers clamp.",
    keepsGray: true, swift: "picture.stored(as: .float16)",
    Parameter("as", \.format, "the sample format", sample: .float16)
  ) { Storing(as: $0) }
  .clamping("uint8 and uint16 hold values from 0 to 1 and clamp others to them.") {
    $0.format == .uint8 || $0.format == .uint16
  }

  static var recipeInputs: ClosedRange<Int> { 1...1 }
}

extension SampleFormat: RecipeChoice {
  /// The names of sample formats, such as `uint8` or, in short, `u8`.
  public static let recipeCases: [RecipeCase<SampleFormat>] = [
    RecipeCase("uint8", aliases: ["u8"], .uint8), RecipeCase("uint16", aliases: ["u16"], .uint16),
    RecipeCase("float16", aliases: ["half"], .float16),
    RecipeCase("float32", aliases: ["float"], .float32),
  ]
}

extension SampleFormat {
  /// The pixel quantized to this format.
  func stored(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
    switch self {
    case .uint8: whole(pixel, steps: 255)
    case .uint16: whole(pixel, steps: 65_535)
    case .float16:
      SIMD4(
        (0..<4).map { Double(cpk_float_from_half(cpk_half_from_float(Float(pixel[$0])))) })
    case .float32: pixel
    @unknown default: preconditionFailure("Nobody knows how \(self) samples are rounded.")
    }
  }

  private func whole(_ pixel: SIMD4<Double>, steps: Double) -> SIMD4<Double> {
    let held = pixel.replacing(with: 0, where: pixel .!= pixel)
      .clamped(lowerBound: .zero, upperBound: .one)
    return (held * steps).rounded(.toNearestOrEven) / steps
  }
}
