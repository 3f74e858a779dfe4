// Hexcone models of sRGB's encoded values, for color pickers. Saturation, lightness and the other components are 0…1,
// where CSS has percentages.

extension TransferFunction {
  static let hsl = hexcone("HSL") {
    CSSColor.sRGB(hsl: $0 * percent)
  } encoding: {
    CSSColor.hsl(sRGB: $0) / percent
  }.citing(.cssColor4("7"))

  static let hwb = hexcone("HWB") {
    1 - $0.y - $0.z <= 1e-9
  } decoding: {
    CSSColor.sRGB(hwb: $0 * percent)
  } encoding: {
    CSSColor.hwb(sRGB: $0) / percent
  }.citing(.cssColor4("8"))

  /// Value is the maximum of the channels, and saturation their relative spread.
  static let hsv = hexcone("HSV") { v in
    CSSColor.sRGB(hwb: [v.x, (1 - v.y) * v.z, 1 - v.z] * percent)
  } encoding: { rgb in
    let hwb = CSSColor.hwb(sRGB: rgb) / percent
    let value = 1 - hwb.z
    return [hwb.x, .select(value .== 0, 0, 1 - hwb.y / value), value]
  }.citing(Source("Smith, “Color gamut transform pairs”", edition: "1978"))

  private static func hexcone(
    _ name: String,
    isGray: @escaping @Sendable (SIMD3<Double>) -> Bool = { abs($0.y) <= 1e-9 },
    decoding: @escaping @Sendable (Formula.Vector) -> Formula.Vector,
    encoding: @escaping @Sendable (Formula.Vector) -> Formula.Vector
  ) -> TransferFunction {
    TransferFunction(
      Coordinates(
        name, decoding: [.formula("from \(name)", decoding), .decode(.sRGB)],
        encoding: [.encode(.sRGB), .formula("to \(name)", encoding)],
        hue: Coordinates.Hue(channel: 0, isGray: isGray))
    ).citing(TransferFunction.sRGB.sources)
  }
}

private var percent: Formula.Vector { [1, 100, 100] }
