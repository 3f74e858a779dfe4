import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// What the guides of layers and of geometry show.
@Suite struct LayerExamples {
  private let photo = Picture(
    TestPictures.codes(as: UInt8.self, PixelSize(432, 288), in: .displayP3))
  private let white = ColorPoint(1, 1, 1, in: .sRGB)
  private let black = ColorPoint(0, 0, 0, in: .sRGB)

  // MARK: Layers

  @Test func stickers() throws {
    let logo = Picture(TestPictures.floats(PixelSize(400, 200), in: .sRGB))
    let sticker = logo.resized(to: .fit(120, 120)).placed(at: Offset(300, 20))
    let poster = sticker.composited(onto: photo)
    #expect(poster.region == photo.region)
    #expect(try poster.render(as: UInt8.self).space == .displayP3)
  }

  @Test func lowerRightCorner() throws {
    let logo = Picture(TestPictures.floats(PixelSize(40, 20), in: .sRGB))
    let signed = logo.composited(onto: photo, at: Offset(-10, -10), x: 1, y: 1, opacity: 0.5)
    let recipe = try Recipe(
      json: """
        {"version": 1, "inputs": ["photo", "logo"], "steps": [
          {"from": ["photo", "logo"], "layer": {"x": 1, "y": 1, "at": [-10, -10], "opacity": 0.5}}]}
        """)
    let layered = try recipe.picture(["photo": photo, "logo": logo])
    #expect(signed.region == photo.region)
    #expect(try signed.render(as: Float.self) == layered.render(as: Float.self))
    #expect(try PictureComparison(of: signed, with: photo).largestStep > 0.1)
  }

  @Test func dataWindows() throws {
    func file(_ value: Double, _ window: Region) throws -> OpenedImageFile {
      var options = WritingOptions()
      options.metadata.framing = ImageMetadata.Framing(
        dataWindow: window, displayWindow: Region(PixelSize(10, 6)))
      let picture = Picture.constant(
        ColorPoint(value, value, value, in: .linearSRGB), in: .linearSRGB
      ).cropped(to: Region(window.size))
      return try OpenedImageFile(bytes: picture.encoded(as: .openEXR, writing: options))
    }
    let plate = try file(0, Region(x: -2, y: -1, width: 14, height: 8))
    let element = try file(1, Region(x: 3, y: 2, width: 4, height: 3))
    func corner(_ file: OpenedImageFile) -> Offset {
      file.info.metadata.framing?.dataWindow.origin ?? .zero
    }
    let comp = try element.picture().moved(by: corner(element) - corner(plate))
      .composited(onto: plate.picture())
    let pixels = try comp.render(as: Float.self)
    #expect(comp.size == PixelSize(14, 8))
    #expect(pixels[5, 3, 0] == 1 && pixels[4, 3, 0] == 0 && pixels[5, 2, 0] == 0)
  }

  @Test func grounds() throws {
    let sticker = Picture(TestPictures.floats(PixelSize(40, 20), in: .sRGB))
    let page = sticker.flattened(onto: white)
    #expect(!page.hasAlpha)
    let stripes = Picture.stripes(white, black, width: 8, in: .sRGB)
    let clouds = Picture.gradientNoise(seed: 7, cell: 120, octaves: 5, in: .sRGB)
    let lamp = Picture.gaussianSpot(white, on: black, center: [216, 144], sigma: 60, in: .sRGB)
    let rings = Picture.zonePlate(center: [216, 144], radius: 200, in: .linearSRGB)
    let studio = Picture.broadcastBars(size: PixelSize(1920, 1080))
    #expect(clouds.isEndless && lamp.isEndless && rings.isEndless && !studio.isEndless)
    #expect(stripes.isEndless)
  }

  @Test func veils() throws {
    let spot = try Picture.gradient(
      .radial(center: [216, 144], radius: 200),
      [GradientStop(white, at: 0), GradientStop(black, at: 1)], mixedIn: .sRGB, in: .sRGB)
    let veil = Picture.constant(white, in: .sRGB).alphaMasked(by: spot)
    let linear = veil.composited(onto: photo)
    let encoded = veil.composited(onto: photo, in: .sRGB)
    #expect(linear.region == photo.region)
    let (bright, dark) = (try linear.statistics().mean, try encoded.statistics().mean)
    #expect(bright.x > dark.x)
  }

  @Test func screens() throws {
    let green = ColorPoint(0, 0.7, 0.25, in: .sRGB)
    let dot = Picture.checker(ColorPoint(0.9, 0.5, 0.4, in: .sRGB), green, side: 16, in: .sRGB)
    let shot = dot.cropped(to: photo.region)
    let keyed = shot.chromaKeyed(green)
    let composed = keyed.composited(onto: photo)
    let thick = try keyed.render(as: Float.self)
    #expect(thick[0, 0, 3] == 1 && thick[16, 0, 3] == 0)
    let (before, after) = (try photo.render(as: UInt8.self), try composed.render(as: UInt8.self))
    #expect((0..<3).allSatisfy { after[16, 0, $0] == before[16, 0, $0] })

    let product = photo
    let cutout = product.chromaKeyed(
      white, tolerance: 0.03, softness: 0.05, countsLightness: true)
    #expect(cutout.hasAlpha)
  }

