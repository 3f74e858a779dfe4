import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Streaming from row sources to bands: pictures larger than memory.
@Suite struct RowTests {
  private static func graph(_ source: Picture) -> Picture {
    source.exposure(0.5).applying(SquareMean(reach: 2)).resized(to: .exact(50, 41))
      .applying(Mean(extent: .union), with: [source.inverted().moved(by: Offset(3, 20))])
  }

  @Test func rowSourceEqualsItsBitmap() throws {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(61, 143), channels: .rgba)
    for threads in [1, 3] {
      for tile in [PixelSize(61, 1), PixelSize(7, 9), PixelSize(100, 200)] {
        var options = RenderOptions()
        (options.threads, options.tile) = (threads, tile)
        let rows = CountedRows(bitmap)
        let expected = try Self.graph(Picture(bitmap)).render(as: Float.self)
        let result = try Self.graph(Picture(rows)).render(as: Float.self, options: options)
        #expect(result.firstDifference(from: expected) == nil)
        #expect(rows.log.withLock { $0.read } == 143, "Every row is read once.")
        #expect(rows.log.withLock { $0.readers } == 1, "Two branches share one reader.")
      }
    }
  }

  /// A reader with random access skips nothing; any other one is read from the top, up to the last row that is needed.
  @Test(arguments: [0, 1, 15, 16, 17, 40, 100]) func rowsAboveAreSkipped(from y: Int) throws {
    let bitmap = TestPictures.codes(as: UInt16.self, PixelSize(61, 143), channels: .rgba)
    let part = Region(x: 9, y: y, width: 31, height: 20)
    let expected = try Picture(bitmap).exposure(1).cropped(to: part).render(as: Float.self)
    for goesAnywhere in [false, true] {
      let rows = CountedRows(bitmap, goesAnywhere: goesAnywhere)
      let result = try Picture(rows).exposure(1).cropped(to: part).render(as: Float.self)
      #expect(result.firstDifference(from: expected) == nil)
      let read = rows.log.withLock { $0.read }
      #expect(read == y + 20 - (goesAnywhere ? y : 0))
    }
  }

  /// Cancellation also stops reading unneeded rows.
  @Test func skippingIsCancelled() throws {
    let source = Picture(EndlessRows(size: PixelSize(64, 1 << 22)))
    let asked = Mutex(0)
    var options = RenderOptions()
    options.pixelLimit = .max
    options.isCancelled = {
      asked.withLock {
        $0 += 1
        return $0 > 100
      }
    }
    let last = Region(x: 0, y: (1 << 22) - 1, width: 64, height: 1)
    #expect(throws: RenderError.cancelled) {
      try source.cropped(to: last).render(as: Float.self, options: options)
    }
  }

  @Test func referenceEvaluatorReadsRows() throws {
    let bitmap = TestPictures.floats(PixelSize(9, 5))
    let reference = try ReferenceEvaluator().render(Picture(CountedRows(bitmap)))
    #expect(reference[4, 3].x == Double(bitmap[4, 3, 0]))
  }

  /// A plan promises the same memory for pixels at any height of the picture.
  @Test func memoryDoesNotGrowWithHeight() throws {
    func limitSuffices(_ limit: Int, height: Int) -> Bool {
      var options = RenderOptions()
      (options.threads, options.memoryLimit, options.pixelLimit) = (2, limit, .max)
      let source = Picture(EndlessRows(size: PixelSize(640, height)))
      do {
        try source.exposure(1).resized(to: .exact(64, height / 10))
          .renderBands(as: UInt16.self, options: options) { _, _ in throw Enough() }
        return true
      } catch RenderError.sink {
        return true
      } catch {
        return false
      }
    }
    let needed = (10...30).map { 1 << $0 }.first { limitSuffices($0, height: 20_000) }
    #expect(needed != nil)
    // Plus the weights of a resize: 64 bytes for each input and output row.
    let weights = 64 * (200_000 + 20_000)
    #expect(limitSuffices(try #require(needed) + weights, height: 200_000))
    #expect(!limitSuffices(10_000, height: 200_000))
  }

  @Test func bandsCoverThePictureInOrder() throws {
    let picture = Self.graph(Picture(TestPictures.codes(as: UInt8.self, PixelSize(61, 143))))
    let small = picture.resized(to: .exact(13, 7))
    let expected = try picture.render(as: UInt16.self)
    let expectedSmall = try small.render(as: UInt16.self)
    for (threads, height) in [(1, 1), (2, 5), (4, 16), (3, 1000)] {
      var options = RenderOptions()
      (options.threads, options.tile) = (threads, PixelSize(1, height))
      let rows = Mutex([[], []] as [[[UInt16]]])
      try Picture.renderBands([picture, small], as: UInt16.self, options: options) {
        picture, firstRow, band in
        rows.withLock { rows in
          #expect(rows[picture].count == firstRow)
          for y in 0..<band.size.height { rows[picture].append(band.row(y)) }
        }
      }
      let all = rows.withLock { $0 }
      #expect(all[0] == (0..<expected.size.height).map { expected.row($0) })
      #expect(all[1] == (0..<expectedSmall.size.height).map { expectedSmall.row($0) })
    }
  }

  /// A band's buffer is reused if nobody keeps it; a kept band does not change.
  @Test(arguments: [nil, Dither.errorDiffusion])
  func bandBuffersAreReusedUnlessKept(dither: Dither?) throws {
    let picture = Picture(TestPictures.codes(as: UInt8.self, PixelSize(61, 143)))
    let expected = try picture.render(as: UInt8.self, dither: dither)
    for isKept in [false, true] {
      let seen = Mutex<(places: Set<Int>, kept: [Bitmap<UInt8>])>(([], []))
      var options = RenderOptions()
      (options.threads, options.tile) = (1, PixelSize(61, 5))
      try picture.renderBands(as: UInt8.self, dither: dither, options: options) { _, band in
        seen.withLock { seen in
          seen.places.insert(band.withUnsafeRow(0) { Int(bitPattern: $0.baseAddress) })
          if isKept { seen.kept.append(band) }
        }
      }
      let (places, kept) = seen.withLock { $0 }
      #expect(places.count == (isKept ? 29 : 1))
      let rows = kept.flatMap { band in (0..<band.size.height).map { band.row($0) } }
      #expect(!isKept || rows == (0..<143).map { expected.row($0) })
    }
  }

  @Test func failuresOfSourcesAndSinksEndTheRendering() throws {
    let picture = Picture(EndlessRows(size: PixelSize(64, 900), failsAt: 500)).exposure(1)
    #expect(throws: RenderError.source(SourceError(Enough()))) {
      try picture.render(as: UInt8.self)
    }
    for threads in 1...4 {
      var options = RenderOptions()
      (options.threads, options.tile) = (threads, PixelSize(64, 3))
      #expect(throws: RenderError.source(SourceError(Enough()))) {
        try picture.renderBands(as: UInt8.self, options: options) { _, _ in }
      }
      #expect(throws: RenderError.sink(SourceError(Enough()))) {
        try picture.renderBands(as: UInt8.self, options: options) { row, _ in
          if row > 100 { throw Enough() }
        }
      }
      let asked = Mutex(0)
      options.isCancelled = {
        asked.withLock {
          $0 += 1; return $0 > 20
        }
      }
      #expect(throws: RenderError.cancelled) {
        try picture.renderBands(as: UInt8.self, options: options) { _, _ in }
      }
    }
  }

  /// A thread that waited for the failing rows does not read them again.
  @Test(arguments: 1...4) func failedSourceIsNotReadAgain(threads: Int) throws {
    for seed in 0..<20 {
      let source = ThrowingOnce(size: PixelSize(64, 900), at: 40 * seed)
      var options = RenderOptions()
      (options.threads, options.tile) = (threads, PixelSize(64, 3))
      #expect(throws: RenderError.source(SourceError(Enough()))) {
        try Picture(source).exposure(1).render(as: UInt8.self, options: options)
      }
      #expect(source.asked.withLock(\.self) == 40 * seed + 1)
    }
  }

  /// Finished bands wait for the first one, without using up the buffers it needs.
  @Test(.endsDeadlocks) func slowFirstBandDoesNotDeadlock() throws {
    let picture = Picture(TestPictures.codes(as: UInt8.self, PixelSize(8, 400)))
    let asked = Mutex(0)
    var options = RenderOptions()
    (options.threads, options.tile) = (2, PixelSize(8, 1))
    options.isCancelled = {
      let isFirst = asked.withLock { count in
        count += 1
        return count == 1
      }
      let start = ContinuousClock.now
      while isFirst, ContinuousClock.now - start < .milliseconds(200) {}
      return false
    }
    let rows = Mutex(0)
    try picture.renderBands(as: UInt8.self, options: options) { firstRow, band in
      rows.withLock { rows in
        #expect(rows == firstRow)
        rows += band.size.height
      }
    }
    #expect(rows.withLock { $0 } == 400)
  }

  @Test func memoryLimitIsCheckedBeforeAllocation() throws {
    var options = RenderOptions()
    options.memoryLimit = 1_000_000
    let huge = Picture(Ramp(), in: .displayP3).cropped(to: Region(PixelSize(5000, 5000)))
    #expect {
      try huge.render(as: Float.self, options: options)
    } throws: { error in
      guard case .tooMuchMemory(let bytes, 1_000_000) = error as? RenderError else { return false }
      // The bitmap alone: 5000² pixels of three floats.
      return bytes >= 5000 * 5000 * 12
    }
  }
}

