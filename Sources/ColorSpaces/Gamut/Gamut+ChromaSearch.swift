extension Gamut.Ray {
  /// The search of CSS Color 4, 13.2.2: the most chroma that clipping changes by less than can be seen.
  func searched() -> SIMD3<Double> {
    let (justNoticeable, precision) = (Gamut.noticeableDifference, Gamut.searchPrecision)

    func clipping(
      _ light: SIMD3<Double>, _ oklab: SIMD3<Double>
    ) -> (light: SIMD3<Double>, difference: Double) {
      let clipped = gamut.clipped(light)
      let step = gamut.oklab(clipped) - oklab
      return (clipped, (step * step).sum().squareRoot())
    }

    var best = clipping(light, color)
    if best.difference < justNoticeable { return best.light }
    var (low, high) = (0.0, chroma)
    var lowIsInside = true
    while high - low > precision {
      let middle = (low + high) / 2
      let light = light(at: middle)
      if lowIsInside, gamut.holds(light) {
        low = middle
        continue
      }
      best = clipping(light, oklab(at: middle))
      guard best.difference < justNoticeable else {
        high = middle
        continue
      }
      if justNoticeable - best.difference < precision { return best.light }
      lowIsInside = false
      low = middle
    }
    return best.light
  }
}
