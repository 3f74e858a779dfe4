import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

private let ffmpeg = Client("ffmpeg")

/// Video through the tool: frames equal the library's results, and ffmpeg at both ends.
@Suite struct StreamTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A video of colors that change from frame to frame.
  private func video(_ format: VideoFormat, count: Int) throws -> String {
    let path = folder.path("in.y4m")
    let writer = try VideoWriter(path, format)
    for frame in 0..<count {
      let bitmap = Bitmap<UInt16>(format.size, in: format.space(of: .rec709), channels: .rgb) {
        x, y in [(x * 9000), (y * 8000), (frame * 12_000)].map { UInt16($0 & 0xFFFF) }
      }
      try writer.write(bitmap)
    }
    try writer.finish()
    return path
  }

  private func frames(_ path: String, in space: ColorSpace) throws -> [Bitmap<UInt16>] {
    let reader = try VideoReader(path)
    var frames: [Bitmap<UInt16>] = []
    while let frame = try reader.next(in: space) { frames.append(frame) }
    return frames
  }

  @Test func framesEqualTheLibrarysResults() throws {
    let format = VideoFormat(PixelSize(16, 12), .planes(.full, bits: 10))
    let (input, output) = (try video(format, count: 3), folder.path("out.y4m"))
    let transcript = run(
      "stream", input, output, "--from", "p3", "--highlight", "sRGB", "--to", "rec2020", "--resize",
      "8x6", "--as", "yuv444p12le")
    #expect(transcript.status == .done, "\(transcript.errors)")
    var result = VideoFormat(PixelSize(8, 6), .planes(.full, bits: 12), matrix: .rec2020)
    result.siting = .left
    let written = try frames(output, in: .rec2020)
    let read = try frames(input, in: .displayP3)
    #expect(written.count == 3)
    for (frame, copy) in zip(read, written) {
      let picture = Picture(frame).converted(to: .displayP3).gamutMask(outside: .sRGB)
        .converted(to: .rec2020).resized(to: .exact(8, 6)).converted(to: result.space(of: .rec2020))
      let expected = try picture.render(as: UInt16.self)
      for y in 0..<6 {
        for x in 0..<8 {
          for channel in 0..<3 {
            // Half a 12-bit step, in 65,535ths.
            let step = abs(Int(copy[x, y, channel]) - Int(expected[x, y, channel]))
            #expect(step <= 8)
          }
        }
      }
    }
  }

  @Test func bareSamplesPassUnchanged() throws {
    let bytes: [UInt8] = (0..<288).map { UInt8(($0 * 31) % 256) }
    let (input, output) = (folder.path("in.rgb"), folder.path("out.rgb"))
    try Data(bytes).write(to: URL(filePath: input))
    let words = ["--raw", "rgb24", "--size", "8x6", "--bare", "--from", "p3"]
    #expect(run(["stream", input, output] + words).status == .done)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: output))) == bytes)
    #expect(run(["stream", input, output] + words + ["--frames", "1"]).status == .done)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: output))) == Array(bytes[..<144]))
  }

  /// A matrix of encoded values merges with that of the video, so that the texts of the plans are equal; the frames
  /// must differ.
  @Test func matricesOfEncodedValuesChangeFrames() throws {
    let format = VideoFormat(PixelSize(16, 12), .planes(.full, bits: 8))
    let (input, output) = (try video(format, count: 2), folder.path("out.y4m"))
    let swapped = "matrix=0,0,1 0,1,0 1,0,0,in=encoded"
    #expect(run("stream", input, output, "--channel-mix", swapped).status == .done)
    for (frame, copy) in zip(try frames(input, in: .rec709), try frames(output, in: .rec709)) {
      #expect(copy != frame)
    }
    // Identity steps leave every sample unchanged.
    for words in [["--exposure", "0"], ["--saturation", "1"], ["--move", "0,0"]] {
      #expect(run(["stream", input, output] + words).status == .done)
      #expect(try frames(output, in: .rec709) == frames(input, in: .rec709), "\(words)")
    }
  }

  /// ffmpeg's frames pass bit for bit where no step changes pixels, in 4:2:0 and 4:2:2 and for odd sizes.
  @Test(
    .enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"),
    arguments: ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le"])
  func unchangedChromaPassesThrough(layout: String) throws {
    // ffmpeg truncates half a sample of odd chroma rows above 8 bits.
    let size = layout.contains("10") ? "94x62" : "95x63"
    for siting in layout == "yuv420p" ? ["left", "center", "topleft"] : ["left"] {
      let (input, output) = (folder.path("in.y4m"), folder.path("out.y4m"))
      try ffmpeg.run(
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=10:duration=0.3",
        "-vf", "scale=\(size.replacing("x", with: ":")),setsar=59/54", "-pix_fmt", layout,
        "-chroma_sample_location", siting,
        "-strict",
        "-1", "-f", "yuv4mpegpipe", input)
      let original = try [UInt8](Data(contentsOf: URL(filePath: input)))
      for words in [[], ["--to", "rec709"], ["--exposure", "0"], ["--resize", size]] {
        #expect(run(["stream", input, output] + words).status == .done)
        let copy = try [UInt8](Data(contentsOf: URL(filePath: output)))
        let (ours, theirs) = try (VideoReader(output).format, VideoReader(input).format)
        #expect(ours == theirs && ours.pixelWidth == 59 && ours.pixelHeight == 54)
        // Everything but the header is equal.
        func frames(_ bytes: [UInt8]) -> ArraySlice<UInt8> { bytes.drop { $0 != 0x0A } }
        #expect(frames(copy) == frames(original), "\(layout) \(siting) \(words)")
      }
      // ffmpeg reads the same frames and the same chroma siting from our file.
      func sums(_ file: String) throws -> String {
        try ffmpeg.run("-v", "error", "-i", file, "-f", "framemd5", "-")
      }
      #expect(try sums(output) == sums(input))
    }
  }

  /// A step that changes pixels does not change the declared format.
  @Test(arguments: [
    ("C422", "C422 "), ("C420paldv", "C420paldv "), ("C420mpeg2", "C420mpeg2 "),
    ("C420jpeg", "C420jpeg "), ("C422p10", "C422p10 "),
  ])
  func sitingAndPixelShapeStay(word: String, written: String) throws {
    let (input, output) = (folder.path("in.y4m"), folder.path("out.y4m"))
    let head = "YUV4MPEG2 W6 H4 F25:1 Ip A59:54 \(word)\n"
    let frame = [UInt8](repeating: 100, count: word == "C422p10" ? 96 : word == "C422" ? 48 : 36)
    try (Data("\(head)FRAME\n".utf8) + Data(frame)).write(to: URL(filePath: input))
    func header(_ words: String...) throws -> String {
      let transcript = run(["stream", input, output] + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      let bytes = try Data(contentsOf: URL(filePath: output)).prefix { $0 != 0x0A }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(try header("--exposure", "1").contains("A59:54 \(written)"))
    #expect(try header("--fit", "3x2").contains("W3 H2 F25:1 Ip A59:54 \(written)"))
    // Twice as many columns of half the width.
    #expect(try header("--resize", "12x4").contains("W12 H4 F25:1 Ip A59:108 \(written)"))
    #expect(try header("--as", "yuv422p", "--siting", "center").contains("C422 "))
    #expect(
      try header("--as", "yuv420p10le", "--siting", "topleft").contains("C420p10 ")
    )
  }

  @Test func topLeftChromaOfManyBitsIsExpressed() throws {
    let (raw, output) = (folder.path("in.yuv"), folder.path("out.y4m"))
    try Data([UInt8](repeating: 1, count: 2 * 6 * 3 / 2 * 4)).write(to: URL(filePath: raw))
    let words = ["--raw", "yuv420p10le", "--size", "6x4", "--from", "rec2020"]
    #expect(run(["stream", raw, output] + words + ["--siting", "topleft"]).status == .done)
    #expect(try VideoReader(output).format.siting == .topLeft)
    let copy = folder.path("copy.y4m")
    #expect(run("stream", output, copy, "--from", "rec2020", "--exposure", "1").status == .done)
    #expect(try VideoReader(copy).format.siting == .topLeft)
  }

  @Test func misuseIsAnError() throws {
    let input = try video(VideoFormat(PixelSize(4, 4)), count: 1)
    let output = folder.path("out.y4m")
    for words in [
      ["--raw", "rgb24"], ["--to", "lab"], ["--resize", "0x4"], ["--as", "yuv411p"],
    ] {
      #expect(run(["stream", input, output] + words).status == .misused, "\(words)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    #expect(run("stream", input, "-").status == .misused)
    try Data("YUV4MPEG2 W4 H4\n".utf8).write(to: URL(filePath: input))
    #expect(run("stream", input, output).status == .failed)
  }

  /// Frames hold neither transparent pixels nor an infinite extent.
  @Test func framesThatNoVideoHoldsAreRefused() throws {
    let input = try video(VideoFormat(PixelSize(16, 12)), count: 1)
    let output = folder.path("out.y4m")
    for (words, sentence) in [
      (["--rotate", "10"], "Add --flatten COLOR"),
      (["--pad=-2,-2,20x16"], "Add --flatten COLOR"),
      (["--extend", "clear"], "infinite extent. Pass --crop"),
    ] {
      let transcript = run(["stream", input, output] + words)
      #expect(transcript.status == .misused, "\(words)")
      #expect(transcript.complaint.contains(sentence), "\(transcript.errors)")
      #expect(!FileManager.default.fileExists(atPath: output))
    }
    let flat = run("stream", input, output, "--rotate", "10", "--flatten", "black")
    #expect(flat.status == .done, "\(flat.errors)")
    // The writer of the library refuses such a frame, too.
    let writer = try VideoWriter(folder.path("own.y4m"), VideoFormat(PixelSize(4, 4)))
    let clear = Bitmap<UInt16>(PixelSize(4, 4), in: .rec709, channels: .rgba)
    #expect(throws: ImageFileError.self) { try writer.write(clear) }
  }

  /// The limit is checked before the first frame is read: here there is none.
  @Test func framesAreWithinTheMemoryLimit() throws {
    let (input, output) = (folder.path("in.y4m"), folder.path("out.y4m"))
    try "YUV4MPEG2 W1024 H1024 C444\n".write(toFile: input, atomically: true, encoding: .utf8)
    // A frame has 3 MiB, its bitmap 6 MiB, and one is read while another is written.
    for (words, memory, finding) in [
      ([], (9 << 20) - 1, "“\(input)” takes up to \(9 << 20) bytes of memory"),
      (["--exposure", "1"], (18 << 20) - 1, "“\(output)” takes up to \(18 << 20) bytes of memory"),
      (["--blur", "2000"], 18 << 20, "Rendering needs"), ([], 9 << 20, "holds no frame."),
      (["--exposure", "1"], 18 << 20, "holds no frame."),
    ] {
      let transcript = run(
        ["stream", input, output, "--threads", "1", "--memory", "\(memory)"] + words)
      #expect(transcript.status == .failed)
      #expect(transcript.complaint.contains(finding), "\(transcript.errors)")
    }
  }

  @Test func picturesAreNoVideos() throws {
    let picture = folder.path("photo.png")
    try ImageFile.write(.uint8(TestPictures.codes(as: UInt8.self, channels: .rgb)), to: picture)
    let transcript = run("stream", picture, folder.path("out.y4m"))
    #expect(transcript.status == .failed)
    #expect(
      transcript.complaint.contains("“\(picture)” is no YUV4MPEG2 (Y4M) video."),
      "\(transcript.errors)")
  }

  /// ffmpeg writes into one pipe, and reads from another one.
  @Test(
    .enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"),
    arguments: ["yuv420p", "yuv422p10le", "yuv444p"])
  func ffmpegWorksAtBothEnds(layout: String) throws {
    let (input, output) = (folder.path("in.pipe"), folder.path("out.pipe"))
    for pipe in [input, output] { #expect(mkfifo(pipe, 0o600) == 0) }
    let result = folder.path("out.rgb")
    let quiet = ["-v", "error", "-y"]
    let writing = try ffmpeg.start(
      quiet + [
        "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=10:duration=1", "-pix_fmt", layout,
        "-strict", "-1", "-f", "yuv4mpegpipe", input,
      ])
    let reading = try ffmpeg.start(
      quiet + ["-f", "yuv4mpegpipe", "-i", output, "-f", "rawvideo", "-pix_fmt", "rgb24", result])
    let transcript = run("stream", input, output, "--exposure", "-10")
    writing.waitUntilExit()
    reading.waitUntilExit()
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(writing.terminationStatus == 0 && reading.terminationStatus == 0)
    let bytes = try Data(contentsOf: URL(filePath: result))
    #expect(bytes.count == 10 * 96 * 64 * 3)
    // A linear 0.001 is black within one or two codes.
    #expect(bytes.allSatisfy { $0 <= 3 })
  }
}
