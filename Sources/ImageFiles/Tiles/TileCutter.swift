internal import ColorSpaces
internal import Dispatch
internal import FilterGraph
internal import ImageBuffer
internal import Synchronization

/// Cuts the rows of one level into tiles, and writes each row of tiles when its last pixels are there.
///
/// It keeps the rows of one row of tiles, with their overlap. Rows are added by one thread at a time, hence the unchecked conformance.
final class TileCutter: @unchecked Sendable {
  private let level: Int
  private let job: EncodingJob
  private let pyramid: TilePyramid
  private let names: TileNames
  private let draft: DraftFolder
  /// How many tiles are encoded at once.
  private let threads: Int
  private let rows: MemoryBlock
  /// The rows that are kept: from the first one that the next tiles show to the last one added.
  private var kept = 0..<0
  /// The index of the next row of tiles.
  private var nextTile = 0
  /// The number of tiles written.
  private(set) var tileCount = 0

  /// Creates the cutter of a level that `job` describes as if it were one file.
  init(
    level: Int, _ job: EncodingJob, _ pyramid: TilePyramid, _ names: TileNames,
    into draft: DraftFolder, threads: Int
  ) throws(ImageFileError) {
    (self.level, self.job, self.pyramid) = (level, job, pyramid)
    (self.names, self.draft, self.threads) = (names, draft, threads)
    rows = try MemoryBlock(byteCount: Self.rowsBytes(job, pyramid), for: job.file)
  }

  /// The bytes of a pixel.
  private var pixelBytes: Int { job.channels.count * job.samples.byteCount }
  private var rowBytes: Int { job.size.width * pixelBytes }

  /// The bytes of the rows that are kept.
  private static func rowsBytes(_ job: EncodingJob, _ pyramid: TilePyramid) -> Int {
    let rows = min(pyramid.tileSize + 2 * pyramid.overlap, job.size.height)
    return wholeBytes(Double(rows) * job.rowBytes)
  }

  /// The peak memory in bytes of a cutter: its rows, and for each thread a tile, its encoder and the bytes of its file, which are in
  /// memory twice while their array grows.
  static func byteCount(
    _ job: EncodingJob, tile: EncodingJob, _ pyramid: TilePyramid, threads: Int
  ) -> Int {
    let tileBytes = Double(tile.size.height) * tile.rowBytes
    let oneTile = 4 * tileBytes + Double(tile.memoryBytes)
    return wholeBytes(Double(rowsBytes(job, pyramid)) + Double(threads) * oneTile)
  }

  /// Adds the next row.
  func add(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    let slot = kept.count * rowBytes
    rows[slot..<slot + rowBytes].copyMemory(
      from: UnsafeRawBufferPointer(rebasing: row[..<rowBytes]))
    kept = kept.lowerBound..<kept.upperBound + 1
    // The last row may complete several rows of tiles, which all show it.
    let (height, count) = (job.size.height, pyramid.grid(of: job.size).height)
    while nextTile < count {
      let shown = pyramid.range(ofTile: nextTile, in: height)
      guard kept.upperBound == shown.upperBound else { return }
      try writeTiles(shown)
      nextTile += 1
      if nextTile < count { keepRows(from: pyramid.range(ofTile: nextTile, in: height).lowerBound) }
    }
  }

  /// Drops the rows above those that the next tiles show.
  private func keepRows(from first: Int) {
    let again = (first - kept.lowerBound) * rowBytes..<kept.count * rowBytes
    rows.bytes.copyMemory(from: UnsafeRawBufferPointer(rows[again]))
    kept = first..<kept.upperBound
  }

  /// Encodes and writes the tiles that show these rows.
  private func writeTiles(_ shown: Range<Int>) throws(ImageFileError) {
    let count = pyramid.grid(of: job.size).width
    let failures = Mutex<[Int: ImageFileError]>([:])
    let next = Atomic(0)
    @Sendable func work() {
      while true {
        let column = next.add(1, ordering: .relaxed).oldValue
        guard column < count, failures.withLock(\.isEmpty) else { return }
        if names.isOfLevelBefore(level, column: column, row: nextTile) { continue }
        do throws(ImageFileError) { try writeTile(column, shown) } catch {
          failures.withLock { $0[column] = error }
        }
      }
    }
    let workers = min(threads, count)
    if workers < 2 {
      work()
    } else {
      DispatchQueue.concurrentPerform(iterations: workers) { _ in work() }
    }
    let failure = failures.withLock { failures in failures.keys.min().flatMap { failures[$0] } }
    if let failure { throw failure }
    tileCount += (0..<count).count {
      !names.isOfLevelBefore(level, column: $0, row: nextTile)
    }
  }

  private func writeTile(_ column: Int, _ shown: Range<Int>) throws(ImageFileError) {
    let columns = pyramid.range(ofTile: column, in: job.size.width)
    let name = names.tile(ofLevel: level, column: column, row: nextTile)
    let bitmap: AnyBitmap
    do throws(BitmapError) {
      bitmap = try AnyBitmap(
        uninitialized: PixelSize(columns.count, shown.count), in: job.space ?? .sRGB,
        channels: job.channels, format: job.samples, alpha: job.alpha)
    } catch {
      throw .rendering(.bitmap(error))
    }
    let surface = bitmap.surface
    for y in 0..<shown.count {
      let start =
        (shown.lowerBound - kept.lowerBound + y) * rowBytes + columns.lowerBound * pixelBytes
      let part = UnsafeRawBufferPointer(rows[start..<start + columns.count * pixelBytes])
      surface.bytes(ofRow: y).copyMemory(from: part)
    }
    try draft.write(ImageFile.encode(bitmap, as: job.format, options: job.options), to: name)
  }
}
