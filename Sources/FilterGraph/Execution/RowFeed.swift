internal import CPixelKernels
internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// The rows of a sequential source while tiles need them.
///
/// Whichever worker first needs more rows reads them, in bands of ``rowsPerBand`` rows; a band is kept until no unfinished tile can
/// ask for it. Bands live in a ``BufferPool`` whose capacity is part of the plan's promise.
///
/// No worker ever waits for a free band as long as ``RunAheadLimiter`` permits its tile:
/// - Let T be the furthest tile that was started, and F the first tile that T's permit counts as unfinished. The permit was given
///   after ``release(before:)`` had returned for F or a later tile.
/// - Kept bands are those from the first row that F or a later tile needs; every other one goes back to the pool at once, even where
///   it is only read to reach the ones below.
/// - Nobody reads beyond the last row that a tile up to T needs.
/// - So the bands that are kept or being read lie within those of the tiles F…T, and the capacity is the largest count of them over
///   all T.
///
/// In particular the worker with the first unfinished tile always gets a band. If the permits were ever given too early, workers
/// would wait instead of taking more memory than was promised.
final class RowFeed: SequentialRows, @unchecked Sendable {
  // Sendable because the reader is used by whoever has the turn, and a row is written before it is counted as read, and read only by tiles
  // that were promised it.

  static let rowsPerBand = 16

  private let source: any RowSource
  /// What all tiles need of it.
  private let region: Region
  /// For each tile the first row that it or a later one needs; after the last, the height.
  private let firstRows: [Int]
  private let bytesPerRow: Int
  private let pool: BufferPool<AlignedBuffer>
  private let bands: UnsafeMutableBufferPointer<AlignedBuffer?>
  // Others wait while rows are read, for milliseconds: at a semaphore they sleep, at a mutex the kernel would let them spin.
  private let turn = DispatchSemaphore(value: 1)
  private var reader: (any RowReader)?
  private var nextRow = 0
  /// Why no more rows come: a reader that threw is not asked again.
  private var failure: (any Error)?
  private let state: Mutex<State>
  private let handOver: HandOver?

  private struct State {
    var readRows = 0
    /// The first band that an unfinished tile needs.
    var firstKept: Int
    /// All bands before this one are released.
    var released = 0
  }

  /// Creates a feed for tiles of which at most `tilesAhead` are started, counted from the first unfinished one.
  init(
    _ source: any RowSource, _ need: PlanMemory.RowNeed, tilesAhead: Int, handOver: HandOver? = nil
  ) {
    self.source = source
    (region, firstRows, self.handOver) = (need.region, need.firstRows, handOver)
    let bytesPerRow = Self.bytesPerRow(source)
    self.bytesPerRow = bytesPerRow
    bands = .allocate(capacity: Self.bandCount(ofRows: source.size.height))
    bands.initialize(repeating: nil)
    pool = BufferPool(capacity: Self.bandCount(need, tilesAhead: tilesAhead)) {
      () throws(RenderError) in
      try bitmapChecked { () throws(BitmapError) in
        try AlignedBuffer(byteCount: bytesPerRow * Self.rowsPerBand)
      }
    }
    state = Mutex(State(firstKept: (need.firstRows.first ?? 0) / Self.rowsPerBand))
  }

  deinit {
    bands.deinitialize()
    bands.deallocate()
  }

  private static func bytesPerRow(_ source: any RowSource) -> Int {
    let alignment = AlignedBuffer.alignment
    return (sampleBytes(source) + alignment - 1) / alignment * alignment
  }

  /// The bytes of a row's samples.
  private static func sampleBytes(_ source: any RowSource) -> Int {
    source.size.width * source.channels.count * source.format.byteCount
  }

  /// The number of bands of a picture of `rows` rows, with a last one that is not full.
  private static func bandCount(ofRows rows: Int) -> Int { (rows + rowsPerBand - 1) / rowsPerBand }

