import ColorSpaces
import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// What `stream` says of inputs that are not what its options state.
@Suite struct StreamInputTests {
  private let folder: TemporaryFolder
  private var input: String { folder.path("in.raw") }
  private var output: String { folder.path("out.y4m") }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(filePath: input))
  }

  /// Raw samples that end within a frame seldom are damaged: their size or layout is another one.
  @Test func aPartOfARawFrameHintsAtTheSize() throws {
    try write([UInt8](repeating: 90, count: 100))
    let words = ["stream", input, output, "--raw", "rgb24", "--as", "yuv444p", "--size"]
    let finding =
      "“\(input)” holds no whole number of frames of \(PixelSize(3, 4)) pixels in rgb24: "
      + "it ends after 28 of the 36 bytes of frame 3. "
    let refused = run(words + ["3x4"])
    #expect(refused.status == .failed && !FileManager.default.fileExists(atPath: output))
    #expect(
      refused.complaint.hasSuffix(
        finding + "If the video is whole, “--size” or “--raw” is wrong. "
          + "If it was cut off, pass “--salvage” to read what is intact."), "\(refused.errors)")
    let salvaged = run(words + ["3x4", "--salvage"])
    #expect(salvaged.status == .done)
    #expect(
      salvaged.complaint
        == finding + "2 frames are whole and written; all bytes after that are left out. "
        + "If they look wrong, “--size” or “--raw” is.", "\(salvaged.errors)")
    // There is nothing to salvage.
    let large = run(words + ["30x40", "--salvage"])
    #expect(large.status == .failed)
    #expect(
      large.complaint.hasSuffix(
        "it ends after 100 of the 3600 bytes of frame 1. "
          + "If the video is whole, “--size” or “--raw” is wrong."), "\(large.errors)")
  }

  @Test func rawIsRefusedForY4M() throws {
    let format = VideoFormat(PixelSize(8, 6))
    let writer = try VideoWriter(input, format)
    try writer.write(Bitmap(format.size, in: format.space(of: .rec709), channels: .rgb))
    try writer.finish()
    let refused = run("stream", input, output, "--raw", "yuv420p", "--size", "4x4")
    #expect(refused.status == .misused && !FileManager.default.fileExists(atPath: output))
    #expect(
      refused.complaint.contains("“\(input)” is a YUV4MPEG2 (Y4M) video, not raw samples."),
      "\(refused.errors)")
    #expect(refused.complaint.hasSuffix("Leave “--raw” and “--size” out."), "\(refused.errors)")
  }

  /// With and without a line feed in the first bytes.
  @Test(arguments: [UInt8(100), 10]) func rawSamplesWithoutRawAreNoY4M(code: UInt8) throws {
    try write([UInt8](repeating: code, count: 5000))
    let refused = run("stream", input, output)
    #expect(refused.status == .failed)
    #expect(
      refused.complaint.contains("“\(input)” is no YUV4MPEG2 (Y4M) video."), "\(refused.errors)")
  }

  /// Frames hold no transparency, neither those of steps nor those that are read.
  @Test func transparentFramesAreRefused() throws {
    try write([1, 2, 3, 255, 1, 2, 3, 0])
    let words = ["stream", input, output, "--size", "1x1", "--as", "yuv444p", "--raw"]
    let refused = run(words + ["bgra"])
    #expect(refused.status == .failed && !FileManager.default.fileExists(atPath: output))
    #expect(
      refused.complaint.contains("frame 2 has pixels that are not opaque")
        && refused.complaint.contains("as bgr0, it is read without alpha"), "\(refused.errors)")
    let ignoring = run(words + ["bgr0"])
    #expect(ignoring.status == .done, "\(ignoring.errors)")
  }
}
