/// The reference gamut compression of ACES 1.3, or one with other parameters, for linear ACEScg; it is invertible.
///
/// The distance of a channel is (max − channel) / max, where max is the largest channel. Distances up to `threshold` are unchanged; above
/// it they are compressed so that `limit` becomes 1, the gamut boundary. The largest channel is unchanged.
/// (aces-dev 1.3, `LMT.Academy.ReferenceGamutCompress.a1.v1.0`.)
public struct GamutCompression: Hashable, Sendable {
  /// The distance up to which nothing changes: of red, green and blue, which the standard calls cyan, magenta and yellow.
  public let threshold: SIMD3<Double>
  /// The distance that is compressed to 1, the gamut boundary.
  public let limit: SIMD3<Double>
  /// The exponent of the compression curve; larger values bend it more sharply.
  public let power: Double
  /// The distance above the threshold that the curve would reach for the farthest colors of all.
  package let reach: SIMD3<Double>

  /// Creates a compression from its thresholds, limits and power.
  ///
  /// - Throws: ``ColorError`` if a threshold is not from 0 to below 1, a limit not above 1 and up to 10⁶, or the power not
  ///   in 0.01…20. High powers need limits that are not too far above the threshold, low ones limits that are not too near
  ///   to 1: otherwise the curve overflows.
  public init(
    threshold: SIMD3<Double>, limit: SIMD3<Double>, power: Double
  ) throws(ColorError) {
    try check("The power of gamut compression", power, in: Self.powers)
    for channel in 0..<3 {
      try check("A threshold of gamut compression", threshold[channel], in: Self.thresholds)
      try check("A limit of gamut compression", limit[channel], in: Self.limits)
      try check(
        "A limit of gamut compression with the threshold \(threshold[channel]) and the power \(power)",
        limit[channel], in: Self.limits(over: threshold[channel], power: power))
    }
    self.init(from: threshold, to: limit, power: power)
  }

  /// The allowed thresholds: from 0 to below 1, the distance of the gamut boundary.
  package static let thresholds = 0...1.0.nextDown
  /// The allowed limits: above 1, the distance of the gamut boundary.
  package static let limits = 1.0.nextUp...1e6
  /// The allowed exponents of the compression curve. Higher ones would overflow for colors far out of gamut.
  package static let powers = 0.01...20.0

  /// The limits with a finite ``reach``: where `ratioᵖ − 1` and its root, for the ratio of limit to 1 above the
  /// threshold, neither overflow nor vanish.
  private static func limits(over threshold: Double, power: Double) -> ClosedRange<Double> {
    let span = 1 - threshold
    let least = ColorSpaces.power(1 + max(exp2(-1000 * power), 0x1p-40), 1 / power)
    let most = exp2(1000 / power)
    return min(threshold + span * least, 1e6)...min(threshold + span * most, 1e6)
  }

  private init(from threshold: SIMD3<Double>, to limit: SIMD3<Double>, power: Double) {
    (self.threshold, self.limit, self.power) = (threshold, limit, power)
    reach = SIMD3(
      (0..<3).map { channel in
        let span = limit[channel] - threshold[channel]
        let bend = ColorSpaces.power((1 - threshold[channel]) / span, -power) - 1
        return span / ColorSpaces.power(bend, 1 / power)
      })
  }

  /// The reference compression of ACES 1.3.
  public static let aces13 = GamutCompression(
    from: [0.815, 0.803, 0.880], to: [1.147, 1.264, 1.312], power: 1.2)

  /// Returns the compressed color of a color in linear ACEScg.
  public func callAsFunction(_ light: SIMD3<Double>) -> SIMD3<Double> {
    changed(FormulaVector<Double>(light), isUndone: false).simd
  }

  /// Returns the color that compression maps to `light`, or `light` itself if there is none.
  public func undo(_ light: SIMD3<Double>) -> SIMD3<Double> {
    changed(FormulaVector<Double>(light), isUndone: true).simd
  }

  /// The compression, or what undoes it, as a stage that changes the linear light of `space`.
  package func stage(isUndone: Bool, in space: ColorSpace) -> PointProgram.Stage {
    .gamut(GamutStage(self, isUndone: isUndone, in: space))
  }

  /// A color compressed, or what became it.
  func changed<Number: FormulaNumber>(
    _ light: FormulaVector<Number>, isUndone: Bool
  ) -> FormulaVector<Number> {
    let largest = light.max()
    let unit = largest.magnitude
    func changed(_ value: Number, _ channel: Int) -> Number {
      let (threshold, reach) = (Number(threshold[channel]), Number(reach[channel]))
      let distance = (largest - value) / unit
      let x = (distance - threshold) / reach
      let bend = x.raised(to: power)
      let base = isUndone ? 1 - bend : 1 + bend
      var result = threshold + reach * x / base.raised(to: 1 / power)
      if isUndone { result = .select(x .< 1, result, distance) }
      let isFar = (largest - value .> threshold * unit) .& (unit .> 0)
      return .select(isFar, largest - result * unit, value)
    }
    return [changed(light.x, 0), changed(light.y, 1), changed(light.z, 2)]
  }
}