private struct Enough: Error, CustomStringConvertible { let description = "enough" }

/// The rows of a bitmap, counted. It counts how often it is read.
struct CountedRows<Sample: PixelSample>: RowSource {
  final class Log: Sendable {
    let count = Mutex((readers: 0, read: 0))
    func withLock<Result>(_ body: (inout sending (readers: Int, read: Int)) -> sending Result)
      -> sending Result
    { count.withLock(body) }
  }

  let bitmap: Bitmap<Sample>
  /// Whether its readers have random access.
  let goesAnywhere: Bool
  let log = Log()

  init(_ bitmap: Bitmap<Sample>, goesAnywhere: Bool = false) {
    (self.bitmap, self.goesAnywhere) = (bitmap, goesAnywhere)
  }

  var size: PixelSize { bitmap.size }
  var space: ColorSpace { bitmap.space }
  var channels: Channels { bitmap.channels }
  var alpha: Alpha { bitmap.alpha }
  var format: SampleFormat { Sample.format }

  func makeReader() -> any RowReader { makeReader(from: 0) }

  func makeReader(for region: Region) -> any RowReader {
    makeReader(from: goesAnywhere ? region.y : 0)
  }

  private func makeReader(from y: Int) -> any RowReader {
    log.withLock { $0.readers += 1 }
    return Reader(source: self, from: y)
  }

