import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Frames that are wider than the buffers of their conversion, beside a conversion by sample positions.
@Suite struct FrameSamplesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The sizes have an odd number of columns or rows, or rows that just fill a buffer of 512 columns, or end one column beside it.
  private static let formats = [
    PixelSize(1027, 5), PixelSize(1025, 2), PixelSize(512, 3), PixelSize(511, 1), PixelSize(2, 3),
  ].flatMap { size in
    VideoFormat.Siting.allCases.flatMap { siting in
      [
        VideoFormat.Layout.planes(.quarter, bits: 8), .planes(.half, bits: 8),
        .planes(.quarter, bits: 10), .planes(.half, bits: 16),
      ].map { VideoFormat(size, $0, siting: siting) }
    }
  }

  private func reader(_ frame: [UInt8], _ format: VideoFormat) throws -> VideoReader {
    let path = folder.path("in.yuv")
    try Data(frame).write(to: URL(filePath: path))
    return try VideoReader(path, samples: format)
  }

  private func written(
    _ format: VideoFormat, _ write: (VideoWriter) throws -> Void
  ) throws -> [UInt8] {
    let path = folder.path("out.yuv")
    let writer = try VideoWriter(path, format, isBare: true)
    try write(writer)
    try writer.finish()
    return try [UInt8](Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: formats)
  func chromaIsInterpolatedByItsPosition(format: VideoFormat) throws {
    let frame = Planes(random: format)
    let bitmap = try #require(try reader(frame.bytes, format).next(in: .rec709))
    let largest = Double(1 << format.layout.bits - 1)
    for y in 0..<format.size.height {
      let expected = (0..<format.size.width).flatMap { x in
        (0..<3).map { channel in
          UInt16(Double(frame.sum(x, y, channel)) * (65_535 / largest / 16) + 0.5)
        }
      }
      #expect(bitmap.row(y) == expected, "row \(y)")
    }
  }

  /// The pictures of 10 bits have samples in single precision.
  @Test(arguments: formats.filter { $0.layout.bits == 10 })
  func chromaOfPicturesIsInterpolatedByItsPosition(format: VideoFormat) throws {
    let frame = Planes(random: format)
    let picture = try #require(try reader(frame.bytes, format).nextPicture(in: .rec709))
    let bitmap: Bitmap<Float> = try picture.converted(to: format.space(of: .rec709)).render()
    for y in 0..<format.size.height {
      for x in 0..<format.size.width {
        for channel in 0..<3 {
          let expected = Float(frame.sum(x, y, channel)) / (16 * 1023)
          #expect(abs(bitmap[x, y, channel] - expected) < 1e-4, "\(x), \(y), \(channel)")
        }
      }
    }
  }

  @Test(arguments: formats)
  func chromaIsAveragedAroundItsPosition(format: VideoFormat) throws {
    var random = SeededGenerator(seed: 3)
    let bitmap = Bitmap<UInt16>(
      format.size, in: format.space(of: .rec709), channels: .rgb
    ) { _, _ in (0..<3).map { _ in UInt16.random(in: 0...65_535, using: &random) } }
    var expected = Planes(random: format)
    let scale = Double(1 << format.layout.bits - 1) / 65_535
    for plane in 0..<3 {
      for row in expected.samples[plane].indices {
        for column in expected.samples[plane][row].indices {
          let sum = expected.pixels(around: column, row, plane).reduce(0) { sum, pixel in
            sum + pixel.weight * Int(bitmap[pixel.x, pixel.y, plane])
          }
          expected.samples[plane][row][column] = Int(Double(sum) * scale / 16 + 0.5)
        }
      }
    }
    #expect(try written(format) { try $0.write(bitmap) } == expected.bytes)
  }

  /// Wide rows of interleaved layouts are converted like those of planes.
  @Test(arguments: [
    VideoFormat.Layout.semiplanar(.quarter, bits: 8), .semiplanar(.quarter, bits: 10),
    .semiplanar(.half, bits: 16), .packed422(isChromaFirst: false),
    .packed422(isChromaFirst: true),
  ])
  func wideRowsOfAllLayoutsAreThoseOfPlanes(layout: VideoFormat.Layout) throws {
    let size = PixelSize(1026, 3)
    let chroma = try #require(layout.chroma)
    for siting in VideoFormat.Siting.allCases {
      let planar = VideoFormat(size, .planes(chroma, bits: layout.bits), siting: siting)
      let other = VideoFormat(size, layout, siting: siting)
      let bytes = Planes(random: planar).bytes
      let reordered = try written(other) { _ = try reader(bytes, planar).copyFrame(to: $0) }
      let bitmap = try #require(try reader(bytes, planar).next(in: .rec709))
      #expect(try reader(reordered, other).next(in: .rec709) == bitmap)
      let stored = try written(planar) { try $0.write(bitmap) }
      let expected = try written(other) { _ = try reader(stored, planar).copyFrame(to: $0) }
      #expect(try written(other) { try $0.write(bitmap) } == expected)
    }
  }

  /// The rows of a planar bitmap hold one channel.
  @Test(arguments: [
    VideoFormat.Layout.planes(.quarter, bits: 8), .planes(.full, bits: 10), .packedRGB(bits: 8),
  ])
  func planarBitmapsAreWrittenLikeInterleavedOnes(layout: VideoFormat.Layout) throws {
    for siting in VideoFormat.Siting.allCases {
      let format = VideoFormat(PixelSize(515, 5), layout, siting: siting)
      func stored(_ arrangement: Arrangement) throws -> [UInt8] {
        let bitmap = Bitmap<UInt16>(
          format.size, in: format.space(of: .rec709), channels: .rgb, arrangement: arrangement
        ) { x, y in [UInt16(x * 127), UInt16(y * 9000 + x), UInt16(65_535 - x * 113)] }
        return try written(format) { try $0.write(bitmap) }
      }
      #expect(try stored(.planar) == stored(.interleaved))
    }
  }
}

