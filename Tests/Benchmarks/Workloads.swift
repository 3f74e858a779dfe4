import Colorloom
import Foundation

/// W0: the cost of copying the bytes, by the C library and by the kernels.
func copies(_ bench: Bench) throws {
  guard bench.wants("W0") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .sRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .sRGB)
  try bench.run("W0", "f32 rgba memcpy") {
    for y in 0..<source.size.height {
      source.withUnsafeRow(y) { from in
        target.withUnsafeMutableRow(y) { to in _ = to.update(fromContentsOf: from) }
      }
    }
  }
  try bench.run(
    "W0", "f32 rgba load and store", limit: 0, error: { target == source ? 0 : 1 }
  ) { try Picture(source).render(into: &target, options: options(bench)) }
}

/// W1: sRGB to Display P3, in every sample format.
func conversions(_ bench: Bench) throws {
  guard bench.wants("W1") else { return }
  // In units of 0…1: half a code for integers, half a unit of the last place near 1 for halves, 8 ulp for floats.
  try conversion(bench, "f32", 1e-6) {
    Float($0)
  } value: {
    Double($0)
  }
  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    try conversion(bench, "f16", 2.5e-4) {
      Float16($0)
    } value: {
      Double($0)
    }
  #endif
  try conversion(bench, "u16", 0.52 / 65535) {
    UInt16(($0 * 65535).rounded())
  } value: {
    Double($0) / 65535
  }
  try conversion(bench, "u8", 0.501 / 255) {
    UInt8(($0 * 255).rounded())
  } value: {
    Double($0) / 255
  }
}

private func conversion<Sample: PixelSample>(
  _ bench: Bench, _ name: String, _ limit: Double, code: (Double) -> Sample,
  value: (Sample) -> Double
) throws {
  let source = try BenchmarkSource.rgba(Sample.self, bench, in: .sRGB, code: code)
  var target = Bitmap<Sample>(source.size, in: .displayP3)
  let exact = PointProgram(converting: .sRGB, to: .displayP3)
  try bench.run(
    "W1", name, limit: limit,
    error: { worstPixel(source, target, value: value) { exact($0) } }
  ) { try Picture(source).render(into: &target, options: options(bench)) }
}

/// W2: Display P3 in half precision to its linear light.
func decodedHalves(_ bench: Bench) throws {
  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    guard bench.wants("W2") else { return }
    let source = try BenchmarkSource.rgba(Float16.self, bench, in: .displayP3) { Float16($0) }
    var target = Bitmap<Float16>(source.size, in: .linearDisplayP3)
    let exact = PointProgram(converting: .displayP3, to: .linearDisplayP3)
    // Half a unit of the last place near 1.
    try bench.run(
      "W2", "f16", limit: 2.5e-4,
      error: { worstPixel(source, target, value: { Double($0) }) { exact($0) } }
    ) { try Picture(source).render(into: &target, options: options(bench)) }
  #endif
}

/// W3: three tone curves, inversion, matrix, exposure and encoding, fused.
func fusedChain(_ bench: Bench) throws {
  guard bench.wants("W3") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .displayP3)
  let curves = TableCurves()
  let picture = Picture(source).applying(curves).exposure(0.5)
  let exact = PointProgram(curves.stages.stages + [.affine(scale: stops, offset: .zero)])
  let toP3 = PointProgram(converting: .linearSRGB, to: .displayP3)
  try bench.run(
    "W3", "f32 rgba", limit: 2e-6,
    error: { worstPixel(source, target, value: { Double($0) }) { toP3(exact($0)) } }
  ) { try picture.render(into: &target, options: options(bench)) }
}

private let stops = SIMD3(repeating: 2.0.squareRoot())

/// Curves as lookup tables of 1,024 entries, then an inversion, on encoded values.
private struct TableCurves: PointFilter {
  var domain: PixelDomain { .linear }

  var stages: PointProgram {
    func table(_ f: (Double) -> Double) -> Curve {
      .sampled(SampledCurve((0..<1024).map { Float(f(Double($0) / 1023)) }))
    }
    return PointProgram([
      .curves(
        "tables", table { $0 - 0.15 * sin(2 * .pi * $0) / .pi }, table { pow($0, 0.8) },
        table { $0 * $0 * (3 - 2 * $0) * 0.6 + 0.4 * $0 }),
      .affine(scale: [-1, -1, -1], offset: .one),
    ])
  }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    for stage in stages.stages { program.append(stage) }
  }
}

