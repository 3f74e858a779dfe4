import ColorSpaces
import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Damaged videos, with and without `--salvage`.
@Suite struct StreamSalvageTests {
  private let folder: TemporaryFolder
  private var input: String { folder.path("in.y4m") }
  private var output: String { folder.path("out.y4m") }

  init() throws { folder = try TemporaryFolder() }

  private static let size = PixelSize(8, 6)

  /// Writes a video whose frames are followed by `rest`.
  private func video(_ count: Int, then rest: String) throws {
    let writer = try VideoWriter(input, VideoFormat(Self.size, .planes(.full, bits: 8)))
    for frame in 0..<count {
      try writer.write(
        Bitmap<UInt16>(Self.size, in: .rec709, channels: .rgb) { x, y in
          [UInt16(x * 8000), UInt16(y * 9000), UInt16(frame * 12_000)]
        })
    }
    try writer.finish()
    let file = try FileHandle(forWritingTo: URL(filePath: input))
    try file.seekToEnd()
    try file.write(contentsOf: Data(rest.utf8))
    try file.close()
  }

  /// The frames of a video, with or without a step.
  @Test(arguments: [[], ["--exposure", "0.5"]])
  func wholeFramesAreSalvaged(steps: [String]) throws {
    try video(4, then: "")
    #expect(run(["stream", input, output] + steps).status == .done)
    let whole = try Data(contentsOf: URL(filePath: output))
    for (rest, finding) in [
      ("FRAME\nabc", "it ends after 3 of the 144 bytes of frame 5"),
      ("GARBAGE\n", "frame 5 begins with “GARBAGE”, not with FRAME"),
    ] {
      try video(4, then: rest)
      try? FileManager.default.removeItem(atPath: output)
      let refused = run(["stream", input, output] + steps)
      #expect(refused.status == .failed && !FileManager.default.fileExists(atPath: output))
      #expect(refused.complaint.contains(finding), "\(refused.errors)")
      #expect(refused.complaint.hasSuffix("Pass --salvage to read what is intact."))
      let salvaged = run(["stream", input, output, "--salvage", "--json"] + steps)
      #expect(salvaged.status == .done && salvaged.errors.count == 1)
      #expect(salvaged.complaint.contains(finding), "\(salvaged.errors)")
      #expect(
        salvaged.complaint.hasSuffix(
          "4 frames are whole and written; all bytes after that are left out."))
      #expect(try Data(contentsOf: URL(filePath: output)) == whole)
      struct Report: Decodable {
        let frames: Int
        let notes: [String]
      }
      let report: Report = try salvaged.report()
      #expect(report.frames == 4 && report.notes == salvaged.errors)
    }
  }

  @Test func aVideoWithoutAWholeFrameIsNotSalvaged() throws {
    try video(0, then: "FRAME\nabc")
    let transcript = run("stream", input, output, "--salvage")
    #expect(transcript.status == .failed)
    #expect(transcript.complaint.contains("bytes of frame 1"), "\(transcript.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
