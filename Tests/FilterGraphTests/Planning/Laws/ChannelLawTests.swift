import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The law of channels: three programs that do not mix channels are merged into one.
@Suite struct ChannelLawTests {
  private static let film = PointProgram.Stage.curves(
    "film", .cubic(FilmCurves.red), .cubic(FilmCurves.green), .cubic(FilmCurves.blue))
  private static let stages: [PointProgram.Stage] = [
    .affine(scale: [2, 0.5, 3], offset: .zero), .affine(scale: [-1, -1, -1], offset: .one),
    .decode(.sRGB), .encode(.sRGB), .encode(.gamma(2)), film, .clamp(0...1), .premultiply,
    .unpremultiply, .matrix(ColorSpace.displayP3.matrix(to: .sRGB)),
  ]

  @Test func fusionDoesNotChangePixels() {
    let programs = Generator.array(of: .int(in: 0...Self.stages.count - 1), count: 0...4)
    let channel = Generator.double(in: 0...1)
    nonisolated(unsafe) var fusedCount = 0
    checkProperty(
      "fused = unfused", .zip(programs, programs, programs), .zip(channel, channel, channel),
      programs, cases: 4000
    ) { parts, channels, common in
      let (red, green, blue) = (
        program(common, parts.0), program(common, parts.1), program(common, parts.2)
      )
      guard let fused = Laws.channels(red, green, blue) else { return true }
      fusedCount += 1
      let color = SIMD3(channels.0, channels.1, channels.2)
      let expected = SIMD3(
        red(color, alpha: 0.5).x, green(color, alpha: 0.5).y, blue(color, alpha: 0.5).z)
      let result = fused(color, alpha: 0.5)
      for index in 0..<3 where abs(expected[index]) < 1e3 {
        // As for the other laws: sRGB's printed thresholds leave a small gap.
        if abs(result[index] - expected[index]) > 1e-4 * max(1, abs(expected[index])) {
          throw Failure("\(red); \(green); \(blue) give \(expected), fused \(result)")
        }
      }
      return true
    }
    #expect(fusedCount > 300)
  }

  private func program(_ common: [Int], _ own: [Int]) -> PointProgram {
    PointProgram((common + own).map { Self.stages[$0] })
  }

  @Test func programsThatMixChannelsAreNotFused() {
    let matrix = PointProgram([.matrix(ColorSpace.displayP3.matrix(to: .sRGB))])
    #expect(Laws.channels(matrix, PointProgram(), matrix) == nil)
    // A common beginning of all three may mix channels.
    #expect(Laws.channels(matrix, matrix, matrix)?.description == "matrix")
  }

  /// The published film recipe: three curves, composed of their channels, are one pass.
  @Test func threeCurvesAreOnePass() throws {
    let scan = Picture(TestPictures.codes(as: UInt16.self))
    let print = Picture(
      red: scan.inverted().toneCurve(FilmCurves.red),
      green: scan.inverted().toneCurve(FilmCurves.green),
      blue: scan.inverted().toneCurve(FilmCurves.blue))
    #expect(
      print.plan == """
        load 61 × 43 uint16 rgb in sRGB
        affine ×-1 +1 → decode sRGB → encode gamma 2.0 → tone curves → decode gamma 2.0 → encode sRGB
        """)
    let direct = scan.inverted().toneCurves(
      red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue)
    let expected = try direct.render(as: Float.self)
    #expect(try print.render(as: Float.self).firstDifference(from: expected) == nil)
    var unfused = RenderOptions()
    unfused.fusion = .withoutLaws
    #expect(
      try print.render(as: Float.self, options: unfused)
        .firstDifference(from: direct.render(as: Float.self, options: unfused)) == nil)
  }

  /// Pictures at different positions: the region is the union or an intersection, and missing pixels are transparent
  /// black.
  @Test func channelsAtDifferentPositionsAreAligned() throws {
    let white = Picture(
      Bitmap<Float>(PixelSize(4, 2), in: .linearSRGB, channels: .rgb) { _, _ in [1, 1, 1] })
    let (green, blue) = (white.moved(by: Offset(2, 0)), white.moved(by: Offset(0, 1)))
    let union = Picture(red: white, green: green, blue: blue)
    #expect(union.region == Region(x: 0, y: 0, width: 6, height: 3))
    let all = try union.render(as: Float.self)
    func pixel(_ x: Int, _ y: Int) -> [Float] { (0..<4).map { all[x, y, $0] } }
    #expect(pixel(0, 0) == [1, 0, 0, 1])
    #expect(pixel(2, 1) == [1, 1, 1, 1])
    #expect(pixel(5, 0) == [0, 1, 0, 1])
    #expect(pixel(0, 2) == [0, 0, 1, 1])
    #expect(pixel(5, 2) == [0, 0, 0, 0])
    let least = try Picture(red: white, green: green, blue: blue, alpha: .least)
      .render(as: Float.self)
    #expect(least[2, 1, 3] == 1)
    #expect(least[0, 0, 3] == 0)
    let some = Picture(red: white, green: green, blue: blue, extent: .intersection)
    #expect(some.region == Region(x: 2, y: 1, width: 2, height: 1))
    #expect(!some.hasAlpha)
    #expect(
      Picture(red: white, green: green, blue: blue, alpha: .opaque, extent: .first).region
        == white.region)
    // Extending the edges is a channel's own choice.
    let extended = try Picture(
      red: white, green: green.extended(by: .repeated), blue: blue, extent: .first
    )
    .render(as: Float.self)
    #expect(extended[0, 1, 1] == 1)
  }
  /// Alpha of a fourth picture at any position; with the same picture and other curves it stays one pass.
  @Test func alphaOfAFourthPictureIsUsed() throws {
    let color = Picture(
      Bitmap<Float>(PixelSize(4, 2), in: .linearSRGB, channels: .rgba) { x, _ in
        [0.5, 0.25, 0.125, Float(x) / 4]
      })
    let veil = Picture(
      Bitmap<Float>(PixelSize(2, 2), in: .linearSRGB, channels: .rgba) { _, _ in [9, 9, 9, 0.75] }
    ).moved(by: Offset(1, 0))
    let veiled = Picture(red: color, green: color, blue: color, alpha: veil, extent: .first)
    let pixels = try veiled.render(as: Float.self)
    #expect((0..<4).map { pixels[$0, 1, 3] } == [0, 0.75, 0.75, 0])
    #expect((0..<3).map { pixels[2, 1, $0] } == [0.5, 0.25, 0.125])
    #expect(
      Picture(red: color, green: color, blue: color, alpha: veil, extent: .intersection).region
        == veil.region)
    let brighter = color.exposure(1)
    let fused = Picture(red: brighter, green: color, blue: color, alpha: brighter)
    #expect(fused.plan.split(separator: "\n").count == 2, "\(fused.plan)")
    let same = try fused.render(as: Float.self)
    for x in 0..<4 { #expect((0..<4).map { same[x, 0, $0] } == [1, 0.25, 0.125, Float(x) / 4]) }
  }
}
