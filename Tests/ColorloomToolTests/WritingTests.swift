import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The metadata that the tool keeps and drops, and its messages.
@Suite struct WritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// EXIF data with an orientation only: a quarter turn.
  private static let exif: [UInt8] =
    Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]

  private static let metadata: ImageMetadata = {
    var metadata = ImageMetadata()
    metadata.exif = exif
    metadata.xmp = Array("<x:xmpmeta/>".utf8)
    metadata.contentLight = .init(maximum: 1000, frameAverage: 100)
    metadata.masteringDisplay = .init(primaries: .rec2020, luminance: 0.005...1000)
    return metadata
  }()

  private let photo = TestPictures.codes(
    as: UInt16.self, PixelSize(8, 6), in: .rec2020, channels: .rgb)

  private func source(_ metadata: ImageMetadata = Self.metadata) throws -> String {
    var options = WritingOptions()
    options.metadata = metadata
    try ImageFile.write(.uint16(photo), to: folder.path("in.png"), options: options)
    return folder.path("in.png")
  }

  private func uint16(_ bitmap: AnyBitmap) throws -> Bitmap<UInt16> {
    guard case .uint16(let bitmap) = bitmap else {
      throw ImageFileError.unsupportedSamples(.uint8, format: .png)
    }
    return bitmap
  }

  @Test func metadataIsKept() throws {
    let (input, output) = (try source(), folder.path("out.png"))
    // A conversion to the source's space changes nothing.
    let transcript = run("convert", input, output, "--fit", "4", "--to", "rec2020")
    #expect(transcript.status == .done && transcript.errors.isEmpty)
    let (read, written) = try (ImageFile.info(input).metadata, ImageFile.info(output).metadata)
    #expect(read.xmp == written.xmp && written.xmp != nil)
    #expect(read.exif == written.exif && written.exif != nil)
    #expect(read.contentLight == written.contentLight && written.contentLight != nil)
    #expect(read.masteringDisplay == written.masteringDisplay && written.masteringDisplay != nil)
    #expect(run("convert", input, output, "--strip").errors.isEmpty)
    #expect(try ImageFile.info(output).metadata == ImageMetadata())
  }

  /// Metadata about luminance is dropped if a step changes it.
  @Test(arguments: [
    ["--to", "sRGB"], ["--to", "sRGB", "--convert", "rec2020"],
    ["--to", "sRGB", "--to", "rec2020"], ["--exposure", "1"], ["--invert"],
    ["--highlight", "sRGB"],
  ])
  func luminanceMetadataIsDroppedIfLightChanges(words: [String]) throws {
    let (input, output) = (try source(), folder.path("out.png"))
    let transcript = run(["convert", input, output] + words)
    #expect(transcript.status == .done)
    #expect(transcript.errors.joined().contains("(cLLI, mDCV) are omitted"))
    let written = try ImageFile.info(output).metadata
    #expect(written.contentLight == nil && written.masteringDisplay == nil)
    #expect(written.xmp == Self.metadata.xmp)
    let stripped = run(["convert", input, output, "--strip"] + words).errors
    #expect(stripped.allSatisfy { $0.contains("are clipped") }, "\(stripped)")
  }

  @Test func recipesAndVariantsKeepMetadata() throws {
    let input = try source()
    let recipe = folder.path("recipe.json")
    try Data(#"{"version": 1, "steps": ["invert"]}"#.utf8).write(to: URL(filePath: recipe))
    let (first, second) = (folder.path("1.jpg"), folder.path("2.jpg"))
    #expect(run("run", recipe, input, first).status == .done)
    let third = folder.path("3.jpg")
    #expect(run("variants", input, "--wide", second, "--narrow", third).status == .done)
    for path in [first, second] {
      let metadata = try ImageFile.info(path).metadata
      #expect(metadata.xmp == Self.metadata.xmp && metadata.exif != nil)
    }
  }

  /// The orientation in written files is correct: upright, or with `--as-stored` that of the source.
  @Test func picturesAreTurnedOnce() throws {
    let file = folder.path("turned.jpg")
    let stored = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), channels: .rgb)
    var options = WritingOptions()
    options.metadata.exif = Self.exif
    options.quality = 100
    var bytes = try ImageFile.encode(.uint8(stored), as: .jpeg, options: options)
    // The encoder's metadata says upright; the camera's does not.
    let upright: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: upright) })
    bytes[place + 9] = 6
    try Data(bytes).write(to: URL(filePath: file))
    let (turned, lying) = (folder.path("turned.png"), folder.path("lying.png"))
    #expect(run("convert", file, turned).status == .done)
    #expect(run("convert", file, lying, "--as-stored", "--samples", "u16").status == .done)
    for (path, orientation) in [(turned, Orientation.upright), (lying, .quarterTurned)] {
      let info = try ImageFile.info(path)
      #expect(info.size == PixelSize(6, 8) && info.orientation == orientation)
      #expect(info.metadata.exif != nil)
    }
    let picture = try Picture(contentsOf: file, isUpright: false)
    #expect(try uint16(ImageFile.read(lying, isUpright: false)) == picture.render())
    // The orientation belongs to the pixels, and is kept without the metadata.
    #expect(run("convert", file, lying, "--as-stored", "--strip").status == .done)
    #expect(try ImageFile.info(lying).orientation == .quarterTurned)
    // A format that cannot store it is named.
    let words = ["convert", file, folder.path("lying.ppm"), "--as-stored", "--untagged", "--strip"]
    #expect(run(words).errors.joined().contains("hold no orientation"))
  }

  @Test func unsupportedMetadataIsNamed() throws {
    var metadata = Self.metadata
    metadata.text = [.init(keyword: "Title", value: "a title")]
    let (input, output) = (try source(metadata), folder.path("out.jpg"))
    let transcript = run("convert", input, output, "--json")
    #expect(transcript.status == .done)
    let notes =
      ["JPEG files hold no text but a comment; “Title” is left out."]
      + ["content light level (cLLI)", "mastering display (mDCV)"].map {
        "JPEG files hold no \($0); it is left out."
      }
    #expect(transcript.errors == notes.map { "“\(output)”: \($0)" })
    struct Report: Decodable { let notes: [String], clippedSamples: Int }
    let report: Report = try transcript.report()
    #expect(report.notes == transcript.errors && report.clippedSamples == 0)
    #expect(run("convert", input, output, "--strip").errors.isEmpty)
  }

  @Test func pagesAreListedAndSelected() throws {
    let input = folder.path("pages.tif")
    let pages = (1...12).map { TestPages.Directory(value: UInt8(10 * $0)) }
    try Data(TestPages.tiff(pages)).write(to: URL(filePath: input))
    let words = ["convert", input, folder.path("out.png"), "--assume", "sRGB", "--samples", "u8"]
    let first = run(words)
    #expect(first.status == .done)
    #expect(
      first.errors.contains(
        "“\(input)”: It has 12 pages; page 1 of 12 is read. Choose another one by --page."))
    let seventh = run(words + ["--page", "7"])
    #expect(seventh.status == .done && !seventh.errors.joined().contains("12 pages"))
    guard case .uint8(let bitmap) = try ImageFile.read(folder.path("out.png")) else {
      throw Failure("The page has no 8-bit samples.")
    }
    #expect(bitmap[0, 0, 0] == 70)
    let none = run(words + ["--page", "13"])
    #expect(none.status == .failed && none.errors.joined().contains("12"))
    #expect(run("info", input, "--page", "3").output.joined().contains("page 3 of 12"))
    struct Report: Decodable { let page: Int, pages: Int, notes: [String] }
    let report: Report = try run("info", input, "--json").report()
    #expect(report.page == 1 && report.pages == 12 && report.notes.count == 1)
  }

  @Test func clippedSamplesAreReported() throws {
    let input = folder.path("in.tif")
    let bright = Bitmap<Float>(PixelSize(10, 10), in: .sRGB, channels: .rgb) { x, _ in
      [x < 3 ? 2 : 0.5, 0.5, 0.5]
    }
    try ImageFile.write(.float32(bright), to: input)
    let transcript = run("convert", input, folder.path("out.png"), "--json")
    #expect(transcript.errors.joined().contains("30 of 300 samples (10.0 %) were outside 0…1"))
    struct Report: Decodable { let clippedSamples: Int }
    let report: Report = try transcript.report()
    #expect(report.clippedSamples == 30)
    let almost = Bitmap<Float>(PixelSize(200, 100), in: .sRGB, channels: .rgb) { x, y in
      [2, 2, x == 0 && y == 0 ? 0.5 : 2]
    }
    try ImageFile.write(.float32(almost), to: input)
    let most = run("convert", input, folder.path("most.png")).errors.joined()
    #expect(most.contains("59999 of 60000 samples (99.998333 %) were outside 0…1"))
    #expect(run("convert", input, folder.path("out.tif"), "--samples", "float").errors.isEmpty)
    let light = Bitmap<Float>(PixelSize(10, 10), in: .linearSRGB, channels: .rgb) { x, _ in
      [x < 3 ? 1e6 : 0.5, 0.5, 0.5]
    }
    try ImageFile.write(.float32(light), to: input)
    let half = run("convert", input, folder.path("out.exr"), "--samples", "half")
    #expect(
      half.errors.joined().contains(
        "30 of 300 samples (10.0 %) were beyond ±65504 and are infinite in half precision"))
  }

  /// OpenEXR windows, pixel aspect ratio and white luminance are kept with the pixels, scaled with them, or reported as
  /// dropped.
  @Test func framingsOfOpenEXRAreKeptOrNamed() throws {
    var options = WritingOptions()
    options.metadata.framing = ImageMetadata.Framing(
      dataWindow: Region(x: -8, y: 4, width: 40, height: 20),
      displayWindow: Region(PixelSize(32, 24)), pixelAspectRatio: 2)
    options.metadata.whiteLuminance = 203
    let input = folder.path("in.exr")
    let bitmap = Bitmap<Float16>(PixelSize(40, 20), in: .linearSRGB, channels: .rgb)
    try ImageFile.write(.float16(bitmap), to: input, options: options)
    let output = folder.path("out.exr")
    func framing(_ words: String...) throws -> (ImageMetadata, errors: String) {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      return (try ImageFile.info(output).metadata, transcript.errors.joined())
    }
    let copied = try framing()
    #expect(copied.0 == options.metadata && copied.errors.isEmpty)
    let stripped = try framing("--strip")
    #expect(stripped.0.framing == options.metadata.framing && stripped.0.whiteLuminance == nil)
    let brighter = try framing("--exposure", "1")
    #expect(brighter.0.framing == options.metadata.framing && brighter.0.whiteLuminance == nil)
    #expect(brighter.errors.contains("white luminance of “\(input)” (203.0 cd/m²) is omitted"))
    let half = try framing("--fit", "20x10").0.framing
    #expect(half?.dataWindow == Region(x: -4, y: 2, width: 20, height: 10))
    #expect(half?.displayWindow == Region(PixelSize(16, 12)) && half?.pixelAspectRatio == 2)
    #expect(try framing("--resize", "80x20").0.framing?.pixelAspectRatio == 1)
    let recipe = folder.path("crop.json")
    try #"{"version": 1, "steps": [{"resize": {"to": {"exact": [10, 10]}}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    let other = try framing("--recipe", recipe)
    #expect(other.0.framing == nil && other.errors.contains("is omitted"))
    let blurred = try framing("--gaussian-blur", "1")
    #expect(blurred.0.framing == options.metadata.framing)
    let png = run("convert", input, folder.path("out.png"))
    #expect(png.errors.count == 2 && png.errors.allSatisfy { $0.contains("only OpenEXR files") })
  }

  /// Windows describe no pixels that a step moved, even if the picture has its size again.
  @Test(arguments: [
    ["--rotate", "180"], ["--flop"], ["--crop", "1,1,20x10", "--resize", "40x20"],
    ["--recipe", "turn.json"], ["--resize", "fill:40x20"], ["--mean", "columns"],
    ["--mean", "columns", "--resize", "40x20"],
  ])
  func framingsOfMovedPixelsAreOmitted(steps: [String]) throws {
    var options = WritingOptions()
    options.metadata.framing = ImageMetadata.Framing(
      dataWindow: Region(PixelSize(40, 20)), displayWindow: Region(PixelSize(100, 20)),
      pixelAspectRatio: 1)
    let (input, output) = (folder.path("in.exr"), folder.path("out.exr"))
    let bitmap = Bitmap<Float16>(PixelSize(40, 20), in: .linearSRGB, channels: .rgb)
    try ImageFile.write(.float16(bitmap), to: input, options: options)
    func write(_ filter: String, to name: String) throws -> String {
      try #"{"version": 1, "steps": [\#(filter)]}"#
        .write(toFile: folder.path(name), atomically: true, encoding: .utf8)
      return folder.path(name)
    }
    let turn = try write(#"{"orient": {"to": "half-turned"}}"#, to: "turn.json")
    let brighten = try write(#"{"exposure": {"stops": 1}}"#, to: "brighten.json")
    let words = steps.map { $0 == "turn.json" ? turn : $0 }
    for command in [["convert", input, output], ["run", brighten, input, output]] {
      let moved = run(command + words)
      #expect(moved.status == .done && moved.complaint.contains("is omitted"), "\(moved.errors)")
      #expect(try ImageFile.info(output).metadata.framing == nil)
      for steps in [["--recipe", brighten], ["--gaussian-blur", "1"]] {
        let kept = run(command + steps)
        #expect(kept.status == .done && kept.errors.isEmpty, "\(kept.errors)")
        #expect(try ImageFile.info(output).metadata.framing == options.metadata.framing)
        let half = run(command + steps + ["--resize", "20x10"])
        #expect(half.status == .done && half.errors.isEmpty, "\(half.errors)")
        let framing = ImageMetadata.Framing(
          dataWindow: Region(PixelSize(20, 10)), displayWindow: Region(PixelSize(50, 10)),
          pixelAspectRatio: 1)
        #expect(try ImageFile.info(output).metadata.framing == framing)
      }
    }
    #expect(run("run", turn, input, output).complaint.contains("is omitted"))
  }

  /// Odd numbers of quarter turns exchange the horizontal and the vertical resolution, even ones and mirroring do not.
  @Test(arguments: ["png", "tiff"])
  func quarterTurnsExchangeTheResolution(ending: String) throws {
    var metadata = ImageMetadata()
    metadata.resolution = .init(horizontal: 300, vertical: 150, unit: .inch)
    let (input, output) = (try source(metadata), folder.path("out.\(ending)"))
    let cases: [(words: [String], ratio: Double)] = [
      ([], 2), (["--rotate", "90"], 0.5), (["--orient", "quarter-turned"], 0.5),
      (["--orient", "transposed"], 0.5), (["--rotate", "-90", "--exposure", "-1"], 0.5),
      (["--rotate", "180"], 2), (["--rotate", "90", "--rotate", "90"], 2), (["--flip"], 2),
      (["--background", "white"], 2), (["--rotate", "90", "--background", "white"], 0.5),
      (["--flatten", "white"], 2), (["--rotate", "90", "--flatten", "white"], 0.5),
    ]
    for (words, ratio) in cases {
      #expect(run(["convert", input, output] + words).status == .done)
      let resolution = try #require(try ImageFile.info(output).metadata.resolution)
      // PNG counts whole pixels per metre.
      #expect(abs(resolution.horizontal / resolution.vertical / ratio - 1) < 1e-3, "\(words)")
    }
  }

  @Test func oversizedSegmentsAreOmitted() throws {
    var metadata = ImageMetadata()
    metadata.xmp = [UInt8](repeating: 32, count: 70_000)
    let (input, output) = (try source(metadata), folder.path("out.jpg"))
    let transcript = run("convert", input, output)
    #expect(transcript.status == .done)
    #expect(transcript.errors.joined().contains("Its XMP has 70000 bytes"), "\(transcript.errors)")
    #expect(run("convert", input, output, "--strip").errors.isEmpty)
  }

  @Test(arguments: ["ppm", "pfm", "npy"])
  func untaggedFilesAreWrittenOnRequest(ending: String) throws {
    let (input, output) = (try source(), folder.path("out.\(ending)"))
    let refused = run("convert", input, output, "--to", "rec2020-linear")
    #expect(refused.status == .failed)
    #expect(refused.errors.joined().contains("--untagged"))
    #expect(run("convert", input, output, "--untagged", "--strip").status == .done)
    let read = try ImageFile.read(output, assuming: .rec2020)
    #expect(read.size == photo.size)
    if ending == "ppm" { #expect(try uint16(read) == photo) }
  }

  @Test func aBackgroundShowsThrough() throws {
    let clear = Bitmap<UInt8>(PixelSize(4, 4), in: .sRGB, channels: .rgba) { x, _ in
      x < 2 ? [255, 0, 0, 0] : [0, 0, 255, 255]
    }
    let input = folder.path("clear.png")
    try ImageFile.write(.uint8(clear), to: input)
    let refused = run("convert", input, folder.path("out.jpg"))
    #expect(refused.errors.joined().contains("--background white"))
    let output = folder.path("out.png")
    #expect(
      run("convert", input, output, "--background", "lime", "--samples", "u8").status == .done)
    let expected = Bitmap<UInt8>(PixelSize(4, 4), in: .sRGB, channels: .rgb) { x, _ in
      x < 2 ? [0, 255, 0] : [0, 0, 255]
    }
    guard case .uint8(let written) = try ImageFile.read(output) else {
      Issue.record("The file has no 8-bit samples.")
      return
    }
    #expect(written == expected)
    #expect(
      run("triangle", folder.path("t.jpg"), "--size", "16x12", "--background", "white").status
        == .done)
  }

  @Test(arguments: [Channels.gray, .grayAlpha])
  func grayStaysGray(channels: Channels) throws {
    let gray = TestPictures.codes(as: UInt16.self, PixelSize(8, 6), channels: channels)
    let (input, output) = (folder.path("gray.png"), folder.path("out.png"))
    try ImageFile.write(.uint16(gray), to: input)
    #expect(run("convert", input, output).status == .done)
    // Fully transparent pixels have no color to keep.
    if channels == .gray { #expect(try uint16(ImageFile.read(output)) == gray) }
    #expect(run("convert", input, output, "--invert", "--fit", "4").status == .done)
    let written = try uint16(ImageFile.read(output))
    #expect(written.channels == channels)
    let rendered: Bitmap<UInt16> = try Picture(gray).inverted().resized(to: .fit(4, 4)).render()
    for y in 0..<written.size.height {
      for x in 0..<written.size.width { #expect(written[x, y, 0] == rendered[x, y, 0]) }
    }
    for words in [["--to", "p3"], ["--highlight", "sRGB"]] {
      #expect(run(["convert", input, output] + words).status == .done)
      #expect(try ImageFile.info(output).channels == (channels == .gray ? .rgb : .rgba))
    }
    // A format without gray stores RGB.
    if channels == .gray {
      #expect(run("convert", input, folder.path("out.pfm"), "--untagged").status == .done)
    }
  }

  /// A gray profile makes gray files, which are read again.
  @Test(arguments: ["gray-curv-v2", "gray-lab-v2", "gray-para-v4"])
  func grayProfilesMakeGrayFiles(name: String) throws {
    let profile = Fixtures.url("Profiles/\(name).icc").path
    let (input, output) = (try source(ImageMetadata()), folder.path("gray.png"))
    let expected = try Picture(photo).monochrome().converted(to: .linearSRGB)
      .render(as: Float.self)
    for words in [[], ["--grayscale"]] {
      let transcript = run(["convert", input, output] + words + ["--to", profile])
      #expect(transcript.status == .done, "\(transcript.errors)")
      #expect(try ImageFile.info(output).channels == .gray)
      let light = try Picture(contentsOf: output).converted(to: .linearSRGB).render(as: Float.self)
      // Profiles store their curves in 16 bits.
      let errors = zip(light.samples, expected.samples).map { abs($0 - $1) }
      #expect(errors.count == expected.samples.count && errors.reduce(0, larger) < 2e-3)
    }
    #expect(run("triangle", output, "--size", "8x6", "--to", profile).status == .done)
    #expect(try ImageFile.info(output).channels == .grayAlpha)
    // A later step adds color.
    let colored = ["--curves", "0,0 1,1", "0,0 1,.5", "0,0 1,1"]
    let transcript = run(["convert", input, output, "--to", profile] + colored)
    if name == "gray-lab-v2" {
      #expect(transcript.status == .misused && transcript.complaint.contains("would hold colors"))
    } else {
      #expect(transcript.status == .done)
      #expect(try ImageFile.info(output).channels == .rgb)
    }
  }

  /// Errors name options, not library API.
  @Test func errorsNameOptions() throws {
    let input = try source()
    let limited = ["--max-pixels", "9"]
    let commands = [
      (["convert", input, folder.path("out.ppm"), "--strip"], "--untagged"),
      (["convert", input, folder.path("out.exr"), "--strip"], "--to sRGB-linear"),
      (["convert", input, folder.path("out")], "--format png"),
      (["convert", input, folder.path("out.jpg"), "--samples", "float"], "--samples"),
      (["convert", input, folder.path("out.png")] + limited, "--max-pixels"),
      (["triangle", folder.path("out.png"), "--size", "16x12"] + limited, "--max-pixels"),
      (["triangle", folder.path("out.png"), "--memory", "9"], "--memory"),
      (["convert", input, folder.path("out.png"), "--to", "nope"], "“colorloom spaces”"),
      (["convert", input, folder.path("out.png"), "--convert", "nope"], "“colorloom spaces”"),
      (["curve", "nope", "encode", "1"], "“colorloom curve --help”"),
    ]
    for (words, option) in commands {
      let message = run(words).errors.joined()
      #expect(message.contains(option), "\(message)")
      for swift in [
        "WritingOptions", "FileLimits", "assuming:", "as: .", ".linearSRGB", "ColorSpace.all",
        "TransferFunction.named", "salvaging:",
      ] {
        #expect(!message.contains(swift), "\(message)")
      }
    }
    #if !WebP
      #expect(run("convert", input, folder.path("a.webp")).errors.joined().contains("trait WebP"))
    #endif
  }

  @Test func twoNamesOfOneFileAreRefused() throws {
    let input = try source()
    let parent = URL(filePath: input).deletingLastPathComponent()
    let (link, target) = (folder.path("link.png"), folder.path("target.png"))
    try FileManager.default.copyItem(atPath: input, toPath: target)
    try FileManager.default.createSymbolicLink(
      at: URL(filePath: link), withDestinationURL: parent.appending(path: "target.png"))
    for (wide, narrow) in [
      (folder.path("w.png"), parent.path + "/./w.png"), (link, target),
    ] {
      let transcript = run("variants", input, "--wide", wide, "--narrow", narrow)
      #expect(transcript.status == .misused)
      #expect(transcript.errors.joined().contains("name the same file. Name two."))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("w.png")))
    let other = folder.path("n.png")
    #expect(run("variants", input, "--wide", link, "--narrow", other).status == .done)
  }

  @Test func pixelsAreLimited() throws {
    let input = try source()
    #expect(run("info", input, "--max-pixels", "48").status == .done)
    for words in [["info", input], ["inspect", input], ["compare", input, input]] {
      #expect(run(words + ["--max-pixels", "47"]).status == .failed, "\(words)")
    }
    #expect(
      run("convert", input, folder.path("o.png"), "--resize", "8x7", "--max-pixels", "48").status
        == .misused)
  }

  /// A manifest or a film that cannot be written is refused before the pictures are.
  @Test func furtherFilesAreCheckedFirst() throws {
    let (input, missing) = (try source(), folder.path("none/list.json"))
    let pair = ["--wide", folder.path("w.png"), "--narrow", folder.path("n.png")]
    let film = ["--roll", "--out", folder.path("{name}-positive.png")]
    for (words, advice) in [
      (["variants", input, "--manifest", missing] + pair, "Create it."),
      (
        ["develop", input, "--save-film", missing] + film,
        "Create it, or pass --make-folders."
      ),
    ] {
      let transcript = run(words)
      let sentence =
        "“\(missing)” cannot be written: the folder “\(folder.path("none"))” does not exist. \(advice)"
      #expect(transcript.errors.last == "colorloom: \(sentence)", "\(transcript.errors)")
    }
    let parent = URL(filePath: input).deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent) == ["in.png"])
  }

  /// A header of 400 million pixels in a small file is suspect, unless the caller states that so many are welcome.
  @Test func statedPixelsMayBePackedTightly() throws {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      let content = Array(name.utf8) + body
      return body.count.bytes(4, isBigEndian: true) + content
        + Checksum.crc32(content).bytes(4, isBigEndian: true)
    }
    let side = 20_000.bytes(4, isBigEndian: true)
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", side + side + [1, 0, 0, 0, 0]) + chunk("sRGB", [0])
      + chunk("juNk", [UInt8](repeating: 0, count: 100_000)) + chunk("IDAT", Zlib.stored([0]))
      + chunk("IEND", [])
    let input = folder.path("plain.png")
    try Data(png).write(to: URL(filePath: input))
    let refused = run("info", input)
    #expect(refused.status == .failed)
    #expect(refused.errors.joined().contains("Pass --max-pixels 400000000 to read it anyway."))
    #expect(run("info", input, "--max-pixels", "400000000").status == .done)
  }
}
