import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `--trim` on the command line.
@Suite struct TrimTests {
  private let folder: TemporaryFolder
  private let photo = Picture(
    TestPictures.codes(as: UInt16.self, PixelSize(40, 30), in: .displayP3))
  private let input, output, uniform: String

  /// Writes the photo in a white frame of 7 and 3 pixels, and a picture of one color.
  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("framed.png")
    output = folder.path("out.png")
    uniform = folder.path("uniform.png")
    try photo.padded(to: Region(x: -7, y: -3, width: 54, height: 36), with: Self.white)
      .write(to: input, samples: .uint16)
    try Self.gray(100).write(to: uniform, samples: .uint8)
  }

  private static let white = ColorPoint(1, 1, 1, in: .sRGB)

  private static func gray(_ code: UInt8) -> Picture {
    Picture(
      Bitmap<UInt8>(PixelSize(8, 6), in: .sRGB, channels: .rgb) { _, _ in [code, code, code] })
  }

  private func bitmap(at path: String) throws -> Bitmap<UInt16>? {
    if case .uint16(let bitmap) = try ImageFile.read(path) { bitmap } else { nil }
  }

  @Test func uniformBordersAreTrimmed() throws {
    for words in [["--trim"], ["--trim=5%"], ["--trim=0"], ["--trim", "--trim"]] {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .done && transcript.errors.isEmpty, "\(transcript.errors)")
      #expect(try bitmap(at: output) == photo.render(), "\(words)")
    }
  }

  /// The step measures the picture after the steps before it. As after --crop, pixels keep their positions.
  @Test func stepsBeforeAndAfterAreInOrder() throws {
    for (words, expected) in [
      (["--flop", "--trim"], photo.mirrored()),
      (["--trim", "--crop", "7,3,9x9"], photo.cropped(to: Region(PixelSize(9, 9)))),
      (["--trim", "--exposure", "-1"], photo.exposure(-1)),
      (["--trim", "--resize", "50%"], photo.resized(to: .scaled(by: 0.5))),
      (["--frame", "by=4,color=black", "--trim", "--trim"], photo),
    ] {
      let transcript = run(["convert", input, output] + words)
      #expect(transcript.status == .done, "\(words): \(transcript.errors)")
      #expect(try bitmap(at: output) == expected.render(), "\(words)")
    }
  }

  @Test func toleranceDecides() throws {
    let path = folder.path("near.png")
    // A dot of 5 codes more.
    let dot = Bitmap<UInt8>(PixelSize(8, 6), in: .sRGB, channels: .rgb) { x, y in
      (x, y) == (3, 2) ? [105, 100, 100] : [100, 100, 100]
    }
    try Picture(dot).write(to: path, samples: .uint8)
    for (words, size) in [
      (["--trim"], PixelSize(8, 6)), (["--trim=2%"], PixelSize(8, 6)),
      (["--trim=1.9%"], PixelSize(1, 1)), (["--trim=0.019"], PixelSize(1, 1)),
    ] {
      #expect(run(["convert", path, output] + words).status == .done)
      #expect(try ImageFile.info(output).size == size, "\(words)")
    }
  }

  @Test func helpStatesTheDefaultTolerance() {
    // Help is wrapped.
    let help = run("help", "convert").text.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("by default by more than 3.92 %"))
  }

  @Test func uniformPicturesStayAsTheyAre() throws {
    let transcript = run("convert", uniform, output, "--trim")
    #expect(transcript.status == .done)
    #expect(
      transcript.errors == [
        "“--trim” crops nothing of “\(uniform)”: all its pixels equal the top left one within 3.92 %."
      ])
    #expect(try ImageFile.info(output).size == PixelSize(8, 6))
    let report = run("convert", uniform, output, "--trim=1%", "--json")
    #expect(report.json.joined().contains("all its pixels equal the top left one within 1.0 %."))
  }

  /// Notes on the result of a recipe name its input.
  @Test func recipesTrimTheirInput() throws {
    let recipe = folder.path("recipe.json")
    try #"{"version": 1, "steps": [{"exposure": {"stops": -1}}]}"#
      .write(toFile: recipe, atomically: true, encoding: .utf8)
    let transcript = run("run", recipe, uniform, output, "--trim")
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(transcript.complaint.contains("“--trim” crops nothing of “\(uniform)”"))
  }

  /// Each picture of a batch is measured by itself, and a uniform one is written, too.
  @Test func manyPicturesAreTrimmed() throws {
    let pattern = folder.path("small-{name}.png")
    let transcript = run("convert", input, uniform, "--out", pattern, "--trim")
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(transcript.complaint.contains("“--trim” crops nothing of “\(uniform)”"))
    #expect(try ImageFile.info(folder.path("small-framed.png")).size == PixelSize(40, 30))
    #expect(try ImageFile.info(folder.path("small-uniform.png")).size == PixelSize(8, 6))
  }

  @Test func orientedPicturesAreTrimmedUpright() throws {
    let turned = folder.path("turned.png")
    var options = WritingOptions()
    options.orientation = .quarterTurned
    let stored: Bitmap<UInt16> = try Picture(contentsOf: input).render()
    try ImageFile.write(.uint16(stored), to: turned, options: options)
    #expect(run("convert", turned, output, "--trim").status == .done)
    #expect(try bitmap(at: output) == photo.oriented(.quarterTurned).render())
    #expect(run("convert", turned, output, "--trim", "--as-stored").status == .done)
    #expect(try ImageFile.info(output).orientation == .quarterTurned)
    #expect(try bitmap(at: output) == photo.oriented(.quarterTurned).render())
  }

  @Test func variantsAndPlansAreTrimmed() throws {
    let (wide, narrow) = (folder.path("wide.png"), folder.path("narrow.png"))
    let transcript = run("variants", input, "--wide", wide, "--narrow", narrow, "--trim")
    #expect(transcript.status == .done, "\(transcript.errors)")
    for path in [wide, narrow] {
      #expect(try ImageFile.info(path).size == PixelSize(40, 30))
    }
    let plan = run("convert", input, "--trim", "--plan")
    #expect(plan.status == .done && plan.text.contains("crop to 40 × 30 at (7, 3)"), "\(plan.text)")
  }

  /// The map is cropped where the picture is, not where it is uniform itself.
  @Test func gainMapsAreTrimmedWithTheirPictures() throws {
    let map = Fixtures.url("Images/iso-21496-1.jpg").path
    let file = try OpenedImageFile(map)
    let expected = try file.picture().contentBounds() ?? file.picture().region
    let path = folder.path("out.jpg")
    #expect(run("convert", map, path, "--trim").errors.isEmpty)
    #expect(try ImageFile.info(path).size == expected.size)
    #expect(try ImageFile.info(path).gainMap != nil)
    let (hdr, added) = (folder.path("hdr.exr"), folder.path("added.jpg"))
    try Picture(
      Bitmap<Float>(PixelSize(64, 48), in: .linearDisplayP3, channels: .rgb) { x, y in
        (16..<48).contains(x) && (8..<40).contains(y) ? [4, 3, 2] : [0.5, 0.5, 0.5]
      }
    ).write(to: hdr, samples: .float32)
    let transcript = run(
      "convert", hdr, added, "--exposure", "-2", "--to", "displayP3", "--trim", "--gain-maps",
      "add")
    #expect(transcript.status == .done, "\(transcript.errors)")
    let written = try OpenedImageFile(added)
    #expect(written.info.size == PixelSize(32, 32))
    let found = try #require(try written.hdrPicture()).render(as: Float.self)
    #expect(found[16, 16, 0] > 3, "The map leads to what was cropped from the picture.")
  }

  @Test func uselessTrimsAreRefused() throws {
    for (word, sentence) in [
      ("--trim=5", "“--trim” needs a tolerance from 0 to 1 such as 0.05, or 5%, not “5”."),
      ("--trim=101%", "not “101%”"), ("--trim=-1%", "not “-1%”"), ("--trim=nan", "not “nan”"),
      ("--trim=", "“--trim” needs a tolerance"),
    ] {
      let transcript = run("convert", input, output, word)
      #expect(transcript.status == .misused)
      #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
    }
    let stream = run("stream", "in.y4m", "out.y4m", "--trim")
    #expect(stream.status == .misused)
    #expect(stream.complaint.contains("“stream” has no option “--trim”."), "\(stream.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
