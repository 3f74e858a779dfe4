import Colorloom
import Foundation

/// P1: linear sRGB to Oklab, to OkLCh, and back.
func hues(_ bench: Bench) throws {
  guard bench.wants("P1") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  for space in [ColorSpace.oklab, .oklch] {
    var target = Bitmap<Float>(source.size, in: space)
    let exact = PointProgram(converting: .linearSRGB, to: space)
    // Compared as opponents, because hues near gray are ill-conditioned.
    func error() -> Double {
      worstColor(source, target, value: { Double($0) }, result: { Double($0) }) { light, result in
        difference(opponents(exact(light), in: space), opponents(result, in: space))
      }
    }
    try bench.run("P1", "f32 linear sRGB -> \(space)", limit: 2e-6, error: error) {
      try Picture(source).converted(to: space).render(into: &target, options: options(bench))
    }
    // Not `target`, which stays empty where the case above is not wanted.
    let stored = try Picture(source).converted(to: space).render(as: Float.self)
    var back = Bitmap<Float>(source.size, in: .linearSRGB)
    let exactBack = PointProgram(converting: space, to: .linearSRGB)
    try bench.run(
      "P1", "f32 \(space) -> linear sRGB", limit: 4e-6,
      error: {
        worstPixel(stored, back, value: { Double($0) }, result: { Double($0) }) { exactBack($0) }
      }
    ) {
      try Picture(stored).converted(to: .linearSRGB).render(into: &back, options: options(bench))
    }
  }
}

private func opponents(_ color: SIMD3<Double>, in space: ColorSpace) -> SIMD3<Double> {
  guard space == .oklch else { return color }
  let angle = color.z * .pi / 180
  return [color.x, color.y * cos(angle), color.y * sin(angle)]
}

/// P2: Display P3 mapped into the gamut of sRGB, with more than a third of the pixels out of gamut, and the compression of ACES 1.3.
func gamuts(_ bench: Bench) throws {
  guard bench.wants("P2") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .displayP3) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .sRGB)
  // The search for the best chroma ends where a difference is small enough: a rounding of the light can decide which step is the last one.
  // So the mappings are checked from the light in single precision.
  let light = try Picture(source).converted(to: .linearSRGB).render(as: Float.self)
  for mapping in [GamutMapping.reducedChroma, .rayTraced, .compressed(), .softKnee()] {
    let exact = PointProgram([mapping.stage(into: .sRGB), .encode(.sRGB)])
    try bench.run(
      "P2", "f32 P3 -> sRGB, \(mapping)", limit: 4e-6,
      error: {
        worstPixel(light, target, value: { Double($0) }, result: { Double($0) }) { exact($0) }
      }
    ) {
      try Picture(source).fitted(into: .sRGB, by: mapping)
        .render(into: &target, options: options(bench))
    }
  }
  let linear = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  var compressed = Bitmap<Float>(source.size, in: .linearSRGB)
  let exact = PointProgram { GamutCompress().describe(to: &$0, in: .linearSRGB) }
  try bench.run(
    "P2", "f32 linear sRGB, ACES 1.3 compression", limit: 2e-6,
    error: {
      worstPixel(linear, compressed, value: { Double($0) }, result: { Double($0) }) { exact($0) }
    }
  ) {
    try Picture(linear).gamutCompressed().render(into: &compressed, options: options(bench))
  }
}

/// P3: sRGB to the spaces of high dynamic range in 16 bits, and back in single precision.
func highDynamicRange(_ bench: Bench) throws {
  guard bench.wants("P3") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .sRGB) { Float($0) }
  for space in [ColorSpace.rec2100PQ, .rec2100HLG] {
    var stored = Bitmap<UInt16>(source.size, in: space)
    let exact = PointProgram(converting: .sRGB, to: space)
    try bench.run(
      "P3", "f32 sRGB -> u16 \(space)", limit: 0.52 / 65535,
      error: {
        worstPixel(
          source, stored, value: { Double($0) }, result: { Double($0) / 65535 }
        ) { exact($0) }
      }
    ) { try Picture(source).converted(to: space).render(into: &stored, options: options(bench)) }
    var encoded = Bitmap<Float>(source.size, in: space)
    try Picture(source).converted(to: space).render(into: &encoded, options: options(bench))
    var back = Bitmap<Float>(source.size, in: .sRGB)
    let exactBack = PointProgram(converting: space, to: .sRGB)
    try bench.run(
      "P3", "f32 \(space) -> f32 sRGB", limit: 8e-6,
      error: {
        worstPixel(encoded, back, value: { Double($0) }, result: { Double($0) }) { exactBack($0) }
      }
    ) { try Picture(encoded).converted(to: .sRGB).render(into: &back, options: options(bench)) }
  }
}
