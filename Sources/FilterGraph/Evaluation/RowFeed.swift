internal import CPixelKernels
internal import Dispatch
internal import ImageBuffer
internal import Synchronization

/// The rows of a source while they are needed: read in order by whoever first needs more of them, kept until no tile can ask for
/// them again.
final class RowFeed: @unchecked Sendable {
  // Sendable because the reader is used by whoever has the turn, and a row is written before it is counted as read, and read only by tiles
  // that were promised it.

  static let rowsPerBand = 16

  private let source: any RowSource
  /// What all tiles need of it.
  private let region: Region
  /// For each tile the first row that it or a later one needs; after the last, the height.
  private let firstRows: [Int]
  private let bytesPerRow: Int
  private let bands: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>
  // Others wait while rows are read, for milliseconds: at a semaphore they sleep, at a mutex the kernel would let them spin.
  private let turn = DispatchSemaphore(value: 1)
  private var reader: (any RowReader)?
  private var nextRow = 0
  /// Why no more rows come: a reader that threw is not asked again.
  private var failure: (any Error)?
  /// A band of rows that do not count.
  private var skipped: UnsafeMutableRawPointer?
  private let state: Mutex<State>

  private struct State {
    var readRows = 0
    var droppedBands = 0
    var free: [UnsafeMutableRawPointer] = []
  }

  init(_ source: any RowSource, _ need: PlanMemory.RowNeed) {
    self.source = source
    (region, firstRows) = (need.region, need.firstRows)
    bytesPerRow = Self.bytesPerRow(source)
    bands = .allocate(capacity: (source.size.height + Self.rowsPerBand - 1) / Self.rowsPerBand)
    bands.initialize(repeating: nil)
    state = Mutex(State())
  }

  deinit {
    for band in bands { band?.deallocate() }
    skipped?.deallocate()
    state.withLock { for band in $0.free { band.deallocate() } }
    bands.deallocate()
  }

  private static func bytesPerRow(_ source: any RowSource) -> Int {
    (source.size.width * source.channels.count * source.format.byteCount + 63) / 64 * 64
  }

  /// The most bytes that are in memory at once, those of a reader too, where so many tiles are begun from the first that is not done.
  static func peakBytes(
    of source: any RowSource, _ need: PlanMemory.RowNeed, tilesAhead: Int
  ) -> Int {
    var (rows, last) = (0, 0)
    for tile in need.lastRows.indices {
      last = max(last, need.lastRows[tile])
      rows = max(rows, last - need.firstRows[max(0, tile - tilesAhead + 1)])
    }
    // Bands begin where rows do not.
    return (rows / rowsPerBand + 2) * rowsPerBand * bytesPerRow(source) + source.readingBytes
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
        try readBand()
      }
    } catch {
      failure = error
      throw error
    }
  }

  /// Reads the next rows, up to the end of their band; those above what counts are read over and over into the same memory.
  private func readBand() throws {
    let rows = try reader ?? beginning()
    let band = nextRow / Self.rowsPerBand
    let last = min((band + 1) * Self.rowsPerBand, source.size.height)
    let memory =
      skipped ?? state.withLock { $0.free.popLast() }
      ?? .allocate(byteCount: bytesPerRow * Self.rowsPerBand, alignment: 64)
    if last > region.y { (bands[band], skipped) = (memory, nil) } else { skipped = memory }
    let samples = source.size.width * source.channels.count * source.format.byteCount
    for row in nextRow..<last {
      try rows.readRow(
        into: UnsafeMutableRawBufferPointer(
          start: memory + row % Self.rowsPerBand * bytesPerRow, count: samples))
    }
    nextRow = last
    state.withLock { $0.readRows = last }
  }

  private func beginning() throws -> any RowReader {
    let rows = try source.makeReader(for: region)
    precondition(
      0...region.y ~= rows.firstRow,
      "A reader for rows from \(region.y) on began with row \(rows.firstRow).")
    (reader, nextRow) = (rows, rows.firstRow)
    return rows
  }

  /// Lets go of what no tile needs any more when all before this one are done.
  func letGo(before tile: Int) {
    state.withLock { state in
      let kept = min(firstRows[tile], state.readRows) / Self.rowsPerBand
      while state.droppedBands < kept {
        if let memory = bands[state.droppedBands] { state.free.append(memory) }
        bands[state.droppedBands] = nil
        state.droppedBands += 1
      }
    }
  }

  /// A row that has been read, from column `x` on.
  func row(_ y: Int, from x: Int) -> cpk_surface {
    guard let memory = bands[y / Self.rowsPerBand] else {
      preconditionFailure("Row \(y) of a source was asked for after it was let go.")
    }
    let band = BitmapSurface(
      owner: self, base: memory, size: PixelSize(source.size.width, Self.rowsPerBand),
      channels: source.channels, format: source.format, arrangement: .interleaved,
      bytesPerRow: bytesPerRow)
    return band.row(y % Self.rowsPerBand, from: x)
  }
}
