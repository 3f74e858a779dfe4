import Colorloom
import Foundation
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// What the guides show.
@Suite struct GuideExamples {
  // MARK: Colors

  @Test func colorsAndSpaces() throws {
    let red = ColorPoint(1, 0, 0, in: .displayP3)
    let inSRGB = red.converted(to: .sRGB)
    // (1.0931, −0.2267, −0.1501): outside the gamut of sRGB, and not clipped.
    #expect(abs(inSRGB.components.x - 1.0930664) < 1e-6)
    #expect(abs(inSRGB.components.y - -0.2267420) < 1e-6)

    let back = inSRGB.converted(to: .displayP3)
    #expect(abs(back.components.x - 1) < 1e-12)
  }

  @Test func spacesByName() throws {
    let space = try ColorSpace(named: "display-p3")
    let apple = try ColorSpace(named: "extendedSRGB")  // kCGColorSpaceExtendedSRGB
    let coded = try ColorSpace(named: "12/13/0")  // H.273: primaries, transfer, matrix
    let clip = try ColorSpace(named: "F-Gamut/F-Log2")  // primaries of a space, and a curve
    #expect(space == .displayP3 && apple == .sRGB && coded == .displayP3)
    #expect(clip.primaries == .rec2020 && clip.transfer == .fLog2)
    do {
      _ = try ColorSpace(named: "Display P4")
    } catch {
      print(error)  // No color space is called “Display P4”. Did you mean “Display P3”? …
      #expect("\(error)".contains("Did you mean “Display P3”?"))
    }
  }

  @Test func customSpace() throws {
    let monitor = ColorSpace(
      "my monitor",
      primaries: Primaries(
        red: Chromaticity(0.672, 0.321), green: Chromaticity(0.271, 0.676),
        blue: Chromaticity(0.151, 0.058)),
      transfer: .gamma(2.2))
    let white = ColorPoint(1, 1, 1, in: monitor).converted(to: .sRGB)
    #expect(abs(white.components.x - 1) < 1e-12)
  }

  @Test func highDynamicRangeAndVideo() throws {
    let paper = ColorPoint(1, 1, 1, in: .sRGB).converted(to: .rec2100PQ)
    let display = try ColorSpace.rec2100HLG(on: HLGDisplay(peak: 600, surround: 10))
    let video = ColorSpace.rec709.asVideo(.rec709, .narrow(bits: 8))
    let broadcast = try ColorSpace(cicp: CodePoints(9, 16, 9, 0), bitDepth: 10)
    // 203 cd/m² are 58 % of PQ (Report ITU-R BT.2408, table 1).
    #expect(abs(paper.components.x - 0.58) < 0.005)
    // A display of 1000 cd/m² is as bright at the signal 0.75; this one is darker.
    let white = ColorPoint(0.75, 0.75, 0.75, in: display).converted(to: .linearSRGB)
    #expect(white.components.x < 1)
    let black = ColorPoint(0, 0, 0, in: .sRGB).converted(to: video).components * 255
    #expect(abs(black.x - 16) < 1e-9 && abs(black.y - 128) < 1e-9)
    #expect(broadcast.cicp == CodePoints(9, 16, 9, 0))
  }

  @Test func valuesBelowZero() throws {
    let shadow = -0.05
    let mirrored = TransferFunction.sRGB.decode(shadow)
    let clamped = TransferFunction.sRGB.belowZero(.clamped).decode(shadow)
    #expect(mirrored == -TransferFunction.sRGB.decode(0.05))
    #expect(clamped == 0)
  }

