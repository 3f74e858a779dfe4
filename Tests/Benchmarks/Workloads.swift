import Colorloom
import Foundation

/// W0: the cost of copying the bytes, by the C library and by the kernels.
func copies(_ bench: Bench) throws {
  guard bench.wants("W0") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .sRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .sRGB)
  try bench.run("W0", "f32 rgba memcpy", unchecked: .isNotOurs) {
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
    let definition = MaskDefinition()
    // Half a unit in the last place of halves from 1 on: extended sRGB exceeds 1.
    try bench.run(
      "W5", "u8 P3 -> f16 sRGB, masked", limit: 5e-4,
      error: {
        worstColor(
          frame, shown, value: { Double($0) / 255 }, result: { Double($0) },
          error: definition.error)
      }
    ) { try picture.render(into: &shown, options: options) }
  #endif
}

/// The mask of W5 in double precision. A color counts as out of gamut if all colors that would be rounded to its codes are, by more than
/// 2.5·10⁻⁵ of linear light.
private struct MaskDefinition {
  private static let tolerance = 2.5e-5
  /// Single precision may decide otherwise for colors that are so close to the tolerance.
  private static let doubt = 1e-5
  private let toSRGB = ColorSpace.displayP3.matrix(to: .sRGB)

  /// The difference of a result, encoded in sRGB, from the definition of the mask for `codes`, encoded in Display P3.
  func error(_ codes: SIMD3<Double>, _ result: SIMD3<Double>) -> Double {
    let half = SIMD3(repeating: 0.5 / 255)
    let (low, high) = (
      TransferFunction.sRGB.decode(codes - half), TransferFunction.sRGB.decode(codes + half)
    )
    // How far the nearest of the colors is beyond 0…1 in a channel.
    let beyond =
      toSRGB.rows.map { row in
        let (raising, lowering) = (pointwiseMax(row, .zero), pointwiseMin(row, .zero))
        let least = (raising * low + lowering * high).sum()
        let greatest = (raising * high + lowering * low).sum()
        return max(least - 1, -greatest)
      }.max() ?? 0
    let light = toSRGB * TransferFunction.sRGB.decode(codes)
    let gray = SIMD3(repeating: (light * ColorSpace.sRGB.luminanceWeights).sum())
    func error(of shown: SIMD3<Double>) -> Double {
      difference(TransferFunction.sRGB.encode(shown), result)
    }
    let excess = beyond - Self.tolerance
    if abs(excess) < Self.doubt { return min(error(of: light), error(of: gray)) }
    return error(of: excess > 0 ? light : gray)
  }
}

/// W6: six adjustments of a photograph in one pass take at most 1.3 times the last of them alone.
func chains(_ bench: Bench) throws {
  guard bench.wants("W6") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .linearSRGB)
  let options = options(bench)
  let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.8], [1, 1]])
  let mixed = ColorMatrix(rows: [0.9, 0.1, 0], [0, 0.9, 0.1], [0.1, 0, 0.9])
  let cases: [(String, (Picture) -> Picture)] = [
    ("one filter", { $0.toneCurve(curve) }),
    (
      "six filters",
      {
        $0.whiteBalance(kelvin: 5000).exposure(0.5).saturation(1.2).channelMix(mixed)
          .brightness(0.02).toneCurve(curve)
      }
    ),
  ]
  let times = try cases.map { name, steps in
    let picture = steps(Picture(source))
    // Single precision; the square roots of dark colors amplify the rounding errors of the sums before them.
    return try bench.run(
      "W6", name, limit: 4e-6,
      error: { try worstPixel(source, target, result: { Double($0) }, steps: steps) }
    ) { try picture.render(into: &target, options: options) }
  }
  bench.compare("W6", "six filters by one", times[1], with: times[0], limit: 1.3)
}

/// W7: the same work without and with tracing of color loss, and tracing alone: at 12 megapixels less than a hundredth of the work.
func tracing(_ bench: Bench) throws {
  guard bench.wants("W7") else { return }
  let frame = try BenchmarkSource.rgba(UInt16.self, bench, in: .displayP3) {
    UInt16(($0 * 65535).rounded())
  }
  func steps(_ picture: Picture) -> Picture {
    picture.exposure(0.5).saturation(1.2).converted(to: .rec2020)
  }
  let picture = steps(Picture(frame))
  let options = options(bench)
  var result: Bitmap<UInt16>?
  // Half a code, and 10⁻⁶ of linear light, which is 4.5 times as much in the encoding's linear segment.
  func render(_ name: String, _ body: () throws -> Bitmap<UInt16>) throws -> Double {
    try bench.run(
      "W7", name, limit: 0.5 / 65535 + 4.5e-6,
      error: {
        guard let result else { return .infinity }
        return try worstPixel(frame, result, result: { Double($0) / 65535 }, steps: steps)
      }
    ) { result = try body() }
  }
  let work = try render("u16 P3 -> u16 Rec. 2020") {
    try picture.render(as: UInt16.self, options: options)
  }
  _ = try render("the same, traced") {
    try picture.render(as: UInt16.self, tracing: .colorLoss, options: options).bitmap
  }
  result = nil
  let tracing = try bench.run("W7", "tracing alone", unchecked: .onlyTraces) {
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
