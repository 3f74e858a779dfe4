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
    for step in [
      ["--to", "srgb"], ["--exposure", "-1"], ["--frame", "by=8,color=white"],
      ["--pad", "by=8", "--background", "white"],
    ] {
      let transcript = run(["convert", photo, output] + step)
      #expect(transcript.errors.contains { $0.contains("The gain map of") }, "\(step)")
      #expect(try ImageFile.info(output).gainMap == nil)
    }
    #expect(
      run("convert", photo, folder.path("out.png")).errors
        == ["“\(folder.path("out.png"))”: PNG files hold no gain map; it is left out."])
  }

  /// A conversion to the picture's own space, and a background of an opaque picture, change nothing.
  @Test func sameColorsKeepTheGainMap() throws {
    let output = folder.path("out.jpg")
    let map = try #require(try ImageFile.info(photo).gainMap)
    for steps in [
      ["--to", "display-p3"], ["--fit", "24", "--to", "display-p3"], ["--background", "white"],
    ] {
      let transcript = run(["convert", photo, output] + steps)
      #expect(!transcript.complaint.contains("gain map"), "\(steps): \(transcript.errors)")
      #expect(try ImageFile.info(output).gainMap?.gain == map.gain, "\(steps)")
    }
  }

  /// Also where the recipe only moves pixels.
  @Test func runNotesThatItReadsTheBaseOnly() throws {
    let (recipe, output) = (folder.path("recipe.json"), folder.path("out.jpg"))
    try Data(#"{"version": 1, "steps": [{"crop": {"to": [0, 0, 16, 8]}}]}"#.utf8)
      .write(to: URL(filePath: recipe))
    let transcript = run("run", recipe, photo, output)
    #expect(transcript.status == .done)
    #expect(
      transcript.errors == [
        "The gain map of “\(photo)” is left out, because “run” reads the base picture only."
      ])
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

  /// Adding a gain map to a file that has one replaces it by one that leads from the new base.
  @Test func addedGainMapsReplaceOthers() throws {
    let (once, twice) = (folder.path("once.jpg"), folder.path("twice.jpg"))
    for (input, output) in [(photo, once), (once, twice)] {
      let transcript = run("convert", input, output, "--exposure", "-1", "--gain-maps", "add")
      #expect(transcript.status == .done && transcript.errors.isEmpty, "\(transcript.errors)")
    }
    let greatest = try [once, twice].map {
      try #require(try ImageFile.info($0).gainMap).gain.greatest.max()
    }
    // A stop more, by offsets, means of several pixels and two compressions a little less.
    #expect(abs(greatest[1] - greatest[0] - 1) < 0.5, "\(greatest)")
  }

  /// Among many files, one that holds no gain map has none rendered, which the damage in the rows of this one would prevent.
  @Test func addedGainMapsAreNotRenderedForFilesThatHoldNone() throws {
    let damaged = folder.path("damaged.png")
    #expect(run("convert", photo, damaged, "--gain-maps", "drop").status == .done)
    var bytes = try Data(contentsOf: URL(filePath: damaged))
    // Within the last chunk of pixels, before its checksum and the 12 bytes of IEND.
    bytes[bytes.count - 24] ^= 0xFF
    try bytes.write(to: URL(filePath: damaged))
    #expect(run("convert", damaged, folder.path("out.png")).status == .failed)
    let words = ["--out", folder.path("o-{name}.{ext}"), "--gain-maps", "add", "--plan"]
    let planned = run(["convert", photo, damaged] + words)
    #expect(planned.status == .done, "\(planned.errors)")
    let note = "“\(folder.path("o-damaged.png"))”: PNG files hold no gain map; it is left out."
    #expect(planned.errors.contains(note), "\(planned.errors)")
  }

  @Test func gainMapsAreAddedOnlyToFormatsThatHoldThem() {
    let output = folder.path("out.png")
    let refused = run("convert", photo, output, "--gain-maps", "add")
    #expect(refused.status == .misused)
    #expect(
      refused.complaint.contains(
        "“--gain-maps add” is for JPEG, HEIF and AVIF files; “\(output)” is PNG."),
      "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  /// Writes a gray picture of sRGB.
  private func gray() throws -> String {
    let bitmap = Bitmap<UInt8>(PixelSize(16, 16), in: .sRGB, channels: .rgb) { _, _ in
      [60, 60, 60]
    }
    try ImageFile.write(.uint8(bitmap), to: folder.path("gray.png"))
    return folder.path("gray.png")
  }

  /// A map without headroom has no effect, and the formula of readers divides by the headroom.
  @Test func resultsThatAreNowhereDarkerGetNoGainMap() throws {
    let (input, output) = (try gray(), folder.path("out.jpg"))
    for steps in [[], ["--exposure", "1"]] {
      let transcript = run(["convert", input, output, "--gain-maps", "add"] + steps)
      #expect(transcript.status == .done)
      #expect(
        transcript.errors == [
          "“\(output)” gets no gain map, because the result is nowhere darker than the picture that is read."
        ])
      #expect(try ImageFile.info(output).gainMap == nil)
    }
  }

  /// Nothing is left of XMP that only announced the gain map.
  @Test func announcementsLeaveNoXMP() throws {
    let (announced, output) = (folder.path("announced.jpg"), folder.path("out.jpg"))
    let added = run("convert", try gray(), announced, "--exposure", "-1", "--gain-maps", "add")
    #expect(added.status == .done && added.errors.isEmpty, "\(added.errors)")
    #expect(try ImageFile.info(announced).metadata.xmp != nil)
    #expect(run("convert", announced, output, "--gain-maps", "drop").errors.isEmpty)
    #expect(try ImageFile.info(output).metadata.xmp == nil)
    let bare = run(
      "convert", announced, folder.path("out.npy"), "--gain-maps", "hdr", "--untagged")
    #expect(bare.status == .done && !bare.complaint.contains("XMP"), "\(bare.errors)")
  }
}
