import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// The pictures in the documentation are what the package renders, pixel for pixel. COLORLOOM_RECORD=1 records them again.
@Suite struct DocumentationPictures {
  @Test func negativeAndPrint() throws {
    let scan = try Picture(contentsOf: Fixtures.url("negative.png").path)
    let positive = scan.developed(.colorNegative())
    try expectPicture(
      "negative-and-print.png",
      sideBySide([scan, positive].map { $0.resized(to: .exact(432, 288)).converted(to: .sRGB) }))
  }

  /// The scan, its development by density with a paper curve, by curves drawn for this film, and by the published curves.
  @Test func filmRecipes() throws {
    let scan = try Picture(contentsOf: Fixtures.url("negative.png").path)
    let curves = try CurveDevelopment(contentsOf: "Fixtures/negative.curves")
    let prints = [
      scan, scan.developed(.colorNegative()).paperCurve(), scan.developed(by: curves),
      scan.developed(by: .published()),
    ]
    try expectPicture(
      "film-recipes.png",
      sideBySide(prints.map { $0.resized(to: .exact(240, 160)).converted(to: .sRGB) }))
  }

  /// The thumbnails that the guides “Images on a server” and “First minutes” make.
  @Test func thumbnails() throws {
    let folder = try TemporaryFolder()
    let (path, result) = (folder.path("photo.png"), folder.path("small.png"))
    try Picture(contentsOf: Fixtures.url("negative.png").path).developed(.colorNegative())
      .write(to: path, samples: .uint8)
    let thumbnail = try Picture(contentsOf: path).thumbnail(256)
    try expectPicture("thumbnail.png", thumbnail.render(as: UInt8.self))
    try makeThumbnail(of: path, at: result)
    try expectPicture(
      "sharpened-thumbnail.png", ImageFile.read(result).converted(to: UInt8.self))
  }

