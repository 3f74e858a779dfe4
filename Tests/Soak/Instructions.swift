import CAllocationCounter
import Colorloom
import Foundation
import _TestSupport

/// Renders workloads, each once to warm up and once between two calls of `work_boundary`, where an instruction counter starts and ends.
///
/// Reports for each workload: its name, the number of source pixels, and of its plan the passes and the bytes moved.
struct InstructionCount {
  private let size = PixelSize(512, 384)
  private let float: Bitmap<Float>
  private let options: RenderOptions

  init() throws {
    float = try Self.picture(size, Float.self)
    var options = RenderOptions()
    options.threads = 1
    self.options = options
  }

  func run() throws {
    try points()
    try resizes()
    try neighborhoods()
    try warps()
  }

  private func points() throws {
    func conversion<Sample: PixelSample>(_: Sample.Type, _ name: String) throws {
      let source = Picture(try Self.picture(size, Sample.self))
      try count("sRGB to Display P3, \(name)", source.converted(to: .displayP3), as: Sample.self)
    }
    try conversion(Float.self, "float")
    try conversion(UInt16.self, "u16")
    try conversion(UInt8.self, "u8")
    let picture = Picture(float)
    let wide = picture.tagged(as: .displayP3)
    try count("sRGB to Rec. 2100 PQ, u16", picture.converted(to: .rec2100PQ), as: UInt16.self)
    try count("sRGB to Oklab", picture.converted(to: .oklab), as: Float.self)
    try count("sRGB to OkLCh", picture.converted(to: .oklch), as: Float.self)
    try count(
      "Display P3 fitted into sRGB by chroma", wide.fitted(into: .sRGB), as: Float.self)
    try count(
      "Display P3 fitted into sRGB by ray tracing", wide.fitted(into: .sRGB, by: .rayTraced),
      as: Float.self)
    let table = try ColorTable(size: 33) { v in v * v * (3 - 2 * v) }
    try count("table of 33³ entries", picture.look(Look(table)), as: Float.self)
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.8], [1, 1]])
    let mixed = ColorMatrix(rows: [0.9, 0.1, 0], [0, 0.9, 0.1], [0.1, 0, 0.9])
    try count(
      "six adjustments",
      picture.whiteBalance(kelvin: 5000).exposure(0.5).saturation(1.2).channelMix(mixed)
        .brightness(0.02).toneCurve(curve), as: Float.self)
  }

  private func resizes() throws {
    let linear = Picture(float).tagged(as: .linearSRGB)
    let planes = try float.converted(channels: .rgb, arrangement: .planar)
    for divisor in [4, 2] {
      let target = ResizeTarget.exact(size.width / divisor, size.height / divisor)
      try count("Lanczos 3 to 1/\(divisor), RGBA float", linear.resized(to: target), as: Float.self)
      try count(
        "Lanczos 3 to 1/\(divisor), planar float",
        Picture(planes).tagged(as: .linearSRGB).resized(to: target), as: Float.self,
        arrangement: .planar)
      try count(
        "Lanczos 3 to 1/\(divisor), RGBA u8 in linear light",
        Picture(try Self.picture(size, UInt8.self)).resized(to: target), as: UInt8.self)
    }
  }

  private func neighborhoods() throws {
    let linear = Picture(float).tagged(as: .linearSRGB)
    try count("Gaussian blur of 2", linear.blurred(sigma: 2), as: Float.self)
    try count("Gaussian blur of 8", linear.blurred(sigma: 8), as: Float.self)
    for radius in [1, 2, 5] {
      try count("median of radius \(radius)", linear.median(radius: radius), as: Float.self)
    }
    try count("dilation by 2", linear.dilated(by: 2), as: Float.self)
    let weights = (0..<49).map { Double($0 % 8) / 172 }
    let rows = (0..<7).map { Array(weights[7 * $0..<7 * $0 + 7]) }
    try count("convolution of 7 × 7", linear.convolved(rows), as: Float.self)
  }

  private func warps() throws {
    let linear = Picture(float).tagged(as: .linearSRGB)
    try count("rotation by 12°", linear.rotated(degrees: 12), as: Float.self)
    let corners = [SIMD2(20.0, 10), SIMD2(500, 40), SIMD2(480, 380), SIMD2(0, 350)]
    try count("straightening", linear.straightened(corners, to: size), as: Float.self)
  }

  private func count<Sample: PixelSample>(
    _ name: String, _ picture: Picture, as _: Sample.Type, arrangement: Arrangement = .interleaved
  ) throws {
    var target = Bitmap<Sample>(
      picture.size, in: picture.space, channels: arrangement == .planar ? .rgb : .rgba,
      arrangement: arrangement)
    try picture.render(into: &target, options: options)
    work_boundary()
    try picture.render(into: &target, options: options)
    work_boundary()
    let plan = try picture.planReport(
      as: Sample.self, channels: target.channels, arrangement: arrangement, options: options)
    let bytes = plan.steps.reduce(0) { $0 + $1.bytesRead + $1.bytesWritten }
    report(name, size.pixelCount, plan.passCount, bytes)
  }

  /// Gradients and noise in sRGB, opaque.
  private static func picture<Sample: PixelSample>(
    _ size: PixelSize, _: Sample.Type
  ) throws -> Bitmap<Sample> {
    var codes = Bitmap<UInt8>(size, in: .sRGB)
    var generator = SeededGenerator(seed: 1)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (u, v) = (x * 200 / size.width, y * 200 / size.height)
        for (k, level) in [u, v, (u + v) / 2].enumerated() {
          codes[x, y, k] = UInt8(level + Int(generator.next() >> 59))
        }
        codes[x, y, 3] = 255
      }
    }
    return try codes.converted(to: Sample.self)
  }
}
