import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// What the guide to adjustments shows.
@Suite struct AdjustmentExamples {
  private let photo = Picture(TestPictures.codes(as: UInt8.self, in: .displayP3))

  @Test func grading() throws {
    let graded =
      photo
      .whiteBalance(kelvin: 4300, tint: 6)  // the scene's illuminant becomes white
      .exposure(0.3)
      .contrast(1.2)  // around middle gray, in stops
      .vibrance(0.4)  // in Oklab; pale colors gain most
    print(graded.plan)
    // Two lines: what is loaded, and one pass.
    #expect(graded.plan.split(separator: "\n").count == 2)
    #expect(try graded.render(as: UInt8.self).size == photo.size)
  }

  @Test func curves() throws {
    let curve = try CubicCurve(
      through: [[0, 0], [0.25, 0.18], [0.75, 0.84], [1, 1]], interpolation: .monotone)
    let stronger = photo.toneCurve(curve, over: .encoded(.sRGB))
    #expect(try stronger.render(as: UInt8.self) != photo.render(as: UInt8.self))
  }

  @Test func neutrals() throws {
    let card = ColorPoint(0.52, 0.44, 0.31, in: .displayP3)  // picked from a gray card
    let balanced = photo.whiteBalance(neutral: card)
    #expect(try balanced.render(as: UInt8.self).size == photo.size)
  }

  @Test func looks() throws {
    let film = try Look(contentsOf: "Fixtures/Looks/look-3d-5.cube")
    let projected = photo.converted(to: .sRGB).look(film)
    #expect(projected.plan.contains("table of 5³ colors"))
  }

  @Test func baking() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path("")
    let baked = try Look.baking("warm", size: 33, in: .sRGB) {
      $0.whiteBalance(kelvin: 5600).saturation(1.2)
    }
    print(baked.largestError, baked.meanError)
    try baked.look.write(to: "\(folder)/warm.cube")
    #expect(baked.meanError < baked.largestError && baked.largestError < 0.05)
    let view = try Look.baking(size: 33, in: .linearSRGB, over: .stops(-10...6)) {
      $0.sigmoidView()
    }
    #expect(view.largestError < 0.01)
    #expect(try Look(contentsOf: "\(folder)/warm.cube").title == "warm")
  }

  @Test func gainMaps() throws {
    let photo = Picture(TestPictures.codes(as: UInt8.self, in: .displayP3, channels: .rgb))
    let map = Picture(
      Bitmap<UInt8>(PixelSize(20, 15), in: .sRGB, channels: .gray) { x, _ in [UInt8(12 * x)] })

    let gain = try GainMap(greatest: [2.3, 2.3, 2.3], alternateHeadroom: 2.3, displayHeadroom: 1.5)
    let bright = photo.gainMapped(gain, map: map)
    let mapOfBoth = photo.computingGainMap(to: bright, greatest: [1.5, 1.5, 1.5])
    #expect(try mapOfBoth.statistics().greatest.max() > 0.85)
    #expect(try bright.statistics().greatest.max() > 1.5)
    #expect(gain.weight == 1.5 / 2.3)
  }

  @Test func gainMapsInFiles() throws {
    let path = Fixtures.url("Images/iso-21496-1.jpg").path
    let file = try OpenedImageFile(path)
    let everywhere = try file.picture()
    let onThisDisplay = try file.hdrPicture(headroom: 1.5)
    #expect(onThisDisplay?.size == everywhere.size)

    let folder = try TemporaryFolder()
    let target = folder.path("hdr.jpg")
    let hdr = Picture(
      Bitmap<Float>(PixelSize(640, 480), in: .linearDisplayP3, channels: .rgb) { x, y in
        [Float(x) / 100, Float(y) / 100, 1]
      })
    let base = hdr.reinhard(white: 8).converted(to: .displayP3)
    var writing = WritingOptions(quality: 90)
    writing.gainMap = try PictureGainMap(from: base, to: hdr)
    try base.write(to: target, writing: writing)

    let opened = try OpenedImageFile(target)
    let whole = try opened.picture()
    let small = whole.resized(to: .fit(256, 256))
    writing.gainMap = opened.gainMap()?.moved(with: whole) { $0.resized(to: .fit(256, 256)) }
    try small.write(to: target, writing: writing)
    #expect(try ImageFile.info(target).gainMap?.size == PixelSize(64, 48))
  }
}
