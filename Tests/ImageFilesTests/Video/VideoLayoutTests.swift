import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The order of samples in the layouts of cameras and decoders, and the limits of frames.
@Suite struct VideoLayoutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ bytes: [UInt8]) throws -> String {
    let path = folder.path("in.raw")
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  /// Copies a frame of raw samples from one layout to another.
  private func copy(
    _ bytes: [UInt8], _ size: PixelSize, _ from: VideoFormat.Layout, _ to: VideoFormat.Layout,
    matrix: VideoEncoding.Matrix = .rec709, isFullRange: Bool = false
  ) throws -> [UInt8] {
    let source = VideoFormat(size, from, matrix: matrix, isFullRange: isFullRange)
    let target = VideoFormat(size, to, matrix: matrix, isFullRange: isFullRange)
    #expect(source.frameBytes == bytes.count)
    let output = folder.path("out.raw")
    let writer = try VideoWriter(output, target, isBare: true)
    #expect(try VideoReader(file(bytes), samples: source).copyFrame(to: writer))
    try writer.finish()
    return try [UInt8](Data(contentsOf: URL(filePath: output)))
  }

  private static func words(_ codes: [Int]) -> [UInt8] {
    codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  /// Three columns and two rows, planar and in the order of each layout: with odd widths the last sample is a filler.
  private static let orders:
    [(planar: VideoFormat.Layout, [UInt8], other: VideoFormat.Layout, [UInt8])] = [
      (
        .planes(.quarter, bits: 8), [1, 2, 3, 4, 5, 6, 11, 12, 21, 22],
        .semiplanar(.quarter, bits: 8), [1, 2, 3, 4, 5, 6, 11, 21, 12, 22]
      ),
      (
        .planes(.half, bits: 8), [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 21, 22, 23, 24],
        .packed422(isChromaFirst: false),
        [1, 11, 2, 21, 3, 12, 0, 22, 4, 13, 5, 23, 6, 14, 0, 24]
      ),
      (
        .planes(.half, bits: 8), [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 21, 22, 23, 24],
        .packed422(isChromaFirst: true),
        [11, 1, 21, 2, 12, 3, 22, 0, 13, 4, 23, 5, 14, 6, 24, 0]
      ),
      (
        .planes(.quarter, bits: 10), words([1, 2, 3, 4, 5, 1023, 11, 12, 21, 22]),
        .semiplanar(.quarter, bits: 10),
        words([1, 2, 3, 4, 5, 1023, 11, 21, 12, 22].map { $0 << 6 })
      ),
      (
        .planes(.half, bits: 8), [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 21, 22, 23, 24],
        .semiplanar(.half, bits: 8), [1, 2, 3, 4, 5, 6, 11, 21, 12, 22, 13, 23, 14, 24]
      ),
      (
        .planes(.full, bits: 12),
        words([1, 2, 3, 4, 5, 4095, 11, 12, 13, 14, 15, 16, 21, 22, 23, 24, 25, 26]),
        .semiplanar(.full, bits: 12),
        words(
          [1, 2, 3, 4, 5, 4095, 11, 21, 12, 22, 13, 23, 14, 24, 15, 25, 16, 26].map { $0 << 4 })
      ),
      (
        .planes(.quarter, bits: 16), words([1, 2, 3, 4, 5, 65_535, 11, 12, 21, 22]),
        .semiplanar(.quarter, bits: 16), words([1, 2, 3, 4, 5, 65_535, 11, 21, 12, 22])
      ),
    ]

  @Test(arguments: orders, [false, true])
  func samplesAreReordered(
    order: (planar: VideoFormat.Layout, [UInt8], other: VideoFormat.Layout, [UInt8]),
    isFullRange: Bool
  ) throws {
    let (planar, bytes, other, reordered) = order
    let size = PixelSize(3, 2)
    #expect(try copy(bytes, size, planar, other, isFullRange: isFullRange) == reordered)
    #expect(try copy(reordered, size, other, planar, isFullRange: isFullRange) == bytes)
  }

  /// Changing bit depth and sample order in one copy equals changing them in two copies.
  @Test(arguments: [false, true])
  func depthAndOrderChangeTogether(isFullRange: Bool) throws {
    let size = PixelSize(3, 2)
    func copied(_ bytes: [UInt8], through layouts: VideoFormat.Layout...) throws -> [UInt8] {
      try zip(layouts, layouts.dropFirst()).reduce(bytes) {
        try copy($0, size, $1.0, $1.1, isFullRange: isFullRange)
      }
    }
    let (planar8, planar10) = (
      VideoFormat.Layout.planes(.quarter, bits: 8), VideoFormat.Layout.planes(.quarter, bits: 10)
    )
    let (nv12, p010) = (
      VideoFormat.Layout.semiplanar(.quarter, bits: 8),
      VideoFormat.Layout.semiplanar(.quarter, bits: 10)
    )
    let bytes: [UInt8] = [1, 20, 130, 235, 254, 255, 90, 128, 16, 240]
    let deep = try copied(bytes, through: nv12, planar10)
    #expect(try deep == copied(bytes, through: nv12, planar8, planar10))
    #expect(try copied(deep, through: planar10, nv12) == bytes)
    let high = try copied(bytes, through: nv12, p010)
    #expect(try high == copied(bytes, through: nv12, planar8, planar10, p010))
    #expect(try copied(high, through: p010, planar8) == copied(bytes, through: nv12, planar8))
  }

  /// Pixels do not depend on the order of samples, and pixels are stored in it.
  @Test(arguments: orders)
  func pixelsAreThoseOfPlanes(
    order: (planar: VideoFormat.Layout, [UInt8], other: VideoFormat.Layout, [UInt8])
  ) throws {
    let (planar, bytes, other, reordered) = order
    for siting in VideoFormat.Siting.allCases {
      func frame(_ layout: VideoFormat.Layout, _ bytes: [UInt8]) throws -> Bitmap<UInt16> {
        let format = VideoFormat(PixelSize(3, 2), layout, siting: siting)
        return try #require(
          try VideoReader(file(bytes), samples: format).next(in: .rec709))
      }
      let expected = try frame(planar, bytes)
      #expect(try frame(other, reordered) == expected)
      func stored(_ layout: VideoFormat.Layout) throws -> [UInt8] {
        let format = VideoFormat(PixelSize(3, 2), layout, siting: siting)
        let path = folder.path("stored.raw")
        let writer = try VideoWriter(path, format, isBare: true)
        try writer.write(expected)
        try writer.finish()
        return try [UInt8](Data(contentsOf: URL(filePath: path)))
      }
      #expect(try copy(stored(planar), PixelSize(3, 2), planar, other) == stored(other))
    }
  }

