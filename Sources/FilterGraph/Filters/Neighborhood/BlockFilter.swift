internal import CPixelKernels
internal import ImageBuffer

/// An area filter that reads and writes rows in any form, and computes blocks that stay in the second-level cache between.
///
/// Its pixels depend on few others, so that small blocks cost little more than large tiles. Other filters get tiles of planes, which
/// pixels of interleaved channels are taken apart for.
protocol BlockFilter: AreaFilter {
  /// Whether it is faster channel by channel than with the channels of a pixel together.
  var prefersPlanes: Bool { get }
  /// Whether the alpha of a result is exactly 1 where that of all pixels is that it depends on.
  var keepsOpaquePixels: Bool { get }

  /// Computes a block from another one of the same form that has all pixels that its own depend on.
  func render(
    into output: PixelBlock, from input: PixelBlock, memory: Arena, with preparation: Preparation)
}

extension BlockFilter {
  var prefersPlanes: Bool { false }
  var keepsOpaquePixels: Bool { false }
}

/// Pixels of a region in floats: separate planes, or four interleaved channels.
struct PixelBlock {
  let region: Region
  /// How many channels lie together, in how many planes.
  let channels, planes: Int
  let rowStride: Int
  /// Whether kernels may write its interleaved pixels past the caches.
  let streams: Bool
  fileprivate let base: UnsafeMutablePointer<Float>
  fileprivate let planeStride: Int

  init(_ tile: Tile) {
    (region, channels, planes) = (tile.region, 1, tile.planeCount)
    (base, rowStride, planeStride) = (tile.base, tile.rowStride, tile.planeStride)
    streams = false
  }

  /// A block in memory of an arena.
  fileprivate init(_ region: Region, channels: Int, planes: Int, memory: Arena) {
    let rowStride = (region.width * channels).wholeVectors
    self.init(
      region, channels: channels, planes: planes, rowStride: rowStride,
      planeStride: rowStride * region.height,
      base: memory.floats(rowStride * region.height * planes))
  }

  fileprivate init(
    _ region: Region, channels: Int, planes: Int, rowStride: Int, planeStride: Int,
    base: UnsafeMutablePointer<Float>, streams: Bool = false
  ) {
    (self.region, self.channels, self.planes) = (region, channels, planes)
    (self.rowStride, self.planeStride, self.base) = (rowStride, planeStride, base)
    self.streams =
      streams && channels == 4 && rowStride % 16 == 0 && UInt(bitPattern: base) % 64 == 0
  }

  /// The most floats that a block takes in memory of an arena.
  fileprivate static func floatCount(_ region: Region) -> Int {
    (4 * region.width).wholeVectors * region.height
  }

  /// The floats of a row of the region.
  var width: Int { region.width * channels }

  /// The first value of a plane.
  func pointer(_ plane: Int) -> UnsafeMutablePointer<Float> { base + plane * planeStride }

  /// The first value that a block needs whose pixels depend on squares that reach `columns` and `rows` to each side.
  func window(
    of block: PixelBlock, columns: Int, rows: Int, _ plane: Int
  ) -> UnsafeMutablePointer<Float> {
    pointer(plane)
      + ((block.region.y - rows - region.y) * rowStride
        + (block.region.x - columns - region.x) * channels)
  }

  /// Copies the plane of alpha from a block that has at least the same pixels.
  func copyAlpha(from source: PixelBlock) {
    let from = source.window(of: self, columns: 0, rows: 0, 3)
    for row in 0..<region.height {
      (pointer(3) + row * rowStride).update(from: from + row * source.rowStride, count: width)
    }
  }

  fileprivate func row(_ y: Int) -> FloatRow {
    FloatRow(
      base: base + (y - region.y) * rowStride, channels: channels, planes: planes,
      stride: planeStride)
  }

  /// The same memory for a region further down, with the rows that both have.
  fileprivate func advanced(to next: Region) -> PixelBlock {
    let kept = max(region.rows.upperBound - next.y, 0)
    for plane in 0..<planes where kept > 0 {
      pointer(plane).update(
        from: pointer(plane) + (next.y - region.y) * rowStride, count: kept * rowStride)
    }
    return PixelBlock(
      next, channels: channels, planes: planes, rowStride: rowStride, planeStride: planeStride,
      base: base)
  }
}

/// The size of blocks.
private struct BlockLayout {
  /// The most rows, or columns, that a block depends on beyond its own.
  static let mostReach = 16
  /// The floats of a block and of what it depends on, together.
  private static let cached = 3 << 16

