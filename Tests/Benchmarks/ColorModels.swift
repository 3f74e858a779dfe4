import Colorloom

/// P4: sRGB to spaces that formulas compute, and the OOTF of HLG.
func colorModels(_ bench: Bench) throws {
  guard bench.wants("P4") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .sRGB) { Float($0) }
  let spaces: [ColorSpace] = [
    .oklch, .hsl, .cam16JMh, .luv, .okhsl, .hct, .rec2100HLG(on: .reference),
  ]
  for space in spaces {
    var target = Bitmap<Float>(source.size, in: space)
    try bench.run("P4", "sRGB to \(space)") {
      try Picture(source).render(into: &target, options: options(bench))
    }
  }
  for space in [ColorSpace.oklch, .hsl, .cam16JMh] {
    let stored = try Picture(source).converted(to: space).render(as: Float.self)
    var target = Bitmap<Float>(source.size, in: .sRGB)
    try bench.run("P4", "\(space) to sRGB") {
      try Picture(stored).render(into: &target, options: options(bench))
    }
  }
}
