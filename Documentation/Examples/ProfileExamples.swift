import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

@Suite struct ProfileExamples {
  @Test func profiles() throws {
    let bytes = try ICCProfile(describing: .adobeRGB).bytes
    let row: [Float] = [0, 0, 0, 1, 1, 1]
    var pixels = [Float](repeating: 0.5, count: 6)

    let profile = try ICCProfile(bytes: bytes)
    let space = try profile.colorSpace()
    let distance = profile.recognized?.distance
    #expect(space == .adobeRGB)
    #expect(try #require(distance) < 0.01)

    let transform = try ICCTransform(
      from: .profile(profile), to: .space(.displayP3), intent: .perceptual,
      blackPointCompensation: true)
    let color = transform([0.2, 0.5, 0.1])
    #expect(color.allSatisfy { (0...1).contains($0) })

    let gamut = try profile.gamut()
    let part = gamut.coverage(of: .displayP3)
    // Adobe RGB lacks the reddest of Display P3's colors; it has all others but some.
    #expect((0.8..<1).contains(part))

    var span = pixels.mutableSpan
    transform(row.span, into: &span)
    // Numbers of the profile come in steps of 1/65,536.
    for (pixel, number) in zip(pixels, row) { #expect(abs(pixel - number) < 1e-4) }
  }

  @Test func intents() throws {
    let profile = try ICCProfile(describing: .adobeRGB)
    let folder = try TemporaryFolder()
    let path = folder.path("page.png")
    try ImageFile.write(.uint8(Bitmap(PixelSize(3, 2), in: .sRGB, channels: .rgb)), to: path)

    let page = try Picture(contentsOf: path, inks: ProfileRendering(intent: .perceptual))
    let display = try page.converted(
      to: .profile(profile), by: ProfileRendering(blackPointCompensation: true))
    #expect(display.space == .adobeRGB)
  }

  @Test func inkChannels() throws {
    let press = try ICCProfile(
      bytes: [UInt8](Data(contentsOf: Fixtures.url("Profiles/cmyk-mft2.icc"))))
    let folder = try TemporaryFolder()
    let (path, copy) = (folder.path("page.tiff"), folder.path("small.tiff"))
    let photo = Picture(
      Bitmap<Float>(PixelSize(96, 64), in: .displayP3, channels: .rgb) { x, y in
        [Float(x) / 95, Float(y) / 63, 0.5]
      })

    let inks = try photo.inks(by: press, rendering: ProfileRendering(blackPointCompensation: true))
    try inks.write(to: path, samples: .uint8)
    let coverage = try inks.coverage(limit: 300)
    #expect(coverage.maximum <= 400 && coverage.mean > 0)

    let file = try OpenedImageFile(path)
    if let stored = try file.inkPicture() {
      let small = stored.mapChannels { $0.resized(to: .fit(64, 64)) }
      try small.write(to: copy, samples: file.info.inks?.format)
    }
    let colors = try file.picture()
    #expect(colors.size == photo.size)
    #expect(try ImageFile.info(copy).size == PixelSize(64, 43))
    #expect(try ImageFile.info(copy).profile == press)
  }

  @Test func proofs() throws {
    let profile = try ICCProfile(describing: .sRGB)
    let red = ColorPoint(1, 0, 0, in: .displayP3)
    let photo = Picture.constant(red, in: .displayP3)
      .cropped(to: Region(PixelSize(48, 32)))

    let proof = try photo.softProof(on: profile, warning: ColorPoint(1, 0, 1, in: .sRGB))
    let onPaper = try photo.softProof(on: profile, intent: .perceptual, appearance: .paper)
    let corner = try proof.converted(to: .sRGB).render(as: Float.self)
    // Display P3's red, far from what the profile's device can show.
    #expect(abs(corner[1, 1, 0] - 1) < 0.01 && abs(corner[1, 1, 2] - 1) < 0.01)
    #expect(onPaper.size == photo.size)
  }
}