  let size: PixelSize

  /// The blocks of a region whose filter reads `reach` further rows.
  init(_ region: Region, reach: Int) {
    let strips = max((region.width + 511) / 512, 1)
    let width = min((region.width / strips).wholeVectors, region.width)
    let rows = (Self.cached / (4 * max(width, 1)) - reach) / 2
    size = PixelSize(width, min(max(rows, 8), region.height))
  }
}

extension BlockFilter {
  /// How many rows and columns a block depends on beyond its own.
  private func reach(in input: PixelSize) -> PixelSize {
    let seen = inputRegion(for: Region(PixelSize(64, 64)), of: input)
    return PixelSize(seen.width - 64, seen.height - 64)
  }

  /// Whether blocks pay.
  func readsBlocks(of input: PixelSize) -> Bool {
    let reach = reach(in: input)
    return max(reach.width, reach.height) <= BlockLayout.mostReach
  }

  /// How many floats a region asks for.
  func blockScratchCount(for region: Region, of input: PixelSize, planes: Int) -> Int {
    let size = BlockLayout(region, reach: reach(in: input).height).size
    let block = Region(x: region.x, y: region.y, width: size.width, height: size.height)
    let seen = inputRegion(for: block, of: input)
    return PixelBlock.floatCount(seen) + PixelBlock.floatCount(block)
      + scratchCount(for: block, from: seen, planes: planes) + 16
  }

  /// Computes a region of a picture.
  func renderBlocks(
    _ region: Region, of size: PixelSize, from input: PixelRows, into target: PixelRowTarget,
    memory: Arena, with preparation: Preparation
  ) {
    let layout = BlockLayout(region, reach: reach(in: size).height)
    // Pixels at the edges depend on some that are not there: narrow strips of them leave the others to be read where they lie.
    let seen = inputRegion(for: region, of: size).columns
    let (start, end) = (region.x, region.columns.upperBound)
    let missing = (
      max(input.bounds.x - seen.lowerBound, 0),
      max(seen.upperBound - input.bounds.columns.upperBound, 0)
    )
    let firstInside = min(start + missing.0.wholeVectors, end)
    let lastInside = max(end - missing.1.wholeVectors, firstInside)
    var x = start
    while x < end {
      let limit = x < firstInside ? firstInside : x < lastInside ? lastInside : end
      let next = min(x + layout.size.width, limit)
      memory.temporarily {
        renderStrip(
          Region(x: x, y: region.y, width: next - x, height: region.height), of: size,
          blockHeight: layout.size.height, from: input, into: target, memory: memory,
          with: preparation)
      }
      x = next
    }
  }

  /// Computes blocks from top to bottom. Rows that the next block depends on as well stay in memory.
  private func renderStrip(
    _ strip: Region, of size: PixelSize, blockHeight: Int, from input: PixelRows,
    into target: PixelRowTarget, memory: Arena, with preparation: Preparation
  ) {
    let isInterleaved = !prefersPlanes && input.nearest(strip.x, strip.y).step > 1
    let (channels, planes) = isInterleaved ? (4, 1) : (1, input.planeCount)
    let lastRow = input.nearestRow(inputRegion(for: strip, of: size).rows.upperBound - 1)
    // Premultiplication and its inverse change no opaque pixel, so that opaque blocks are read where they lie.
    var opaque = isInterleaved ? OpaqueRows(of: input) : nil
    let opaqueTarget =
      keepsOpaquePixels && target.program.isUnpremultiplication
      ? PixelRowTarget(target.storage, hasSpareAlpha: target.hasSpareAlpha) : target
    var loaded: PixelBlock?
    for y in stride(from: strip.y, to: strip.rows.upperBound, by: blockHeight) {
      let height = min(blockHeight, strip.rows.upperBound - y)
      let block = Region(x: strip.x, y: y, width: strip.width, height: height)
      let seen = inputRegion(for: block, of: size)
      func compute(from source: PixelBlock, into target: PixelRowTarget) {
        render(block, from: source, planeCount: input.planeCount, into: target, memory, preparation)
      }
      if let there = opaque?.block(on: seen) {
        // As long as all were opaque, a block is computed first, and checked while it is in the caches.
        let isExpected = opaque?.areOpaqueSoFar ?? false
        if isExpected { compute(from: there, into: opaqueTarget) }
        if opaque?.check(there) ?? false {
          if !isExpected { compute(from: there, into: opaqueTarget) }
          continue
        }
      }
      if let there = input.block(on: seen, channels: channels) {
        compute(from: there, into: target)
        continue
      }
      let first = max(loaded?.region.rows.upperBound ?? seen.y, seen.y)
      let source =
        loaded?.advanced(to: seen)
        ?? PixelBlock(seen, channels: channels, planes: planes, memory: memory)
      loaded = source
      for row in first..<seen.rows.upperBound {
        input.load(input.nearestRow(row), seen.columns, into: source.row(row), lastRow: lastRow)
      }
      compute(from: source, into: target)
    }
  }

