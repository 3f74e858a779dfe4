import ColorSpaces
import Colorloom
import FilterGraph
import Foundation
import ICCProfiles
import ImageBuffer
import ImageFiles
import _TestSupport

/// Rows of ink channels in memory, as decoders deliver them.
private struct InksInMemory: InkSource {
  let size: PixelSize
  let samples: [UInt8]
  let format: SampleFormat
  let colors: PointProgram

  var space: ColorSpace { .proPhoto }
  var channels: Channels { .cmyk }
  var alpha: Alpha { .straight }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? { nil }
  func makeReader() throws -> any RowReader { Reader(self) }

  private final class Reader: RowReader {
    let source: InksInMemory
    var y = 0
    init(_ source: InksInMemory) { self.source = source }
    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      source.samples.withUnsafeBytes {
        row.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[y * row.count..<(y + 1) * row.count]))
      }
      y += 1
    }
  }
}

/// T1: profile LUTs from ink channels to sRGB; T2: a scanner's RGB to sRGB and back; T3: 33³ LUTs.
func tables(_ bench: Bench) throws {
  guard ["T1", "T2", "T3"].contains(where: bench.wants) else { return }
  let renderOptions = options(bench)
  let size = PixelSize(bench.arguments.size.width, bench.arguments.size.height)
  func profile(_ name: String) throws -> ICCProfile {
    try ICCProfile(bytes: Fixtures.bytes("Profiles/\(name).icc"))
  }
  let press =
    try bench.arguments.profile.map {
      try ICCProfile(bytes: [UInt8](Data(contentsOf: URL(fileURLWithPath: $0))))
    } ?? profile("cmyk-mft2")
  let transform = try ICCTransform(from: .profile(press), to: .space(.proPhoto))
  let rgba = try BenchmarkSource.rgba(UInt8.self, bench, in: .sRGB) { UInt8(($0 * 255).rounded()) }
  if bench.wants("T1") {
    let colors = transform.program.pointProgram
    var codes: [UInt8] = []
    for y in 0..<size.height {
      rgba.withUnsafeRow(y) { row in
        for x in 0..<size.width {
          let (c, m, k) = (255 - row[4 * x], 255 - row[4 * x + 1], 255 - row[4 * x + 2])
          codes += [c / 2, m / 2, k / 2, min(c, m, k) / 2]
        }
      }
    }
    let exact = try ICCTransform(from: .profile(press), to: .space(.sRGB))
    func inks<Sample: PixelSample>(
      _ name: String, limit: Double, code: (UInt8) -> Sample, value: @escaping (Sample) -> Double
    ) throws {
      let samples = codes.map(code).withUnsafeBytes { [UInt8]($0) }
      let source = InksInMemory(
        size: size, samples: samples, format: Sample.format, colors: colors)
      let picture = Picture(source).converted(to: .sRGB)
      var target = Bitmap<Sample>(size, in: .sRGB, channels: .rgb)
      try bench.run(
        "T1", name, limit: limit,
        error: {
          (0..<1000).map { index in
            let (x, y) = (index * 7919 % size.width, index * 104_729 % size.height)
            let color = exact(
              (0..<4).map { Double(codes[4 * (y * size.width + x) + $0]) / 255 })
            return (0..<3).map { channel in
              abs(value(target[x, y, channel]) - min(max(color[channel], 0), 1))
            }.reduce(0, larger)
          }.reduce(0, larger)
        }
      ) { try picture.render(into: &target, options: renderOptions) }
    }
    // Half a code, and the bound of floats.
    try inks("u8 CMYK -> u8 sRGB", limit: 0.51 / 255, code: { $0 }, value: { Double($0) / 255 })
    try inks(
      "u16 CMYK -> u16 sRGB", limit: 0.5 / 65_535 + 1e-5, code: { UInt16($0) * 257 },
      value: { Double($0) / 65_535 })
    try inks(
      "f32 CMYK -> f32 sRGB", limit: 1e-5, code: { Float($0) / 255 },
      value: { min(max(Double($0), 0), 1) })
  }
  if bench.wants("T2") {
    let scanner = try profile("rgb-mft2-lab-v2")
    let space = try scanner.colorSpace()
    var target = Bitmap<UInt8>(size, in: .sRGB, channels: .rgba)
    let scanned = Picture(rgba).tagged(as: space).converted(to: .sRGB)
    func error(_ target: Bitmap<UInt8>, of transform: ICCTransform) -> Double {
      worstPixel(rgba, target, value: { Double($0) / 255 }) { color in
        let result = transform([color.x, color.y, color.z])
        return SIMD3(result[0], result[1], result[2])
          .clamped(lowerBound: .zero, upperBound: .one)
      }
    }
    // Half a code, and the bound of floats.
    let toSRGB = try ICCTransform(
      from: .profile(scanner), to: .space(.sRGB), intent: scanner.intent)
    try bench.run(
      "T2", "u8 RGB tables -> u8 sRGB", limit: 0.51 / 255, error: { error(target, of: toSRGB) }
    ) { try scanned.render(into: &target, options: renderOptions) }
    var back = Bitmap<UInt8>(size, in: space, channels: .rgba)
    let printed = Picture(rgba).converted(to: space)
    let toScanner = try ICCTransform(
      from: .space(.sRGB), to: .profile(scanner), intent: scanner.intent)
    try bench.run(
      "T2", "u8 sRGB -> u8 RGB tables", limit: 0.51 / 255, error: { error(back, of: toScanner) }
    ) { try printed.render(into: &back, options: renderOptions) }
  }
  guard bench.wants("T3") else { return }
  let table = try ColorTable(size: 33) { v in
    let mean = 0.25 * v.x + 0.6 * v.y + 0.15 * v.z
    let mixed = (SIMD3(repeating: mean) + 1.2 * (v - mean)).clamped(
      lowerBound: .zero, upperBound: .one)
    return mixed * mixed * (3 - 2 * mixed)
  }
  struct Through: PointFilter {
    let table: ColorTable
    var domain: PixelDomain { .encoded }
    func describe(to program: inout PointProgram, in space: ColorSpace) {
      program.append(.table(table))
    }
  }
  let exact = PointProgram([.table(table)])
  func look<Sample: PixelSample>(
    _ name: String, limit: Double, code: (Double) -> Sample, value: (Sample) -> Double
  ) throws {
    let source = try BenchmarkSource.rgba(Sample.self, bench, in: .sRGB, code: code)
    var target = Bitmap<Sample>(size, in: .sRGB)
    let picture = Picture(source).applying(Through(table: table))
    try bench.run(
      "T3", "\(name) 33^3 tetrahedral", limit: limit,
      error: { worstPixel(source, target, value: value) { exact($0) } }
    ) { try picture.render(into: &target, options: renderOptions) }
  }
  // In units of 0…1: positions in the table are up to 32, so that a rounding of them is 2·10⁻⁶ of a cell, and cells differ by up to
  // 0.06. Then half a code for integers, half a unit of the last place near 1 for halves.
  try look("f32", limit: 1e-6, code: { Float($0) }, value: { Double($0) })
  try look(
    "u16", limit: 0.52 / 65_535, code: { UInt16(($0 * 65_535).rounded()) },
    value: { Double($0) / 65_535 })
  try look(
    "u8", limit: 0.501 / 255, code: { UInt8(($0 * 255).rounded()) }, value: { Double($0) / 255 })
  #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
    try look("f16", limit: 2.5e-4, code: { Float16($0) }, value: { Double($0) })
  #endif
}
