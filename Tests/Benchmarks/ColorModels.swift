import Colorloom

/// P4: sRGB to spaces that formulas compute, and the OOTF of HLG.
func colorModels(_ bench: Bench) throws {
  guard bench.wants("P4") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .sRGB) { Float($0) }
  let spaces: [ColorSpace] = [
    .oklch, .hsl, .cam16JMh, .luv, .okhsl, .hct, .rec2100HLG(on: .reference),
  ]
  // In linear light: encoding would amplify errors near black 13 times. Lightness up to 100 and hues up to 360 degrees, rounded to single
  // precision, move colors by up to 2·10⁻⁶; the formulas may take as much.
  let limit = 4e-6
  for space in spaces {
    var target = Bitmap<Float>(source.size, in: space)
    let exact = PointProgram(converting: .sRGB, to: space)
    let light = PointProgram(converting: space, to: .linearSRGB)
    // Okhsl's saturation jumps by 4 % at the hue of sRGB's blue, from one of its polynomials to the next one. A rounding of the hue decides
    // on which side a blue is, so hues are also read as the floats before and after, which moves blues by up to 6·10⁻⁶ by itself.
    let ulp = Double(Float(264).ulp)
    let (shifts, limit) = space == .okhsl ? ([0, -ulp, ulp], 8e-6) : ([0], limit)
    // Hues of grays are ill-conditioned, and components have different units. So the colors are compared that they stand for.
    func error(_ color: SIMD3<Double>, _ result: SIMD3<Double>) -> Double {
      let expected = light(exact(color))
      return shifts.map { difference(light(result + [$0, 0, 0]), expected) }.min() ?? .infinity
    }
    try bench.run(
      "P4", "sRGB to \(space)", limit: limit,
      error: {
        worstColor(
          source, target, value: { Double($0) }, result: { Double($0) }, error: error)
      }
    ) { try Picture(source).render(into: &target, options: options(bench)) }
  }
  for space in [ColorSpace.oklch, .hsl, .cam16JMh] {
    let stored = try Picture(source).converted(to: space).render(as: Float.self)
    var target = Bitmap<Float>(source.size, in: .sRGB)
    let light = PointProgram(converting: space, to: .linearSRGB)
    try bench.run(
      "P4", "\(space) to sRGB", limit: limit,
      error: {
        worstColor(stored, target, value: { Double($0) }, result: { Double($0) }) {
          difference(light($0), TransferFunction.sRGB.decode($1))
        }
      }
    ) { try Picture(stored).render(into: &target, options: options(bench)) }
  }
}
