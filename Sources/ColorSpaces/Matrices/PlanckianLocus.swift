/// The Planckian locus in the CIE 1960 diagram, in which color temperatures are defined.
enum PlanckianLocus {
  /// A point of the locus, and its derivative per mired.
  struct Point {
    let uv, derivative: SIMD2<Double>
  }

  /// Returns the point at a temperature in mireds, 10⁶ / kelvin.
  ///
  /// Planck's law with c₂ = 0.014388 m·K (CIE 15:2018), summed over the observer in steps of 5 nm. Steps of 1 nm give a
  /// point within 10⁻⁶ of this one up to 10,000 K, and within 2·10⁻⁶ up to 100,000 K.
  static func point(mireds: Double) -> Point {
    var (xyz, slope) = (SIMD3<Double>.zero, SIMD3<Double>.zero)
    for (wavelength, response) in zip(
      ColorMatchingFunctions.wavelengths, ColorMatchingFunctions.values)
    {
      let rate = 14_388 / (1000 * wavelength)
      let growth = exponential(rate * mireds)
      let ratio = 560 / wavelength
      let light = response * (ratio * ratio * ratio * ratio * ratio / (growth - 1))
      xyz += light
      slope -= light * (rate * growth / (growth - 1))
    }
    // u = 4X / (X + 15Y + 3Z), v = 6Y / (X + 15Y + 3Z).
    let weights = SIMD3(1.0, 15, 3)
    let (sum, sumSlope) = ((xyz * weights).sum(), (slope * weights).sum())
    let uv = SIMD2(4 * xyz.x, 6 * xyz.y) / sum
    return Point(uv: uv, derivative: (SIMD2(4 * slope.x, 6 * slope.y) - uv * sumSlope) / sum)
  }

  /// Returns the temperature in mireds whose point is nearest to `uv`; nil outside the searched range.
  static func nearest(to uv: SIMD2<Double>) -> Double? {
    /// Positive where the nearest point is at more mireds, negative where it is at fewer.
    func direction(_ mireds: Double) -> Double {
      let point = point(mireds: mireds)
      return ((uv - point.uv) * point.derivative).sum()
    }
    func distance(_ index: Int) -> Double {
      let step = uv - samples[index].uv
      return (step * step).sum()
    }
    guard let best = samples.indices.min(by: { distance($0) < distance($1) }),
      best > 0, best < samples.count - 1
    else { return nil }

    var (low, high) = (samples[best - 1].mireds, samples[best + 1].mireds)
    var (below, above) = (direction(low), direction(high))
    guard below > 0, above < 0 else { return nil }
    // Regula falsi with the Illinois rule: an end that stays twice has its weight halved, so that both ends converge.
    var lastSide = 0
    for _ in 0..<100 {
      let middle = (low * above - high * below) / (above - below)
      guard middle > low, middle < high else { break }
      let value = direction(middle)
      if value == 0 { return middle }
      if value > 0 {
        (low, below) = (middle, value)
        if lastSide == 1 { above /= 2 }
        lastSide = 1
      } else {
        (high, above) = (middle, value)
        if lastSide == -1 { below /= 2 }
        lastSide = -1
      }
    }
    return below < -above ? low : high
  }

  /// The samples that bracket the search: every 5 mireds, a little beyond 1000 K and 100,000 K.
  private static let samples: [(mireds: Double, uv: SIMD2<Double>)] =
    stride(from: 5.0, through: 1020, by: 5).map { ($0, point(mireds: $0).uv) }
}
