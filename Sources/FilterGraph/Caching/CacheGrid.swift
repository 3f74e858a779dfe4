internal import ImageBuffer

/// How a node is cut into blocks for a cache: always the same, whatever is made of the node.
struct CacheGrid: Sendable {
  let share: CacheShare
  let format: SampleFormat
  let planeCount: Int
  /// All pixels that there are.
  let bounds: Region
  /// The width and height of a block.
  let side: Int

  /// The grid of a node whose pixels one of `steps` computes. Where larger blocks save a quarter of the work, they are larger.
  init(_ share: CacheShare, of input: Node, computedBy steps: [Step], index: Int) {
    let bounds = input.region
    (self.share, planeCount, self.bounds) = (share, input.planeCount, bounds)
    format = input.storedFormat ?? .float32
    var needs: [Region] = []
    /// How many pixels are computed or read for one, in the middle.
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

  /// All pixels of the blocks that cover a region.
  func cover(_ region: Region) -> Region {
    let cells = Blocks(region.intersection(bounds), of: self)
    guard !cells.columns.isEmpty, !cells.rows.isEmpty else { return region.intersection(bounds) }
    return Region(
      x: side * cells.columns.lowerBound, y: side * cells.rows.lowerBound,
      width: side * cells.columns.count, height: side * cells.rows.count
    ).intersection(bounds)
  }

  func name(of block: Region) -> BlockName {
    BlockName(node: ObjectIdentifier(share), region: block)
  }

  func byteCount(_ region: Region) -> Int {
    CachedBlock.byteCount(region, planeCount: planeCount, format: format)
  }

  /// The regions of blocks, row by row.
  struct Blocks: Sequence, IteratorProtocol {
    let columns, rows: Range<Int>
    private let side: Int
    private let bounds: Region
    private var column, row: Int

    fileprivate init(_ region: Region, of grid: CacheGrid) {
      (side, bounds) = (grid.side, grid.bounds)
      // Sides are powers of two, so that this rounds down below zero, too.
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
      let block = Region(x: side * column, y: side * row, width: side, height: side)
      column += 1
      if column == columns.upperBound { (column, row) = (columns.lowerBound, row + 1) }
      return block.intersection(bounds)
    }
  }
}
