import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Renderings whose threads are delayed at every hand-over: no pixel changes, and there is no deadlock.
@Suite(.endsDeadlocks) struct HandOverTests {
  private static let bitmap = TestPictures.codes(
    as: UInt16.self, PixelSize(61, 143), channels: .rgba)

  /// Graphs of one or more sources, read downwards, upwards and across, with and without caches.
  private static let graphs: [@Sendable (_ source: () -> Picture) -> Picture] = [
    { $0().exposure(0.5).boxBlurred(radius: 2).resized(to: .exact(50, 41)) },
    { $0().flipped().boxBlurred(radius: 3) },
    { $0().turned(quarters: 1).inverted() },
    { source in
      source().applying(
        Mean(extent: .union), with: [source().flipped(), source().moved(by: Offset(3, 20))])
    },
    { source in
      // Rows 40 to 99 are not needed.
      let picture = source()
      return picture.cropped(to: Region(x: 0, y: 0, width: 61, height: 40))
        .applying(
          Mean(extent: .union),
          with: [
            picture.cropped(to: Region(x: 5, y: 100, width: 31, height: 40))
              .moved(by: Offset(0, -60))
          ])
    },
    { source in
      let cache = PictureCache(bytes: 1 << 14, blockSide: 16)
      return source().boxBlurred(radius: 2).cached(in: cache).boxBlurred(radius: 1)
        .cached(in: cache)
    },
  ]

  private static func delayed(_ threads: Int, at point: HandOverPoint) -> RenderOptions {
    final class Counted: Sendable { let count = Atomic(0) }
    let counted = Counted()
    var options = RenderOptions()
    (options.threads, options.tile) = (threads, PixelSize(19, 9))
    options.handOver = { place in
      let isHeldUp = counted.count.add(1, ordering: .relaxed).oldValue % 7 == 0
      if place == point, isHeldUp { Thread.sleep(forTimeInterval: 0.001) }
    }
    return options
  }

  @Test(arguments: HandOverPoint.allCases, [1, 2, 8])
  func delaysChangeNoPixel(point: HandOverPoint, threads: Int) throws {
    for graph in Self.graphs {
      let expected = try graph { Picture(Self.bitmap) }.render(as: Float.self)
      let picture = graph { Picture(CountedRows(Self.bitmap)) }
      let options = Self.delayed(threads, at: point)
      let result = try picture.render(as: Float.self, options: options)
      #expect(result.firstDifference(from: expected) == nil)
      let rows = Mutex<[[Float]]>([])
      try picture.renderBands(as: Float.self, options: options) { firstRow, band in
        rows.withLock { rows in
          #expect(rows.count == firstRow)
          rows += (0..<band.size.height).map { band.row($0) }
        }
      }
      #expect(rows.withLock(\.self) == (0..<expected.size.height).map { expected.row($0) })
    }
  }

