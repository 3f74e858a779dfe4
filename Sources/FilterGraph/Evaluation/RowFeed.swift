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
  /// For each tile the first row that it or a later one needs; after the last, the height.
  private let firstRows: [Int]
  private let bytesPerRow: Int
  private let bands: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>
  // Others wait while rows are read, for milliseconds: at a semaphore they sleep, at a mutex the kernel would let them spin.
  private let turn = DispatchSemaphore(value: 1)
  private var reader: (any RowReader)?
  private var nextRow = 0
  private let state: Mutex<State>

  private struct State {
    var readRows = 0
    var droppedBands = 0
    var free: [UnsafeMutableRawPointer] = []
    var finished: Set<Int> = []
    var firstUnfinished = 0
  }

  init(_ source: any RowSource, firstRows: [Int]) {
    self.source = source
    self.firstRows = firstRows
    bytesPerRow = Self.bytesPerRow(source)
    bands = .allocate(capacity: (source.size.height + Self.rowsPerBand - 1) / Self.rowsPerBand)
    bands.initialize(repeating: nil)
    state = Mutex(State())
  }

  deinit {
    for band in bands { band?.deallocate() }
    state.withLock { for band in $0.free { band.deallocate() } }
    bands.deallocate()
  }

  private static func bytesPerRow(_ source: any RowSource) -> Int {
    (source.size.width * source.channels.count * source.format.byteCount + 63) / 64 * 64
  }

  /// The most bytes that are in memory at once, where `lastRows` says the row after the last one that each tile needs, and
  /// so many tiles are computed at once.
  static func peakBytes(
    of source: any RowSource, firstRows: [Int], lastRows: [Int], workers: Int
  ) -> Int {
    var (rows, last) = (0, 0)
    for tile in lastRows.indices {
      last = max(last, lastRows[tile])
      rows = max(rows, last - firstRows[max(0, tile - workers + 1)])
    }
    // Bands begin where rows do not.
    return (rows / rowsPerBand + 2) * rowsPerBand * bytesPerRow(source)
  }

  /// Makes sure that all rows before `end` have been read.
  func read(upTo end: Int) throws {
    if state.withLock({ $0.readRows >= end }) { return }
    turn.wait()
    defer { turn.signal() }
    while nextRow < end {
      let rows = try reader ?? source.makeReader()
      reader = rows
      let last = min(nextRow + Self.rowsPerBand, source.size.height)
      let memory =
        state.withLock { $0.free.popLast() }
        ?? .allocate(byteCount: bytesPerRow * Self.rowsPerBand, alignment: 64)
      bands[nextRow / Self.rowsPerBand] = memory
      let samples = source.size.width * source.channels.count * source.format.byteCount
      for row in 0..<last - nextRow {
        try rows.readRow(
          into: UnsafeMutableRawBufferPointer(start: memory + row * bytesPerRow, count: samples))
      }
      nextRow = last
      state.withLock { $0.readRows = last }
    }
  }

  /// Lets go of what no tile needs any more.
  func finish(tile: Int) {
    state.withLock { state in
      state.finished.insert(tile)
      while state.finished.remove(state.firstUnfinished) != nil { state.firstUnfinished += 1 }
      let kept = min(firstRows[state.firstUnfinished], state.readRows) / Self.rowsPerBand
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