  @Test func gamutMapping() throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self, in: .displayP3))
    let poppy = ColorPoint(1, 0, 0, in: .displayP3)
    let onTheWeb = GamutMapping.rayTraced.map(poppy, into: .sRGB)
    let small = photo.fitted(into: .sRGB, by: .softKnee())
    #expect(onTheWeb.components.x == 1)
    #expect(try small.render(as: UInt8.self).space == .sRGB)
  }

  @Test func sizesOfGamuts() {
    let (p3, srgb) = (ColorSpace.displayP3, ColorSpace.sRGB)
    let wider = p3.gamutArea(in: .uv) / srgb.gamutArea(in: .uv)
    let volumes = p3.gamutVolume(in: .lab).value / srgb.gamutVolume(in: .lab).value
    let shown = srgb.coverage(of: p3, in: .oklab)
    #expect(abs(wider - 1.2556) < 1e-4)
    #expect(abs(volumes - 1.4803) < 1e-4)
    #expect(abs(shown.value - 0.7396) < 1e-4)
  }

  @Test func surfacesAndSamplesOfGamuts() {
    let surface = ColorSpace.displayP3.gamutMesh(in: .oklab)
    let colors = ColorSpace.displayP3.gamutSamples(in: .oklab).prefix(1000)
    #expect(surface.volume > 0)
    #expect(Array(colors).count == 1000)
  }

  @Test func sourcesOfConstants() {
    let documents = ColorSpace.displayP3.sources
    let formula = ColorDifference.ciede2000().sources
    #expect(documents.contains { $0.document == "SMPTE EG 432-1" })
    #expect(formula.contains { $0.document == "ISO/CIE 11664-6" })
  }

  @Test func roundTrips() {
    let safe = ColorSpace.sRGB.roundTrip(via: .displayP3, samples: .uint16)
    let unsafe = ColorSpace.sRGB.roundTrip(bits: 5, via: .displayP3, samples: .uint8)
    #expect(safe.isLossless)
    #expect(!unsafe.isLossless)
  }

  @Test func mixing() throws {
    let blue = try ColorPoint(css: "blue")
    let yellow = try ColorPoint(css: "yellow")
    let asLight = blue.mixed(with: yellow, in: .linearSRGB)
    let evenly = blue.mixed(with: yellow, amount: 0.25)
    let vividly = blue.mixed(with: yellow, in: .oklch, hue: .decreasing)
    #expect(abs(asLight.components.x - 0.5) < 1e-15)
    #expect(evenly.space == .oklab)

    let difference = ColorDifference.ciede2000()(asLight, evenly)
    let contrast = blue.wcag21Contrast(with: yellow)
    let isVisibleOnTheWeb = vividly.isInside(.sRGB)
    #expect(difference > 20 && contrast > 7 && !isVisibleOnTheWeb)
  }

  @Test func cssColors() throws {
    let sky = try CSSColor("oklch(calc(60% + 10%) 0.1 calc(0.5turn + 70deg) / none)")
    let half = try CSSColor("rgb(min(300, 255) calc(255 / 2) 0 /* orange */)")
    #expect(sky == (try CSSColor("oklch(70% 0.1 250deg / none)")))
    #expect(ColorPoint(half).components.y == 0.5)
  }

  @Test func colorAppearance() throws {
    let yellow = try ColorPoint(css: "yellow")
    let cinema = ColorSpace.cam16JMh(
      under: ViewingConditions(adaptingLuminance: 10, surround: .dark))
    let seen = yellow.converted(to: cinema)  // lightness, colorfulness, hue
    #expect(seen.components.x > 90 && seen.components.y > 30)
  }

  // MARK: Pictures

  /// A camera frame whose memory the camera reuses after its release.
  private final class Camera: Sendable {
    nonisolated(unsafe) let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 480 * 2816, alignment: 64)
    let framesBack = Mutex(0)
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(memory) }
    init() { memory.initializeMemory(as: UInt8.self, repeating: 128) }
    func giveBack() { framesBack.withLock { $0 += 1 } }
    deinit { memory.deallocate() }
  }

  @Test func foreignMemory() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("raw")
    try Data(repeating: 7, count: 512 + 640 * 480 * 2).write(to: URL(filePath: path))
    let camera = Camera()
    do {
      let frame = try Bitmap<UInt8>(
        wrapping: camera.bytes, PixelSize(640, 480), in: .displayP3, channels: .bgrx,
        bytesPerRow: 2816, release: camera.giveBack)
      let raw = try Bitmap<UInt16>(
        mapping: path, offset: 512, PixelSize(640, 480), in: .sRGB, channels: .gray)
      let face = Picture(frame.view(of: Region(x: 200, y: 100, width: 240, height: 240)))
      let forScreen: Bitmap<UInt8> = try face.render(channels: .bgra)
      #expect(forScreen[100, 100, 0] == 128 && forScreen[100, 100, 3] == 255)
      #expect(raw[639, 479, 0] == 0x0707)
    }
    #expect(camera.framesBack.withLock { $0 } == 1)
  }

  @Test func formsOfBitmaps() throws {
    let layers = Bitmap<UInt16>(
      PixelSize(640, 480), in: .sRGB, channels: .rgb.adding(.named("depth")))
    let depth = try layers.converted(to: Float.self, channels: .named("depth"))
    let color = try layers.converted(to: UInt8.self, channels: .bgr, arrangement: .planar)
    let texture = try color.packed(as: .rgb9E5)
    #expect(depth.channels.count == 1)
    #expect(texture.count == 640 * 480 * 4)
  }

  @Test func caching() throws {
    let photo = Picture(TestPictures.codes(as: UInt16.self))
    var shown: [Bitmap<UInt8>] = []
    func show(_ bitmap: Bitmap<UInt8>) { shown.append(bitmap) }
    let cache = PictureCache(bytes: 256 << 20)
    let base = photo.median(radius: 2).resized(to: .fit(1080, 1080)).cached(in: cache)
    for stops in [-1, -0.5, 0, 0.5, 1] {
      show(try base.exposure(stops).render(as: UInt8.self))
    }
    print(cache.byteCount, cache.hitCount, cache.missCount)
    let plain = photo.median(radius: 2).resized(to: .fit(1080, 1080))
    #expect(try shown[4] == plain.exposure(1).render(as: UInt8.self))
    #expect(cache.hitCount >= 4 * cache.missCount)

    let developed = photo.developed(by: .published()).stored(as: .float16).cached(in: cache)
    let misses = cache.missCount
    _ = try developed.render(as: UInt8.self)
    #expect(cache.missCount > misses)

    var options = RenderOptions()
    options.intermediate = .half(maximumError: 0.03)
    let preview = photo.resized(to: .fit(1080, 1080)).cached(in: cache).exposure(0.5)
    print(try preview.planReport(as: UInt8.self, options: options))
    show(try preview.render(as: UInt8.self, options: options))
    let report = try preview.planReport(as: UInt8.self, options: options)
    #expect(report.cacheStorage.map(\.isHalf) == [true], "\(report)")
  }

  @Test func dithering() throws {
    let photo = Picture(TestPictures.codes(as: UInt16.self))
    let eightBits = try photo.render(as: UInt8.self, dither: .blueNoise)
    let poster = try photo.render(as: UInt8.self, dither: Dither(.ordered, levels: 3))
    let evenGrain = try photo.render(as: UInt8.self, dither: .triangularNoise)
    #expect(eightBits.size == poster.size && evenGrain.size == poster.size)
    #expect(Set(poster.row(0)) == [0, 128, 255])
  }

  @Test func sizesOfFiles() throws {
    let photo = Picture(
      TestPictures.codes(as: UInt8.self, PixelSize(48, 32), in: .sRGB, channels: .rgb))

    let shared = try photo.encoded(
      as: .jpeg, writing: WritingOptions(quality: 85, maximumBytes: 200_000))
    #expect(try ImageFile.info(bytes: shared).size == photo.size)
    #expect(try shared == photo.encoded(as: .jpeg, writing: WritingOptions(quality: 85)))
  }

  @Test func palettes() throws {
    let photo = Picture(TestPictures.codes(as: UInt16.self))
    let small = try photo.encoded(as: .png, writing: WritingOptions(paletteColors: 64))
    // PNG's color type 3.
    #expect(small[25] == 3)
  }

  @Test func bitmapsAndPictures() throws {
    var bitmap = Bitmap<UInt8>(PixelSize(640, 480), in: .sRGB, channels: .rgb)
    for y in 0..<480 {
      bitmap.withMutableRow(y) { row in
        for x in 0..<640 { row[3 * x] = UInt8(x * 255 / 639) }
      }
    }
    let wide = try Picture(bitmap).converted(to: .displayP3).render(as: UInt16.self)
    #expect(wide.space == .displayP3)
    #expect(wide[639, 0, 0] == 60128)
  }

  @Test func plans() throws {
    let photo = Picture(Bitmap<UInt16>(PixelSize(6000, 4000), in: .displayP3, channels: .rgb))
    let small = photo.exposure(1).resized(to: .fit(1500, 1500)).converted(to: .sRGB)
    print(small.plan)
    // load 6000 × 4000 uint16 rgb in Display P3
    // decode sRGB → affine ×2
    // ── Lanczos 3 resize to 1500 × 1000
    // matrix → encode sRGB
    #expect(
      small.plan == """
        load 6000 × 4000 uint16 rgb in Display P3
        decode sRGB → affine ×2
        ── Lanczos 3 resize to 1500 × 1000
        matrix → encode sRGB
        """)
    #expect(photo.inverted().inverted().plan == photo.plan)
  }

  @Test func frames() async throws {
    let camera = AsyncStream { continuation in
      for seed in 0..<3 {
        continuation.yield(
          TestPictures.codes(as: UInt8.self, in: .displayP3, seed: UInt64(seed)))
      }
      continuation.finish()
    }
    let shown = Mutex(0)
    func show(_ bitmap: Bitmap<UInt8>) { shown.withLock { $0 += bitmap.size.width / 61 } }
    let stream = FrameStream(camera, when: .dropOldest, as: UInt8.self) {
      $0.gamutMask(outside: .sRGB)
    }
    for try await frame in stream { show(frame.bitmap) }
    print(stream.counters.rendered, stream.counters.dropped)
    #expect(shown.withLock { $0 } == stream.counters.rendered)
  }

  @Test func severalResults() throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self, in: .displayP3))
    let master = photo.exposure(0.5).resized(to: .fit(1080, 1080))
    let variants = try Picture.render(
      [master, master.converted(to: .sRGB), master.resized(to: .fit(160, 160))], as: UInt8.self)
    #expect(variants.map(\.space) == [.displayP3, .sRGB, .displayP3])
    #expect(variants[2].size.width == 160)
  }

  @Test func largerThanMemory() throws {
    let scanner = Scanner(size: PixelSize(2000, 3000))
    let encoder = Encoder()
    let scan = Picture(scanner).resized(to: .scaled(by: 0.25))
    let report = try scan.planReport(as: UInt16.self, inBands: true)
    print(
      "\(report.steps.count) steps, \(report.tileCount) tiles, at most \(report.peakBytes) bytes")
    var limited = RenderOptions()
    limited.memoryLimit = 64_000_000
    try scan.renderBands(as: UInt16.self, options: limited) { firstRow, band in
      try encoder.append(band)
    }
    #expect(encoder.rows.withLock { $0 } == 750)
  }

  @Test func explainedPixelsAndLostColors() throws {
    let photo = Picture(TestPictures.codes(as: UInt16.self, in: .displayP3))
    let narrow = photo.fitted(into: .sRGB, by: .clipped).converted(to: .displayP3)
    print(try narrow.explain(x: 10, y: 20))
    print(try narrow.colorLosses(storedAs: UInt16.self))
    // [gamut is lost at “clamp 0…1”]
    #expect("\(try narrow.colorLosses(storedAs: UInt16.self))" == "[gamut is lost at “clamp 0…1”]")
  }

  @Test func renderingWithoutBlocking() async throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    let rendering = photo.inverted().startRendering(as: UInt8.self)
    for await fraction in rendering.progress { print("\(Int(fraction * 100)) %") }
    let negative = try await rendering.bitmap
    #expect(negative.size == photo.size)
  }

  @Test func progressAndCancellation() throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self))
    var options = RenderOptions()
    options.threads = 1
    options.progress = { fraction in print("\(Int(fraction * 100)) %") }
    options.isCancelled = { Task.isCancelled }
    let result = try photo.inverted().render(as: UInt8.self, options: options)
    #expect(result.size == photo.size)
  }

  @Test func metadataIsPassedOn() throws {
    let folder = try TemporaryFolder()
    let (source, target) = (folder.path("photo.png"), folder.path("photo.jpg"))
    let photo = Picture(TestPictures.codes(as: UInt8.self, channels: .rgb))
    var options = WritingOptions()
    options.metadata.text = [.init(keyword: "Title", value: "A title")]
    try photo.write(to: source, writing: options)
    var writing = WritingOptions()
    writing.metadata = try ImageFile.info(source).metadata
    let report = try photo.write(to: target, writing: writing)
    for note in report.notes { print(note) }
    print("\(report.clippedSamples) of \(report.sampleCount) samples were clipped")
    #expect(report.notes == [.omittedTexts(keywords: ["Title"], format: .jpeg)])
  }

  @Test func layersInFiles() throws {
    let folder = try TemporaryFolder()
    let target = folder.path("all.exr")
    func pass(_ channels: Channels, _ value: Float) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(40, 30), in: .acescg, channels: channels) { _, _ in
          (0..<channels.count).map { value + Float($0) }
        })
    }
    let (beauty, diffuse) = (pass(.rgb, 0.25), pass(.rgb, 0.125))
    let (depth, normals) = (pass(.gray, 1000.5), pass(.rgb, -0.5))

    var writing = WritingOptions()
    writing.layers = [
      PictureLayer("diffuse", diffuse),
      PictureLayer("N", normals, as: .vectors),
      PictureLayer("Z", depth, as: .gray, samples: .float32),
    ]
    try beauty.write(to: target, writing: writing)
    let distance = try OpenedImageFile(target, layer: "Z").picture()
    #expect(try distance.statistics().greatest.max() == 1000.5)
    #expect(try ImageFile.info(target).layers.map(\.name) == ["N", "Z", "diffuse"])
  }

  @Test func triangles() throws {
    let triangle = Picture.triangle(
      top: ColorPoint(1, 0, 0, in: .displayP3), left: ColorPoint(0, 1, 0, in: .displayP3),
      right: ColorPoint(0, 0, 1, in: .displayP3), mixing: .light, in: .displayP3,
      size: PixelSize(400, 346))
    #expect(triangle.plan.contains("color triangle interpolated in linear light of 400 × 346"))
    #expect(try triangle.render(as: UInt8.self).channels == .rgba)
  }

  // MARK: Film

  @Test func knownFilm() throws {
    let scan = try Picture(contentsOf: "Fixtures/negative.png")
    // The transmittance of unexposed film, picked once for all frames of the strip.
    let film = NegativeFilm.colorNegative(base: .transmittance([0.82, 0.47, 0.28]))
    let positive = scan.developed(film).converted(to: .sRGB)
    #expect(try positive.render(as: UInt8.self).size == PixelSize(720, 480))
  }

  @Test func contactSheets() throws {
    let scan = try Picture(contentsOf: "Fixtures/negative.png")
    let film = NegativeFilm.colorNegative(
      base: .transmittance([0.82, 0.47, 0.28]), white: .transmittance([0.07, 0.04, 0.02]))
    let prints = (0..<4).map { index in
      scan.cropped(to: Region(x: 180 * index, y: 0, width: 180, height: 480)).developed(film)
    }
    let folder = try TemporaryFolder()
    let path = folder.path("sheet.png")
    let (cell, gap, columns) = (128, 8, 3)
    let step = cell + gap
    let rows = (prints.count + columns - 1) / columns
    let white = Picture.constant(ColorPoint(1, 1, 1, in: .sRGB), in: .sRGB)
    var sheet = white.cropped(to: Region(PixelSize(gap + columns * step, gap + rows * step)))
    for (index, print) in prints.enumerated() {
      let corner = Offset(gap + index % columns * step, gap + index / columns * step)
      sheet = print.thumbnail(cell).placed(at: corner).composited(onto: sheet)
    }
    try sheet.write(to: path, samples: .uint8)
    let written = try Picture(contentsOf: path).render(as: UInt8.self)
    #expect(written.size == PixelSize(416, 280) && written[4, 4, 0] == 255)
    // The fourth print is at the beginning of the second row, and as narrow as its frame.
    let print = try prints[3].thumbnail(cell).flattened(onto: ColorPoint(1, 1, 1, in: .sRGB))
      .render(as: UInt8.self)
    #expect(print.size == PixelSize(48, 128))
    #expect(
      (0..<3).allSatisfy {
        abs(Int(written[8 + 20, 144 + 60, $0]) - Int(print[20, 60, $0])) <= 1
      })
    #expect(written[8 + 60, 144 + 60, 1] == 255)
  }
}

/// Rows of gray, one a little brighter than the other.
private struct Scanner: RowSource {
  let size: PixelSize

  var space: ColorSpace { .displayP3 }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint8 }

  func makeReader() -> any RowReader { Reader() }

  final class Reader: RowReader {
    var y = 0

    func readRow(into row: UnsafeMutableRawBufferPointer) {
      for index in row.indices { row[index] = UInt8(truncatingIfNeeded: y / 12) }
      y += 1
    }
  }
}

/// Counts the rows it is given.
private final class Encoder: Sendable {
  let rows = Mutex(0)

  func append(_ band: Bitmap<UInt16>) throws { rows.withLock { $0 += band.size.height } }
}
