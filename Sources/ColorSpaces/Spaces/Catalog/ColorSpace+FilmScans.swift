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
    let decades = Curve.cubic(FilmExposure.curve(from: { $0.density }, to: { $0.decade }))
    let densities = Curve.cubic(FilmExposure.curve(from: { $0.decade }, to: { $0.density }))
    let power = Curve.segmented(SegmentedCurve([.exponential(base: 10)]))
    let logarithm = Curve.segmented(SegmentedCurve([.log(base: 10)]))
    let density = SIMD3(repeating: largest / perUnit)
    let clear = SIMD3(repeating: base / perUnit)
    return TransferFunction(
      Coordinates(
        name,
        decoding: [
          .affine(scale: density, offset: -clear), .matrix(toDyes),
          .curves("decades of exposure", decades, decades, decades),
          .curves("exposures of film", power, power, power), .matrix(toLight),
        ],
        encoding: [
          .matrix(toLight.inverse), .clamp(1e-6...1e30),
          .curves("decades of exposure", logarithm, logarithm, logarithm),
          .curves("densities of film", densities, densities, densities),
          .matrix(toDyes.inverse), .affine(scale: 1 / density, offset: clear / density),
        ])
    ).citing(
      Source("SMPTE ST 2065-3"), Source("Academy, “adx10_to_aces.ctl”", edition: "0.2.2"))
  }
}

/// Film exposure and density: linear interpolation over log₁₀ exposure, with a curved toe.
private enum FilmExposure {
  typealias Knot = (density: Double, decade: Double)

  /// log₁₀ exposure per unit of density on the straight part, and that of 18 % gray above density 0.
  private static let slope = 100.0 / 55
  private static let gray = (7120.0 - 1520) / 8000 * slope - log2(0.18) / log2(10)

  /// The toe, and the end of the straight part: 10³⁰ is brighter than any scene.
  private static let knots: [Knot] = [
    (-0.19, -6), (0.01, -2.721_718_645), (0.028, -2.521_718_645), (0.054, -2.321_718_645),
    (0.095, -2.121_718_645), (0.145, -1.921_718_645), (0.22, -1.721_718_645),
    (0.3, -1.521_718_645), (0.4, -1.321_718_645), (0.5, -1.121_718_645),
    (0.6, -0.926_545_676_714_876), ((30 + gray) / slope, 30),
  ]

  /// The lines between the knots, and their first and last value beyond them.
  static func curve(
    from x: (Knot) -> Double, to y: (Knot) -> Double
  ) -> CubicCurve {
    let points = knots.map { SIMD2(x($0), y($0)) }
    let slopes = zip(points, points.dropFirst()).map { a, b in
      SIMD2(repeating: (b.y - a.y) / (b.x - a.x))
    }
    return CubicCurve(points, slopes: slopes, extrapolation: .held)
  }
}
