import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Gamut stages through the kernels of this machine, against the same in double precision.
@Suite struct GamutKernelTests {
  /// Linear colors around the gamut: near gray, near the surface, dark, bright, and far outside.
  private static func colors(_ count: Int, seed: UInt64) -> [SIMD3<Float>] {
    var random = SplitMix(state: seed)
    func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
    return (0..<count).map { index in
      func channel() -> Float {
        switch index % 6 {
        case 0: number(-0.3...1.3)
        case 1: number(-0.02...1.02)
        case 2: number(-0.6...1.4) * number(0...1) * number(0...0.1)
        case 3: number(0...1) < 0.5 ? number(-0.3...0) : number(0...1.5)
        case 4: number(-1...4)
        default: [0, 1, -0.0, 1.5, -0.2, number(0...1)].randomElement(using: &random) ?? 0
        }
      }
      return [channel(), channel(), channel()]
    }
  }

  private static let wild: [SIMD3<Float>] = {
    let numbers: [Float] = [
      .nan, .infinity, -.infinity, 1e30, -1e30, 1e-30, -1e-30, .leastNonzeroMagnitude, 0, 1, 0.5,
    ]
    return numbers.flatMap { a in numbers.flatMap { b in numbers.map { [a, b, $0] } } }
  }()

  private func mapped(
    _ colors: [SIMD3<Float>], by stage: PointProgram.Stage, in space: ColorSpace
  ) throws -> [SIMD3<Float>] {
    let source = Bitmap<Float>(PixelSize(colors.count, 1), in: space.linear, channels: .rgb) {
      x, _ in [colors[x].x, colors[x].y, colors[x].z]
    }
    let row = try Picture(source).applying(OneStage(stage: stage)).render(as: Float.self).row(0)
    return colors.indices.map { SIMD3(row[3 * $0], row[3 * $0 + 1], row[3 * $0 + 2]) }
  }

  static let mappings: [GamutMapping] = [
    .reducedChroma, .rayTraced, .softKnee(), .softKnee(threshold: 0.3),
    .softKnee(threshold: 1e-6), .softKnee(threshold: 0),
  ]

  static let spaces: [ColorSpace] = [
    .sRGB, .displayP3, .rec2020, .proPhoto, .acescg, .arriWideGamut3, .rec2100PQ,
  ]

  /// The kernels compute in double precision and take the same decisions as the reference. Two errors remain: rounding to single precision,
  /// and 10⁻¹³ of the brightest color where linear values almost cancel. A search that takes another path is off by 10⁻³.
  @Test(arguments: spaces, mappings)
  func colorsAreFittedAsInDoublePrecision(space: ColorSpace, mapping: GamutMapping) throws {
    let colors = Self.colors(12_000, seed: 5) + Self.wild
    let stage = mapping.stage(into: space)
    let exact = PointProgram([stage])
    let brightest = max(1, abs(space.transfer.decode(1)))
    for (color, found) in zip(colors, try mapped(colors, by: stage, in: space)) {
      let expected = exact(SIMD3<Double>(color))
      for channel in 0..<3 {
        let (value, expected) = (found[channel], Float(expected[channel]))
        let isSame = value == expected || (value.isNaN && expected.isNaN)
        #expect(
          isSame || abs(value - expected) <= max(expected.ulp, 1e-12 * Float(brightest)),
          "\(color) in \(space): \(found), not \(expected)")
      }
    }
  }

  /// Two matrices and two powers of 4 ulp each: 10⁻⁶ of the brightest channel, and the steps of subnormal floats. Colors below the
  /// threshold are unchanged, bit for bit.
  @Test func colorsAreCompressedAsInDoublePrecision() throws {
    try compresses(like: .aces13)
    try compresses(
      like: GamutCompression(threshold: [0.2, 0.4, 0.6], limit: [1.2, 1.5, 2], power: 0.7))
    try compresses(
      like: GamutCompression(threshold: [0, 0.9, 0.99], limit: [1.01, 3, 9], power: 2.4))
    try compresses(
      like: GamutCompression(threshold: [0.8, 0.8, 0.8], limit: [1.2, 1.2, 1.2], power: 5))
  }

  private func compresses(like compression: GamutCompression) throws {
    for space in [ColorSpace.acescg, .sRGB, .proPhoto] {
      let filter = GamutCompress(compression)
      var program = PointProgram()
      filter.describe(to: &program, in: space.linear)
      let colors = Self.colors(12_000, seed: 6) + Self.wild
      let toFilm = space.matrix(to: .acescg)
      for (color, found) in zip(colors, try mapped(colors, by: program.stages[0], in: space)) {
        let expected = program(SIMD3<Double>(color))
        let film = toFilm * SIMD3<Double>(color)
        let size = [film.x, film.y, film.z, Double(color.x), Double(color.y), Double(color.z)]
          .map(abs).reduce(0, max)
        // A distance is a quotient: next to the threshold rounding decides whether it is above.
        let (largest, least) = (film.max(), film.min())
        let isInside = (largest - least) < 0.999 * compression.threshold.min() * abs(largest)
        for channel in 0..<3 {
          let (value, expected) = (Double(found[channel]), expected[channel])
          // Subnormal floats are rounded on their way to the film's primaries and back.
          if isInside, size > 0x1p-100 { #expect(found[channel] == color[channel]) }
          #expect(
            value == expected || (value.isNaN && expected.isNaN)
              || abs(value - expected) <= 1e-6 * size + 0x1p-148,
            "\(color) in \(space): \(found), not \(expected)")
        }
      }
    }
  }

  /// A mapping of a compression clips, too.
  @Test func compressedColorsAreHeld() throws {
    let colors = Self.colors(3000, seed: 7)
    let stage = GamutMapping.compressed().stage(into: .sRGB)
    for (color, found) in zip(colors, try mapped(colors, by: stage, in: .sRGB)) {
      let expected = PointProgram([stage])(SIMD3<Double>(color))
      #expect(found.isWithin(0...1))
      #expect((SIMD3<Double>(found) - expected).largest <= 1e-6 * 4)
    }
  }

  private struct OneStage: PointFilter, Equatable {
    let stage: PointProgram.Stage
    var domain: PixelDomain { .linear }
    func describe(to program: inout PointProgram, in space: ColorSpace) { program.append(stage) }
    static func == (a: Self, b: Self) -> Bool { "\(a.stage)" == "\(b.stage)" }
    func hash(into hasher: inout Hasher) { hasher.combine("\(stage)") }
  }

  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