  final class Reader: RowReader {
    let source: CountedRows
    let firstRow: Int
    private var y: Int

    init(source: CountedRows, from firstRow: Int) {
      (self.source, self.firstRow, y) = (source, firstRow, firstRow)
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) {
      source.bitmap.withUnsafeRow(y) { row.copyMemory(from: UnsafeRawBufferPointer($0)) }
      y += 1
      source.log.withLock { $0.read += 1 }
    }
  }
}

/// Any number of rows with no particular content.
struct EndlessRows: RowSource {
  var size: PixelSize
  var failsAt = Int.max

  var space: ColorSpace { .sRGB }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint8 }

  func makeReader() -> any RowReader { Reader(failsAt: failsAt) }

  final class Reader: RowReader {
    let failsAt: Int
    var y = 0

    init(failsAt: Int) { self.failsAt = failsAt }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      if y == failsAt { throw Enough() }
      for index in row.indices { row[index] = UInt8(truncatingIfNeeded: index &* 7 &+ y) }
      y += 1
    }
  }
}

/// Rows one of which fails to read the first time.
private struct ThrowingOnce: RowSource {
  final class Count: Sendable {
    private let value = Mutex(0)
    func withLock<Result: Sendable>(_ body: (inout Int) -> Result) -> Result {
      value.withLock { body(&$0) }
    }
  }

  let size: PixelSize
  let at: Int
  let asked = Count()

  init(size: PixelSize, at row: Int) { (self.size, at) = (size, row) }

  var space: ColorSpace { .sRGB }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint8 }

  func makeReader() -> any RowReader { Reader(source: self) }

  final class Reader: RowReader {
    let source: ThrowingOnce
    init(source: ThrowingOnce) { self.source = source }

    func readRow(into _: UnsafeMutableRawBufferPointer) throws {
      let row = source.asked.withLock { count in
        count += 1
        return count - 1
      }
      if row == source.at { throw Enough() }
    }
  }
}
