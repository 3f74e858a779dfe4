import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Files for wide and narrow gamuts, and the choice between them.
@Suite struct VariantsVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func variantsAreWrittenAndPicked() throws {
    let source = TestPictures.codes(
      as: UInt16.self, PixelSize(60, 40), in: .rec2020, channels: .rgb)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let (wide, narrow, manifest) = (
      folder.path("wide.png"), folder.path("narrow.png"), folder.path("list.json")
    )
    let written = run(
      "variants", folder.path("in.png"), "--wide", wide, "--narrow", narrow, "--manifest",
      manifest, "--fit", "30", "--gamut", "clip")
    #expect(written.status == .done, "\(written.errors)")
    let small = Picture(source).resized(to: .fit(30, 30))
    for (path, space) in [(wide, ColorSpace.displayP3), (narrow, .sRGB)] {
      #expect(
        try ImageFile.read(path).converted(to: UInt16.self)
          == small.fitted(into: space, by: .clipped).render())
    }
    #expect(run("pick", manifest, "--display", "gamut=p3").output == [wide])
    let noted = run("pick", manifest, "--display", "gamut=srgb; mood=good")
    #expect(noted.output == [narrow])
    #expect(noted.errors == ["“mood=good” is no known display property."])
    struct Variant: Decodable { let file, gamut, sha256: String, bytes: Int }
    let variant = try run("pick", manifest, "--json").report(as: Variant.self)
    #expect(variant.file == "narrow.png" && variant.gamut == "srgb")
    #expect(variant.sha256.count == 64)
    #expect(variant.bytes == (try Data(contentsOf: URL(filePath: narrow))).count)
  }

  @Test func variantsKeepTheSampleFormat() throws {
    for samples in [SampleFormat.uint8, .uint16] {
      let source = folder.path("in.png")
      try ImageFile.write(
        samples == .uint8
          ? .uint8(
            TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .displayP3, channels: .rgb))
          : .uint16(
            TestPictures.codes(as: UInt16.self, PixelSize(9, 7), in: .displayP3, channels: .rgb)),
        to: source)
      let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
      #expect(run("variants", source, "--wide", wide, "--narrow", narrow).status == .done)
      for path in [wide, narrow] { #expect(try ImageFile.info(path).samples == samples) }
    }
  }

  @Test func missingVariantIsAnError() throws {
    let list = folder.path("list.json")
    #expect(run("pick", list).status == .failed)
    try Data("no JSON".utf8).write(to: URL(filePath: list))
    #expect(run("pick", list).errors.joined().contains("is no manifest: it is no JSON."))
    try Data("[]".utf8).write(to: URL(filePath: list))
    #expect(run("pick", list).errors.joined().contains("is no manifest"))
    try Data("{\"variants\": []}".utf8).write(to: URL(filePath: list))
    #expect(run("pick", list).errors == ["colorloom: “\(list)” names no file."])
  }
}
