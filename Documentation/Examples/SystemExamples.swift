import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// What the guides of film, of the live highlighter and of the wide triangle show.
@Suite struct SystemExamples {
  private let scan: Picture

  init() throws { scan = try Picture(contentsOf: Fixtures.url("negative.png").path) }

  // MARK: Film

  @Test func printsByDensity() throws {
    let scene = scan.developed(.colorNegative())  // base and white are measured
    let positive = scene.exposure(0.3).paperCurve(contrast: 1.6).converted(to: .sRGB)
    let values = try positive.statistics()
    // Paper has a white; some colors of the film lie outside of sRGB.
    #expect(values.greatest.max() < 1.1)
    #expect(values.mean.y > 0.05)
  }

  @Test func measuredFilm() throws {
    let film = try NegativeFilm.colorNegative().measured(on: scan)
    let crop = scan.cropped(to: Region(x: 100, y: 80, width: 400, height: 300)).developed(film)
    #expect(crop.size == PixelSize(400, 300))
    let again = scan.developed(film).exposed(on: film)
    // In linear light, within the rounding of floats by powers of up to 1/0.6.
    let difference = try again.statistics().mean - scan.statistics().mean
    #expect(max(difference.max(), -difference.min()) < 1e-5)

    let border = Region(x: 0, y: 0, width: 720, height: 12)
    let byBorder = scan.developed(.colorNegative(base: .region(border)))
    let byHand = scan.developed(.colorNegative(base: .transmittance([0.82, 0.47, 0.28])))
    // All three know the same base, within a code of the scan.
    let whole = scan.developed(.colorNegative())
    for other in [byBorder, byHand] {
      #expect(try PictureComparison(of: other, with: whole).percentile95 < 0.5)
    }
  }

  @Test func contrastsOfGrayPatches() throws {
    let patches = [678, 650, 622].map { Region(x: $0, y: 432, width: 8, height: 12) }
    let relative = try NegativeFilm.colorNegative().fittingContrasts(on: scan, neutral: patches)
    let absolute = try FilmProcess.c41.film()
      .fittingContrasts(on: scan, neutral: patches, stops: [0, -1.673, -3.346])
    // The contrasts of the film that made the scan; stops of three digits, and tones of 16 bits.
    for film in [relative, absolute] {
      for (channel, known) in [0.6, 0.66, 0.7].enumerated() {
        #expect(abs(film.contrast[channel] - known) < 1e-3)
      }
    }
  }

  @Test func rolls() throws {
    let (first, second) = (scan, scan.cropped(to: Region(x: 0, y: 0, width: 720, height: 240)))
    let film = FilmProcess.c41.film()
    let frames = try [first, second].map { try film.frame("frame", of: $0) }
    let roll = try FilmRoll(measuring: film, on: frames)
    let prints = [first, second].map { $0.developed(roll.film) }
    let text = try roll.json()
    #expect(try FilmRoll(json: text) == roll)
    let same = Region(x: 100, y: 100, width: 20, height: 20)
    let (one, other) = (prints[0].cropped(to: same), prints[1].cropped(to: same))
    #expect(try PictureComparison(of: one, with: other).maximum == 0)
  }

  @Test func printsByCurves() throws {
    let byCurves = scan.developed(by: .published())
    let own = try CurveDevelopment(contentsOf: "Fixtures/film.curves")
    let byOwnCurves = scan.developed(by: own)
    #expect(try PictureComparison(of: byOwnCurves, with: byCurves).maximum < 1e-3)
  }

  @Test func printsAsOtherProgramsDo() throws {
    // Two steps of the gray wedge.
    let darkGray = Region(x: 622, y: 432, width: 8, height: 12)
    let lightGray = Region(x: 678, y: 432, width: 8, height: 12)
    let powers = try PowerNegative.measured(on: scan, darkGray, lightGray)
    let byPowers = scan.developed(by: powers)
    let printed = scan.developed(by: try DensityPrint(base: [0.82, 0.47, 0.28], range: 1.6))
    let mean = try byPowers.cropped(to: lightGray).statistics().mean
    // Patches of one tone in 16 bits, whose powers are taken one by one.
    #expect(abs(mean.x - 1) < 1e-3 && abs(mean.z - 1) < 1e-3)
    #expect(try printed.statistics().greatest.max() < 1)
  }

  // MARK: The live highlighter

