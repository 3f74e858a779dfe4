import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// GIF files on the command line: frames are pages, and nothing is written.
@Suite struct GIFVerbTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var frames = (1...3).map { TestGIF.Frame.filled($0, width: 4, height: 3) }
    for index in 0..<3 { frames[index].delay = 10 }
    var gif = TestGIF(width: 4, height: 3, frames)
    gif.blocks.insert(TestGIF.repetitions(0), at: 0)
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try Data(gif.bytes).write(to: URL(filePath: folder.path("in/a.gif")))
  }

  private var source: String { folder.path("in/a.gif") }

  @Test func framesAreChosenAsPages() throws {
    let cases: [(options: [String], pixel: [UInt8])] = [
      ([], [255, 0, 0]), (["--page", "3"], [0, 0, 255]),
    ]
    for (options, pixel) in cases {
      let transcript = run(["convert", source, folder.path("a.png")] + options)
      #expect(transcript.status == .done, "\(transcript.errors)")
      guard case .uint8(let bitmap) = try ImageFile.read(folder.path("a.png")) else {
        throw Failure("The result has no bytes.")
      }
      #expect((0..<3).map { bitmap[1, 1, $0] } == pixel)
      let advice = options.isEmpty ? ["Choose another one by --page."] : []
      #expect(transcript.errors.count == advice.count)
      for (line, words) in zip(transcript.errors, advice) { #expect(line.hasSuffix(words)) }
    }
    let missing = run("convert", source, folder.path("a.png"), "--page", "4")
    #expect(missing.complaint.contains("has no frame 4; the last one is 3"))
  }

  @Test func timingIsReported() throws {
    #expect(
      run("info", source).text.contains(
        "frame 1 of 3 (0.1 s of 0.3 s, repeated forever)"))
    #expect(run("inspect", source).text.contains("shown: 0.1 s of 0.3 s, repeated forever"))
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
}
