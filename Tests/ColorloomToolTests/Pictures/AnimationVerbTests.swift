import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Animated GIF and PNG files on the command line: frames are pages.
@Suite struct AnimationVerbTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var frames = (1...3).map { TestGIF.Frame.filled($0, width: 4, height: 3) }
    for index in 0..<3 { frames[index].delay = 10 }
    var gif = TestGIF(width: 4, height: 3, frames)
    gif.blocks.insert(TestGIF.repetitions(0), at: 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try Data(gif.bytes).write(to: URL(filePath: source))
    let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]]
    let png = TestAPNG(width: 4, height: 3, colors.map { .filled($0, width: 4, height: 3) })
    try Data(png.bytes).write(to: URL(filePath: folder.path("a.png")))
  }

  private var source: String { folder.path("in/a.gif") }

  @Test(arguments: ["in/a.gif", "a.png"]) func framesAreChosenAsPages(_ file: String) throws {
    let source = folder.path(file)
    let cases: [(options: [String], pixel: [UInt8])] = [
      ([], [255, 0, 0]), (["--page", "3"], [0, 0, 255]),
    ]
    for (options, pixel) in cases {
      let transcript = run(["convert", source, folder.path("b.png")] + options)
      #expect(transcript.status == .done, "\(transcript.errors)")
      guard case .uint8(let bitmap) = try ImageFile.read(folder.path("b.png")) else {
        throw Failure("The result has no bytes.")
      }
      #expect((0..<3).map { bitmap[1, 1, $0] } == pixel)
      let advice = options.isEmpty ? ["Choose another one by --page."] : []
      #expect(transcript.errors.count == advice.count)
      for (line, words) in zip(transcript.errors, advice) { #expect(line.hasSuffix(words)) }
    }
    let missing = run("convert", source, folder.path("b.png"), "--page", "4")
    #expect(missing.complaint.contains("has no frame 4; the last one is 3"))
  }

  @Test func timingIsReported() throws {
    let words = "0.1 s of 0.3 s, repeated forever"
    for source in [source, folder.path("a.png")] {
      #expect(run("info", source).text.contains("frame 1 of 3 (\(words))"))
      #expect(run("inspect", source).text.contains("shown: \(words)"))
    }
    struct Report: Decodable {
      struct Animation: Decodable {
        let frameSeconds, seconds: Double
        let repetitions: Int?
      }
      let animation: Animation?
    }
    let animation = try #require(
      try run("info", source, "--json").report(as: Report.self).animation)
    #expect(animation.frameSeconds == 0.1 && animation.seconds == 0.3)
    #expect(animation.repetitions == nil)
  }

  /// A folder's GIF files are read, and become PNG where the ending is to be that of the source.
  @Test func gifFilesInFoldersBecomePNG() throws {
    let made = run("convert", folder.path("in"), "--out", folder.path("out"), "--make-folders")
    #expect(made.status == .done, "\(made.errors)")
    #expect(try ImageFile.info(folder.path("out/a.png")).size == PixelSize(4, 3))
    #expect(run("info", folder.path("in")).output.count == 1)
    // {ext} does not tell it apart from a PNG file of the same name.
    try FileManager.default.copyItem(
      atPath: folder.path("out/a.png"), toPath: folder.path("in/a.png"))
    let both = run("convert", folder.path("in"), "--out", folder.path("out"))
    #expect(both.complaint.contains("apart by {name}, {folder} or {number}"), "\(both.errors)")
  }

  @Test func writingGIFIsRefused() {
    let refused = run("convert", source, folder.path("b.gif"))
    #expect(refused.status != .done)
    #expect(
      refused.complaint.contains(
        "cannot be written: GIF files can only be read. Let it end in one of .png"))
    #expect(run("formats").text.contains("GIF (.gif): is only read"))
  }

  /// A limit that the size of the picture does not exceed.
  @Test func layersBeyondTheLimitAreRefusedWithAnOption() throws {
    var layer = TestAPNG.Frame.filled([0, 0, 0, 0], width: 1, height: 1, blending: 1)
    (layer.width, layer.height) = (300, 300)
    let first = TestAPNG.Frame.filled([9, 9, 9, 255], width: 300, height: 300)
    let frames = [first] + [TestAPNG.Frame](repeating: layer, count: 500)
    try Data(TestAPNG(width: 300, height: 300, frames).bytes).write(
      to: URL(filePath: folder.path("large.png")))
    let refused = run(
      "convert", folder.path("large.png"), folder.path("b.png"), "--page", "501", "--max-pixels",
      "90000")
    #expect(refused.complaint.contains("\(501 * 90_000) pixels of frames are drawn"))
    #expect(refused.complaint.contains("Pass --max-pixels \(501 * 90_000) to read it anyway."))
  }
}