  @Test func oneFrame() throws {
    let frame = Picture(Canary(size: PixelSize(96, 64)), in: .displayP3)
    let blue = ColorPoint(0, 0, 1, in: .sRGB)

    let working = frame.converted(to: .sRGB)  // extended: nothing is clamped
    let highlighted = working.gamutMask(outside: .sRGB)
    let wide = try highlighted.render(as: Float16.self)
    #expect(wide[1, 1, 0] > 1.09)

    let painted = working.gamutMask(outside: .sRGB, marking: .tintOutside(blue))
    let mask = working.gamutMask(outside: .sRGB, marking: .mask)
    let visible = working.gamutMask(
      outside: .sRGB, tolerance: 1, metric: .difference(.ciede2000()))
    let part = try working.fractionOutside(.sRGB)
    #expect(try painted.render(as: Float.self)[1, 1, 2] == 1)
    // A mean and a quotient, each rounded.
    #expect(abs(try mask.statistics().mean.x - part) < 1e-12)
    #expect(try visible.render(as: Float.self)[1, 1, 0] > 1.09)
  }

  @Test func manyFrames() async throws {
    let camera = AsyncStream<Bitmap<UInt8>> { frames in
      for number in 0..<5 {
        frames.yield(
          Bitmap(PixelSize(64, 48), in: .displayP3, channels: .rgb) { x, _ in
            x < 32 ? [UInt8(250 + number), 0, 0] : [90, 90, 90]
          })
      }
      frames.finish()
    }
    var shown = 0
    func show(_ frame: Bitmap<Float16>) {
      shown += 1
      #expect(frame[0, 0, 0] > 1 && frame[40, 0, 0] == frame[40, 0, 1])
    }

    let stream = FrameStream(camera, when: .dropOldest, as: Float16.self) {
      $0.converted(to: .sRGB).gamutMask(outside: .sRGB)
    }
    for try await frame in stream { show(frame.bitmap) }
    print(stream.counters.rendered, stream.counters.dropped)
    #expect(stream.counters.rendered == shown && shown > 0)
    #expect(stream.counters.rendered + stream.counters.dropped == 5)
  }

  /// A video of two frames, whose left halves are red outside of sRGB.
  private func cameraVideo(_ path: String) throws {
    let camera = try VideoWriter(path, VideoFormat(PixelSize(64, 48), .planes(.full, bits: 10)))
    let red = Bitmap<UInt16>(PixelSize(64, 48), in: .displayP3, channels: .rgb) { x, _ in
      x < 32 ? [65_535, 0, 0] : [30_000, 20_000, 20_000]
    }
    for _ in 0..<2 { try camera.write(red) }
    try camera.finish()
  }

  /// Checks that the red of both frames is left, and that their right halves are gray.
  private func expectHighlighted(_ path: String) throws {
    let reader = try VideoReader(path)
    for _ in 0..<2 {
      let frame = try #require(try reader.nextPicture(in: .displayP3))
      let colors: Bitmap<Float> = try frame.render()
      // A code of luma and of chroma: 10 bits, in 876 and 896 steps.
      #expect(abs(colors[0, 0, 0] - 1) < 0.004 && abs(colors[40, 0, 0] - colors[40, 0, 1]) < 0.004)
    }
    #expect(try reader.nextPicture(in: .displayP3) == nil)
  }

