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
    let reader = try VideoReader(input)
    #expect(written.count == 3)
    for copy in written {
      let frame = try #require(try reader.nextPicture(in: .displayP3))
      let picture = frame.gamutMask(outside: .sRGB)
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
    #expect(try header("--resample", "12x4").contains("W12 H4 F25:1 Ip A59:108 \(written)"))
    let recipe = folder.path("recipe.json")
    for (target, head) in [
      (#""exact":[12,4]"#, "W12 H4 F25:1 Ip A59:108"), (#""fit":[3,2]"#, "W3 H2 F25:1 Ip A59:54"),
    ] {
      for filter in ["resample", "resize"] {
        try Data(#"{"version":1,"steps":[{"\#(filter)":{"to":{\#(target)}}}]}"#.utf8)
          .write(to: URL(filePath: recipe))
        #expect(try header("--recipe", recipe).contains("\(head) \(written)"), "\(filter)")
      }
    }
    // Of a recipe that also crops, the size alone does not tell how far it stretches.
    let steps = #"{"crop":{"to":[0,0,4,4]}},{"resize":{"to":{"exact":[2,2]}}}"#
    try Data(#"{"version":1,"steps":[\#(steps)]}"#.utf8).write(to: URL(filePath: recipe))
    #expect(try header("--recipe", recipe).contains("W2 H2 F25:1 Ip A59:54 \(written)"))
    // Quarter turns exchange the sides of a pixel; two of them do not.
    #expect(try header("--rotate", "90").contains("W4 H6 F25:1 Ip A54:59 \(written)"))
    #expect(try header("--orient", "transposed").contains("W4 H6 F25:1 Ip A54:59 \(written)"))
    #expect(
      try header("--rotate", "90", "--orient", "quarter-turned").contains("W6 H4 F25:1 Ip A59:54"))
    #expect(
      try header("--resize", "12x4", "--rotate", "-90").contains("W4 H12 F25:1 Ip A108:59 "))
    #expect(try header("--as", "yuv422p").contains("C422 "))
  }

  /// A resize stretches the picture that the steps before it made, such as a part of the frame; others leave the shape of pixels as it is.
  @Test(arguments: [
    (["--crop", "0,0,4x4", "--resize", "2x2"], "W2 H2 F25:1 Ip A59:54 "),
    (["--crop", "0,0,4x4", "--resize", "8x4"], "W8 H4 F25:1 Ip A59:108 "),
    (["--resize", "12x4", "--crop", "0,0,4x4"], "W4 H4 F25:1 Ip A59:108 "),
    (["--resize", "12x4", "--resize", "6x4"], "W6 H4 F25:1 Ip A59:54 "),
    (["--crop", "0,0,2x4", "--rotate", "90", "--resize", "8x2"], "W8 H2 F25:1 Ip A27:59 "),
  ])
  func resizesStretchThePictureBefore(words: [String], head: String) throws {
    let (input, output) = (folder.path("in.y4m"), folder.path("out.y4m"))
    let frame = [UInt8](repeating: 100, count: 36)
    try (Data("YUV4MPEG2 W6 H4 F25:1 Ip A59:54 C420mpeg2\nFRAME\n".utf8) + Data(frame))
      .write(to: URL(filePath: input))
    let transcript = run(["stream", input, output] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    let header = try Data(contentsOf: URL(filePath: output)).prefix { $0 != 0x0A }
    #expect(String(decoding: header, as: UTF8.self).contains(head), "\(words)")
  }

  /// 4:2:0 is written with the requested siting, from every layout; 4:2:2 of YUV4MPEG2 is always sited left.
  @Test(arguments: ["rgb24", "yuv444p", "yuv422p"])
  func requestedSitingIsWritten(layout: String) throws {
    let (input, output) = (folder.path("in.raw"), folder.path("out.y4m"))
    let bytes = (0..<96).map { UInt8(16 + $0 * 37 % 200) }
    try Data(bytes).write(to: URL(filePath: input))
    let size = layout == "yuv422p" ? "8x6" : "8x4"
    func write(_ words: String...) -> Transcript {
      run(["stream", input, output, "--raw", layout, "--size", size] + words)
    }
    var frames: [Data] = []
    for (name, siting) in [
      ("left", VideoFormat.Siting.left), ("center", .center), ("topleft", .topLeft),
    ] {
      for (target, bits) in [("yuv420p", 8), ("yuv420p10le", 10)] {
        let transcript = write("--as", target, "--as-siting", name)
        #expect(transcript.status == .done, "\(transcript.errors)")
        let reader = try VideoReader(output)
        #expect(reader.format.siting == siting && reader.format.layout.bits == bits)
        // The chroma behind 32 or 48 samples of luma.
        let count = layout == "yuv422p" ? 24 : 16
        if bits == 8 { frames.append(try Data(contentsOf: URL(filePath: output)).suffix(count)) }
      }
    }
    #expect(Set(frames).count == 3)
    for name in ["center", "topleft"] {
      let transcript = write("--as", "yuv422p", "--as-siting", name)
      #expect(transcript.status == .misused)
      #expect(transcript.complaint.contains("4:2:2 chroma of YUV4MPEG2 is sited left."))
    }
    #expect(write("--as", "yuv422p", "--as-siting", "left").status == .done)
    #expect(try VideoReader(output).format.siting == .left)
  }

  /// Another bit depth of 4:2:0 keeps the siting and each sample, and the header states the siting.
  @Test(arguments: [
    ("C420jpeg", [], VideoFormat.Siting.center), ("C420paldv", [], .topLeft),
    ("C420jpeg", ["--siting", "topleft"], .topLeft),
  ])
  func sitingOfMoreBitsStays(word: String, words: [String], siting: VideoFormat.Siting) throws {
    let (input, output) = (folder.path("in.y4m"), folder.path("out.y4m"))
    let codes = (0..<36).map { UInt8(16 + $0 * 5) }
    try (Data("YUV4MPEG2 W6 H4 \(word)\nFRAME\n".utf8) + Data(codes)).write(
      to: URL(filePath: input))
    let transcript = run(["stream", input, output, "--as", "yuv420p10le"] + words)
    #expect(transcript.status == .done, "\(transcript.errors)")
    #expect(try VideoReader(output).format.siting == siting)
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: output)).suffix(72))
    let written = (0..<36).map { Int(bytes[2 * $0]) | Int(bytes[2 * $0 + 1]) << 8 }
    #expect(written == codes.map { 4 * Int($0) })
  }

  /// The red of sRGB, as 8 bits of Display P3 store it, is in gamut.
  @Test func highlightedFramesHaveThePrecisionOfTheirCodes() throws {
    let (input, output) = (folder.path("in.rgb"), folder.path("out.rgb"))
    let words = ["--raw", "rgb24", "--size", "1x1", "--bare", "--from", "p3"]
    for (red, channels) in [(UInt8(234), 1), (250, 3)] {
      let color = [red, 51, 35]
      try Data(color).write(to: URL(filePath: input))
      #expect(
        run(["stream", input, output, "--highlight", "sRGB"] + words).status == .done)
      let shown = try [UInt8](Data(contentsOf: URL(filePath: output)))
      #expect(Set(shown).count == channels, "\(shown)")
    }
  }

  /// The matrix of the written frames: the requested one, or the usual one of their space.
  @Test(arguments: [
    (["--matrix", "601"], "601", VideoEncoding.Matrix.rec601),
    (["--matrix", "601", "--to", "rec2020"], "2020", .rec2020),
    (["--to", "rec2020", "--as-matrix", "601"], "601", .rec601),
    (["--matrix", "fcc", "--as-matrix", "601"], "601", .rec601),
    (["--to", "rec2020"], "2020", .rec2020), (["--to", "p3"], "709", .rec709),
  ])
  func matrixIsThatOfTheOption(
    words: [String], name: String, matrix: VideoEncoding.Matrix
  ) throws {
    struct Report: Decodable { let matrix: String }
    let (input, output) = (folder.path("in.rgb"), folder.path("out.yuv"))
    try Data([200, 40, 90]).write(to: URL(filePath: input))
    let transcript = run(
      ["stream", input, output, "--raw", "rgb24", "--size", "1x1", "--as", "yuv444p", "--bare"]
        + ["--json"] + words)
    #expect(try transcript.report(as: Report.self).matrix == name)
    let space: ColorSpace =
      words.contains("rec2020") ? .rec2020 : words.contains("p3") ? .displayP3 : .rec709
    let format = VideoFormat(PixelSize(1, 1), .planes(.full, bits: 8), matrix: matrix)
    let color = ColorPoint(200 / 255.0, 40 / 255.0, 90 / 255.0, in: .rec709)
      .converted(to: format.space(of: space)).components
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: output)))
    for (code, value) in zip(bytes, [color.x, color.y, color.z]) {
      #expect(abs(Double(code) - value * 255) <= 0.51, "\(bytes), \(color)")
    }
  }

  /// Text of foreign files cannot command the terminal.
  @Test func controlCharactersAreEscaped() throws {
    let input = folder.path("in.y4m")
    try Data("YUV4MPEG2 W4 H4 C4\u{1B}[31m\u{07}\u{9B}\u{7F}\n".utf8).write(
      to: URL(filePath: input))
    let transcript = run("stream", input, folder.path("out.y4m"))
    #expect(
      transcript.complaint.contains("“4\\u001b[31m\\u0007\\u009b\\u007f”"),
      "\(transcript.errors)")
    #expect(!transcript.complaint.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{9B}" })
    // Names of a manifest, on standard output and in JSON.
    struct Variant: Decodable { let file: String }
    let name = "wide\u{1B}]0;.png"
    let (photo, manifest) = (folder.path("photo.png"), folder.path("photo.json"))
    try ImageFile.write(
      .uint8(
        TestPictures.codes(as: UInt8.self, PixelSize(9, 7), in: .displayP3, channels: .rgb)),
      to: photo)
    let made = run(
      "variants", photo, "--wide", folder.path(name), "--narrow", folder.path("narrow.png"),
      "--manifest", manifest)
    #expect(made.status == .done, "\(made.errors)")
    let picked = run("pick", manifest, "--display", "gamut=p3")
    #expect(picked.text.contains("wide\\u001b]0;.png"), "\(picked.output)")
    #expect(!picked.text.unicodeScalars.contains("\u{1B}"))
    let reported = run("pick", manifest, "--display", "gamut=p3", "--json")
    #expect(try reported.report(as: Variant.self).file == name)
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

  /// The layout is refused before the input is opened: here there is none.
  @Test func layoutsThatNeedBareSamplesAreMisuse() {
    let (input, output) = (folder.path("none.y4m"), folder.path("out.y4m"))
    for words in [["--as", "nv12"], ["--raw", "nv12", "--size", "4x4"]] {
      let refused = run(["stream", input, output] + words)
      #expect(refused.status == .misused, "\(words)")
      #expect(refused.complaint.contains("YUV4MPEG2 holds no nv12 samples"))
      #expect(refused.complaint.contains("“--as”, such as yuv420p,"), "\(refused.errors)")
      #expect(run(["stream", input, output, "--bare"] + words).status == .failed)
    }
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
      (["--blur", "2000", "--median", "20", "--blur", "300"], 18 << 20, "Rendering needs"),
      ([], 9 << 20, "holds no frame."),
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

  @Test(arguments: ["png", "mp4", "MOV"]) func endingsOfOtherFormatsAreRefused(
    ending: String
  ) throws {
    let input = try video(VideoFormat(PixelSize(4, 4)), count: 1)
    let output = folder.path("the out.\(ending)")
    let transcript = run("stream", input, output)
    #expect(transcript.status == .misused)
    #expect(
      transcript.complaint.contains("“\(output)” has the ending of another format."),
      "\(transcript.errors)")
    #expect(transcript.complaint.contains("ffmpeg -i - '\(output)'"), "\(transcript.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
    for name in ["out", "out.Y4M", "take.1", "clip.v2", "cam.2026-11-27"] {
      #expect(run("stream", input, folder.path(name)).status == .done, "\(name)")
    }
  }

  /// YUV4MPEG2 is no content for a name that means raw samples.
  @Test(arguments: ["yuv", "NV12", "p010", "yuv420p10le", "raw", "i420", "rgb"])
  func endingsOfRawSamplesNeedBare(ending: String) throws {
    let format = VideoFormat(PixelSize(4, 4))
    let input = try video(format, count: 1)
    let output = folder.path("out.\(ending)")
    let transcript = run("stream", input, output)
    #expect(transcript.status == .misused)
    #expect(
      transcript.complaint.contains("“\(output)” has the ending of raw samples. Pass “--bare”"),
      "\(transcript.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(run("stream", input, output, "--bare").status == .done)
    #expect(try Data(contentsOf: URL(filePath: output)).count == format.frameBytes)
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