  /// Computes a block of a result.
  private func render(
    _ block: Region, from source: PixelBlock, planeCount: Int, into target: PixelRowTarget,
    _ memory: Arena, _ preparation: Preparation
  ) {
    let (channels, planes) = (source.channels, source.planes)
    memory.temporarily {
      if let place = target.block(on: block, channels: channels, planeCount: planeCount) {
        return render(into: place, from: source, memory: memory, with: preparation)
      }
      let result = PixelBlock(block, channels: channels, planes: planes, memory: memory)
      render(into: result, from: source, memory: memory, with: preparation)
      for row in block.rows {
        target.program.run(
          result.row(row).surface(from: 0, planeCount: planeCount),
          target.surface(row, from: block.x), count: block.width, x: block.x, y: row)
      }
    }
  }
}

/// Rows of pixels that are premultiplied when they are read, of which opaque ones can be read where they lie.
private struct OpaqueRows {
  private let rows: PixelRows
  /// Up to which row pixels are known to be opaque.
  private var end = Int.min
  /// Whether all pixels that were checked are opaque.
  private(set) var areOpaqueSoFar = true

  init?(of input: PixelRows) {
    guard input.program.isPremultiplication else { return nil }
    rows = PixelRows(
      input.bounds, planeCount: input.planeCount, program: .nothing, in: input.storage)
  }

  /// The pixels of a region where they lie, whether they are opaque or not.
  func block(on region: Region) -> PixelBlock? { rows.block(on: region, channels: 4) }

  /// Whether all pixels of a block are opaque. Blocks go down in the same columns.
  mutating func check(_ block: PixelBlock) -> Bool {
    let region = block.region
    for row in max(end, region.y)..<max(end, region.rows.upperBound) {
      let pixels = block.base + (row - region.y) * block.rowStride
      guard kernels.is_opaque(pixels, region.width) else {
        (end, areOpaqueSoFar) = (.min, false)
        return false
      }
    }
    end = region.rows.upperBound
    return true
  }
}

extension PixelRows {
  /// The pixels of a region where they lie; nil where they have another form, or are not all there.
  fileprivate func block(on region: Region, channels: Int) -> PixelBlock? {
    guard program.isEmpty, contain(region.columns), region.y >= bounds.y,
      region.rows.upperBound <= bounds.rows.upperBound
    else { return nil }
    return storage.block(on: region, channels: channels, planeCount, hasSpareAlpha: true)
  }
}

extension PixelRowTarget {
  /// Where the pixels of a region go as they are; nil where they take another form on the way.
  fileprivate func block(on region: Region, channels: Int, planeCount: Int) -> PixelBlock? {
    guard program.isEmpty else { return nil }
    return storage.block(on: region, channels: channels, planeCount, hasSpareAlpha: hasSpareAlpha)
  }
}

extension RowStorage {
  /// The pixels of a region, if they are floats with so many channels together in rows of equal distance.
  fileprivate func block(
    on region: Region, channels: Int, _ planeCount: Int, hasSpareAlpha: Bool
  ) -> PixelBlock? {
    switch self {
    case .feed: return nil
    case .tile, .bitmap, .floats: break
    }
    let first = surface(region.y, from: region.x)
    guard first.format == Int32(CPK_F32),
      first.isPlain(channels: channels, planeCount: planeCount, hasSpareAlpha: hasSpareAlpha)
    else { return nil }
    let next = surface(region.y + (region.height > 1 ? 1 : 0), from: region.x)
    let planes = channels == 1 ? planeCount : 1
    let planeStride = planes > 1 ? first.floats(1) - first.floats(0) : 0
    for plane in 1..<planes where first.floats(plane) - first.floats(0) != plane * planeStride {
      return nil
    }
    return PixelBlock(
      region, channels: channels, planes: planes, rowStride: next.floats(0) - first.floats(0),
      planeStride: planeStride, base: first.floats(0), streams: first.streams)
  }
}
