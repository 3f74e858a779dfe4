internal import ImageBuffer

/// The division of a node into blocks for a cache. It depends on the node alone, not on its consumers.
struct CacheGrid: Sendable {
  let share: CacheShare
  private(set) var format: SampleFormat
  /// The caches whose half floats its pixels are made of, itself among them.
  private var halves: Set<ObjectIdentifier> = []
  let planeCount: Int
  /// The region of the node's pixels.
  let bounds: Region
  /// The width and height of a block.
  let side: Int

  /// Creates the grid of a node that one of `steps` computes. Blocks are larger where that saves a quarter of the work.
  init(_ share: CacheShare, of input: Node, computedBy steps: [Step], index: Int) {
    let bounds = input.region
    (self.share, planeCount, self.bounds) = (share, input.planeCount, bounds)
    format = input.storedFormat ?? .float32
    var needs: [Region] = []
    /// The average number of pixels that are computed or read per pixel of a block.
    func load(_ side: Int) -> Double {
      let block = Region(
        x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2, width: side, height: side
      ).intersection(bounds)
      steps.regions(for: [(index, block)], into: &needs)
      let most = needs.map(\.size.pixelCount).max() ?? 0
      return Double(most) / Double(block.size.pixelCount)
    }
    let least = share.cache.blockSide
    var side = least
    while side < 4 * least, load(2 * side) < 0.75 * load(side) { side *= 2 }
    self.side = side
  }

  /// The blocks that cover a region.
  func blocks(covering region: Region) -> Blocks { Blocks(region.intersection(bounds), of: self) }

  /// The union of the blocks that cover a region.
  func cover(_ region: Region) -> Region {
    let cells = Blocks(region.intersection(bounds), of: self)
    guard !cells.columns.isEmpty, !cells.rows.isEmpty else { return region.intersection(bounds) }
    return Region(
      x: side * cells.columns.lowerBound, y: side * cells.rows.lowerBound,
      width: side * cells.columns.count, height: side * cells.rows.count
    ).intersection(bounds)
  }

  func name(of block: Region) -> BlockName {
    BlockName(node: ObjectIdentifier(share), region: block, halves: halves)
  }

  /// States which caches its pixels are made of as half floats, and whether it is one of them.
  mutating func store(asHalf isHalf: Bool, after earlier: Set<ObjectIdentifier>) -> Set<
    ObjectIdentifier
  > {
    halves = earlier
    if isHalf {
      halves.insert(ObjectIdentifier(share))
      format = .float16
    }
    return halves
  }

  /// The pixels of the block in a column and a row of blocks.
  fileprivate func block(column: Int, row: Int) -> Region {
    Region(x: side * column, y: side * row, width: side, height: side).intersection(bounds)
  }

  func byteCount(_ region: Region) -> Int {
    CachedBlock.byteCount(region, planeCount: planeCount, format: format)
  }

  /// The regions of blocks, in row-major order.
  struct Blocks: Sequence, IteratorProtocol {
    let columns, rows: Range<Int>
    private let grid: CacheGrid
    private var column, row: Int

    fileprivate init(_ region: Region, of grid: CacheGrid) {
      self.grid = grid
      // Sides are powers of two, so that the shift rounds down for negative coordinates as well.
      let shift = grid.side.trailingZeroBitCount
      func cells(_ pixels: Range<Int>) -> Range<Int> {
        pixels.isEmpty
          ? 0..<0 : pixels.lowerBound >> shift..<((pixels.upperBound - 1) >> shift) + 1
      }
      (columns, rows) = (cells(region.columns), cells(region.rows))
      (column, row) = (columns.lowerBound, rows.lowerBound)
    }

    mutating func next() -> Region? {
      guard row < rows.upperBound, column < columns.upperBound else { return nil }
      let block = grid.block(column: column, row: row)
      column += 1
      if column == columns.upperBound { (column, row) = (columns.lowerBound, row + 1) }
      return block
    }
  }
}

/// Blocks of a grid that may lie far apart, of which only those inserted are visited.
struct BlockSet: Sendable {
  /// The columns of the blocks, for each row of blocks.
  private var columns: [Int: RangeSet<Int>] = [:]

  mutating func insert(_ blocks: CacheGrid.Blocks) {
    if blocks.columns.isEmpty { return }
    for row in blocks.rows { columns[row, default: RangeSet()].insert(contentsOf: blocks.columns) }
  }

  /// The regions of the blocks, in row-major order.
  func regions(of grid: CacheGrid) -> some Sequence<Region> {
    columns.sorted { $0.key < $1.key }.lazy.flatMap { row, columns in
      columns.ranges.lazy.joined().map { grid.block(column: $0, row: row) }
    }
  }
}
