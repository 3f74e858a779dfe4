// Conversions of high dynamic range to standard dynamic range: Report ITU-R BT.2446-1.

extension Formula {
  /// Method A of Report ITU-R BT.2446-1 (clause 4.1): from the linear light of `space`, with 1 at `unit` cd/m², of a display with
  /// the peak `mastering` to that of a display whose peak becomes 1.
  package static func bt2446A(
    from mastering: Double, to display: Double, unit: Double, in space: ColorSpace
  ) -> Formula {
    let weights = VideoEncoding.rec2020Weights
    let (blueSpan, redSpan) = (2 * (1 - weights.z), 2 * (1 - weights.x))
    func density(_ peak: Double) -> Double { 1 + 32 * power(peak / 10_000, 1 / 2.4) }
    let (bright, dim) = (density(mastering), density(display))
    let toDisplay = space.matrix(to: .linearRec2020)
    let fromDisplay = ColorSpace.linearRec2020.matrix(to: space)
    return Formula("BT.2446 method A, \(mastering) to \(display) cd/m²") { light in
      let signal = (toDisplay * light.finite).map {
        ($0 * Value(unit / mastering)).raised(to: 1 / 2.4).atMost(1)
      }
      let luma = (Vector(weights) * signal).sum()
      // To a perceptually uniform scale, through a knee, and back.
      let p = (1 + Value(bright - 1) * luma).binaryLogarithm / Value(log2(bright))
      let knee = Value.select(
        p .<= 0.7399, 1.077 * p,
        .select(p .< 0.9909, (-1.151 * p + 2.7811) * p - 0.6302, 0.5 * p + 0.5))
      let mapped = ((knee * Value(log2(dim))).binaryExponential - 1) / Value(dim - 1)
      // Color differences in proportion to luma, and less saturated; reds are darkened.
      let factor = Value.select(luma .> 0, mapped / (1.1 * luma), 0)
      let blueDifference = factor * (signal.z - luma) / Value(blueSpan)
      let redDifference = factor * (signal.x - luma) / Value(redSpan)
      let y = mapped - (0.1 * redDifference).atLeast(0)
      let (red, blue) = (y + Value(redSpan) * redDifference, y + Value(blueSpan) * blueDifference)
      let green = (y - Value(weights.x) * red - Value(weights.z) * blue) / Value(weights.y)
      return fromDisplay * Vector(red, green, blue).map { $0.mirroredPower(2.4) }
    }.keepingNaN
  }

  /// Method C of Report ITU-R BT.2446-1 (clause 6.1): from the linear light of `space`, with 1 at `unit` cd/m², to that of a display
  /// whose 100 cd/m² become 1.
  ///
  /// The luminance of colors that `crosstalk` mixed becomes k₁Y below the inflection point and k₂ ln(Y / inflection − k₃) + k₄ above.
  package static func bt2446C(
    crosstalk: Double, k: SIMD4<Double>, inflection: Double, unit: Double, in space: ColorSpace
  ) -> Formula {
    let weights = VideoEncoding.rec2020Weights
    let rest = 1 - 2 * crosstalk
    let mixing = ColorMatrix(
      rows: [rest, crosstalk, crosstalk], [crosstalk, rest, crosstalk],
      [crosstalk, crosstalk, rest])
    let toDisplay =
      mixing * space.matrix(to: .linearRec2020) * ColorMatrix(diagonal: .one * unit)
    let fromDisplay =
      ColorSpace.linearRec2020.matrix(to: space) * mixing.inverse
      * ColorMatrix(diagonal: .one / 100)
    return Formula("BT.2446 method C") { light in
      let mixed = toDisplay * light.finite
      let luminance = (Vector(weights) * mixed).sum()
      let relative = (luminance / Value(inflection) - Value(k.z)).atLeast(1e-10)
      let highlight = Value(k.y) * relative.naturalLogarithm + Value(k.w)
      return fromDisplay
        * (mixed * .select(luminance .< Value(inflection), Value(k.x), highlight / luminance))
    }.keepingNaN
  }
}