  /// The most bands that are in memory at once.
  private static func bandCount(_ need: PlanMemory.RowNeed, tilesAhead: Int) -> Int {
    var (count, last) = (1, 0)
    for tile in need.lastRows.indices {
      last = max(last, need.lastRows[tile])
      let first = need.firstRows[max(0, tile - tilesAhead + 1)]
      count = max(count, bandCount(ofRows: last) - first / rowsPerBand)
    }
    return count
  }

  /// The most bytes that are in memory at once, those of a reader too, where at most `tilesAhead` tiles are started, counted from the
  /// first unfinished one.
  static func peakBytes(
    of source: any RowSource, _ need: PlanMemory.RowNeed, tilesAhead: Int
  ) -> Int {
    bandCount(need, tilesAhead: tilesAhead)
      .multipliedSaturated(by: AlignedBuffer.footprint(bytesPerRow(source) * rowsPerBand))
      // A reference for each band of the whole source.
      .addingSaturated(bandCount(ofRows: source.size.height) * MemoryLayout<AlignedBuffer?>.stride)
      .addingSaturated(max(source.readingBytes, 0))
  }

  /// Makes sure that all rows before `end` that count have been read.
  func read(upTo end: Int, isCancelled: (@Sendable () -> Bool)?) throws {
    if state.withLock({ $0.readRows >= end }) { return }
    turn.wait()
    defer { turn.signal() }
    if let failure { throw failure }
    do {
      while nextRow < end {
        if isCancelled?() == true { throw RenderError.cancelled }
        try readBand(isCancelled)
      }
    } catch {
      failure = error
      throw error
    }
  }

  /// Reads the next rows, up to the end of their band or of the region. A band that no unfinished tile needs goes back to the pool.
  private func readBand(_ isCancelled: (@Sendable () -> Bool)?) throws {
    let rows = try reader ?? beginning()
    let band = nextRow / Self.rowsPerBand
    let last = min((band + 1) * Self.rowsPerBand, region.rows.upperBound)
    guard let buffer = try pool.take() else { throw RenderError.cancelled }
    let samples = Self.sampleBytes(source)
    for row in nextRow..<last {
      let start = row % Self.rowsPerBand * bytesPerRow
      try rows.readStoppableRow(
        into: UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[start..<start + samples]),
        isCancelled: isCancelled)
    }
    nextRow = last
    handOver?(.bandRead)
    state.withLock { state in
      state.readRows = last
      if band >= state.firstKept { bands[band] = buffer } else { pool.giveBack(buffer) }
    }
  }

  private func beginning() throws -> any RowReader {
    let rows = try source.makeReader(for: region)
    precondition(
      0...region.y ~= rows.firstRow,
      "A reader for rows from \(region.y) on began with row \(rows.firstRow).")
    (reader, nextRow) = (rows, rows.firstRow)
    return rows
  }

  /// Gives back the bands that no tile from `tile` onward needs.
  func release(before tile: Int) {
    state.withLock { state in
      state.firstKept = max(state.firstKept, firstRows[tile] / Self.rowsPerBand)
      while state.released < min(state.firstKept, state.readRows / Self.rowsPerBand) {
        if let buffer = bands[state.released] { pool.giveBack(buffer) }
        bands[state.released] = nil
        state.released += 1
      }
    }
  }

  var areComputedOnReading: Bool { false }

  /// A row that has been read, from column `x` on.
  func row(_ y: Int, from x: Int) -> cpk_surface {
    guard let buffer = bands[y / Self.rowsPerBand] else {
      preconditionFailure("Row \(y) of a source was asked for after it was released.")
    }
    let band = BitmapSurface(
      owner: self, base: buffer.bytes.baseAddress,
      size: PixelSize(source.size.width, Self.rowsPerBand),
      channels: source.channels, format: source.format, arrangement: .interleaved,
      bytesPerRow: bytesPerRow)
    return band.row(y % Self.rowsPerBand, from: x)
  }
}
