import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The filters that the guides show: each does what its sentence says.
@Suite struct FilterExamples {
  /// The print of the shipped negative.
  private let photo: Picture
  private let size = PixelSize(90, 60)
  private let white = ColorPoint(1, 1, 1, in: .sRGB)
  private let black = ColorPoint(0, 0, 0, in: .sRGB)
  private let red = ColorPoint(1, 0, 0, in: .sRGB)
  private let blue = ColorPoint(0, 0, 1, in: .sRGB)

  init() throws {
    let positive = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(90, 60)).converted(to: .displayP3)
    photo = Picture(try positive.render(as: UInt16.self))
  }

  private func mean(_ picture: Picture) throws -> SIMD3<Double> { try picture.statistics().mean }

  /// Returns the largest sum of Rec. 2020 channels by their luminance weights, where these are encoded by a power of 1 / `exponent`.
  private func greatestLuma(_ picture: Picture, exponent: Double) throws -> Double {
    let light = try picture.converted(to: .linearRec2020).render(as: Float.self)
    var greatest = 0.0
    for y in 0..<light.size.height {
      for x in 0..<light.size.width {
        let channels = (0..<3).map { channel in
          let value = Double(light[x, y, channel])
          return (value < 0 ? -1 : 1) * Foundation.pow(abs(value), 1 / exponent)
        }
        greatest = max(greatest, 0.2627 * channels[0] + 0.678 * channels[1] + 0.0593 * channels[2])
      }
    }
    return greatest
  }

  private func spread(_ picture: Picture) throws -> Double {
    try picture.statistics().standardDeviation.y
  }

  // MARK: Light and tone

  @Test func tones() throws {
    let foggy = photo.brightness(0.1)
    let lighter = photo.gamma(exponent: 0.8)
    let full = photo.levels(black: 0.06, white: 0.93)
    let ink = photo.threshold(level: 0.18)  // from middle gray on white
    let negative = photo.inverted()
    let plain = try photo.statistics()
    #expect(try foggy.statistics().least.min() > plain.least.min())
    #expect(try mean(lighter).y > plain.mean.y)
    #expect(try spread(full) > spread(photo))
    #expect(Set(try ink.render(as: UInt8.self).row(30)) == [0, 255])
    // Encoded values and their inverses add up to 1, within the rounding to floats.
    let numbers = Statistics(domain: .encoded)
    let sum = try photo.reduced(by: numbers).mean + negative.reduced(by: numbers).mean
    #expect(abs(sum.x - 1) < 1e-6 && abs(sum.y - 1) < 1e-6 && abs(sum.z - 1) < 1e-6)
  }

  @Test func measuredTones() throws {
    let stretched = try photo.automaticLevels()
    let neutral = try photo.automaticLevels(clipping: 0.005, perChannel: true)
    #expect(try spread(neutral) >= spread(photo) && spread(stretched) >= spread(photo))
  }

  @Test func crossedCurves() throws {
    let warm = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.82], [1, 1]])
    let straight = try CubicCurve(through: [[0, 0], [1, 1]])
    let cool = try CubicCurve(through: [[0, 0.06], [1, 0.92]])
    let crossed = photo.toneCurves(red: warm, green: straight, blue: cool)
    let gray = Picture.constant(black, in: .displayP3).cropped(to: Region(size))
      .toneCurves(red: warm, green: straight, blue: cool)
    #expect(try mean(gray).z > 0 && mean(gray).x == 0)
    #expect(try mean(crossed) != mean(photo))
  }

  // MARK: Color

  @Test func colors() throws {
    let autumn = photo.hueRotation(-40)  // from green to yellow
    let stormy = photo.monochrome(weights: [0.7, 0.3, 0])
    let noisy = photo.channel(.blue)
    let infrared = photo.channels(.blue, .green, .red)
    let mixed = photo.channelMix(ColorMatrix(rows: [0.8, 0.2, 0], [0.1, 0.9, 0], [0, 0.3, 0.7]))
    let plain = try mean(photo)
    // A third of a turn or less mixes hues, and lightness is that of Oklab.
    #expect(try mean(autumn) != plain)
    let lightness = try [photo, autumn].map {
      try mean($0.converted(to: .oklab).tagged(as: .linearSRGB)).x
    }
    #expect(abs(lightness[0] - lightness[1]) < 1e-4)
    let gray = try mean(stormy)
    // Sums of floats, rounded after every step.
    #expect(abs(gray.x - (0.7 * plain.x + 0.3 * plain.y)) < 1e-6 && abs(gray.x - gray.z) < 1e-6)
    #expect(abs(try mean(noisy).x - plain.z) < 1e-6)
    #expect(try mean(infrared) == [plain.z, plain.y, plain.x])
    #expect(abs(try mean(mixed).z - (0.3 * plain.y + 0.7 * plain.z)) < 1e-6)
  }

  @Test func grades() throws {
    let footage = photo.converted(to: .rec709)
    let evening = footage.liftGammaGain(lift: [0, 0, 0.04], gain: [1.1, 1, 0.9])
    let decided = footage.colorDecisions(
      slope: [1.1, 1, 0.9], offset: [0, 0, 0.03], power: [1, 1.05, 1.1], saturation: 0.9)
    let (plain, warm) = (try mean(footage), try mean(evening))
    #expect(warm.x > plain.x && abs(warm.y - plain.y) < 1e-6)
    #expect(try mean(decided) != plain)
  }

  @Test func gradesOfThreeStyles() throws {
    let log = photo.converted(to: try ColorSpace(named: "ACEScct"))
    let graded = log.gradingPrimary(
      brightness: [0, 0, 2, 5], contrast: [1, 1, 1, 1.1], saturation: 1.1)
    let lifted = log.gradingTone(shadows: ToneZone(1.2), highlights: ToneZone(0.9))
    let curved = log.gradingCurves(
      master: try GradingCurve(through: [[0, 0], [0.3, 0.25], [0.6, 0.65], [1, 1]]))
    let brighter = photo.exposureContrast(exposure: 0.5, contrast: 1.1, style: .video)
    let camera = photo.logCurve(
      base: 10, logSideSlope: [0.25, 0.25, 0.25], logSideOffset: [0.39, 0.39, 0.39],
      linSideSlope: [5.5, 5.5, 5.5], linSideOffset: [0.05, 0.05, 0.05])
    let plain = try mean(log)
    for result in [graded, lifted, curved] { #expect(try mean(result) != plain) }
    #expect(try mean(camera) != mean(photo))
    #expect(try mean(brighter) != mean(photo))
  }

  // MARK: Brighter than white

  @Test func brightScenes() throws {
    let scene = photo.exposure(4)
    let (movie, broadcast) = (photo.exposure(2), photo.converted(to: .rec2100HLG))
    let lamp = scene.reinhard(white: 16)
    let window = scene.sigmoidView(contrast: 1.6)
    let onTelevision = movie.displayMapping(from: 1000, to: 400)
    let studio = try ColorSpace.rec2100HLG(on: HLGDisplay(peak: 1500, surround: 15))
    let inTheStudio = broadcast.tagged(as: studio)
    let signals = ColorSpace("HLG signals", primaries: .rec2020, transfer: .hlg)
    let same = try broadcast.tagged(as: signals)
      .hlgRendered(on: HLGDisplay(peak: 1500, surround: 15))
    let brightest = try scene.statistics().greatest.max()
    #expect(brightest > 1)
    for mapped in [lamp, window] { #expect(try mapped.statistics().greatest.max() < brightest) }
    // 400 cd/m² in parts of 203, the white of graphics, and roundings.
    #expect(try onTelevision.statistics().greatest.max() <= 400 / 203 + 1e-5)
    #expect(try inTheStudio.statistics().greatest.max() > broadcast.statistics().greatest.max())
    let (one, other) = (
      try inTheStudio.statistics().mean, try same.converted(to: studio).statistics().mean
    )
    for channel in 0..<3 { #expect(abs(one[channel] - other[channel]) < 1e-4) }
  }

  @Test func renderedScenes() throws {
    let (scene, movie) = (photo.converted(to: .acescg).exposure(2), photo.exposure(2))
    let film = scene.acesOutput(.v13).converted(to: .sRGB)
    let phone = scene.acesOutput(.v20, on: .p3).converted(to: .displayP3)
    let cinema = scene.acesOutput(.v20, on: .p3, peak: 1000).converted(to: .rec2100PQ)
    let archived = movie.bt2446A(from: 1000).converted(to: .rec709)
    let kept = movie.bt2446C(crosstalk: 0.1).converted(to: .rec709)
    let projected = try scene.acesOutput(.v20, on: .p3, peak: 225).exposure(log2(0.48))
      .converted(to: ColorSpace(named: "ST2084-P3-D65 - Display"))
    #expect(try projected.statistics().greatest.max() <= 108 / 203 + 1e-4)
    for rendered in [film, phone] {
      // White, and the rounding of conversions in single precision.
      #expect(try rendered.statistics().greatest.max() <= 1 + 1e-4)
    }
    #expect(try cinema.statistics().greatest.max() <= 1000 / 203 + 1e-4)
    // Method A keeps luma below that of white. Method C maps 1,000 cd/m² to 1.18, by the luminance that a color has after crosstalk: that of
    // pure green falls to 1/1.18 of it. Saturated channels may exceed both.
    #expect(try greatestLuma(archived, exponent: 2.4) <= 1 + 1e-4)
    #expect(try greatestLuma(kept, exponent: 1) <= 1.18 * 1.18 + 1e-4)
    #expect(try greatestLuma(movie, exponent: 1) > 1.5)
  }

  @Test func stageLights() throws {
    let scene = Picture(TestPictures.codes(as: UInt16.self, size, in: .proPhoto))
    let stage = scene.gamutCompressed()
    let asShot = stage.gamutUncompressed()
    let outside = try [scene, stage].map { try $0.fractionOutside(.acescg) }
    #expect(outside[1] < outside[0])
    #expect(try PictureComparison(of: asShot, with: scene).percentile95 < 0.01)
  }

  @Test func haldImages() throws {
    let folder = try TemporaryFolder()
    let hald = folder.path("hald.png")
    try ImageFile.write(.uint16(ColorTable.identityHald(level: 6, in: .sRGB)), to: hald)
    // … change it …
    let table = try ColorTable(hald: Picture(contentsOf: hald))
    let edited = photo.converted(to: .sRGB).look(Look(table))
    let narrow = photo.fitted(into: .sRGB)
    // The identity table keeps colors of sRGB, within the rounding of its 16 bits.
    let kept = narrow.look(Look(table))
    #expect(try PictureComparison(of: kept, with: narrow).maximum < 0.01)
    #expect(edited.size == photo.size)
  }

  // MARK: Geometry

  @Test func borders() throws {
    let bordered = photo.padded(by: 20)
    let matted = photo.padded(by: 20, 10, edges: .repeated)
    let shifted = photo.moved(by: Offset(20, 10))
    #expect(bordered.size == PixelSize(130, 100) && bordered.hasAlpha && !matted.hasAlpha)
    let (inside, around) = (try photo.render(as: UInt16.self), try matted.render(as: UInt16.self))
    #expect(around.size == PixelSize(130, 80))
    #expect(around[0, 0, 0] == inside[0, 0, 0] && around[129, 79, 2] == inside[89, 59, 2])
    #expect(shifted.region == Region(x: 20, y: 10, width: 90, height: 60))
  }

  @Test func orientations() throws {
    let rightWayRound = photo.mirrored()
    let lake = photo.flipped()
    let held = photo.oriented(.quarterTurned)
    let pictures = try [photo, rightWayRound, lake, held].map { try $0.render(as: UInt16.self) }
    #expect(pictures[1][89, 0, 0] == pictures[0][0, 0, 0])
    #expect(pictures[2][0, 59, 0] == pictures[0][0, 0, 0])
    #expect(pictures[3].size == PixelSize(60, 90) && pictures[3][59, 0, 0] == pictures[0][0, 0, 0])
  }

  @Test func places() throws {
    let page = photo.straightened(
      [[20, 0], [250, 40], [230, 180], [0, 150]], to: PixelSize(210, 150))
    let tower = photo.transformed(by: .sheared(x: 0.08, y: 0))
    let places = Bitmap<Float>(photo.size, in: .linearSRGB, channels: .rgb) { x, y in
      [Float(x) + 0.5 + 3 * sin(Float(y) / 5), Float(y) + 0.5, 0]
    }
    let hotAir = photo.remapped(by: places)
    #expect(page.size == PixelSize(210, 150))
    // A row of 60 lies up to 0.08 · 60 further to the right.
    #expect(tower.size == PixelSize(95, 60))
    let (before, after) = (try photo.render(as: UInt16.self), try hotAir.render(as: UInt16.self))
    // The first row wavers by nothing.
    #expect(after.size == before.size && after[40, 0, 1] == before[40, 0, 1])
    #expect(after != before)
  }

  // MARK: Neighbours

  @Test func squares() throws {
    let milky = photo.boxBlurred(radius: 3)
    let clean = photo.median(radius: 1)
    let skin = photo.guidedSmoothed(radius: 6, contrast: 0.05)
    let highlights = photo.dilated(by: 2)
    let smallStars = photo.eroded(by: 1)
    #expect(try spread(milky) < spread(photo) && spread(skin) < spread(photo))
    // Smoothing keeps edges, a mean over as much does not.
    #expect(try spread(photo.boxBlurred(radius: 6)) < spread(skin))
    #expect(try mean(smallStars).y < mean(clean).y && mean(clean).y < mean(highlights).y)
  }

  @Test func changesOfLight() throws {
    let outlines = photo.edges()
    let details = photo.laplacian()
    let embossed = photo.convolved([[-1, -1, 0], [-1, 1, 1], [0, 1, 1]])
    let flat = Picture.constant(red, in: .displayP3).cropped(to: Region(size))
    for picture in [flat.edges(), flat.laplacian()] { #expect(try mean(picture) == .zero) }
    #expect(try mean(outlines).y > 0 && spread(details) > 0)
    // The weights sum to 1, so that what is flat stays.
    let greens = try [mean(embossed).y, mean(photo).y]
    #expect(abs(greens[0] - greens[1]) < 0.1 * greens[1])
  }

  // MARK: Layers

  @Test func masks() throws {
    let (darker, other) = (photo.exposure(-2), Picture.constant(red, in: .displayP3))
    let sky = Picture(
      Bitmap<Float>(size, in: .sRGB, channels: .gray) { _, y in [y < 30 ? 1 : 0] })
    let graduated = photo.blended(with: darker, mask: sky)
    let halfway = photo.dissolved(into: other, amount: 0.5, seed: 7)
    let pictures = try [photo, darker, graduated].map { try $0.render(as: UInt16.self) }
    #expect(pictures[2].row(10).elementsEqual(pictures[1].row(10)))
    #expect(pictures[2].row(50).elementsEqual(pictures[0].row(50)))
    let grains = try halfway.render(as: UInt16.self)
    let replaced = (0..<60).reduce(0) { count, y in
      count + (0..<90).count { grains[$0, y, 0] != pictures[0][$0, y, 0] }
    }
    // Half of 5,400, and four standard deviations of a fair coin.
    #expect(abs(replaced - 2700) < 147)
  }

  // MARK: Charts and generators

  @Test func charts() throws {
    let bars = Picture.colorBars(in: .rec709, size: PixelSize(192, 128))
    let chart = Picture.colorChecker(patch: 28, in: .sRGB)
    let hues = Picture.hueSweep(chroma: 0.12, in: .displayP3, size: PixelSize(192, 128))
    let beyond = hues.gamutMask(outside: .sRGB)
    let codes = try bars.render(as: UInt8.self)
    #expect((0..<3).map { codes[0, 0, $0] } == [255, 255, 255])
    #expect((0..<3).map { codes[30, 0, $0] } == [191, 191, 0])
    // The middle of the fourth gray is an L* of 50.76.
    let patch = try chart.converted(to: .lab).render(as: Float.self)[
      3 + 3 * 31 + 14, 3 + 3 * 31 + 14, 0]
    #expect(abs(patch - 50.76) < 0.01)
    let part = try hues.fractionOutside(.sRGB)
    #expect(part > 0 && part < 1)
    #expect(beyond.size == hues.size)
  }

  @Test func backgrounds() throws {
    let gray = Picture.constant(ColorPoint(0.46, 0.46, 0.46, in: .sRGB), in: .sRGB)
    let squares = Picture.checker(white, black, side: 8, in: .sRGB)
    let grain = Picture.noise(seed: 1, in: .sRGB).cropped(to: photo.region)
    let dusk = try Picture.gradient(
      .linear(from: [0, 0], to: [0, 128]), [GradientStop(blue, at: 0), GradientStop(red, at: 1)],
      mixedIn: .oklab, in: .sRGB)
    let region = Region(PixelSize(128, 128))
    // Middle gray reflects 18 % of the light.
    #expect(abs(try mean(gray.cropped(to: region)).y - 0.18) < 0.005)
    #expect(try mean(squares.cropped(to: region)) == SIMD3(repeating: 0.5))
    let numbers = try grain.reduced(by: Statistics(domain: .encoded))
    #expect(abs(numbers.mean.x - 0.5) < 0.02)
    let column = try dusk.cropped(to: region).render(as: UInt8.self)
    #expect(column[0, 0, 2] > 250 && column[0, 127, 0] > 250)
  }

  @Test func meshes() throws {
    let sheet = Picture.mesh(
      [
        MeshVertex([0, 0], red), MeshVertex([192, 0], white),
        MeshVertex([0, 128], blue), MeshVertex([192, 128], black),
      ],
      triangles: [[0, 1, 2], [1, 3, 2]], in: .sRGB
    ).cropped(to: Region(PixelSize(192, 128)))
    let codes = try sheet.render(as: UInt8.self)
    #expect(codes.size == PixelSize(192, 128))
    #expect(codes[0, 0, 0] > 250 && codes[191, 0, 1] > 250 && codes[0, 127, 2] > 250)
  }

  @Test func measures() throws {
    let copy = Picture(try photo.render(as: UInt8.self))
    let histogram = try photo.histogram()
    let (black, white) = (histogram.percentile(0.01), histogram.percentile(0.99))
    let full = photo.levels(black: black.min(), white: white.max())
    #expect(histogram.pixelCount == 5400)
    #expect(try full.histogram().percentile(0.99).max() >= white.max())

    let coverage = try photo.reduced(by: GamutCoverage(of: [.sRGB, .displayP3]))
    print(coverage.fractionsOutside)
    let diagram = try photo.chromaticityDiagram()
    let map = copy.difference(from: photo)
    #expect(coverage.fractionsOutside[0] > 0 && coverage.fractionsOutside[1] == 0)
    #expect(diagram.size == PixelSize(512, 512))
    // 8 bits of Display P3 are not a whole color difference from 16.
    #expect(try map.statistics().greatest.x < 0.01)
  }
}