  /// With the identity matrix all components have the equations of luma (Rec. ITU-T H.273, 8.3).
  @Test func depthsOfTheIdentityMatrixChangeAsLuma() throws {
    func changed(_ matrix: VideoEncoding.Matrix) throws -> [UInt8] {
      try copy(
        [255, 100, 255, 100, 255, 100], PixelSize(2, 1), .planes(.full, bits: 8),
        .planes(.full, bits: 10), matrix: matrix, isFullRange: true)
    }
    #expect(try changed(.identity) == Self.words([1023, 401, 1023, 401, 1023, 401]))
    #expect(try changed(.rec709) == Self.words([1023, 401, 1021, 400, 1021, 400]))
  }

  /// Pictures and bitmaps in any space are converted to the samples of the format; those in its space are stored.
  @Test(arguments: [
    VideoFormat.Layout.planes(.full, bits: 8), .planes(.full, bits: 10),
    .semiplanar(.full, bits: 8), .planarRGB(bits: 8),
  ])
  func framesOfOtherSpacesAreConverted(layout: VideoFormat.Layout) throws {
    let format = VideoFormat(PixelSize(2, 1), layout)
    let red = Bitmap<UInt16>(format.size, in: .rec709, channels: .rgb) { _, _ in [65_535, 0, 0] }
    func stored(_ write: (VideoWriter) throws -> Void) throws -> Data {
      let path = folder.path("red.raw")
      let writer = try VideoWriter(path, format, isBare: true)
      try write(writer)
      try writer.finish()
      return try Data(contentsOf: URL(filePath: path))
    }
    let expected = try stored {
      try $0.write(Picture(red).converted(to: format.space(of: .rec709)).render())
    }
    #expect(try stored { try $0.write(red) } == expected)
    #expect(try stored { try $0.write(Picture(red)) } == expected)
    // Also from Y′CbCr of another matrix and range, whose rounding to 16 bits is far below half a code.
    let other = ColorSpace.rec709.asVideo(.rec601, .full(bits: 16))
    let codes: Bitmap<UInt16> = try Picture(red).converted(to: other).render()
    let found = try stored { try $0.write(Picture(codes)) }
    #expect(try stored { try $0.write(codes) } == found)
    let converted = Picture(codes).converted(to: format.space(of: .rec709))
    #expect(try stored { try $0.write(converted) } == found)
    let path = folder.path("red.raw")
    let picture = try #require(try VideoReader(path, samples: format).nextPicture(in: .rec709))
    let color: Bitmap<Float> = try picture.render()
    for (sample, red) in zip(0..<3, [Float(1), 0, 0]) {
      // Half a code of luma and of chroma.
      #expect(abs(color[1, 0, sample] - red) < 0.01)
    }
  }