  @Test func streamOfAVideo() async throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.path("camera.y4m"), folder.path("highlighted.y4m"))
    try cameraVideo(input)

    let reader = try VideoReader(input)
    let writer = try VideoWriter(output, reader.format)
    let stream = FrameStream(reader.pictures(in: .displayP3), when: .block, as: Float.self) {
      $0.gamutMask(outside: .sRGB)
    }
    for try await frame in stream { try await writer.write(Picture(frame.bitmap)) }
    try await writer.finish()

    #expect(stream.counters.rendered == 2 && stream.counters.dropped == 0)
    try expectHighlighted(output)
  }

  @Test func framesOfAVideo() throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.path("camera.y4m"), folder.path("highlighted.y4m"))
    try cameraVideo(input)
    let reader = try VideoReader(input)
    let writer = try VideoWriter(output, reader.format)

    while let frame = try reader.nextPicture(in: .displayP3) {
      try writer.write(frame.gamutMask(outside: .sRGB))
    }
    try writer.finish()
    try expectHighlighted(output)
  }

  @Test func movingStripes() throws {
    let folder = try TemporaryFolder()
    let (input, output) = (folder.path("camera.y4m"), folder.path("highlighted.y4m"))
    try cameraVideo(input)
    let reader = try VideoReader(input)
    let writer = try VideoWriter(output, reader.format)
    let (magenta, black) = (
      ColorPoint(1, 0, 1, in: .displayP3), ColorPoint(0, 0, 0, in: .displayP3)
    )

    var number = 0
    while let frame = try reader.nextPicture(in: .displayP3) {
      let stripes = Picture.stripes(magenta, black, width: 4, in: .displayP3)
        .moved(by: Offset(number % 8, 0))
      let marks = frame.gamutMask(outside: .sRGB, marking: .mask)
      try writer.write(frame.blended(with: stripes, mask: marks))
      print(number, try frame.fractionOutside(.sRGB))
      number += 1
    }
    try writer.finish()

    let marked = try VideoReader(output)
    for phase in 0..<2 {
      let frame = try #require(try marked.nextPicture(in: .displayP3))
      let colors: Bitmap<Float> = try frame.render()
      #expect(colors[phase, 0, 2] > 0.99 && abs(colors[phase + 4, 0, 2]) < 0.01)
      #expect(abs(colors[40, 0, 0] - 30_000.0 / 65_535) < 0.004)
    }
  }

  // MARK: The wide triangle

  @Test func triangle() throws {
    let corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map { ColorPoint($0, in: .displayP3) }
    let values = corners.map { $0.converted(to: .sRGB).components }

    func triangle(_ mixing: TriangleMixing) -> Picture {
      .triangle(
        top: corners[0], left: corners[1], right: corners[2], mixing: mixing, in: .sRGB,
        size: PixelSize(801, 801))
    }
    let linear = try triangle(.light).render(as: Float.self)
    let encoded = try triangle(.encoded).render(as: Float.self)

    let published: [SIMD3<Double>] = [
      [1.0930664, -0.2267420, -0.1501346], [-0.5116050, 1.0182657, -0.3106746], [0, 0, 1.0420216],
    ]
    for (found, expected) in zip(values, published) { expectClose(found, expected, 1e-7) }
    let red = ColorPoint(1, 0, 0, in: .sRGB).converted(to: .displayP3).components
    expectClose(red, [0.9174876, 0.2002868, 0.1385606], 1e-7)
    // The centroid lies a third above the lowest edge, in the middle of an odd number of columns: at row 533.5, so between two
    // pixels. A pixel is 1/801 of the height.
    func middle(_ bitmap: Bitmap<Float>) -> SIMD3<Double> {
      (color(bitmap, 400, 533) + color(bitmap, 400, 534)) / 2
    }
    expectClose(middle(linear), SIMD3(repeating: 0.6125010), 1e-3)
    expectClose(middle(encoded), [0.1938205, 0.2638412, 0.1937375], 2e-3)
  }

  /// The published numbers, at two places of a triangle so large that a pixel is next to nothing.
  @Test func mixedColors() throws {
    let corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map { ColorPoint($0, in: .displayP3) }
    func color(_ x: Int, _ y: Int, _ mixing: TriangleMixing) throws -> SIMD3<Double> {
      let whole = Picture.triangle(
        top: corners[0], left: corners[1], right: corners[2], mixing: mixing, in: .sRGB,
        size: PixelSize(120_001, 120_001))
      let pixel = whole.cropped(to: Region(x: x, y: y, width: 1, height: 1))
      return self.color(try pixel.render(as: Float.self), 0, 0)
    }
    // A pixel is 8·10⁻⁶ of the height, and a pixel or two lie between it and the place that is meant. Colors change by up to 2.2 over
    // the height, and encoded up to 12.92 times as fast, though not here.
    expectClose(try color(60_000, 80_000, .light), SIMD3(repeating: 0.6125010), 5e-5)
    expectClose(
      try color(60_000, 80_000, .encoded), [0.1938205, 0.2638412, 0.1937375], 5e-5)
    expectClose(
      try color(30_001, 60_000, .light), [0.7353570, 0.7353570, -0.2456113], 1e-4)
    expectClose(
      try color(30_001, 60_000, .encoded), [0.2907307, 0.3957618, -0.2304046], 5e-5)
  }

  private func color(_ bitmap: Bitmap<Float>, _ x: Int, _ y: Int) -> SIMD3<Double> {
    SIMD3((0..<3).map { Double(bitmap[x, y, $0]) })
  }

  private func expectClose(
    _ a: SIMD3<Double>, _ b: SIMD3<Double>, _ tolerance: Double,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let apart = max(abs(a.x - b.x), abs(a.y - b.y), abs(a.z - b.z))
    #expect(apart <= tolerance, "\(a) is not \(b)", sourceLocation: sourceLocation)
  }
}