  @Test func modesAndOperators() throws {
    let shadow = Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .sRGB)
    let (texture, title) = (Picture.noise(seed: 1, in: .sRGB), photo)
    let shaded = shadow.composited(onto: photo, by: .multiply)
    let within = texture.composited(onto: title, operator: .sourceAtop)
    #expect(try shaded.statistics().mean.x < photo.statistics().mean.x)
    #expect(within.region == title.region)
  }

  @Test func channelsOfFour() throws {
    let (red, green, blue) = (photo, photo.mirrored(), photo.exposure(1))
    let opacity = Picture.constant(white, in: .displayP3).alphaMasked(by: photo)
    let assembled = Picture(red: red, green: green, blue: blue, alpha: opacity)
    #expect(assembled.hasAlpha)
  }

  @Test func channelsOfThree() throws {
    let scan = try Picture(contentsOf: "Fixtures/negative.png")
    let (red, green, blue) = (FilmCurves.red, FilmCurves.green, FilmCurves.blue)
    let positive = Picture(
      red: scan.inverted().toneCurve(red), green: scan.inverted().toneCurve(green),
      blue: scan.inverted().toneCurve(blue))
    print(positive.plan)
    // read 720 × 480 uint16 rgb in Display P3, row by row
    // affine ×-1 +1 → decode sRGB → encode gamma 2.0 → tone curves → decode gamma 2.0 → encode sRGB
    #expect(
      positive.plan == """
        read 720 × 480 uint16 rgb in Display P3, row by row
        affine ×-1 +1 → decode sRGB → encode gamma 2.0 → tone curves → decode gamma 2.0 → encode sRGB
        """)
  }

  // MARK: Geometry

  @Test func sizes() throws {
    let (sprite, scan) = (photo, photo)
    let thumbnail = photo.resized(to: .fill(100, 100))
    let portrait = photo.resized(to: .fill(100, 100), x: 0.25)
    let icon = sprite.resized(to: .scaled(by: 4), by: .nearest)
    let poster = scan.resized(to: .fit(3000, 2000), by: .mitchell, limitsRinging: true)
    #expect(thumbnail.size == PixelSize(100, 100))
    #expect(portrait.size == thumbnail.size)
    #expect(try portrait.render(as: UInt8.self) != thumbnail.render(as: UInt8.self))
    #expect(icon.size == PixelSize(1728, 1152))
    #expect(poster.size == PixelSize(3000, 2000))
  }

  @Test func aspects() {
    let banner = photo.cropped(toAspect: 16, 9)
    let sky = photo.cropped(toAspect: 2.39, y: 0)
    #expect(banner.region == Region(x: 0, y: 22, width: 432, height: 243))
    #expect(sky.region == Region(x: 0, y: 0, width: 432, height: 181))
  }

  @Test func turns() throws {
    let upright = photo.turned(quarters: 1)
    let level = photo.extended(by: .mirrored).rotated(degrees: -2, around: photo.region.center)
      .cropped(to: photo.region)
    #expect(upright.size == PixelSize(288, 432))
    #expect(level.size == photo.size)
    let turned = photo.rotated(degrees: 12)
    let aside = photo.perspective(to: [[20, 0], [250, 40], [230, 180], [0, 150]])
    #expect(turned.hasAlpha)
    #expect(aside.region == Region(x: 0, y: 0, width: 250, height: 180))
    let page = photo.straightened(
      [[20, 0], [250, 40], [230, 180], [0, 150]], to: PixelSize(210, 150))
    #expect(try page.render(as: UInt8.self).size == PixelSize(210, 150))
  }

  @Test func neighbours() throws {
    let far = Picture(
      Bitmap<Float>(PixelSize(432, 288), in: .sRGB, channels: .gray) { _, y in [Float(y) / 288] })
    let soft = photo.blurred(sigma: 40)
    let tilted = photo.blurred(sigma: 8, mask: far)
    let crisp = photo.sharpened(sigma: 1, amount: 0.5, channels: .luminance)
    let framed = photo.padded(by: 20, with: white)
    let boxed = photo.resized(to: .fit(600, 600)).padded(to: PixelSize(600, 600), with: white)
    let captioned = photo.padded(to: PixelSize(432, 340), with: white, y: 0)
    let trimmed = try framed.contentBounds().map { framed.cropped(to: $0) } ?? framed
    #expect(framed.size == PixelSize(472, 328))
    #expect(trimmed.region == photo.region)
    #expect(boxed.region == Region(x: 0, y: -100, width: 600, height: 600))
    #expect(captioned.region == Region(x: 0, y: 0, width: 432, height: 340))
    let spread = try [soft, tilted, photo, crisp].map { try $0.statistics().standardDeviation.y }
    #expect(spread == spread.sorted())
  }

  @Test func measures() throws {
    let copy = try Picture(photo.render(as: UInt8.self)).exposure(0.01)
    let statistics = try photo.statistics()
    let bright = photo.applying(measuring: Statistics()) { statistics, picture in
      picture.exposure(statistics.mean.max() < 0.1 ? 1 : 0)
    }
    let comparison = try PictureComparison(of: copy, with: photo)
    let similarity = try photo.structuralSimilarity(to: copy)
    let stops = try photo.reduced(
      by: Histogram(steps: 15, domain: .linear, scale: .stops(-10...4), weightsByAlpha: true))
    let falloff = photo.columnMeans()  // a picture one pixel high
    #expect(falloff.size == PixelSize(432, 1))
    #expect(stops[0, 14] == 0)
    #expect(try bright.statistics().mean == statistics.mean)
    #expect(comparison.maximum < 1)
    #expect(similarity > 0.99)
  }
}
