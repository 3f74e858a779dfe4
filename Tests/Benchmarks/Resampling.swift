import Colorloom
import Foundation

/// W4: Lanczos 3 to a quarter and a half, in every sample format, planar and interleaved.
func resizes(_ bench: Bench) throws {
  guard bench.wants("W4") else { return }
  // In units of 0…1: half a code for integers, half a unit of the last place near 1 for halves.
  try resizes(bench, "f32", 1e-6) {
    Float($0)
  } value: {
    Double($0)
  }
  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    try resizes(bench, "f16", 2.5e-4) {
      Float16($0)
    } value: {
      Double($0)
    }
  #endif
  try resizes(bench, "u16", 0.52 / 65535) {
    UInt16(($0 * 65535).rounded())
  } value: {
    Double($0) / 65535
  }
  try resizes(bench, "u8", 0.501 / 255) {
    UInt8(($0 * 255).rounded())
  } value: {
    Double($0) / 255
  }
  let encoded = try BenchmarkSource.rgba(UInt8.self, bench, in: .sRGB) {
    UInt8(($0 * 255).rounded())
  }
  for divisor in [4, 2] {
    let size = PixelSize(encoded.size.width / divisor, encoded.size.height / divisor)
    let resize = try Resize(to: .exact(size.width, size.height))
    var target = Bitmap<UInt8>(size, in: .sRGB)
    try bench.run("W4", "u8 sRGB in linear light ->\(size.width)x\(size.height)") {
      try Picture(encoded).applying(resize).render(into: &target, options: options(bench))
    }
  }
}

private func resizes<Sample: PixelSample>(
  _ bench: Bench, _ name: String, _ limit: Double, code: (Double) -> Sample,
  value: (Sample) -> Double
) throws {
  let rgba = try BenchmarkSource.rgba(Sample.self, bench, in: .linearSRGB, code: code)
  var planar = Bitmap<Sample>(
    rgba.size, in: .linearSRGB, channels: .rgb, arrangement: .planar)
  for y in 0..<rgba.size.height {
    rgba.withUnsafeRow(y) { from in
      for plane in 0..<3 {
        planar.withUnsafeMutableRow(y, plane: plane) { to in
          for x in to.indices { to[x] = from[4 * x + plane] }
        }
      }
    }
  }
  for divisor in [4, 2] {
    let size = PixelSize(rgba.size.width / divisor, rgba.size.height / divisor)
    let resize = try Resize(to: .exact(size.width, size.height))
    var target = Bitmap<Sample>(size, in: .linearSRGB, channels: .rgb, arrangement: .planar)
    try bench.run(
      "W4", "\(name) planar ->\(size.width)x\(size.height)", limit: limit,
      error: { worstPixel(of: resize, from: planar, target, count: 200, value: value) }
    ) { try Picture(planar).applying(resize).render(into: &target, options: options(bench)) }
    var colored = Bitmap<Sample>(size, in: .linearSRGB)
    try bench.run(
      "W4", "\(name) rgba ->\(size.width)x\(size.height)", limit: limit,
      error: { worstPixel(of: resize, from: rgba, colored, count: 200, value: value) }
    ) { try Picture(rgba).applying(resize).render(into: &colored, options: options(bench)) }
  }
}

/// W8: blurs and an unsharp mask of single-precision RGBA.
func blurs(_ bench: Bench) throws {
  guard bench.wants("W8") else { return }
  let source = try BenchmarkSource.rgba(Float.self, bench, in: .linearSRGB) { Float($0) }
  var target = Bitmap<Float>(source.size, in: .linearSRGB)
  func run(_ name: String, _ filter: some AreaFilter) throws {
    try bench.run(
      "W8", name, limit: 1e-6,
      error: { worstPixel(of: filter, from: source, target, count: 40) { Double($0) } }
    ) { try Picture(source).applying(filter).render(into: &target, options: options(bench)) }
  }
  try run("f32 rgba Gaussian 8", GaussianBlur(sigma: 8))
  try run("f32 rgba Gaussian 2", GaussianBlur(sigma: 2))
  try bench.run("W8", "f32 rgba unsharp mask 2") {
    try Picture(source).sharpened(sigma: 2, amount: 1)
      .render(into: &target, options: options(bench))
  }
  try run("f32 rgba box 3", BoxBlur(radius: 3))
}

/// The largest difference from a filter's definition, at some pixels of an opaque picture in linear light.
private func worstPixel<Sample: PixelSample>(
  of filter: some AreaFilter, from source: Bitmap<Sample>, _ target: Bitmap<Sample>, count: Int,
  value: (Sample) -> Double
) -> Double {
  var worst = 0.0
  for index in 0..<count {
    let (x, y) = (index * 7919 % target.size.width, index * 104_729 % target.size.height)
    let expected = filter.pixel(x: x, y: y, of: source.size) { x, y in
      let (x, y) = (
        min(max(x, 0), source.size.width - 1), min(max(y, 0), source.size.height - 1)
      )
      return SIMD4(value(source[x, y, 0]), value(source[x, y, 1]), value(source[x, y, 2]), 1)
    }
    for k in 0..<3 {
      // Integers hold 0…1.
      let held = Sample.format == .uint8 || Sample.format == .uint16
      let wanted = held ? min(max(expected[k], 0), 1) : expected[k]
      worst = max(worst, abs(value(target[x, y, k]) - wanted))
    }
  }
  return worst
}
