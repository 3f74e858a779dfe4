import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

private let ffmpeg = Client("ffmpeg")

/// How streams are coded: siting, range and layout of the input and of the output.
@Suite struct StreamCodingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// `--siting` states that of the input and `--as-siting` that of the output: what is converted follows from both.
  @Test(arguments: [
    (["--siting", "center"], VideoFormat.Siting.center, VideoFormat.Siting.center),
    (["--siting", "center", "--as-siting", "left"], .center, .left),
    (["--as-siting", "topleft"], .left, .topLeft),
    (["--siting", "topleft", "--as", "yuv444p"], .topLeft, .left),
    (["--siting", "center", "--as", "yuv422p"], .center, .left),
  ])
  func sitingsOfInputAndOutputAreApart(
    words: [String], read: VideoFormat.Siting, written: VideoFormat.Siting
  ) throws {
    let size = PixelSize(6, 4)
    let codes = (0..<36).map { UInt8(16 + $0 * 37 % 200) }
    let (raw, tagged) = (folder.path("in.yuv"), folder.path("in.y4m"))
    try Data(codes).write(to: URL(filePath: raw))
    // The header always states left siting; --siting overrides it.
    try (Data("YUV4MPEG2 W6 H4 C420mpeg2\nFRAME\n".utf8) + Data(codes)).write(
      to: URL(filePath: tagged))
    for input in [raw, tagged] {
      let output = folder.path("out.y4m")
      let bare = input == raw ? ["--raw", "yuv420p", "--size", "6x4"] : []
      let transcript = run(["stream", input, output] + bare + words)
      #expect(transcript.status == .done, "\(transcript.errors)")
      let reader = try VideoReader(output)
      #expect(reader.format.siting == written)
      let source = VideoFormat(size, siting: read)
      let own = folder.path("own.y4m")
      let writer = try VideoWriter(own, reader.format)
      let original = try VideoReader(raw, samples: source)
      if reader.format.hasSameComponents(as: source) {
        _ = try original.copyFrame(to: writer)
      } else {
        let picture = try #require(try original.nextPicture(in: .rec709))
        try writer.write(picture.converted(to: reader.format.space(of: .rec709)).render())
      }
      try writer.finish()
      #expect(
        try Data(contentsOf: URL(filePath: own)).suffix(reader.format.frameBytes)
          == Data(contentsOf: URL(filePath: output)).suffix(reader.format.frameBytes))
    }
  }

  /// Back to 4:2:0, whose siting the output option chooses.
  @Test func fullChromaIsSubsampledAsRequested() throws {
    let (input, output) = (folder.path("in.yuv"), folder.path("out.y4m"))
    try Data([UInt8](repeating: 90, count: 72)).write(to: URL(filePath: input))
    let words = ["--raw", "yuv444p", "--size", "6x4", "--as", "yuv420p"]
    #expect(run(["stream", input, output] + words + ["--as-siting", "center"]).status == .done)
    #expect(try VideoReader(output).format.siting == .center)
    #expect(run(["stream", input, output] + words).status == .done)
    #expect(try VideoReader(output).format.siting == .left)
  }

  /// `--range` states that of the input, and `--as-range` that of the output.
  @Test(arguments: [
    (["--range", "full"], true, 255), (["--range", "full", "--as-range", "narrow"], false, 235),
    (["--as-range", "full"], true, 255), ([], false, 255),
  ])
  func rangesOfInputAndOutputAreApart(words: [String], isFull: Bool, code: Int) throws {
    let (input, output) = (folder.path("in.yuv"), folder.path("out.y4m"))
    try Data([255, 128, 128]).write(to: URL(filePath: input))
    let transcript = run(
      ["stream", input, output, "--raw", "yuv444p", "--size", "1x1"] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(try VideoReader(output).format.isFullRange == isFull)
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: output)).suffix(3))
    #expect(abs(Int(bytes[0]) - code) <= 1, "\(bytes)")
  }

  /// ffmpeg and the tool reorder the same samples in the same way, in both directions.
  @Test(
    .enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"),
    arguments: [
      ("nv12", "yuv420p"), ("nv24", "yuv444p"), ("p010le", "yuv420p10le"),
      ("yuyv422", "yuv422p"), ("uyvy422", "yuv422p"), ("bgr48le", "rgb48le"),
    ]
      + [
        "bgr24", "rgba", "bgra", "argb", "abgr", "rgb0", "bgr0", "0rgb", "0bgr", "gbrp",
      ].map { ($0, "rgb24") })
  func samplesAreThoseOfFFmpeg(layout: String, usual: String) throws {
    let (plain, other) = (folder.path("usual.raw"), folder.path("other.raw"))
    let output = folder.path("out.raw")
    let quiet = ["-v", "error", "-y"]
    try ffmpeg.run(
      quiet + [
        "-f", "lavfi", "-i", "testsrc2=size=94x62:rate=10:duration=0.3", "-pix_fmt", usual, "-f",
        "rawvideo", plain,
      ])
    try ffmpeg.run(
      quiet + [
        "-f", "rawvideo", "-pix_fmt", usual, "-video_size", "94x62", "-i", plain, "-pix_fmt",
        layout, "-f", "rawvideo", other,
      ])
    for (from, input, to, expected) in [
      (usual, plain, layout, other), (layout, other, usual, plain),
    ] {
      let transcript = run(
        "stream", input, output, "--raw", from, "--size", "94x62", "--as", to, "--bare")
      #expect(transcript.status == .done, "\(transcript.errors)")
      #expect(
        try Data(contentsOf: URL(filePath: output)) == Data(contentsOf: URL(filePath: expected)))
    }
  }

  @Test(
    .enabled(if: ffmpeg.isPresent, "ffmpeg is not installed"),
    arguments: ["gray", "gray9le", "gray10le", "gray12le", "gray16le"])
  func grayFramesAreThoseOfFFmpeg(layout: String) throws {
    let (input, output) = (folder.path("in.y4m"), folder.path("out.raw"))
    try ffmpeg.run(
      "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=10:duration=0.1",
      "-pix_fmt", layout, "-strict", "-1", "-f", "yuv4mpegpipe", input)
    #expect(run("stream", input, output, "--bare").status == .done)
    let bytes = try Data(contentsOf: URL(filePath: output))
    #expect(bytes.count == 96 * 64 * (layout == "gray" ? 1 : 2))
    #expect(try Data(contentsOf: URL(filePath: input)).suffix(bytes.count) == bytes)
    // ffmpeg reads the header that the tool writes.
    let copy = folder.path("copy.y4m")
    #expect(run("stream", input, copy).status == .done)
    func sums(_ file: String) throws -> String {
      try ffmpeg.run("-v", "error", "-i", file, "-f", "framemd5", "-")
    }
    #expect(try sums(copy) == sums(input))
  }

  /// Options for a siting or a matrix are refused where the output layout has none.
  @Test(arguments: [
    (["--as", "yuv444p", "--as-siting", "left"], "“--as-siting”"),
    (["--as", "gray", "--bare", "--as-siting", "left"], "“--as-siting”"),
    (["--as", "rgb24", "--bare", "--as-matrix", "601"], "“--as-matrix”"),
    (["--as", "rgb24", "--bare", "--as-range", "narrow"], "“--as-range”"),
  ])
  func codingWithoutEffectIsRefused(words: [String], option: String) throws {
    let input = folder.path("in.yuv")
    try Data([UInt8](repeating: 100, count: 6)).write(to: URL(filePath: input))
    let transcript = run(
      ["stream", input, folder.path("out"), "--raw", "yuv420p", "--size", "2x2"] + words)
    #expect(transcript.status == .misused && transcript.complaint.contains(option))
  }

  /// Options for the coding of the input are refused where they change neither how it is read nor how the output is written.
  @Test(arguments: [
    ("rgb24", "--matrix", "601"), ("rgb24", "--range", "full"), ("rgb24", "--siting", "left"),
    ("yuv444p", "--siting", "center"), ("gray", "--siting", "left"),
  ])
  func inputCodingWithoutEffectIsRefused(layout: String, option: String, word: String) throws {
    let input = folder.path("in.raw")
    try Data([UInt8](repeating: 100, count: 6)).write(to: URL(filePath: input))
    let transcript = run(
      "stream", input, folder.path("out"), "--raw", layout, "--size", "1x1", "--bare", option, word)
    #expect(transcript.status == .misused)
    #expect(
      transcript.complaint.contains("\(layout) samples have no "), "\(transcript.errors)")
    #expect(transcript.complaint.contains("Leave “\(option)” out."), "\(transcript.errors)")
  }

  /// The range that is stated for RGB is that of YUV output.
  @Test func rangeOfRGBIsThatOfTheOutput() throws {
    let (input, output) = (folder.path("in.rgb"), folder.path("out.y4m"))
    try Data([255, 255, 255]).write(to: URL(filePath: input))
    let words = ["--raw", "rgb24", "--size", "1x1", "--as", "yuv444p", "--range", "full"]
    #expect(run(["stream", input, output] + words).status == .done)
    #expect(try VideoReader(output).format.isFullRange)
  }
}
