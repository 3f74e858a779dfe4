import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Red, green and blue in other orders than that of rgb24, and with a fourth sample.
@Suite struct RGBLayoutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let size = PixelSize(2, 1)

  private func reader(
    _ layout: VideoFormat.Layout, _ bytes: [UInt8]
  ) throws -> VideoReader {
    let (path, format) = (folder.path("\(layout).raw"), VideoFormat(Self.size, layout))
    #expect(format.frameBytes == bytes.count)
    try Data(bytes).write(to: URL(filePath: path))
    return try VideoReader(path, samples: format)
  }

  /// Returns the bytes of a frame of a layout.
  private func written(
    _ layout: VideoFormat.Layout, _ write: (VideoWriter) throws -> Void
  ) throws -> [UInt8] {
    let path = folder.path("written.raw")
    let writer = try VideoWriter(path, VideoFormat(Self.size, layout), isBare: true)
    try write(writer)
    try writer.finish()
    return try [UInt8](Data(contentsOf: URL(filePath: path)))
  }

  private func copied(
    _ layout: VideoFormat.Layout, _ bytes: [UInt8], to other: VideoFormat.Layout
  ) throws -> [UInt8] {
    try written(other) { _ = try reader(layout, bytes).copyFrame(to: $0) }
  }

  /// The bytes of rgb24.
  private static let rgb: [UInt8] = [1, 2, 3, 255, 254, 253]

  /// The same pixels in the other layouts of 8 bits, as ffmpeg stores them.
  private static let orders: [(layout: VideoFormat.Layout, bytes: [UInt8])] = [
    (.orderedRGB(.bgr, bits: 8), [3, 2, 1, 253, 254, 255]),
    (.orderedRGB(.rgba, bits: 8), [1, 2, 3, 255, 255, 254, 253, 255]),
    (.orderedRGB(.bgra, bits: 8), [3, 2, 1, 255, 253, 254, 255, 255]),
    (.orderedRGB(.argb, bits: 8), [255, 1, 2, 3, 255, 255, 254, 253]),
    (.orderedRGB(.abgr, bits: 8), [255, 3, 2, 1, 255, 253, 254, 255]),
    (.orderedRGB(.rgbx, bits: 8), [1, 2, 3, 255, 255, 254, 253, 255]),
    (.orderedRGB(.bgrx, bits: 8), [3, 2, 1, 255, 253, 254, 255, 255]),
    (.orderedRGB(.xrgb, bits: 8), [255, 1, 2, 3, 255, 255, 254, 253]),
    (.orderedRGB(.xbgr, bits: 8), [255, 3, 2, 1, 255, 253, 254, 255]),
    (.planarRGB(bits: 8), [2, 254, 3, 253, 1, 255]),
  ]

  @Test(arguments: orders)
  func samplesAreReordered(layout: VideoFormat.Layout, bytes: [UInt8]) throws {
    let packed = VideoFormat.Layout.packedRGB(bits: 8)
    #expect(try copied(packed, Self.rgb, to: layout) == bytes)
    #expect(try copied(layout, bytes, to: packed) == Self.rgb)
  }

  /// Unused samples are written with all bits set, whatever they were.
  @Test func unusedSamplesAreNotCopied() throws {
    let layout = VideoFormat.Layout.orderedRGB(.bgrx, bits: 8)
    #expect(
      try copied(layout, [3, 2, 1, 0, 253, 254, 255, 7], to: layout)
        == [3, 2, 1, 255, 253, 254, 255, 255])
  }

  @Test(arguments: orders)
  func pixelsDoNotDependOnTheOrder(layout: VideoFormat.Layout, bytes: [UInt8]) throws {
    let expected = try #require(
      try reader(.packedRGB(bits: 8), Self.rgb).next(in: .displayP3))
    #expect(try reader(layout, bytes).next(in: .displayP3) == expected)
    #expect(try written(layout) { try $0.write(expected) } == bytes)
  }

  @Test func samplesOfMoreBitsAreReordered() throws {
    func words(_ codes: [Int]) -> [UInt8] { codes.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
    for (layout, codes) in [
      (VideoFormat.Layout.orderedRGB(.bgr, bits: 16), [771, 514, 257, 65_021, 65_278, 65_535]),
      // Codes of full range are scaled: 1023/255 of those of 8 bits.
      (.planarRGB(bits: 10), [8, 1019, 12, 1015, 4, 1023]),
    ] {
      let bytes = try copied(.packedRGB(bits: 8), Self.rgb, to: layout)
      #expect(bytes == words(codes), "\(layout)")
      // Pixels keep the codes.
      let picture = try #require(try reader(layout, bytes).nextPicture(in: .rec709))
      #expect(try written(layout) { try $0.write(picture, options: RenderOptions()) } == bytes)
    }
  }

  /// The red of sRGB, as 10 bits of Display P3 store it, is in gamut. With the precision of 16 bits it would not be.
  @Test(arguments: [(939, true), (960, false)])
  func precisionIsThatOfTheCodes(red: Int, isGray: Bool) throws {
    let path = folder.path("in.raw")
    let bytes = [205, 142, red].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    try Data(bytes).write(to: URL(filePath: path))
    let format = VideoFormat(PixelSize(1, 1), .planarRGB(bits: 10))
    let picture = try #require(
      try VideoReader(path, samples: format).nextPicture(in: .displayP3))
    let shown = try picture.gamutMask(outside: .sRGB).render(as: UInt16.self)
    let values = (0..<3).map { Int(shown[0, 0, $0]) }
    let difference = (values.max() ?? 0) - (values.min() ?? 0)
    #expect((difference <= 2) == isGray, "\(values)")
  }

  /// Frames hold no transparency. Unused samples are not read.
  @Test(arguments: [
    (VideoFormat.RGBOrder.rgba, VideoFormat.RGBOrder.rgbx, 3), (.bgra, .bgrx, 3),
    (.argb, .xrgb, 0), (.abgr, .xbgr, 0),
  ])
  func framesAreOpaque(
    order: VideoFormat.RGBOrder, withoutAlpha: VideoFormat.RGBOrder, position: Int
  ) throws {
    var bytes = [UInt8](repeating: 255, count: 8)
    #expect(try reader(.orderedRGB(order, bits: 8), bytes).next(in: .sRGB) != nil)
    bytes[4 + position] = 254
    let error = #expect(throws: ImageFileError.self) {
      try reader(.orderedRGB(order, bits: 8), bytes).next(in: .sRGB)
    }
    let text = error.map { "\($0)" } ?? ""
    let other = VideoFormat.Layout.orderedRGB(withoutAlpha, bits: 8)
    #expect(text.contains("frame 1 has pixels that are not opaque"), "\(text)")
    #expect(text.contains("as \(other), it is read without alpha"), "\(text)")
    let frame = try #require(try reader(other, bytes).next(in: .sRGB))
    #expect((0..<2).allSatisfy { x in (0..<3).allSatisfy { frame[x, 0, $0] == 65_535 } })
  }

  @Test func namesAreThoseOfFFmpeg() {
    let names = Set(VideoFormat.Layout.named.map(\.description))
    for name in [
      "bgr24", "bgr48le", "rgba", "bgra", "argb", "abgr", "rgb0", "bgr0", "0rgb", "0bgr", "gbrp",
      "gbrp9le", "gbrp10le", "gbrp12le", "gbrp14le", "gbrp16le",
    ] { #expect(names.contains(name), "\(name)") }
  }
}