/// The samples of a planar frame, and the sums that follow from their positions.
private struct Planes {
  let format: VideoFormat
  var samples: [[[Int]]]

  init(random format: VideoFormat) {
    self.format = format
    var random = SeededGenerator(seed: 7)
    let largest = 1 << format.layout.bits - 1
    samples = (0..<3).map { plane in
      let columns = plane > 0 ? (format.size.width + 1) / 2 : format.size.width
      let isShared = plane > 0 && format.sharesRows
      return (0..<(isShared ? (format.size.height + 1) / 2 : format.size.height)).map { _ in
        (0..<columns).map { _ in Int.random(in: 0...largest, using: &random) }
      }
    }
  }

  var bytes: [UInt8] {
    samples.joined().joined().flatMap { code in
      format.layout.bits > 8 ? [UInt8(code & 255), UInt8(code >> 8)] : [UInt8(code)]
    }
  }

  /// Returns 16 times the value of a pixel.
  func sum(_ x: Int, _ y: Int, _ plane: Int) -> Int {
    let rows = samples[plane]
    guard plane > 0 else { return 16 * rows[y][x] }
    func mix(_ index: Int, isCentered: Bool, _ count: Int, _ value: (Int) -> Int) -> Int {
      // Quarters of the distance of two samples.
      let position = 2 * index - (isCentered ? 1 : 0)
      let first = position >> 2
      let part = position - 4 * first
      return (4 - part) * value(max(first, 0)) + part * value(min(first + 1, count - 1))
    }
    func row(_ y: Int) -> Int {
      mix(x, isCentered: format.siting == .center, rows[y].count) { rows[y][$0] }
    }
    guard format.sharesRows else { return 4 * row(y) }
    return mix(y, isCentered: format.siting != .topLeft, rows.count, row)
  }

  /// Returns the pixels that are averaged for a sample, with weights whose sum is 16.
  func pixels(around column: Int, _ row: Int, _ plane: Int) -> [(x: Int, y: Int, weight: Int)] {
    func weights(
      _ sample: Int, isShared: Bool, isCentered: Bool, _ count: Int
    ) -> [(index: Int, weight: Int)] {
      guard isShared else { return [(sample, 4)] }
      let pixel = 2 * sample
      let (before, after) = (max(pixel - 1, 0), min(pixel + 1, count - 1))
      return isCentered ? [(pixel, 2), (after, 2)] : [(before, 1), (pixel, 2), (after, 1)]
    }
    let columns = weights(
      column, isShared: plane > 0, isCentered: format.siting == .center, format.size.width)
    let rows = weights(
      row, isShared: plane > 0 && format.sharesRows, isCentered: format.siting != .topLeft,
      format.size.height)
    return rows.flatMap { row in
      columns.map { (x: $0.index, y: row.index, weight: row.weight * $0.weight) }
    }
  }
}

extension VideoFormat {
  /// Whether two rows share their chroma.
  fileprivate var sharesRows: Bool { layout.chroma == .quarter }
}
