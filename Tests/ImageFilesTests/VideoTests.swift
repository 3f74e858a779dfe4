import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Frames of video as bytes, and as pixels.
@Suite struct VideoTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ header: String, _ frames: [[UInt8]], isBare: Bool = false) throws -> String {
    let path = folder.path("in.y4m")
    let frames = frames.flatMap { isBare ? $0 : Array("FRAME\n".utf8) + $0 }
    try Data(Array(header.utf8) + frames).write(to: URL(filePath: path))
    return path
  }

  private static let headers: [(words: String, expected: VideoFormat)] = [
    ("W4 H2", VideoFormat(PixelSize(4, 2), siting: .center)),
    (
      "W4 H2 F30000:1001 Ip A1:1 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=LIMITED",
      VideoFormat(PixelSize(4, 2), frames: 30_000, seconds: 1001)
    ),
    ("H2 W4 C420jpeg", VideoFormat(PixelSize(4, 2), siting: .center)),
    (
      "W4 H2 C422p10 XCOLORRANGE=FULL",
      VideoFormat(PixelSize(4, 2), .planes(.half, bits: 10), isFullRange: true)
    ),
    ("W4 H2 C444", VideoFormat(PixelSize(4, 2), .planes(.full, bits: 8), siting: .center)),
    ("W4 H2 C444p16", VideoFormat(PixelSize(4, 2), .planes(.full, bits: 16))),
  ]

  @Test(arguments: headers)
  func headersAreUnderstood(words: String, expected: VideoFormat) throws {
    #expect(try VideoReader(file("YUV4MPEG2 \(words)\n", [])).format == expected)
  }

  @Test(arguments: [
    "", "RIFF", "YUV4MPEG2", "YUV4MPEG2 W4", "YUV4MPEG2 W0 H4", "YUV4MPEG2 W4 H4 C411",
    "YUV4MPEG2 W4 H4 C444alpha", "YUV4MPEG2 W4 H4 It", "YUV4MPEG2 W4 H4 C420p17",
    "YUV4MPEG2 W99999999999999999999 H4", "YUV4MPEG2 W1048576 H1048576",
    String(repeating: "Y", count: 10_000),
  ])
  func headersThatSayNothingUsableAreRefused(line: String) {
    #expect(throws: ImageFileError.self) { try VideoReader(file("\(line)\n", [])) }
  }

  /// Pure colors as 100 % color bars have them (Rec. ITU-R BT.709, 8 bits, rounded to whole codes).
  @Test(arguments: [
    ([235, 128, 128], [1.0, 1, 1]), ([16, 128, 128], [0, 0, 0]), ([63, 102, 240], [1, 0, 0]),
    ([173, 42, 26], [0, 1, 0]), ([32, 240, 118], [0, 0, 1]), ([219, 16, 138], [1, 1, 0]),
  ])
  func colorBars(codes: [UInt8], expected: [Double]) throws {
    let path = try file("YUV4MPEG2 W1 H1 C444\n", [codes])
    let frame = try #require(try VideoReader(path).next(in: .rec709))
    let color: Bitmap<Float> = try Picture(frame).converted(to: .rec709).render()
    for channel in 0..<3 {
      // Half a code of each sample, through coefficients up to 2.1 of 219 steps.
      #expect(abs(Double(color[0, 0, channel]) - expected[channel]) <= 0.5 * 3.1 / 219)
    }
  }

  @Test func sharedDifferencesAreInterpolated() throws {
    // A row of four pixels that share 0 and 100.
    func row(_ siting: VideoFormat.Siting) throws -> [Int] {
      let format = VideoFormat(PixelSize(4, 1), .planes(.half, bits: 8), siting: siting)
      let path = try file("", [[1, 2, 3, 4, 0, 100, 100, 0]], isBare: true)
      let frame = try #require(try VideoReader(path, samples: format).next(in: .rec709))
      #expect((0..<4).map { frame[$0, 0, 0] } == [257, 514, 771, 1028])
      #expect(
        (0..<4).map { Int(frame[$0, 0, 1]) + Int(frame[$0, 0, 2]) } == [
          25_700, 25_700, 25_700, 25_700,
        ])
      return (0..<4).map { Int(frame[$0, 0, 1]) / 257 }
    }
    #expect(try row(.left) == [0, 50, 100, 100])
    #expect(try row(.center) == [0, 25, 75, 100])
  }

  @Test func sharedDifferencesAreAveraged() throws {
    func stored(_ siting: VideoFormat.Siting, _ chroma: ChromaSampling) throws -> [UInt8] {
      let format = VideoFormat(PixelSize(4, 2), .planes(chroma, bits: 8), siting: siting)
      let bitmap = Bitmap<UInt16>(format.size, in: format.space(of: .rec709), channels: .rgb) {
        x, y in [0, UInt16(x * 40 + y * 20) * 257, 0]
      }
      let path = folder.path("out.yuv")
      let writer = try VideoWriter(path, format, isBare: true)
      try writer.write(bitmap)
      try writer.finish()
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
      #expect(bytes.count == format.frameBytes)
      return Array(bytes[8..<8 + (bytes.count - 8) / 2])
    }
    #expect(try stored(.center, .half) == [20, 100, 40, 120])
    #expect(try stored(.left, .half) == [10, 80, 30, 100])
    #expect(try stored(.center, .quarter) == [30, 110])
    #expect(try stored(.left, .quarter) == [20, 90])
  }

  /// Every code of every depth, and of shared differences those that do not change.
  @Test(arguments: VideoFormat.Layout.named)
  func framesComeBackAsTheyWere(layout: VideoFormat.Layout) throws {
    for size in [PixelSize(64, 4), PixelSize(7, 5), PixelSize(1, 1)] {
      let format = VideoFormat(size, layout, siting: size.width % 2 == 0 ? .left : .center)
      let bytesPerSample = layout.bits > 8 ? 2 : 1
      let planes = format.frameBytes / bytesPerSample
      let isShared = if case .planes(let chroma, _) = layout { chroma != .full } else { false }
      let codes = (0..<planes).map { index -> Int in
        let code = index * 7919 & (1 << layout.bits - 1)
        return isShared && index >= size.pixelCount ? 100 : code
      }
      let frame = codes.flatMap {
        bytesPerSample == 1 ? [UInt8($0)] : [UInt8($0 & 255), UInt8($0 >> 8)]
      }
      let path = try file("", [frame, frame], isBare: true)
      let reader = try VideoReader(path, samples: format)
      let copy = folder.path("copy.yuv")
      let writer = try VideoWriter(copy, format, isBare: true)
      var count = 0
      while let bitmap = try reader.next(in: .rec709) {
        try writer.write(bitmap)
        count += 1
      }
      try writer.finish()
      #expect(count == 2)
      #expect(try [UInt8](Data(contentsOf: URL(filePath: copy))) == frame + frame)
    }
  }

  @Test func headersComeBack() throws {
    for layout in VideoFormat.Layout.named {
      guard case .planes(let chroma, let bits) = layout else {
        #expect(throws: ImageFileError.self) {
          try VideoWriter(folder.path("x.y4m"), VideoFormat(PixelSize(2, 2), layout))
        }
        continue
      }
      let format = VideoFormat(
        PixelSize(6, 4), layout, siting: bits == 8 && chroma != .quarter ? .center : .left,
        isFullRange: bits == 12, frames: 24_000, seconds: 1001)
      let path = folder.path("h.y4m")
      let writer = try VideoWriter(path, format)
      try writer.write(
        Bitmap(format.size, in: format.space(of: .rec709), channels: .rgb))
      try writer.finish()
      let reader = try VideoReader(path)
      #expect(reader.format == format)
      #expect(try reader.next(in: .rec709) != nil)
      #expect(try reader.next(in: .rec709) == nil)
    }
  }

  @Test func cutStreamsAreErrors() throws {
    let header = "YUV4MPEG2 W2 H2 C444\n"
    let whole = [UInt8](repeating: 1, count: 12)
    let cut = try VideoReader(file(header, [whole, [1, 2, 3]]))
    #expect(try cut.next(in: .rec709) != nil)
    #expect(throws: ImageFileError.self) { try cut.next(in: .rec709) }
    let other = try VideoReader(file(header + "FRANE\n", []))
    #expect(throws: ImageFileError.self) { try other.next(in: .rec709) }
    let bare = try VideoReader(
      file("", [[1, 2, 3]], isBare: true), samples: VideoFormat(PixelSize(2, 2)))
    #expect(throws: ImageFileError.self) { try bare.next(in: .rec709) }
  }

  @Test func unfinishedFilesDoNotAppear() throws {
    let path = folder.path("never.y4m")
    _ = try VideoWriter(path, VideoFormat(PixelSize(2, 2)))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
