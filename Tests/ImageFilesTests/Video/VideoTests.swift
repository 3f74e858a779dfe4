import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Video frames as bytes, and as pixels.
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
    ("W4 H2 C444", VideoFormat(PixelSize(4, 2), .planes(.full, bits: 8))),
    // 4:2:2 is co-sited by its definition (yuv4mpeg(5)), for any bit depth.
    ("W4 H2 C422", VideoFormat(PixelSize(4, 2), .planes(.half, bits: 8))),
    ("W4 H2 C422p12", VideoFormat(PixelSize(4, 2), .planes(.half, bits: 12))),
    ("W4 H2 C420", VideoFormat(PixelSize(4, 2), siting: .center)),
    ("W4 H2 C420paldv", VideoFormat(PixelSize(4, 2), siting: .topLeft)),
    (
      "W4 H2 C420p10 XCOLORLOOM_SITING=TOPLEFT",
      VideoFormat(PixelSize(4, 2), .planes(.quarter, bits: 10), siting: .topLeft)
    ),
    (
      "W4 H2 A59:54",
      VideoFormat(PixelSize(4, 2), siting: .center, pixelWidth: 59, pixelHeight: 54)
    ),
    (
      "W4 H2 A0:0", VideoFormat(PixelSize(4, 2), siting: .center, pixelWidth: 0, pixelHeight: 0)
    ),
    (
      "W4 H2 A2000001:2147483647",
      VideoFormat(
        PixelSize(4, 2), siting: .center, pixelWidth: 2_000_001, pixelHeight: 2_147_483_647)
    ),
    // An aspect ratio that cannot be read is unknown, and not 1:1.
    (
      "W4 H2 A2147483648:1",
      VideoFormat(PixelSize(4, 2), siting: .center, pixelWidth: 0, pixelHeight: 0)
    ),
    (
      "W4 H2 A-3:4", VideoFormat(PixelSize(4, 2), siting: .center, pixelWidth: 0, pixelHeight: 0)
    ),
    // ffmpeg's older word counts where there is no C.
    ("W4 H2 XYSCSS=420MPEG2", VideoFormat(PixelSize(4, 2))),
    ("W4 H2 XYSCSS=444", VideoFormat(PixelSize(4, 2), .planes(.full, bits: 8))),
    ("W4 H2 C422 XYSCSS=444", VideoFormat(PixelSize(4, 2), .planes(.half, bits: 8))),
    ("W4 H2 C444p16", VideoFormat(PixelSize(4, 2), .planes(.full, bits: 16))),
    (
      "W4 H2 Cmono XCOLORRANGE=FULL",
      VideoFormat(PixelSize(4, 2), .gray(bits: 8), isFullRange: true)
    ),
    ("W4 H2 Cmono10", VideoFormat(PixelSize(4, 2), .gray(bits: 10), isFullRange: true)),
    ("W4 H2 XCOLORRANGE=LIMITED Cmono", VideoFormat(PixelSize(4, 2), .gray(bits: 8))),
  ]

  @Test(arguments: headers)
  func headersAreParsed(words: String, expected: VideoFormat) throws {
    #expect(try VideoReader(file("YUV4MPEG2 \(words)\n", [])).format == expected)
  }

  @Test(arguments: [
    "", "RIFF", "YUV4MPEG2", "YUV4MPEG2 W4", "YUV4MPEG2 W0 H4", "YUV4MPEG2 W4 H4 C411",
    "YUV4MPEG2 W4 H4 C444alpha", "YUV4MPEG2 W4 H4 It", "YUV4MPEG2 W4 H4 C420p17",
    "YUV4MPEG2 W4 H4 XYSCSS=411", "YUV4MPEG2 W4 H4 Cmono8", "YUV4MPEG2 W4 H4 Cmono17",
    "YUV4MPEG2 W99999999999999999999 H4", "YUV4MPEG2 W1048576 H1048576",
    String(repeating: "Y", count: 10_000),
  ])
  func unusableHeadersAreRefused(line: String) {
    #expect(throws: ImageFileError.self) { try VideoReader(file("\(line)\n", [])) }
  }

  /// The colors of 100 % color bars (Rec. ITU-R BT.709, 8 bits, rounded to codes).
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
    // A row of four pixels that share the chroma 0 and 100.
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
    // Three rows, where the row above the first one repeats it.
    #expect(try stored(.topLeft, .quarter) == [15, 85])
    #expect(try stored(.topLeft, .half) == [10, 80, 30, 100])
  }

  /// Chroma sited on the upper of two rows: even rows have it, odd ones are interpolated.
  @Test func topLeftChromaIsInterpolatedBetweenRows() throws {
    let format = VideoFormat(PixelSize(2, 5), siting: .topLeft)
    let frame = [UInt8](repeating: 0, count: 10) + [0, 100, 40] + [8, 16, 24]
    let path = try file("", [frame], isBare: true)
    let bitmap = try #require(try VideoReader(path, samples: format).next(in: .rec709))
    #expect((0..<5).map { Int(bitmap[0, $0, 1]) / 257 } == [0, 50, 100, 70, 40])
    #expect((0..<5).map { Int(bitmap[1, $0, 2]) / 257 } == [8, 12, 16, 20, 24])
  }

  /// Frames are copied bit for bit, or converted to another bit depth as H.273 defines codes, without chroma
  /// interpolation.
  @Test(arguments: [(8, 8), (8, 10), (10, 8), (12, 16), (16, 9)], [false, true])
  func framesAreCopiedSampleBySample(bits: (Int, Int), isFullRange: Bool) throws {
    for chroma in ChromaSampling.allCases {
      let size = PixelSize(5, 3)
      let (from, to) = bits
      let source = VideoFormat(size, .planes(chroma, bits: from), isFullRange: isFullRange)
      let target = VideoFormat(size, .planes(chroma, bits: to), isFullRange: isFullRange)
      #expect(target.hasSameComponents(as: source))
      let count = source.frameBytes / (from > 8 ? 2 : 1)
      let largest = 1 << from - 1
      let codes = (0..<count).map { $0 * 7919 % (largest + 1) }
      let path = try file(
        "", [codes.flatMap { from > 8 ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }],
        isBare: true)
      let reader = try VideoReader(path, samples: source)
      let copy = folder.path("copy.yuv")
      let writer = try VideoWriter(copy, target, isBare: true)
      #expect(try reader.copyFrame(to: writer))
      #expect(try !reader.copyFrame(to: writer))
      try writer.finish()
      let bytes = try [UInt8](Data(contentsOf: URL(filePath: copy)))
      let stored = (0..<count).map { index in
        if to <= 8 { return Int(bytes[index]) }
        return Int(bytes[2 * index]) | Int(bytes[2 * index + 1]) << 8
      }
      for (index, code) in codes.enumerated() {
        let isChroma = index >= size.pixelCount
        let middle = isChroma ? Double(1 << (from - 1)) : 0
        // The codes of a signal: steps of 2^(bits − 8) in narrow range, of 1 / (2^bits − 1) in full range.
        let step =
          isFullRange
          ? Double(1 << to - 1) / Double(largest) : Double(1 << to) / Double(1 << from)
        let signal = isFullRange ? Double(code) - middle : Double(code)
        let expected = signal * step + (isFullRange && isChroma ? Double(1 << (to - 1)) : 0)
        let held = min(max((expected + 0.5).rounded(.down), 0), Double(1 << to - 1))
        // Ties may round either way below the middle of full range.
        #expect(
          abs(Double(stored[index]) - held) <= (expected.rounded(.down) + 0.5 == expected ? 1 : 0))
      }
    }
  }

  /// Every code of every bit depth; for subsampled chroma, constant chroma. ``VideoLayoutTests`` and ``RGBLayoutTests`` have the other
  /// layouts.
  @Test(arguments: VideoFormat.Layout.named.filter(\.keepsAllCodes))
  func framesRoundTrip(layout: VideoFormat.Layout) throws {
    for size in [PixelSize(64, 4), PixelSize(7, 5), PixelSize(1, 1)] {
      let sitings = [64: VideoFormat.Siting.left, 7: .center, 1: .topLeft]
      let format = VideoFormat(size, layout, siting: sitings[size.width] ?? .left)
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

  @Test func headersRoundTrip() throws {
    for layout in VideoFormat.Layout.named {
      guard layout.isPlanar else {
        #expect(throws: ImageFileError.self) {
          try VideoWriter(folder.path("x.y4m"), VideoFormat(PixelSize(2, 2), layout))
        }
        continue
      }
      for siting in VideoFormat.Siting.allCases {
        let format = VideoFormat(
          PixelSize(6, 4), layout, siting: layout.chroma == .quarter ? siting : .left,
          isFullRange: layout.bits == 12, frames: 24_000, seconds: 1001, pixelWidth: 59,
          pixelHeight: 54)
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
  }

  @Test(arguments: [VideoFormat.Siting.center, .topLeft])
  func unsupportedSitingsAreRefused(siting: VideoFormat.Siting) throws {
    let format = VideoFormat(PixelSize(2, 2), .planes(.half, bits: 8), siting: siting)
    #expect(throws: ImageFileError.self) { try VideoWriter(folder.path("x.y4m"), format) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("x.y4m")))
    _ = try VideoWriter(folder.path("x.yuv"), format, isBare: true)
  }

  /// Properties of a format can be set after its initializer has checked them.
  @Test func impossibleFormatsAreErrors() throws {
    var formats = [
      PixelSize(.max, .max), PixelSize(.max, 1), PixelSize(1 << 40, 1 << 21), PixelSize(0, 5),
    ].map { size in
      var format = VideoFormat(PixelSize(2, 2), .packedRGB(bits: 16))
      format.size = size
      return format
    }
    formats += formats.map { format in
      var format = format
      format.layout = .planes(.quarter, bits: 8)
      return format
    }
    var odd = VideoFormat(PixelSize(2, 2))
    odd.layout = .packedRGB(bits: 12)
    let rates = [(0, 1), (25, 0), (-25, 1)].map {
      VideoFormat(PixelSize(2, 2), frames: $0.0, seconds: $0.1)
    }
    let shapes = [(-1, 1), (1, 0), (0, 1)].map {
      VideoFormat(PixelSize(2, 2), pixelWidth: $0.0, pixelHeight: $0.1)
    }
    let path = folder.path("x.yuv")
    for format in formats + [odd] + rates + shapes {
      // The largest integer stands for more bytes than can be counted, or there is no memory for them.
      #expect(throws: ImageFileError.self) { try VideoWriter(path, format, isBare: true) }
      #expect(throws: ImageFileError.self) {
        try VideoReader(file("", [[1, 2, 3]], isBare: true), samples: format)
      }
    }
    #expect(formats[0].frameBytes == .max)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func framesAreWithinTheMemoryLimit() throws {
    let path = try file("YUV4MPEG2 W1024 H1024 C444\n", [])
    var limits = FileLimits()
    // Three bytes of samples for each pixel, and six of the bitmap.
    limits.memoryLimit = 9 << 20
    #expect(try VideoReader(path, limits: limits).next(in: .rec709) == nil)
    limits.memoryLimit = (9 << 20) - 1
    #expect(
      throws: ImageFileError.tooMuchMemory(file: path, bytes: 9 << 20, limit: (9 << 20) - 1)
    ) { try VideoReader(path, limits: limits) }
    // Codes of 10 bits take six bytes a pixel, and their bitmap of single precision twelve.
    let deep = try file("YUV4MPEG2 W1024 H1024 C444p10\n", [])
    #expect(
      throws: ImageFileError.tooMuchMemory(file: deep, bytes: 18 << 20, limit: (9 << 20) - 1)
    ) { try VideoReader(deep, limits: limits) }
  }

  /// Pictures of frames are exact for every bit depth: codes of 16 bits are within rounding of those that H.273 defines.
  @Test(arguments: [8, 9, 10, 12, 14, 16])
  func picturesKeepTheCodesOfAllBitDepths(bits: Int) throws {
    let size = PixelSize(32, 8)
    let source = VideoFormat(size, .planes(.full, bits: bits), isFullRange: true)
    let target = VideoFormat(size, .planes(.full, bits: 16), isFullRange: true)
    let largest = 1 << bits - 1
    // Codes around the middle, so that red, green and blue are in range.
    let codes = (0..<3 * size.pixelCount).map {
      largest / 2 + ($0 * 7919 % 101 - 50) * largest / 600
    }
    let bytes = codes.flatMap { bits > 8 ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }
    let reader = try VideoReader(file("", [bytes], isBare: true), samples: source)
    let path = folder.path("out.yuv")
    let writer = try VideoWriter(path, target, isBare: true)
    let picture = try #require(try reader.nextPicture(in: .rec709))
    try writer.write(picture, options: RenderOptions())
    try writer.finish()
    let written = try [UInt8](Data(contentsOf: URL(filePath: path)))
    for (index, code) in codes.enumerated() {
      let stored = Double(Int(written[2 * index]) | Int(written[2 * index + 1]) << 8)
      let isChroma = index >= size.pixelCount
      let signal = Double(isChroma ? code - (1 << (bits - 1)) : code) / Double(largest)
      let expected = signal * 65_535 + (isChroma ? 32_768 : 0)
      // Half a code, and single precision.
      #expect(abs(stored - expected) <= 0.55, "\(code) at \(index)")
    }
  }

  /// The way back: codes of all bit depths are within half a code, for pictures of more than one frame.
  @Test(arguments: [9, 10, 12, 14])
  func codesAreTheNearestOnes(bits: Int) throws {
    let size = PixelSize(64, 4)
    let format = VideoFormat(size, .gray(bits: bits), isFullRange: true)
    let path = folder.path("out.gray")
    let writer = try VideoWriter(path, format, isBare: true)
    let bitmap = Bitmap<Float>(size, in: .rec709, channels: .rgb) { x, y in
      [Float](repeating: Float((x * 4 + y) * 7919 % 10_007) / 10_006, count: 3)
    }
    for _ in 0..<2 { try writer.write(Picture(bitmap), options: RenderOptions()) }
    try writer.finish()
    let written = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(written.count == 2 * format.frameBytes)
    for index in 0..<2 * size.pixelCount {
      let place = index % size.pixelCount
      let value = Double(bitmap[place % size.width, place / size.width, 0])
      let stored = Double(Int(written[2 * index]) | Int(written[2 * index + 1]) << 8)
      #expect(abs(stored - value * Double(1 << bits - 1)) <= 0.55, "\(index)")
    }
  }

  /// Pixels outside of 0…1 count as clamped in the mean for their chroma, and NaN as 0, for all bit depths.
  @Test(arguments: [
    (10, Float(4), 0.75), (16, Float(4), 0.75), (10, Float.nan, 0.25), (16, Float.nan, 0.25),
  ])
  func averagedChromaIsClamped(bits: Int, blue: Float, mean: Double) throws {
    let size = PixelSize(2, 1)
    let format = VideoFormat(
      size, .planes(.half, bits: bits), siting: .center, isFullRange: true)
    let bitmap = Bitmap<Float>(size, in: .rec709, channels: .rgb) { x, _ in
      x == 0 ? [0, 0, blue] : [0.5, 0.5, 0.5]
    }
    let path = folder.path("out.yuv")
    let writer = try VideoWriter(path, format, isBare: true)
    try writer.write(Picture(bitmap), options: RenderOptions())
    try writer.finish()
    let written = try [UInt8](Data(contentsOf: URL(filePath: path)))
    // Cb follows the luma of two pixels.
    let stored = Double(Int(written[4]) | Int(written[5]) << 8) / Double(1 << bits - 1)
    #expect(abs(stored - mean) <= 2.0 / 1023, "\(stored)")
  }

  /// Six bytes for each pixel are more than an integer holds.
  @Test func uncountableBitmapsExceedTheMemoryLimit() {
    var limits = FileLimits()
    (limits.pixels, limits.memoryLimit) = (.max, 1 << 20)
    let format = VideoFormat(PixelSize(1 << 31, 1 << 30))
    #expect(
      throws: ImageFileError.tooMuchMemory(file: "/dev/null", bytes: .max, limit: 1 << 20)
    ) { try VideoReader("/dev/null", samples: format, limits: limits) }
  }

  @Test func controlCharactersBeforeFramesAreQuoted() throws {
    let reader = try VideoReader(file("YUV4MPEG2 W1 H1 C444\n", [[1, 2, 3, 0, 27, 10]]))
    #expect(try reader.next(in: .rec709) != nil)
    let error = #expect(throws: ImageFileError.self) { try reader.next(in: .rec709) }
    #expect("\(error.map { "\($0)" } ?? "")".contains("“\\0\\u{1B}”"), "\(error as Any)")
  }

  /// Storing a color of sRGB in codes of Display P3 does not make it an out-of-gamut color, whatever the layout; its primaries are.
  @Test(
    arguments: [
      VideoFormat.Layout.packedRGB(bits: 8), .packedRGB(bits: 16), .planes(.full, bits: 8),
      .planes(.full, bits: 10), .planes(.full, bits: 16),
    ], [false, true])
  func roundingToCodesIsNotOutOfGamut(layout: VideoFormat.Layout, isFullRange: Bool) throws {
    var random = SeededGenerator(seed: 5)
    let size = PixelSize(96, 96)
    for matrix in [VideoEncoding.Matrix.rec709, .rec2020, .yCgCo, .identity] {
      let format = VideoFormat(size, layout, matrix: matrix, isFullRange: isFullRange)
      // Colors on the surface of sRGB, as codes of the layout.
      let stored = format.space(of: .displayP3)
      let bitmap = Bitmap<UInt16>(size, in: stored, channels: .rgb) { x, y in
        var color = SIMD3<Double>.random(in: 0...1, using: &random)
        color[x % 3] = Double(y % 2)
        let values = ColorPoint(color, in: .sRGB).converted(to: stored).components
        return (0..<3).map { UInt16((min(max(values[$0], 0), 1) * 65_535).rounded()) }
      }
      let path = folder.path("surface.yuv")
      let writer = try VideoWriter(path, format, isBare: true)
      try writer.write(bitmap)
      try writer.finish()
      let picture = try #require(
        try VideoReader(path, samples: format).nextPicture(in: .displayP3))
      #expect(picture.space == .displayP3)
      #expect(try picture.fractionOutside(.sRGB) == 0, "\(layout), \(matrix)")
      // Another space assigned keeps the errors of the codes.
      let tagged = picture.tagged(as: .rec2020)
      #expect(tagged.sourcePrecisions.map(\.space) == [.rec2020])
      let frame = try #require(try VideoReader(path, samples: format).next(in: .displayP3))
      let part = try Picture(frame).converted(to: .displayP3).fractionOutside(.sRGB, tolerance: 0)
      #expect(part > 0.1, "\(layout), \(matrix): \(part)")
    }
  }

  /// A red of Display P3 that no rounding explains is marked in 8 bits.
  @Test(arguments: [VideoFormat.Layout.packedRGB(bits: 8), .planes(.full, bits: 8)])
  func wideColorsOfFramesAreMarked(layout: VideoFormat.Layout) throws {
    let format = VideoFormat(PixelSize(2, 2), layout)
    let red = ColorPoint(0.95, 0.1, 0.1, in: .displayP3)
      .converted(to: format.space(of: .displayP3)).components
    let path = folder.path("red.yuv")
    let writer = try VideoWriter(path, format, isBare: true)
    try writer.write(
      Bitmap<UInt16>(format.size, in: format.space(of: .displayP3), channels: .rgb) { _, _ in
        (0..<3).map { UInt16((red[$0] * 65_535).rounded()) }
      })
    try writer.finish()
    let picture = try #require(try VideoReader(path, samples: format).nextPicture(in: .displayP3))
    #expect(try picture.fractionOutside(.sRGB) == 1)
  }

  @Test func truncatedStreamsAreErrors() throws {
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

extension VideoFormat.Layout {
  /// Whether frames of any codes are written as they were read: not where chroma is interleaved, nor where there is a fourth sample.
  fileprivate var keepsAllCodes: Bool {
    if case .orderedRGB(let order, _) = self { return order == .bgr }
    return chroma == nil || isPlanar
  }

  /// Whether each component has its own plane, as YUV4MPEG2 needs it.
  fileprivate var isPlanar: Bool {
    switch self {
    case .planes, .gray: true
    default: false
    }
  }
}