  /// Failing sources and sinks, and cancellation, end every thread.
  @Test(arguments: HandOverPoint.allCases, [1, 2, 8])
  func failuresEndDelayedThreads(point: HandOverPoint, threads: Int) throws {
    struct Broken: Error {}
    for (index, graph) in Self.graphs.enumerated() {
      let failing = graph { Picture(FailingRows(bitmap: Self.bitmap, at: 80)) }
      let whole = graph { Picture(CountedRows(Self.bitmap)) }
      var options = Self.delayed(threads, at: point)
      func isSource(_ error: any Error) -> Bool {
        if case .source = error as? RenderError { true } else { false }
      }
      #expect(
        "graph \(index)",
        performing: {
          _ = try failing.render(as: Float.self, options: options)
        }, throws: isSource)
      #expect(
        "graph \(index)",
        performing: {
          try failing.renderBands(as: Float.self, options: options) { _, _ in }
        }, throws: isSource)
      #expect(throws: RenderError.sink(SourceError(Broken()))) {
        try whole.renderBands(as: Float.self, options: options) { row, _ in
          if row > 9 { throw Broken() }
        }
      }
      let asked = Mutex(0)
      options.isCancelled = {
        asked.withLock { count in
          count += 1
          return count > 20
        }
      }
      #expect(throws: RenderError.cancelled) {
        try whole.renderBands(as: Float.self, options: options) { _, _ in }
      }
    }
  }

  /// The rows between two distant parts that are needed are read into the same buffer.
  @Test func unneededRowsTakeNoMemory() throws {
    func peak(distance: Int) throws -> Int {
      let source = Picture(EmptyRows(size: PixelSize(64, 200 + distance)))
      var options = RenderOptions()
      (options.threads, options.tile) = (1, PixelSize(64, 10))
      let lower = Region(x: 0, y: 100 + distance, width: 64, height: 100)
      return try source.cropped(to: Region(PixelSize(64, 100)))
        .applying(
          Mean(extent: .union),
          with: [source.cropped(to: lower).moved(by: Offset(0, -distance))]
        ).planReport(as: UInt8.self, inBands: true, options: options).peakBytes
    }
    // Half a byte per row is for references to bands.
    #expect(try peak(distance: 100_000) - peak(distance: 1000) < 60_000)
  }

  /// An icon of a whole picture needs the picture's stored rows, but not all of them as floats, which take 16 times the bytes.
  @Test func iconsHoldNoFloatsOfTheWholePicture() throws {
    let source = Picture(EmptyRows(size: PixelSize(2400, 2400)))
    var options = RenderOptions()
    options.threads = 1
    let report = try source.thumbnail(12).planReport(as: UInt8.self, options: options)
    let stored = 2400 * 2400 * 3
    #expect(report.peakBytes < stored * 5 / 4)
    options.memoryLimit = report.peakBytes
    _ = try source.thumbnail(12).render(as: UInt8.self, options: options)
  }

  /// An icon of a computed picture needs the source's stored rows and a few bands of floats, if nothing else reads what is computed.
  @Test func iconsHoldNoFloatsOfComputedPictures() throws {
    let source = Picture(EmptyRows(size: PixelSize(2400, 2400)))
    var options = RenderOptions()
    options.threads = 1
    let stored = 2400 * 2400 * 3
    let graphs: [(Picture) throws -> Picture] = [
      { $0.sharpened(sigma: 1, amount: 0.5) },
      { $0.blurred(sigma: 2).exposure(1) },
      { $0.median(radius: 1) },
      { $0.boxBlurred(radius: 3).boxBlurred(radius: 3).inverted() },
      { try $0.sharpened(sigma: 1, amount: 0.5).resized(to: .exact(2000, 2000)).blurred(sigma: 1) },
    ]
    for (index, graph) in graphs.enumerated() {
      let icon = try graph(source).resized(to: .exact(12, 12))
      let report = try icon.planReport(as: UInt8.self, options: options)
      // All floats of one computed step take four times the stored bytes.
      #expect(report.peakBytes < 3 * stored, "graph \(index)")
      options.memoryLimit = report.peakBytes
      _ = try icon.render(as: UInt8.self, options: options)
      options.memoryLimit = nil
      // All of a computed step is needed, and a band of it is held.
      let computed = report.steps.filter { $0.region.height >= 2000 && !$0.inputs.isEmpty }
      #expect(computed.allSatisfy { $0.tile.height < 600 }, "graph \(index)")
    }
  }

  /// A step that others read, too, is computed again in bands only where the memory limit asks for it.
  @Test func sharedStepsAreComputedInBandsToKeepTheMemoryLimit() throws {
    let bitmap = TestPictures.codes(as: UInt8.self, PixelSize(1600, 1600), channels: .rgb)
    let sharp = Picture(bitmap).sharpened(sigma: 1, amount: 0.5)
    let icons = try [PixelSize(16, 16), PixelSize(24, 24)].map {
      try sharp.resized(to: .exact($0.width, $0.height))
    }
    var options = RenderOptions()
    options.threads = 1
    let shared = try Picture.planReport(icons, as: UInt8.self, options: options).peakBytes
    #expect(shared > 1600 * 1600 * 12)
    let expected = try Picture.render(icons, as: Float.self, options: options)
    options.memoryLimit = 20_000_000
    let banded = try Picture.planReport(icons, as: UInt8.self, options: options)
    #expect(banded.refusal == nil)
    #expect(banded.peakBytes < 20_000_000)
    let results = try Picture.render(icons, as: Float.self, options: options)
    for (result, expected) in zip(results, expected) {
      #expect(result.firstDifference(from: expected) == nil)
    }
  }

  /// A source that fails in the middle of a reduction's bands, and cancellation there, end the rendering with an error.
  @Test(arguments: [0, 800, 1599]) func failuresInBandsAreThrown(row: Int) throws {
    let bitmap = Bitmap<UInt16>(PixelSize(1600, 1600), in: .sRGB, channels: .rgb)
    func icon(_ source: some RowSource) throws -> Picture {
      try Picture(source).sharpened(sigma: 1, amount: 0.5).resized(to: .exact(16, 16)).exposure(1)
    }
    #expect(
      performing: { _ = try icon(FailingRows(bitmap: bitmap, at: row)).render(as: Float.self) },
      throws: { if case .source = $0 as? RenderError { true } else { false } })
    let asked = Mutex(0)
    var options = RenderOptions()
    options.isCancelled = {
      asked.withLock { count in
        count += 1
        return count > 10 + row / 20
      }
    }
    #expect(throws: RenderError.cancelled) {
      _ = try icon(CountedRows(bitmap)).render(as: Float.self, options: options)
    }
  }

  /// The promised memory includes the reference to a last band of fewer than 16 rows.
  @Test func referenceToTheLastBandIsPromised() throws {
    func peak(height: Int) throws -> Int {
      try Picture(EmptyRows(size: PixelSize(64, height))).cropped(to: Region(PixelSize(64, 16)))
        .planReport(as: UInt8.self).peakBytes
    }
    #expect(try peak(height: 33) - peak(height: 32) == MemoryLayout<AnyObject?>.stride)
  }
}

/// The rows of a bitmap, one of which cannot be read.
private struct FailingRows: RowSource {
  let bitmap: Bitmap<UInt16>
  let at: Int

  var size: PixelSize { bitmap.size }
  var space: ColorSpace { bitmap.space }
  var channels: Channels { bitmap.channels }
  var alpha: Alpha { bitmap.alpha }
  var format: SampleFormat { .uint16 }

  func makeReader() -> any RowReader { Reader(source: self) }

  private final class Reader: RowReader {
    struct Unreadable: Error {}
    let source: FailingRows
    var y = 0

    init(source: FailingRows) { self.source = source }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      if y == source.at { throw Unreadable() }
      source.bitmap.withUnsafeRow(y) { row.copyMemory(from: UnsafeRawBufferPointer($0)) }
      y += 1
    }
  }
}

/// Black rows.
private struct EmptyRows: RowSource {
  var size: PixelSize
  var space: ColorSpace { .sRGB }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint8 }

  func makeReader() -> any RowReader { Reader() }

  private final class Reader: RowReader {
    func readRow(into row: UnsafeMutableRawBufferPointer) {
      for index in row.indices { row[index] = 0 }
    }
  }
}
