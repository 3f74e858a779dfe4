// Scanned film as printing densities (SMPTE ST 2065-3), as ACES encodes negatives before a look is applied.
extension ColorSpace {
  /// ADX10: printing densities of a scanned negative in 10-bit codes (SMPTE ST 2065-3).
  public static let adx10 = ColorSpace(
    "ADX10", primaries: .acesAP0, transfer: .adx("ADX10", largest: 1023, base: 95, perUnit: 500))

  /// ADX16: printing densities of a scanned negative in 16-bit codes (SMPTE ST 2065-3).
  public static let adx16 = ColorSpace(
    "ADX16", primaries: .acesAP0,
    transfer: .adx("ADX16", largest: 65_535, base: 1520, perUnit: 8000))

  /// The spaces of film scans: ADX10 and ADX16.
  static let filmScans: [ColorSpace] = [.adx10, .adx16]
}

extension TransferFunction {
  /// From codes to linear ACES values (`adx10_to_aces.ctl`, 0.2.2). `base` is the code of the film base, `perUnit` the
  /// number of codes per unit of density.
  fileprivate static func adx(
    _ name: String, largest: Double, base: Double, perUnit: Double
  ) -> TransferFunction {
    // Printing densities to channel-independent densities, and layer exposures to ACES.
    let toDyes = ColorMatrix(
      columns: [0.75573, 0.05901, 0.16134], [0.22197, 0.96928, 0.07406],
      [0.02230, -0.02829, 0.76460])
    let toLight = ColorMatrix(
      columns: [0.72286, 0.11923, 0.01427], [0.12630, 0.76418, 0.08213],
      [0.15084, 0.11659, 0.90359])
    let film = Curve.function(FunctionCurve("exposures of film", FilmExposure.light))
    let back = Curve.function(FunctionCurve("densities of film", FilmExposure.density))
    let density = SIMD3(repeating: largest / perUnit)
    let clear = SIMD3(repeating: base / perUnit)
    return TransferFunction(
      Coordinates(
        name,
        decoding: [
          .affine(scale: density, offset: -clear), .matrix(toDyes),
          .curves("exposures of film", film, film, film), .matrix(toLight),
        ],
        encoding: [
          .matrix(toLight.inverse), .curves("densities of film", back, back, back),
          .matrix(toDyes.inverse), .affine(scale: 1 / density, offset: clear / density),
        ])
    ).citing(
      Source("SMPTE ST 2065-3"), Source("Academy, “adx10_to_aces.ctl”", edition: "0.2.2"))
  }
}

/// Film exposure from density: linear interpolation over log₁₀ exposure, with a curved toe.
private enum FilmExposure {
  private static let densities = [
    -0.19, 0.01, 0.028, 0.054, 0.095, 0.145, 0.22, 0.3, 0.4, 0.5, 0.6,
  ]
  private static let decades = [
    -6, -2.721_718_645, -2.521_718_645, -2.321_718_645, -2.121_718_645, -1.921_718_645,
    -1.721_718_645, -1.521_718_645, -1.321_718_645, -1.121_718_645, -0.926_545_676_714_876,
  ]
  /// log₁₀ exposure per unit of density on the straight part, and that of 18 % gray above density 0.
  private static let slope = 100.0 / 55
  private static let gray = (7120.0 - 1520) / 8000 * slope - log2(0.18) / log2(10)

  static func light(_ density: Double) -> Double {
    let decade =
      density > 0.6 ? slope * density - gray : interpolated(density, from: densities, to: decades)
    // Brighter than any scene, and finite.
    return power(10, min(decade, 30))
  }

  static func density(_ light: Double) -> Double {
    if light.isNaN { return light }
    let decade = log2(min(max(light, 1e-6), 1e30)) / log2(10)
    let onLine = (decade + gray) / slope
    return onLine > 0.6 ? onLine : interpolated(decade, from: decades, to: densities)
  }

  /// The first value holds before the first knot.
  private static func interpolated(
    _ x: Double, from knots: [Double], to values: [Double]
  ) -> Double {
    if x.isNaN { return x }
    let next = min(max(knots.firstIndex { x < $0 } ?? knots.count, 1), knots.count - 1)
    let part = (max(x, knots[0]) - knots[next - 1]) / (knots[next] - knots[next - 1])
    return values[next - 1] + part * (values[next] - values[next - 1])
  }
}
