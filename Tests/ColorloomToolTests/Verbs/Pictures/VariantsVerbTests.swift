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
    let small = Picture(source).resized(to: .fit(30, 30)).fitted(into: .rec2020, by: .clipped)
    for (path, space) in [(wide, ColorSpace.displayP3), (narrow, .sRGB)] {
      #expect(
        try ImageFile.read(path).converted(to: UInt16.self)
          == small.fitted(into: space, by: .clipped).render())
    }
    #expect(run("pick", manifest, "--display", "gamut=p3").output == [wide])
    let noted = run("pick", manifest, "--display", "gamut=wide; mood=good")
    #expect(noted.output == [narrow])
    #expect(
      noted.errors == [
        "“gamut=wide” is ignored: “gamut” is srgb, p3 or rec2020.",
        "“mood=good” is no known display property. The properties are gamut, hdr, dpr and width.",
      ])
    struct Variant: Decodable { let file, gamut, sha256: String, bytes: Int }
    let variant = try run("pick", manifest, "--json").report(as: Variant.self)
    #expect(variant.file == "narrow.png" && variant.gamut == "srgb")
    #expect(variant.sha256.count == 64)
    #expect(variant.bytes == (try Data(contentsOf: URL(filePath: narrow))).count)
  }

  /// The pictures are complete and of use without the manifest.
  @Test func aManifestThatCannotBeWrittenLeavesThePictures() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    let refused = run(
      "variants", folder.path("in.png"), "--wide", wide, "--narrow", narrow, "--manifest",
      "/dev/full")
    #expect(refused.status == .failed)
    #expect(
      refused.complaint.hasSuffix(
        "The pictures were written nevertheless: “\(wide)”, “\(narrow)”."), "\(refused.errors)")
    #expect(try ImageFile.read(narrow).size == PixelSize(9, 7))
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
        let fitted = sized.fitted(into: source.space, by: .clipped).fitted(
          into: space, by: .clipped)
        #expect(
          try ImageFile.read(folder.path("\(name)-\(word).png")).converted(to: UInt16.self)
            == fitted.render(), "\(name)-\(word)")
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

  /// Flat areas of Display P3 colors, whose edges overshoot when they are resized, with a transparent part.
  private func flatAreas(_ channels: Channels) throws -> String {
    let colors: [[UInt8]] = [[200, 30, 30], [30, 30, 200], [20, 220, 20]]
    let bitmap = Bitmap<UInt8>(PixelSize(48, 80), in: .displayP3, channels: channels) { x, y in
      colors[(x / 16 + y / 20) % 3] + (channels == .rgba ? [x < 24 ? 255 : 128] : [])
    }
    let path = folder.path("areas.png")
    try ImageFile.write(.uint8(bitmap), to: path)
    return path
  }

  /// The largest difference of two files' samples, in codes of 16 bits.
  private func largestDifference(_ a: String, _ b: String) throws -> Int {
    let a = try ImageFile.read(a).converted(to: UInt16.self)
    let b = try ImageFile.read(b).converted(to: UInt16.self)
    #expect(a.size == b.size && a.channels == b.channels)
    return zip(a.samples, b.samples).map { abs(Int($0) - Int($1)) }.reduce(0) { max($0, $1) }
  }

  /// Gamut mapping never sees the overshoot of a resize: the wide file of a picture in its space is that of convert --fit.
  @Test(arguments: [Channels.rgb, .rgba], [["--sizes", "13"], ["--fit", "13"]])
  func overshootIsNotGamutMapped(channels: Channels, words: [String]) throws {
    let source = try flatAreas(channels)
    let (wide, narrow, plain) = (
      folder.path("w.png"), folder.path("n.png"), folder.path("plain.png")
    )
    let written = run(["variants", source, "--wide", wide, "--narrow", narrow] + words)
    #expect(written.status == .done, "\(written.errors)")
    #expect(run("convert", source, plain, "--fit", "13").status == .done)
    // One 8-bit code, for rounding: gamut mapping of the overshoot changes edges by tens of codes.
    #expect(try largestDifference(wide, plain) <= 257)
  }

  /// The color of a frame is none of the source, and may be outside of its space: as a step, and in a recipe.
  @Test func framesKeepTheirColors() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let (wide, recipe) = (folder.path("w.png"), folder.path("recipe.json"))
    let color = "color(display-p3 0 1 0)"
    try #"{"version": 1, "steps": [{"frame": {"to": [-2, -2, 13, 11], "color": "\#(color)"}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    let words = [
      "variants", folder.path("in.png"), "--wide", wide, "--narrow", folder.path("n.png"),
    ]
    for step in [["--frame", "to=-2,-2,13x11,color=\(color)"], ["--recipe", recipe]] {
      let written = run(words + step)
      #expect(written.status == .done, "\(written.errors)")
      #expect(!written.output.contains { $0.contains("needs wide color: no") }, "\(step)")
      guard case .uint8(let framed) = try ImageFile.read(wide) else {
        Issue.record("The source has 8 bits")
        return
      }
      let found = (0..<3).map { Int(framed[0, 0, $0]) }
      #expect(zip(found, [0, 255, 0]).allSatisfy { abs($0 - $1) <= 1 }, "\(step): \(found)")
    }
  }

  /// Sources of high dynamic range are mapped like those of convert --to, by default and by the same options.
  @Test(arguments: [
    [], ["--tone-map", "bt2446a"], ["--tone-map", "clip"], ["--hdr-peak", "4000"],
  ])
  func tonesAreMappedAsByConvert(words: [String]) throws {
    let source = Bitmap<UInt16>(PixelSize(10, 1), in: .rec2100PQ, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(25_000 + 2400 * x), count: 3)
    }
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let (wide, narrow, plain) = (
      folder.path("w.png"), folder.path("n.png"), folder.path("plain.png")
    )
    let files = ["variants", folder.path("in.png"), "--wide", wide, "--narrow", narrow]
    let written = run(files + words)
    #expect(written.status == .done, "\(written.errors)")
    for (path, space) in [(wide, "p3"), (narrow, "sRGB")] {
      let to = ["--to", space, "--gamut", "reduced-chroma"]
      #expect(run(["convert", folder.path("in.png"), plain] + to + words).status == .done)
      #expect(try largestDifference(path, plain) <= 1, "\(space)")
    }
    // A wide file of high dynamic range is not mapped.
    #expect(run(files + words + ["--wide-space", "Rec. 2100 PQ"]).status == .done)
    #expect(try largestDifference(wide, folder.path("in.png")) <= 1)
  }

  /// A peak serves the narrow files where the wide ones are mapped on request only; where neither are mapped, it is refused.
  @Test func peaksServeTheFilesThatAreMapped() throws {
    let source = Bitmap<UInt16>(PixelSize(10, 1), in: .rec2100PQ, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(25_000 + 2400 * x), count: 3)
    }
    let (input, light) = (folder.path("in.png"), folder.path("light.exr"))
    try ImageFile.write(.uint16(source), to: input)
    try ImageFile.write(
      .float32(Bitmap(PixelSize(4, 1), in: .linearSRGB, channels: .rgb) { _, _ in [2, 2, 2] }),
      to: light)
    let (wide, narrow, plain) = (
      folder.path("w.png"), folder.path("n.png"), folder.path("plain.png")
    )
    let words = [
      "--wide", wide, "--narrow", narrow, "--wide-space", "linear-p3", "--hdr-peak", "4000",
    ]
    let written = run(["variants", input] + words)
    #expect(written.status == .done, "\(written.errors)")
    let to = ["--to", "sRGB", "--gamut", "reduced-chroma", "--hdr-peak", "4000"]
    #expect(run(["convert", input, plain] + to).status == .done)
    #expect(try largestDifference(narrow, plain) <= 1)
    for unmapped in [[input, "--reinhard", "4"], [light]] {
      let refused = run(["variants"] + unmapped + words)
      #expect(refused.status == .misused)
      #expect(refused.complaint.contains("Add --tone-map bt2390"), "\(refused.errors)")
    }
    // Options are checked before the file is opened.
    let unread = run(["variants", folder.path("none.png")] + words + ["--tone-map", "bt2446c"])
    #expect(unread.status == .misused, "\(unread.errors)")
  }

  /// A step that maps tones leaves nothing to map.
  @Test func tonesAreMappedOnce() throws {
    let source = Bitmap<UInt16>(PixelSize(10, 1), in: .rec2100PQ, channels: .rgb) { x, _ in
      [UInt16](repeating: UInt16(25_000 + 2400 * x), count: 3)
    }
    try ImageFile.write(.uint16(source), to: folder.path("in.png"))
    let files = [
      "variants", folder.path("in.png"), "--wide", folder.path("w.png"), "--narrow",
      folder.path("n.png"), "--reinhard", "4",
    ]
    #expect(run(files).status == .done)
    let other = ["variants", folder.path("in.png"), "--wide", folder.path("w.png"), "--narrow"]
    let words = [folder.path("other.png"), "--reinhard", "4", "--tone-map"]
    for (mapping, isSame) in [("clip", true), ("bt2390", false)] {
      #expect(run(other + words + [mapping]).status == .done)
      let difference = try largestDifference(folder.path("n.png"), folder.path("other.png"))
      #expect((difference == 0) == isSame, "\(mapping): \(difference)")
    }
  }

  /// Gray sources give gray files in their own space, and color files in another one.
  @Test func grayStaysGrayInItsSpace() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .sRGB, channels: .gray)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let (wide, narrow) = (folder.path("w.png"), folder.path("n.png"))
    let files = ["variants", folder.path("in.png"), "--wide", wide, "--narrow", narrow]
    #expect(run(files).status == .done)
    #expect(try ImageFile.info(narrow).channels == .gray)
    #expect(try ImageFile.info(wide).channels == .rgb)
    #expect(run(files + ["--highlight", "sRGB"]).status == .done)
    #expect(try ImageFile.info(narrow).channels == .rgb)
  }

  @Test func sizesCanShrinkOnLoad() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(96, 64), channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.jpg"))
    let shrunk = run(
      "variants", folder.path("in.jpg"), "--wide", folder.path("w.png"), "--narrow",
      folder.path("n.png"), "--sizes", "12", "--shrink-on-load")
    #expect(shrunk.status == .done, "\(shrunk.errors)")
    let (narrow, plain) = (folder.path("n.png"), folder.path("plain.png"))
    #expect(
      run("convert", folder.path("in.jpg"), plain, "--fit", "12", "--shrink-on-load").status
        == .done)
    #expect(try largestDifference(narrow, plain) <= 257)
  }

  /// --kernel is that of --sizes, too, where each step that resamples names one.
  @Test func kernelsServeSizes() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let words = [
      "variants", folder.path("in.png"), "--wide", folder.path("w.png"), "--narrow",
      folder.path("n.png"), "--resize", "8x6,kernel=nearest", "--kernel", "box",
    ]
    #expect(run(words + ["--sizes", "4"]).status == .done)
    let refused = run(words)
    #expect(refused.status == .misused)
    #expect(refused.complaint.contains("steps that name no kernel"), "\(refused.errors)")
  }

  /// Light above white is no wide color.
  @Test func graysBeyondWhiteNeedNoWideColor() throws {
    let source = Bitmap<Float>(PixelSize(8, 8), in: .linearSRGB, channels: .rgb) { _, _ in
      [1.5, 1.5, 1.5]
    }
    let path = folder.path("in.tiff")
    try ImageFile.write(.float32(source), to: path)
    let noted = run(
      "variants", path, "--wide", folder.path("w.png"), "--narrow", folder.path("n.png"))
    #expect(noted.status == .done && noted.output.contains { $0.contains("needs wide color: no") })
    #expect(run("inspect", path, "--scan").status == .failed)
    let found = run("inspect", path)
    #expect(found.output.contains { $0.hasPrefix("needs wide color: no") }, "\(found.output)")
    #expect(found.output.contains { $0.hasPrefix("outside of sRGB: 100") }, "\(found.output)")
  }

  /// The report names files that keep, map or clip light above white.
  @Test func lightAboveWhiteIsNamed() throws {
    let (light, pq, plain) = (
      folder.path("light.exr"), folder.path("pq.png"), folder.path("plain.png")
    )
    try ImageFile.write(
      .float32(
        Bitmap(PixelSize(8, 4), in: .linearSRGB, channels: .rgb) { x, _ in
          [Float](repeating: x < 4 ? 6 : 0.3, count: 3)
        }), to: light)
    try ImageFile.write(
      .uint16(
        Bitmap(PixelSize(8, 4), in: .rec2100PQ, channels: .rgb) { x, _ in
          [UInt16](repeating: UInt16(7000 * x), count: 3)
        }), to: pq)
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .sRGB, channels: .rgb)),
      to: plain)
    let (wide, narrow, manifest) = (
      folder.path("w.png"), folder.path("n.png"), folder.path("list.json")
    )
    let cases: [(words: [String], line: String?)] = [
      ([light], "clipped in “\(wide)”, “\(narrow)”"),
      ([pq], "tone-mapped in “\(wide)”, “\(narrow)”"),
      ([pq, "--wide-space", "Rec. 2100 PQ"], "kept in “\(wide)”; tone-mapped in “\(narrow)”"),
      ([pq, "--tone-map", "clip"], "clipped in “\(wide)”, “\(narrow)”"),
      ([plain], nil),
    ]
    for (words, line) in cases {
      let files = ["--wide", wide, "--narrow", narrow, "--manifest", manifest]
      let written = run(["variants"] + words + files)
      #expect(written.status == .done, "\(written.errors)")
      let lines = written.output.filter { $0.hasPrefix("light above white: ") }
      #expect(lines == line.map { ["light above white: \($0)"] } ?? [], "\(words)")
      #expect(written.output.contains { $0.hasPrefix("needs wide color: no") }, "\(words)")
      #expect(
        written.output.contains { $0.contains("holds all colors") } == (line == nil), "\(words)")
      struct Manifest: Decodable { let needsWideColor, lightAboveWhite: Bool? }
      let listed = try JSONDecoder().decode(
        Manifest.self, from: Data(contentsOf: URL(filePath: manifest)))
      #expect(listed.needsWideColor == false && listed.lightAboveWhite == (line != nil))
    }
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
    for sizes in ["4;4", "4;6;4,no-enlarge"] {
      let repeated = run(words + [folder.path("n-{size}.png"), "--sizes", sizes])
      #expect(repeated.status == .misused)
      #expect(repeated.complaint.contains("“--sizes” states 4 twice."), "\(repeated.errors)")
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

  /// One profile cannot describe both files, and readers take values without a color space for sRGB.
  @Test func filesStateTheirOwnSpaces() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let words = ["variants", folder.path("in.png"), "--wide", folder.path("w.png"), "--narrow"]
    for option in [["--embed-profile", folder.path("p.icc")], ["--untagged"]] {
      let refused = run(words + [folder.path("n.png")] + option)
      #expect(refused.status == .misused)
      #expect(refused.complaint.contains("has no option “\(option[0])”"), "\(refused.errors)")
    }
    let bare = run(words + [folder.path("n.ppm")])
    #expect(bare.status == .failed)
    #expect(
      bare.complaint.hasSuffix("Write another format, such as PNG or TIFF."), "\(bare.errors)")
  }

  /// Names are relative to the manifest's folder in and below it, and whole elsewhere, so that each can be opened.
  @Test(arguments: ["list.json", "sub/list.json"])
  func picksCanBeOpened(manifest: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("sub"), withIntermediateDirectories: true)
    let source = TestPictures.codes(as: UInt8.self, PixelSize(9, 7), channels: .rgb)
    try ImageFile.write(.uint8(source), to: folder.path("in.png"))
    let (wide, narrow) = (folder.path("sub/w.png"), folder.path("n.png"))
    let list = folder.path(manifest)
    let written = run(
      "variants", folder.path("in.png"), "--wide", wide, "--narrow", narrow, "--manifest", list)
    #expect(written.status == .done, "\(written.errors)")
    #expect(run("pick", list, "--display", "gamut=p3").output == [wide])
    #expect(run("pick", list).output == [narrow])
    struct Variant: Decodable { let file: String }
    let variant = try run("pick", list, "--display", "gamut=p3", "--json").report(as: Variant.self)
    #expect(variant.file == (manifest == "list.json" ? "sub/w.png" : "w.png"))
  }

  @Test func gainMapsAreLeftOutWithANote() {
    let photo = Fixtures.url("Images/iso-21496-1.jpg").path
    let transcript = run(
      "variants", photo, "--wide", folder.path("w.jpg"), "--narrow", folder.path("n.jpg"))
    #expect(transcript.status == .done)
    #expect(
      transcript.errors.contains(
        "The gain map of “\(photo)” is left out, because “variants” reads the base picture only."),
      "\(transcript.errors)")
  }
}