  /// With the identity matrix luma is green, Cb is blue and Cr is red (Rec. ITU-T H.273, table 4).
  @Test(arguments: [VideoFormat.Layout.planes(.full, bits: 8), .semiplanar(.full, bits: 8)])
  func planesOfTheIdentityMatrixAreGreenBlueAndRed(layout: VideoFormat.Layout) throws {
    let format = VideoFormat(PixelSize(1, 1), layout, matrix: .identity, isFullRange: true)
    let frame = try #require(
      try VideoReader(file([10, 20, 30]), samples: format).next(in: .rec709))
    #expect((0..<3).map { Int(frame[0, 0, $0]) / 257 } == [30, 10, 20])
    let path = folder.path("stored.raw")
    let writer = try VideoWriter(path, format, isBare: true)
    try writer.write(frame)
    try writer.finish()
    #expect(try [UInt8](Data(contentsOf: URL(filePath: path))) == [10, 20, 30])
  }

  @Test(arguments: [
    VideoFormat.Layout.gray(bits: 8), .planes(.quarter, bits: 8), .packed422(isChromaFirst: false),
  ])
  func identityMatrixNeedsAllComponentsOfAPixel(layout: VideoFormat.Layout) throws {
    let format = VideoFormat(PixelSize(2, 2), layout, matrix: .identity)
    #expect(throws: ImageFileError.self) { try VideoReader("/dev/null", samples: format) }
    let error = #expect(throws: ImageFileError.self) {
      try VideoWriter(folder.path("x.yuv"), format, isBare: true)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("needs 4:4:4 or RGB"), "\(error as Any)")
  }

  @Test func lowBitsOfHighAlignedSamplesAreIgnored() throws {
    let format = VideoFormat(PixelSize(1, 1), .semiplanar(.quarter, bits: 10))
    let path = try file(Self.words([0xFFFF, 512 << 6 | 63, 512 << 6]))
    let frame = try #require(try VideoReader(path, samples: format).next(in: .rec709))
    #expect(frame[0, 0, 0] == 65_535 && frame[0, 0, 1] == frame[0, 0, 2])
  }

  /// Gray frames have neutral chroma, and are written as the luma of the matrix.
  @Test func grayIsLuma() throws {
    let gray = VideoFormat(PixelSize(2, 1), .gray(bits: 8))
    let frame = try #require(
      try VideoReader(file([16, 235]), samples: gray).next(in: .rec709))
    for (x, code) in [16, 235].enumerated() {
      #expect((0..<3).map { Int(frame[x, 0, $0]) } == [code * 257, 128 * 257, 128 * 257])
    }
    let path = folder.path("gray.y4m")
    let writer = try VideoWriter(path, gray)
    try writer.write(frame)
    try writer.finish()
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
    #expect(String(decoding: bytes, as: Unicode.ASCII.self).contains(" Cmono XCOLORRANGE=LIMITED"))
    #expect(bytes.suffix(2) == [16, 235])
    // Samples of gray, or of red, green and blue, are no components of each other.
    #expect(!gray.hasSameComponents(as: VideoFormat(PixelSize(2, 1), .packedRGB(bits: 8))))
  }

  @Test func namesAreThoseOfFFmpeg() {
    let names = Set(VideoFormat.Layout.named.map(\.description))
    #expect(names.count == VideoFormat.Layout.named.count)
    for name in [
      "yuv420p", "yuv422p10le", "nv12", "nv16", "nv24", "p010le", "p210le", "p416le", "yuyv422",
      "uyvy422", "gray", "gray9le", "gray16le", "rgb24", "rgb48le",
    ] { #expect(names.contains(name), "\(name)") }
  }

  @Test(arguments: [
    (VideoFormat.Layout.semiplanar(.quarter, bits: 10), "no p010le samples", "yuv420p10le"),
    (.packed422(isChromaFirst: false), "no yuyv422 samples", "yuv422p"),
    (.packedRGB(bits: 8), "no rgb24 samples", "yuv444p"),
  ])
  func interleavedLayoutsNeedBareSamples(
    layout: VideoFormat.Layout, finding: String, advice: String
  ) {
    let error = #expect(throws: ImageFileError.self) {
      try VideoWriter(folder.path("x.y4m"), VideoFormat(PixelSize(2, 2), layout))
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(finding) && text.contains("such as \(advice),"), "\(text)")
  }

  /// The writer has the limits of the reader, and their errors.
  @Test func writtenFramesAreWithinTheLimits() throws {
    let path = folder.path("x.yuv")
    let format = VideoFormat(PixelSize(1024, 1024), .planes(.full, bits: 8))
    var limits = FileLimits()
    limits.memoryLimit = 9 << 20
    _ = try VideoWriter(path, format, isBare: true, limits: limits)
    limits.memoryLimit = (9 << 20) - 1
    #expect(
      throws: ImageFileError.tooMuchMemory(file: path, bytes: 9 << 20, limit: (9 << 20) - 1)
    ) { try VideoWriter(path, format, isBare: true, limits: limits) }
    #expect(
      throws: ImageFileError.tooManyPixels(file: path, format.size, limit: 1000)
    ) { try VideoWriter(path, format, isBare: true, limits: FileLimits(pixels: 1000)) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A format is printed in one line; red, green and blue have no range.
  @Test func formatsAreDescribedInOneLine() {
    let planes = VideoFormat(PixelSize(64, 48), .planes(.quarter, bits: 10), frames: 30)
    #expect("\(planes)".hasSuffix(" yuv420p10le, narrow range, 30/1 frames a second"))
    let colors = VideoFormat(PixelSize(64, 48), .packedRGB(bits: 8))
    #expect("\(colors)".hasSuffix(" rgb24, 25/1 frames a second"))
  }
}
