import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// What the guide for users of other programs shows.
@Suite struct ComingFromExamples {
  private let photo = Picture(
    TestPictures.codes(as: UInt8.self, PixelSize(120, 80), in: .sRGB, channels: .rgb))

  @Test func nearCounterpartsOfCoreImage() throws {
    let opened = photo.gradingTone(
      style: .video, shadows: ToneZone(1.3), highlights: ToneZone(0.8))
    let sepia = photo.monochrome().channelMix(ColorMatrix(diagonal: [1.2, 1, 0.7]))
    let outlines = photo.eroded(by: 2).composited(onto: photo.dilated(by: 2), by: .difference)
    let (gray, white) = (ColorPoint(0.5, 0.5, 0.5, in: .sRGB), ColorPoint(1, 1, 1, in: .sRGB))
    let shade = try Picture.gradient(
      .radial(center: [60, 40], radius: 72),
      [GradientStop(white, at: 0.5), GradientStop(gray, at: 1)], in: photo.space)
    let vignetted = shade.cropped(to: photo.region).composited(onto: photo, by: .multiply)

    let pixels = try [photo, opened, sepia, outlines, vignetted]
      .map { try $0.render(as: Float.self) }
    #expect(pixels.dropFirst().allSatisfy { $0.size == photo.size && $0 != pixels[0] })
    // Gray means that channels are equal; sepia, that red is above blue.
    #expect(pixels[2][60, 40, 0] > pixels[2][60, 40, 2])
    // The corner is darker, the middle as it was.
    #expect(abs(pixels[4][60, 40, 1] - pixels[0][60, 40, 1]) < 1e-5)
    #expect((0..<3).allSatisfy { pixels[4][119, 79, $0] <= pixels[0][119, 79, $0] })
  }

  @Test func sharp() throws {
    let upload = try photo.encoded(as: .png)

    let picture = try Picture(bytes: upload).resized(to: .fill(60, 60), y: 0)
    let small = try picture.encoded(
      as: .jpeg, writing: WritingOptions(quality: 80, isProgressive: true))
    #expect(try ImageFile.info(bytes: small).size == PixelSize(60, 60))
  }

  /// Black with half of the opacity over white, and black over white by half of the mask: half gray.
  @Test func mixturesOfEncodedValues() throws {
    func plain(_ value: Double) -> Picture {
      Picture.constant(ColorPoint(value, value, value, in: .sRGB), in: .sRGB)
        .cropped(to: self.photo.region)
    }
    let (foreground, mask, photo) = (plain(0), plain(0.5), plain(1))
    let (white, sticker) = (ColorPoint(1, 1, 1, in: .sRGB), foreground.alphaMasked(by: mask))

    let ground = Picture.constant(white, in: .sRGB).cropped(to: sticker.region)
    let flat = sticker.composited(onto: ground, in: .sRGB)
    let masked = foreground.alphaMasked(by: mask).composited(onto: photo, in: .sRGB)
    for picture in [flat, masked] {
      #expect(abs(try picture.render(as: Float.self)[5, 5, 0] - 0.5) < 1e-5)
    }
    let lighter = try sticker.flattened(onto: white).render(as: Float.self)[5, 5, 0]
    #expect(lighter > 0.7)
  }

  @Test func tiles() throws {
    let folder = try TemporaryFolder()

    let master = photo.converted(to: .sRGB)
    try master.writeTiles(to: folder.path("photo"), writing: WritingOptions(quality: 85))
    let map = TilePyramid(.xyz, background: ColorPoint(1, 1, 1, in: .sRGB))
    try master.writeTiles(to: folder.path("map"), map)
    for name in ["photo/photo.dzi", "photo/photo_files/7/0_0.jpg", "map/tiles.json"] {
      #expect(FileManager.default.fileExists(atPath: folder.path(name)), "\(name)")
    }
    let tile = try ImageFile.info(folder.path("map/0/0/0.jpg"))
    #expect(tile.size == PixelSize(256, 256))
    #expect(try photo.dominantColors(count: 5).count == 5)
  }

  @Test func corrections() throws {
    let path = Fixtures.url("Looks/grades.ccc").path

    let cold = try Look(contentsOf: path, id: "cold")
    let graded = photo.look(cold)
    let bright = photo.look(try Look(contentsOf: path, id: "cold", style: .unclamped))
    #expect(cold.title == "cold")
    #expect(bright.size == photo.size)
    #expect(try Look(contentsOf: path).title == "warm")
    #expect(graded.size == photo.size)
  }

  /// OpenColorIO 2.6 (studio configuration v4.0.0) has 0.786348 0.689858 6.489738, in single precision.
  @Test func camerasByCAT02() throws {
    let shot = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: try ColorSpace(named: "ARRI LogC4"), channels: .rgb) {
        _, _ in [0.1, 0.4, 0.6]
      })

    let (camera, aces) = (try ColorSpace(named: "ARRI LogC4"), ColorSpace.aces2065)
    let adapted = ColorMatrix.adapting(from: .d65, to: aces.primaries.white, by: .cat02)
    let matrix = aces.primaries.toXYZ.inverse * adapted * camera.primaries.toXYZ
    let inACES = shot.converted(to: camera.linear).channelMix(matrix).tagged(as: aces)

    let pixels = try inACES.render(as: Float.self)
    let expected: [Float] = [0.786348, 0.689858, 6.489738]
    for channel in 0..<3 {
      #expect(abs(pixels[0, 0, channel] - expected[channel]) < 1e-4 * expected[channel])
    }
    #expect(inACES.space == aces)
  }

  /// OpenColorIO 2.6 has these values for `sRGB Encoded Rec.709 (sRGB)` and an `ExponentWithLinearTransform`.
  @Test func curvesOfOpenColorIO() throws {
    let shot = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: .sRGB, channels: .rgb) { _, _ in [-0.3, 0.5, 1.5] })

    let texture = ColorSpace(
      "sRGB texture", primaries: ColorSpace.sRGB.primaries,
      transfer: TransferFunction.sRGB.belowZero(.continued))
    let linear = shot.tagged(as: texture).converted(to: .linearSRGB)

    let (gamma, offset) = (2.2, 0.06)
    let (scale, threshold) = (1 / (1 + offset), offset / (gamma - 1))
    let slope = pow(gamma * scale * threshold, gamma) / threshold
    var curve = PowerCurve(g: gamma, a: scale, b: scale * offset, c: slope, d: threshold)
    curve.belowZero = .continued
    let monitor = ColorSpace(
      "monitor", primaries: ColorSpace.sRGB.primaries,
      transfer: TransferFunction("monitor", decoding: curve))
    let decoded = shot.tagged(as: monitor).converted(to: monitor.linear)

    let expected: [(Picture, [Float])] = [
      (linear, [-0.023214, 0.214037, 2.537111]), (decoded, [-0.041072, 0.245659, 2.339881]),
    ]
    for (picture, values) in expected {
      let pixels = try picture.render(as: Float.self)
      for channel in 0..<3 { #expect(abs(pixels[0, 0, channel] - values[channel]) < 1e-4) }
    }
  }

  @Test func inverses() throws {
    let contrast = photo.exposureContrast(contrast: 1.2, style: .video)
    let undone = contrast.exposureContrast(contrast: 1.2, style: .video, direction: .inverse)
    let (before, after) = (
      try photo.render(as: Float.self), try undone.render(as: Float.self)
    )
    #expect(zip(before.samples, after.samples).allSatisfy { abs($0 - $1) < 1e-5 })
  }
}