  /// Dots with channels at 0 or 1, whose density is the photograph's linear values: a detail of them, their average in linear light,
  /// which is the photograph again, and their average in encoded values.
  @Test func linearAndEncodedResize() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(1056, 704)).converted(to: .linearSRGB)
    let dots = try photo.render(as: UInt8.self, dither: Dither(.errorDiffusion, levels: 2))
    let size = ResizeTarget.exact(264, 176)
    let detail = Picture(dots).cropped(to: Region(x: 500, y: 60, width: 66, height: 44))
      .resized(to: size, by: .nearest)
    // Averaging encoded values, as much software does. Full and no light are the same in both spaces.
    let encoded = Picture(dots).resized(to: size).tagged(as: .sRGB)
    try expectPicture(
      "resize-in-light.png",
      sideBySide(
        [detail, Picture(dots).resized(to: size)].map { $0.converted(to: .sRGB) } + [encoded])
    )
  }

  @Test func wideColors() throws {
    let scan = try Picture(contentsOf: Fixtures.url("negative.png").path)
    let photo = scan.developed(.colorNegative()).resized(to: .exact(432, 288))
    let wideColors = photo.gamutMask(outside: .sRGB)
    try expectPicture(
      "wide-colors.png", sideBySide([photo, wideColors].map { $0.converted(to: .displayP3) }))
  }

  /// In Display P3, for displays that show it; and with the marks as every display shows them.
  @Test func canary() throws {
    let canary = Picture(Canary(size: PixelSize(576, 192)), in: .displayP3)
    try expectPicture("canary.png", canary.render())
    try expectPicture(
      "canary-marks.png", canary.gamutMask(outside: .sRGB).converted(to: .sRGB).render())
  }

  /// The primaries of Display P3, mixed as linear and as encoded values, for displays that show them.
  @Test func triangles() throws {
    let triangles = [TriangleMixing.light, .encoded].map { mixing in
      Picture.triangle(
        top: ColorPoint(1, 0, 0, in: .displayP3), left: ColorPoint(0, 1, 0, in: .displayP3),
        right: ColorPoint(0, 0, 1, in: .displayP3), mixing: mixing, in: .displayP3,
        size: PixelSize(400, 346)
      )
    }
    // The documentation's page is white.
    let onWhite = try triangles.map { triangle in
      let painted = try triangle.render(as: UInt8.self)
      return Bitmap<UInt8>(painted.size, in: .displayP3, channels: .rgb) { x, y in
        (0..<3).map { channel in
          let alpha = Int(painted[x, y, 3])
          return UInt8((Int(painted[x, y, channel]) * alpha + 255 * (255 - alpha)) / 255)
        }
      }
    }
    try expectPicture("triangles.png", sideBySide(onWhite.map { Picture($0) }))
  }

  @Test func charts() throws {
    let corners = [[1, 0, 0], [1, 1, 1], [0, 0, 1], [0, 0, 0]].map { ColorPoint($0, in: .sRGB) }
    let places: [SIMD2<Double>] = [[0, 0], [192, 0], [0, 128], [192, 128]]
    let sheet = Picture.mesh(
      zip(places, corners).map { MeshVertex($0, $1) },
      triangles: [[0, 1, 2], [1, 3, 2]], in: .sRGB)
    let size = PixelSize(192, 128)
    let page = Picture.constant(ColorPoint(1, 1, 1, in: .sRGB), in: .sRGB)
      .cropped(to: Region(size))
    let charts = [
      .colorBars(in: .rec709, size: size), .colorChecker(patch: 28, in: .sRGB),
      .hueSweep(chroma: 0.12, in: .sRGB, size: size), sheet.composited(onto: page),
    ]
    try expectPicture(
      "charts.png", sideBySide(charts.map { $0.fitted(into: .sRGB) }, page: 200, margin: 8))
  }

  /// A photograph above its palette.
  @Test func palette() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(432, 288)).converted(to: .sRGB)
    let palette = try photo.dominantColors(count: 6)
    var page = photo.padded(to: Region(x: 0, y: 0, width: 432, height: 336))
    var left = 0.0
    for (color, fraction) in palette {
      let (first, end) = (Int(left.rounded()), Int((left + fraction * 432).rounded()))
      let field = Region(x: first, y: 288, width: end - first, height: 48)
      page = Picture.constant(color, in: .sRGB).cropped(to: field).composited(onto: page)
      left += fraction * 432
    }
    #expect(palette.count == 6 && abs(left - 432) < 1e-6)
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    try expectPicture("palette.png", page.flattened(onto: white).render(as: UInt8.self))
  }

  /// Hue from left to right and chroma upward, and a photograph of saturated colors, mapped into the gamut of sRGB.
  @Test func gamutMappings() throws {
    let colors = Bitmap<Float>(PixelSize(160, 160), in: .oklch, channels: .rgb) { x, y in
      [0.72, 0.4 * (1 - Float(y) / 159), 360 * Float(x) / 160]
    }
    let mappings: [GamutMapping] = [
      .clipped, .reducedChroma, .rayTraced, .softKnee(), .compressed(),
    ]
    let fitted = mappings.map { Picture(colors).fitted(into: .sRGB, by: $0) }
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).cropped(to: Region(x: 400, y: 20, width: 160, height: 160))
      .saturation(1.8)
    let photos = mappings.map { photo.fitted(into: .sRGB, by: $0) }
    try expectPicture(
      "gamut-mappings.png",
      stacked([Picture(sideBySide(fitted)), Picture(sideBySide(photos))]))
  }

  /// Bars from blue to yellow, interpolated in sRGB, linear sRGB, Oklab and OkLCh.
  @Test func mixing() throws {
    let (blue, yellow) = (ColorPoint(0, 0, 1, in: .sRGB), ColorPoint(1, 1, 0, in: .sRGB))
    let spaces: [ColorSpace] = [.sRGB, .linearSRGB, .oklab, .oklch]
    let bars = spaces.map { space in
      (0..<808).map { x in
        let color = blue.mixed(
          with: yellow, amount: (Double(x) + 0.5) / 808, in: space, hue: .decreasing)
        let shown = GamutMapping.reducedChroma.map(color, into: .sRGB).components
        return (0..<3).map { UInt8((shown[$0] * 255).rounded()) }
      }
    }
    let whole = Bitmap<UInt8>(PixelSize(808, 232), in: .sRGB, channels: .rgb) { x, y in
      y % 60 < 52 ? bars[y / 60][x] : [255, 255, 255]
    }
    try expectPicture("mixing.png", whole)
  }

  @Test func exposureSteps() throws {
    let scan = try Picture(contentsOf: Fixtures.url("negative.png").path)
    let photo = scan.developed(.colorNegative()).resized(to: .exact(288, 192))
    let steps = [-2.0, 0, 2].map { photo.exposure($0).converted(to: .sRGB) }
    try expectPicture("exposure.png", sideBySide(steps))
  }

  @Test func adjustments() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(168, 112))
    let adjusted = [
      [photo, photo.whiteBalance(kelvin: 7500), photo.contrast(1.4)],
      [photo.vibrance(0.8), photo.hueRotation(120), photo.monochrome()],
    ]
    let rows = try adjusted.map { row in
      Picture(try sideBySide(row.map { $0.converted(to: .sRGB) }))
    }
    try expectPicture("adjustments.png", stacked(rows))
  }

  /// A photograph, its soft proof, and its soft proof with the color of the paper.
  @Test func softProofs() throws {
    let bytes = try Data(contentsOf: Fixtures.url("Profiles/cmyk-mft2.icc"))
    let profile = try ICCProfile(bytes: [UInt8](bytes))
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(288, 192))
    let proof = try photo.softProof(on: profile)
    let onPaper = try photo.softProof(on: profile, intent: .perceptual, appearance: .paper)
    let pictures = [photo, proof, onPaper].map { $0.converted(to: .sRGB) }
    try expectPicture("proof.png", sideBySide(pictures))
  }

  /// A photograph before and after the first recipe of the guide to recipes.
  @Test func recipe() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative())
    let guide = Fixtures.url("../Documentation/Guides/Recipes.md")
    let fences = try String(contentsOf: guide, encoding: .utf8)
      .components(separatedBy: "```json\n")
    let text = fences[1].components(separatedBy: "```")[0]
    let recipe = try Recipe(json: text)
    let graded = try recipe.picture(["photo": photo])
    let before = photo.resized(to: .exact(432, 288)).converted(to: .displayP3)
    try expectPicture("recipe.png", sideBySide([before, graded]))
  }

  @Test func toneMapping() throws {
    let scene = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(288, 192)).exposure(2.5)
    let mapped = [scene, scene.reinhard(white: 6), scene.sigmoidView()]
    try expectPicture("tone-mapping.png", sideBySide(mapped.map { $0.converted(to: .sRGB) }))
  }

  /// A scene with light far above white, and saturated colors.
  @Test func outputTransforms() throws {
    let sweep = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(288, 192)).saturation(1.6).exposure(3)
    let clipped = sweep.fitted(into: .sRGB, by: .clipped)
    let rendered = [clipped] + [sweep.acesOutput(.v13), sweep.acesOutput(.v20)]
    try expectPicture("aces.png", sideBySide(rendered.map { $0.converted(to: .sRGB) }))
  }

  /// A white veil, composited in linear light and in encoded values of sRGB.
  @Test func veils() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(432, 288)).converted(to: .sRGB)
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    let spot = try Picture.gradient(
      .radial(center: [216, 144], radius: 200),
      [GradientStop(white, at: 0), GradientStop(ColorPoint(0, 0, 0, in: .sRGB), at: 1)],
      mixedIn: .sRGB, in: .sRGB)
    let veil = Picture.constant(white, in: .sRGB).alphaMasked(by: spot)
    try expectPicture(
      "veil.png",
      sideBySide([veil.composited(onto: photo), veil.composited(onto: photo, in: .sRGB)]))
  }

  /// A ball and its shadow before an unevenly lit green screen; keyed, on a checkerboard; and before a photograph.
  @Test func chromaKey() throws {
    let frame = Region(PixelSize(270, 180))
    func spot(
      _ inner: ColorPoint, _ outer: ColorPoint, at center: SIMD2<Double>, radius: Double,
      edge: Double = 0
    ) throws -> Picture {
      try Picture.gradient(
        .radial(center: center, radius: radius),
        [GradientStop(inner, at: edge), GradientStop(outer, at: 1)], in: .sRGB)
    }
    func color(_ red: Double, _ green: Double, _ blue: Double) -> ColorPoint {
      ColorPoint(red, green, blue, in: .sRGB)
    }
    let (black, white) = (color(0, 0, 0), color(1, 1, 1))
    let screen = try spot(color(0.1, 0.74, 0.3), color(0, 0.5, 0.16), at: [90, 60], radius: 240)
      .cropped(to: frame)
    let shadow = Picture.constant(black, in: .sRGB).alphaMasked(
      by: try spot(color(0.75, 0.75, 0.75), black, at: [172, 128], radius: 70))
    let ball = try spot(color(1, 0.86, 0.7), color(0.55, 0.12, 0.1), at: [112, 66], radius: 92)
      .alphaMasked(by: try spot(white, black, at: [130, 86], radius: 60, edge: 0.96))
    let shot = ball.composited(onto: shadow.composited(onto: screen))

    let keyed = shot.chromaKeyed(color(0, 0.7, 0.25))
    let squares = Picture.checker(
      color(0.8, 0.8, 0.8), white, side: 9, in: .sRGB
    ).cropped(to: frame)
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(270, 180)).converted(to: .sRGB)
    try expectPicture(
      "chroma-key.png",
      sideBySide([shot, keyed.composited(onto: squares), keyed.composited(onto: photo)]))
  }

  @Test func turnedPictures() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(270, 180)).converted(to: .sRGB)
    let turned = photo.rotated(degrees: 12)
    let aside = photo.perspective(to: [[20, 0], [250, 40], [230, 180], [0, 150]])
    let page = Picture.constant(ColorPoint(1, 1, 1, in: .sRGB), in: .sRGB)
    let placed = [turned, aside].map { picture in
      picture.placed(at: Offset((310 - picture.size.width) / 2, (240 - picture.size.height) / 2))
        .composited(onto: page.cropped(to: Region(PixelSize(310, 240))))
    }
    try expectPicture("turned.png", sideBySide(placed))
  }

  /// Three levels a channel.
  @Test func dither() throws {
    let photo = try Picture(contentsOf: Fixtures.url("negative.png").path)
      .developed(.colorNegative()).resized(to: .exact(396, 264)).converted(to: .sRGB)
    let fine = try photo.render(as: Float.self)
    let step: Float = 0.5
    let rounded = Bitmap<Float>(fine.size, in: .sRGB, channels: .rgb) { x, y in
      (0..<3).map { (min(max(fine[x, y, $0], 0), 1) / step).rounded() * step }
    }
    let dithered = try Dither.Method.allCases.map { method in
      Picture(try photo.render(as: UInt8.self, dither: Dither(method, levels: 3)))
    }
    let rows = try [[Picture(rounded), dithered[0]], [dithered[1], dithered[2]]]
      .map { Picture(try sideBySide($0)) }
    try expectPicture("dither.png", stacked(rows))
  }

  private func stacked(_ pictures: [Picture]) throws -> Bitmap<UInt8> {
    let parts = try pictures.map { try $0.render(as: UInt8.self) }
    let gap = 8
    let height = parts.map(\.size.height).reduce(0, +) + gap * (parts.count - 1)
    return Bitmap<UInt8>(
      PixelSize(parts[0].size.width, height), in: .sRGB, channels: .rgb
    ) { x, y in
      let (index, row) = y.quotientAndRemainder(dividingBy: parts[0].size.height + gap)
      let part = parts[index]
      return row < part.size.height ? (0..<3).map { part[x, row, $0] } : [255, 255, 255]
    }
  }

  /// Pictures beside each other on a gray page, which is white by default, and with a margin around them.
  private func sideBySide(
    _ pictures: [Picture], page: UInt8 = 255, margin: Int = 0
  ) throws -> Bitmap<UInt8> {
    let parts = try pictures.map { try $0.render(as: UInt8.self) }
    let gap = 8
    let width = parts.map(\.size.width).reduce(0, +) + gap * (parts.count - 1)
    var whole = Bitmap<UInt8>(
      PixelSize(width + 2 * margin, parts[0].size.height + 2 * margin), in: parts[0].space,
      channels: .rgb
    ) { _, _ in [page, page, page] }
    var x = margin
    for part in parts {
      for y in 0..<part.size.height {
        let row = part.row(y)
        whole.withUnsafeMutableRow(margin + y) { target in
          for (index, sample) in row.enumerated() { target[3 * x + index] = sample }
        }
      }
      x += part.size.width + gap
    }
    return whole
  }

  private func expectPicture(_ name: String, _ picture: Bitmap<UInt8>) throws {
    let path = Fixtures.url("../Documentation/Images/\(name)").path
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] == "1" {
      try ImageFile.write(.uint8(picture), to: path)
    }
    guard case .uint8(let shipped) = try ImageFile.read(path) else {
      Issue.record("\(name) has no 8-bit samples.")
      return
    }
    #expect(shipped == picture, "Record it again if the change is intended: COLORLOOM_RECORD=1")
  }
}
