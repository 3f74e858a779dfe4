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
    // Half a code, and the resize's 10⁻⁶ of linear light, which is 13 times as much in the encoding's linear segment.
    try bench.run(
      "W4", "u8 sRGB in linear light ->\(size.width)x\(size.height)", limit: 0.504 / 255,
      error: {
        worstPixel(
          from: encoded, target, places: 200, value: { Double($0) / 255 },
          source: { TransferFunction.sRGB.decode($0) },
          result: { TransferFunction.sRGB.encode($0) }
        ) { resize.pixel(x: $0, y: $1, of: encoded.size, read: $2) }
      }
    ) { try Picture(encoded).applying(resize).render(into: &target, options: options(bench)) }
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
      error: { worstPixel(of: resize, from: planar, target, places: 200, value: value) }
    ) { try Picture(planar).applying(resize).render(into: &target, options: options(bench)) }
    var colored = Bitmap<Sample>(size, in: .linearSRGB)
    try bench.run(
      "W4", "\(name) rgba ->\(size.width)x\(size.height)", limit: limit,
      error: { worstPixel(of: resize, from: rgba, colored, places: 200, value: value) }
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
      error: { worstPixel(of: filter, from: source, target, places: 40) { Double($0) } }
    ) { try Picture(source).applying(filter).render(into: &target, options: options(bench)) }
  }
  try run("f32 rgba Gaussian 8", GaussianBlur(sigma: 8))
  try run("f32 rgba Gaussian 2", GaussianBlur(sigma: 2))
  let (blur, mask) = (try GaussianBlur(sigma: 2), UnsharpMask(amount: 1))
  // The blur's bound, and a rounding of sums between 1 and 2.
  try bench.run(
    "W8", "f32 rgba unsharp mask 2", limit: 1.2e-6,
    error: {
      worstPixel(from: source, target, places: 40, value: { Double($0) }) { x, y, read in
        mask.pixel([read(x, y), blur.pixel(x: x, y: y, of: source.size, read: read)])
      }
    }
  ) {
    try Picture(source).sharpened(sigma: 2, amount: 1)
      .render(into: &target, options: options(bench))
  }
  try run("f32 rgba box 3", BoxBlur(radius: 3))
}
