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

  @Test func everySizeHasAWideAndANarrowFile() throws {
    let source = TestPictures.codes(
      as: UInt16.self, PixelSize(60, 40), in: .rec2020, channels: .rgb)
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let manifest = folder.path("list.json")
    let words = [
      "variants", folder.path("in.png"), "--wide", folder.path("w-{size}.png"), "--narrow",
      folder.path("n-{size}.png"), "--manifest", manifest, "--gamut", "clip",
    ]
    let written = run(words + ["--sizes", "30; 12x9;90,no-enlarge;75", "--kernel", "box"])
    #expect(written.status == .done, "\(written.errors)")
    let picture = Picture(source)
    let sizes = [
      ("30", picture.resized(to: .fit(30, 30), by: .box)),
      ("12x9", picture.resized(to: .fit(12, 9), by: .box)), ("90", picture),
      ("75", picture.resized(to: .fit(75, 75), by: .box)),
    ]
    for (word, sized) in sizes {
      for (name, space) in [("w", ColorSpace.displayP3), ("n", .sRGB)] {
        #expect(
          try ImageFile.read(folder.path("\(name)-\(word).png")).converted(to: UInt16.self)
            == sized.fitted(into: space, by: .clipped).render(), "\(name)-\(word)")
      }
    }
    struct Manifest: Decodable {
      struct Variant: Decodable { let file: String }
      let variants: [Variant]
    }
    let listed = try JSONDecoder().decode(
      Manifest.self, from: Data(contentsOf: URL(filePath: manifest)))
    #expect(
      Set(listed.variants.map(\.file))
        == Set(sizes.flatMap { ["w-\($0.0).png", "n-\($0.0).png"] }))
    let picked = run("pick", manifest, "--display", "gamut=p3; width=13")
    #expect(picked.output == [folder.path("w-30.png")])
  }

  @Test func sizesNeedNamesOfTheirOwn() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let words = ["variants", folder.path("in.png"), "--wide", folder.path("w.png"), "--narrow"]
    let refused = run(words + [folder.path("n-{size}.png"), "--sizes", "4;6"])
    #expect(refused.status == .misused && refused.complaint.contains("Put {size} into the name"))
    #expect(run(words + [folder.path("n.png"), "--sizes", "4"]).status == .done)
    for sizes in ["", "4;", "4;x", "0"] {
      #expect(run(words + [folder.path("n.png"), "--sizes", sizes]).status == .misused)
    }
  }

  /// Luminance metadata is kept in files of the source's space, unless a step changes linear light.
  @Test func luminanceMetadataIsKeptInTheSpaceOfTheSource() throws {
    let source = TestPictures.codes(
      as: UInt16.self, PixelSize(8, 6), in: .rec2100PQ, channels: .rgb)
    var options = WritingOptions()
    options.metadata.contentLight = .init(maximum: 1000, frameAverage: 100)
    let (input, wide, narrow) = (
      folder.path("in.png"), folder.path("w.png"), folder.path("n.png")
    )
    try ImageFile.write(.uint16(source), to: input, options: options)
    let words = [
      "variants", input, "--wide", wide, "--narrow", narrow, "--wide-space", "Rec. 2100 PQ",
    ]
    let kept = run(words + ["--fit", "4"])
    #expect(kept.status == .done, "\(kept.errors)")
    #expect(kept.errors.count { $0.contains("(cLLI, mDCV) are omitted") } == 1)
    #expect(try ImageFile.info(wide).metadata.contentLight == options.metadata.contentLight)
    #expect(try ImageFile.info(narrow).metadata.contentLight == nil)
    #expect(run(words + ["--exposure", "-1"]).status == .done)
    #expect(try ImageFile.info(wide).metadata.contentLight == nil)
  }
}