/// W5: an 8-bit Display P3 frame of a camera to half-precision extended sRGB, with colors inside the gamut of sRGB shown in gray.
func highlights(_ bench: Bench) throws {
  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    guard bench.wants("W5") else { return }
    let frame = try BenchmarkSource.rgba(UInt8.self, bench, in: .displayP3) {
      UInt8(($0 * 255).rounded())
    }
    var shown = Bitmap<Float16>(frame.size, in: .sRGB)
    let picture = Picture(frame).converted(to: .sRGB).gamutMask(outside: .sRGB)
    let options = options(bench)
    try bench.run("W5", "u8 P3 -> f16 sRGB, masked") {
      try picture.render(into: &shown, options: options)
    }
  #endif
}

/// W6: six adjustments of a photograph in one pass take at most 1.3 times the last of them alone.
func chains(_ bench: Bench) throws {
  guard bench.wants("W6") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .linearSRGB)
  let picture = Picture(source)
  let options = options(bench)
  let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.8], [1, 1]])
  let mixed = ColorMatrix(rows: [0.9, 0.1, 0], [0, 0.9, 0.1], [0.1, 0, 0.9])
  let six = picture.whiteBalance(kelvin: 5000).exposure(0.5).saturation(1.2).channelMix(mixed)
    .brightness(0.02).toneCurve(curve)
  let times = try [("one filter", picture.toneCurve(curve)), ("six filters", six)].map {
    name, picture in
    try bench.run("W6", name) { try picture.render(into: &target, options: options) }
  }
  bench.compare("W6", "six filters by one", times[1], with: times[0], limit: 1.3)
}

/// W7: the same work without and with tracing of color loss, and tracing alone: at 12 megapixels less than a hundredth of the work.
func tracing(_ bench: Bench) throws {
  guard bench.wants("W7") else { return }
  let frame = try BenchmarkSource.rgba(UInt16.self, bench, in: .displayP3) {
    UInt16(($0 * 65535).rounded())
  }
  let picture = Picture(frame).exposure(0.5).saturation(1.2).converted(to: .rec2020)
  let options = options(bench)
  let work = try bench.run("W7", "u16 P3 -> u16 Rec. 2020") {
    _ = try picture.render(as: UInt16.self, options: options)
  }
  try bench.run("W7", "the same, traced") {
    _ = try picture.render(as: UInt16.self, tracing: .colorLoss, options: options)
  }
  let tracing = try bench.run("W7", "tracing alone") {
    _ = try picture.colorLosses(storedAs: UInt16.self, options: options)
  }
  if frame.size.pixelCount >= 12_000_000 {
    bench.compare("W7", "tracing by work", tracing, with: work, limit: 0.01)
  }
}

func options(_ bench: Bench) -> RenderOptions {
  var options = RenderOptions()
  options.threads = bench.arguments.threads
  return options
}

/// The largest difference from the exact result, over every 97th pixel.
func worstPixel<Source: PixelSample, Target: PixelSample>(
  _ source: Bitmap<Source>, _ target: Bitmap<Target>, value: (Source) -> Double,
  result: (Target) -> Double, exact: (SIMD3<Double>) -> SIMD3<Double>
) -> Double {
  var worst = 0.0
  let (width, height) = (source.size.width, source.size.height)
  for index in stride(from: 0, to: width * height, by: 97) {
    let (x, y) = (index % width, index / width)
    let expected = exact(
      SIMD3(value(source[x, y, 0]), value(source[x, y, 1]), value(source[x, y, 2])))
    for k in 0..<3 { worst = max(worst, abs(result(target[x, y, k]) - expected[k])) }
  }
  return worst
}

private func worstPixel<Sample: PixelSample>(
  _ source: Bitmap<Sample>, _ target: Bitmap<Sample>, value: (Sample) -> Double,
  exact: (SIMD3<Double>) -> SIMD3<Double>
) -> Double {
  worstPixel(source, target, value: value, result: value, exact: exact)
}
