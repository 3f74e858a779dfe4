import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What the tool keeps of a file beside its pixels, what it leaves out, and what it says of that.
@Suite struct WritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// EXIF data with nothing but an orientation: a quarter turn.
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

  @Test func metadataIsPassedOn() throws {
    let (input, output) = (try source(), folder.path("out.png"))
    let transcript = run("convert", input, output, "--fit", "4")
    #expect(transcript.status == .done && transcript.errors.isEmpty)
    let (read, written) = try (ImageFile.info(input).metadata, ImageFile.info(output).metadata)
    #expect(read.xmp == written.xmp && written.xmp != nil)
    #expect(read.exif == written.exif && written.exif != nil)
    #expect(read.contentLight == written.contentLight && written.contentLight != nil)
    #expect(read.masteringDisplay == written.masteringDisplay && written.masteringDisplay != nil)
    #expect(run("convert", input, output, "--strip").errors.isEmpty)
    #expect(try ImageFile.info(output).metadata == ImageMetadata())
  }

  /// What is said of brightness would be wrong for another light.
  @Test(arguments: [
    ["--to", "sRGB"], ["--exposure", "1"], ["--invert"], ["--highlight", "sRGB"],
  ])
  func anotherLightIsNotAsBright(words: [String]) throws {
    let (input, output) = (try source(), folder.path("out.png"))
    let transcript = run(["convert", input, output] + words)
    #expect(transcript.status == .done)
    #expect(transcript.errors.joined().contains("(cLLI, mDCV) is left out"))
    let written = try ImageFile.info(output).metadata
    #expect(written.contentLight == nil && written.masteringDisplay == nil)
    #expect(written.xmp == Self.metadata.xmp)
    #expect(run(["convert", input, output, "--strip"] + words).errors.isEmpty)
  }

  @Test func recipesAndVariantsPassMetadataOn() throws {
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

  /// The pixels are upright, and what is written must not say otherwise.
  @Test func picturesAreTurnedOnce() throws {
    let file = folder.path("turned.jpg")
    let stored = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), channels: .rgb)
    var options = WritingOptions()
    options.metadata.exif = Self.exif
    options.quality = 100
    var bytes = try ImageFile.encode(.uint8(stored), as: .jpeg, options: options)
    // The encoder says that the picture is upright; the camera does not.
    let upright: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: upright) })
    bytes[place + 9] = 6
    try Data(bytes).write(to: URL(filePath: file))
    let (turned, lying) = (folder.path("turned.png"), folder.path("lying.png"))
    #expect(run("convert", file, turned).status == .done)
    #expect(run("convert", file, lying, "--as-stored").status == .done)
    for (path, size) in [(turned, PixelSize(6, 8)), (lying, PixelSize(8, 6))] {
      let info = try ImageFile.info(path)
      #expect(info.size == size && info.orientation == .upright && info.metadata.exif != nil)
    }
    let picture = try Picture(contentsOf: file, isUpright: false)
    #expect(try uint16(ImageFile.read(lying)) == picture.render())
  }

  @Test func whatASegmentCannotHoldIsSaid() throws {
    var metadata = ImageMetadata()
    metadata.xmp = [UInt8](repeating: 32, count: 70_000)
    let (input, output) = (try source(metadata), folder.path("out.jpg"))
    let transcript = run("convert", input, output)
    #expect(transcript.status == .failed)
    #expect(transcript.errors.joined().contains("at most 65504 bytes of XMP, and there are 70000"))
    #expect(transcript.errors.joined().contains("--strip"))
    #expect(run("convert", input, output, "--strip").status == .done)
  }

  @Test(arguments: ["ppm", "pfm", "npy"])
  func numbersAloneAreWrittenIfAsked(ending: String) throws {
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
    // What is transparent has no color to keep.
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
    // A format without gray takes colors.
    if channels == .gray {
      #expect(run("convert", input, folder.path("out.pfm"), "--untagged").status == .done)
    }
  }

  /// Errors speak of options, not of what programs would write.
  @Test func errorsSpeakOfOptions() throws {
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
    ]
    for (words, option) in commands {
      let message = run(words).errors.joined()
      #expect(message.contains(option), "\(message)")
      for swift in ["WritingOptions", "FileLimits", "assuming:", "as: .", ".linearSRGB"] {
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
    let link = folder.path("link.png")
    try FileManager.default.createSymbolicLink(
      at: URL(filePath: link), withDestinationURL: parent.appending(path: "in.png"))
    for (wide, narrow) in [
      (folder.path("w.png"), parent.path + "/./w.png"), (link, input),
    ] {
      let transcript = run("variants", input, "--wide", wide, "--narrow", narrow)
      #expect(transcript.status == .failed)
      #expect(transcript.errors.joined().contains("two pictures shall be written there"))
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
}
