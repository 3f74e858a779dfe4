import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Gain maps on the command line.
@Suite struct GainMapVerbTests {
  private let folder: TemporaryFolder
  private let photo = Fixtures.url("Images/iso-21496-1.jpg").path

  init() throws { folder = try TemporaryFolder() }

  private func floats(_ path: String) throws -> Bitmap<Float> {
    try OpenedImageFile(path).picture().render(as: Float.self)
  }

  @Test func gainMapsAreNamed() throws {
    let words = "24 × 16 pixels, rgb, -0.5…3.0 stops, headroom 0.25…2.5 stops (ISO 21496-1)"
    #expect(run("info", photo).output.joined().contains("gain map: \(words)"))
    #expect(run("inspect", photo).output.contains("gain map: \(words)"))
    #expect(run("info", photo, "--json").json.joined().contains(#""standards":["ISO 21496-1"]"#))
  }

  @Test func gainMapsMoveWithTheirPictures() throws {
    let output = folder.path("out.jpg")
    let map = try #require(try ImageFile.info(photo).gainMap)
    #expect(run("convert", photo, output).errors.isEmpty)
    let kept = try #require(try ImageFile.info(output).gainMap)
    #expect(kept.gain == map.gain && kept.size == map.size)
    #expect(run("convert", photo, output, "--orient", "quarter-turned").status == .done)
    #expect(try ImageFile.info(output).gainMap?.size == PixelSize(16, 24))
    #expect(run("convert", photo, output, "--resize", "48x32").status == .done)
    let half = try #require(try ImageFile.info(output).gainMap)
    #expect(half.gain == map.gain && half.size == PixelSize(12, 8))
    #expect(run("convert", photo, output, "--gain-maps", "drop").errors.isEmpty)
    #expect(try ImageFile.info(output).gainMap == nil)
  }

  @Test func otherColorsLoseTheGainMap() throws {
    let output = folder.path("out.jpg")
    for step in [["--to", "srgb"], ["--exposure", "-1"], ["--background", "white"]] {
      let transcript = run(["convert", photo, output] + step)
      #expect(transcript.errors.contains { $0.contains("The gain map of") }, "\(step)")
      #expect(try ImageFile.info(output).gainMap == nil)
    }
    #expect(
      run("convert", photo, folder.path("out.png")).errors
        == ["“\(folder.path("out.png"))”: PNG files hold no gain map; it is left out."])
  }

  @Test func highDynamicRangeAndTheMapAreRead() throws {
    let (hdr, map) = (folder.path("hdr.exr"), folder.path("map.png"))
    #expect(
      run("convert", photo, hdr, "--gain-maps", "hdr", "--samples", "float32").status == .done)
    let file = try OpenedImageFile(photo)
    let expected = try #require(try file.hdrPicture()).render(as: Float.self)
    #expect(try floats(hdr).isIdentical(to: expected))
    #expect(run("convert", photo, map, "--gain-maps", "map").status == .done)
    #expect(try ImageFile.info(map).size == PixelSize(24, 16))
    let plain = Fixtures.url("Images/wide-p3.jpg").path
    let transcript = run("convert", plain, map, "--gain-maps", "hdr")
    #expect(transcript.status == .misused && transcript.errors.joined().contains("has no gain map"))
    let damaged = folder.path("damaged.jpg")
    try Data(contentsOf: URL(filePath: photo)).dropLast(20).write(to: URL(filePath: damaged))
    let errors = run("convert", damaged, map, "--gain-maps", "hdr").errors.joined()
    #expect(errors.contains("The gain map of “\(damaged)” cannot be used."))
    #expect(!errors.contains("has no gain map"))
  }

  /// The base is the result of the steps, and the map leads back: within 2 codes of base and map, which JPEG changes at quality 90.
  @Test func gainMapsAreAdded() throws {
    let (hdr, output) = (folder.path("hdr.exr"), folder.path("out.jpg"))
    let source = Picture(
      Bitmap<Float>(PixelSize(64, 48), in: .linearDisplayP3, channels: .rgb) { _, _ in [4, 3, 2] })
    try source.write(to: hdr, samples: .float32)
    let transcript = run(
      "convert", hdr, output, "--exposure", "-2", "--to", "displayP3", "--gain-maps", "add",
      "--resize", "32x24")
    #expect(transcript.status == .done && transcript.errors.isEmpty)
    let file = try OpenedImageFile(output)
    #expect(try #require(file.info.gainMap).size == PixelSize(8, 6))
    let found = try #require(try file.hdrPicture()).render(as: Float.self)
    for (channel, light) in [4.0, 3, 2].enumerated() {
      // Two codes of a base of 188 or more, and one gain for all channels beside offsets of 1/64.
      let bound = 2 * 2.4 / 188 + 1 / 64.0 / 0.5 * 3
      #expect(abs(Double(found[16, 12, channel]) / light - 1) <= bound)
    }
  }

  /// A picture that has a gain map keeps its range where steps change the base. One gain for all channels does not lead to the same colors.
  @Test func addedGainMapsLeadToTheHDRPictureOfTheSource() throws {
    let output = folder.path("out.jpg")
    let transcript = run("convert", photo, output, "--saturation", "0.9", "--gain-maps", "add")
    #expect(transcript.status == .done)
    let (before, after) = try (
      #require(try OpenedImageFile(photo).hdrPicture()).converted(to: .linearSRGB).statistics(),
      #require(try OpenedImageFile(output).hdrPicture()).converted(to: .linearSRGB).statistics()
    )
    #expect(before.greatest.max() > 1.5 && after.greatest.max() > 1.5)
    #expect(try #require(try ImageFile.info(output).gainMap).gain.greatest.max() > 2)
  }
}
