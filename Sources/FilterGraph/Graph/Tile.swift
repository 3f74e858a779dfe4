internal import CPixelKernels
public import ImageBuffer

/// A rectangle of a picture while it is being computed: planar, in single precision.
///
/// Red, green, blue and, unless the picture is opaque, alpha. A tile is only valid inside of the call it is handed to.
public struct Tile {
  /// Which pixels of the picture these are.
  public let region: Region
  /// The size of the whole picture.
  public let pictureSize: PixelSize
  /// Three channels, or four with alpha.
  public let planeCount: Int

  let base: UnsafeMutablePointer<Float>
  let rowStride: Int
  let planeStride: Int
  let arena: Arena

  /// Returns a row of a channel, for reading. The first value belongs to the column `region.x`.
  ///
  /// The span is valid as long as the constant that holds the tile. Bind a tile of an array first: `let guide = tiles[1]`.
  ///
  /// - Parameters:
  ///   - y: The row, in the picture's coordinates.
  ///   - plane: The channel: 0 for red, 1 for green, 2 for blue, 3 for alpha, which opaque pictures lack.
  @_lifetime(borrow self)
  public func row(_ y: Int, plane: Int) -> Span<Float> {
    let row = Span(_unsafeStart: checkedPointer(y, plane), count: region.width)
    return _overrideLifetime(row, borrowing: self)
  }

  /// Returns a row of a channel, for writing. The first value belongs to the column `region.x`.
  ///
  /// A filter writes to the rows of its output. It never writes to its inputs: other steps may read them, too.
  ///
  /// - Parameters:
  ///   - y: The row, in the picture's coordinates.
  ///   - plane: The channel: 0 for red, 1 for green, 2 for blue, 3 for alpha, which opaque pictures lack.
  @_lifetime(borrow self)
  public func mutableRow(_ y: Int, plane: Int) -> MutableSpan<Float> {
    let row = MutableSpan(_unsafeStart: checkedPointer(y, plane), count: region.width)
    return _overrideLifetime(row, borrowing: self)
  }

  /// The first value of a row, which must lie in the tile.
  private func checkedPointer(_ y: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
    if region.rows.contains(y), plane >= 0, plane < planeCount { return pointer(y, plane) }
    arena.misused(
      "row \(y) of channel \(plane) is outside of a tile of \(region) with \(planeCount) channels")
    return pointer(
      min(max(y, region.y), region.rows.upperBound - 1), min(max(plane, 0), planeCount - 1))
  }

  /// One pixel; opaque pictures read alpha as 1.
  public subscript(x: Int, y: Int) -> SIMD4<Float> {
    get {
      let column = column(x)
      var pixel = SIMD4<Float>(repeating: 1)
      for plane in 0..<planeCount { pixel[plane] = checkedPointer(y, plane)[column] }
      return pixel
    }
    nonmutating set {
      let column = column(x)
      for plane in 0..<planeCount { checkedPointer(y, plane)[column] = newValue[plane] }
    }
  }

  private func column(_ x: Int) -> Int {
    if !region.columns.contains(x) {
      arena.misused("column \(x) is outside of a tile of \(region)")
    }
    return min(max(x - region.x, 0), region.width - 1)
  }

  /// Returns a scratch buffer, aligned to 64 bytes, which is free again when the tile is done. Its values are undefined at first.
  ///
  /// A filter declares in ``AreaFilter/scratchCount(for:from:planes:)`` how many floats it asks for at most.
  ///
  /// - Parameter count: The number of floats.
  @_lifetime(borrow self)
  public func scratch(_ count: Int) -> MutableSpan<Float> {
    precondition(count >= 0, "A scratch buffer of \(count) floats was requested.")
    let floats = MutableSpan(_unsafeStart: scratchPointer(count), count: count)
    return _overrideLifetime(floats, borrowing: self)
  }

  /// The memory of a scratch buffer.
  func scratchPointer(_ count: Int) -> UnsafeMutablePointer<Float> { arena.floats(count) }

  func pointer(_ y: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
    base + plane * planeStride + (y - region.y) * rowStride
  }

  /// The row `y` from column `x` on, as the kernels see it.
  func surface(_ y: Int, from x: Int) -> cpk_surface {
    func plane(_ index: Int) -> UnsafeMutableRawPointer? {
      index < planeCount ? UnsafeMutableRawPointer(pointer(y, index) + (x - region.x)) : nil
    }
    return cpk_surface(
      planes: (plane(0), plane(1), plane(2), plane(3)), format: Int32(CPK_F32), step: 1)
  }
}

extension Tile {
  /// A tile in new memory. Rows begin at multiples of 64 bytes.
  init(
    _ region: Region, of pictureSize: PixelSize, planeCount: Int, arena: Arena,
    memory: (Int) -> UnsafeMutablePointer<Float>
  ) {
    (self.region, self.pictureSize, self.planeCount) = (region, pictureSize, planeCount)
    rowStride = Self.rowStride(region.width)
    planeStride = rowStride * region.height
    base = memory(Self.floatCount(region, planes: planeCount))
    self.arena = arena
  }

  private static func rowStride(_ width: Int) -> Int { (width + 15) / 16 * 16 }

  /// How many floats a tile in new memory takes.
  static func floatCount(_ region: Region, planes: Int) -> Int {
    rowStride(region.width) * region.height * planes
  }

  /// A tile in memory that is taken back with the rest of the arena.
  init(_ region: Region, of pictureSize: PixelSize, planeCount: Int, arena: Arena) {
    self.init(
      region, of: pictureSize, planeCount: planeCount, arena: arena, memory: arena.floats)
  }

  /// Fills each pixel of this tile from the nearest pixel of `source`, another tile of the same picture.
  func fill(from source: Tile) {
    // Columns before those of the source, shared with it, and after them; any of the three may be empty.
    let before = region.columns.clamped(to: .min..<source.region.x).count
    let shared = region.intersection(source.region).width
    let firstShared = shared > 0 ? max(region.x - source.region.x, 0) : 0
    let lastRow = source.region.rows.upperBound - 1
    for plane in 0..<planeCount {
      for y in region.rows {
        let row = pointer(y, plane)
        let nearest = source.pointer(min(max(y, source.region.y), lastRow), plane)
        row.update(repeating: nearest[0], count: before)
        if shared > 0 { (row + before).update(from: nearest + firstShared, count: shared) }
        (row + (before + shared))
          .update(
            repeating: nearest[source.region.width - 1], count: region.width - before - shared)
      }
    }
  }

  /// The part `region` of this tile, sharing its memory.
  func part(_ part: Region) -> Tile {
    Tile(
      region: part, pictureSize: pictureSize, planeCount: planeCount,
      base: pointer(part.y, 0) + (part.x - region.x), rowStride: rowStride,
      planeStride: planeStride, arena: arena)
  }
}

extension Tile {
  /// The same pixels as those of another region.
  func moved(to region: Region, of pictureSize: PixelSize) -> Tile {
    Tile(
      region: region, pictureSize: pictureSize, planeCount: planeCount, base: base,
      rowStride: rowStride, planeStride: planeStride, arena: arena)
  }
}

/// Memory for one tile after another.
final class TileMemory {
  private var memory: AlignedBuffer?
  private let capacity: Int

  /// Memory that is taken when the first tile asks for it, for tiles of up to `capacity` floats.
  init(capacity: Int) { self.capacity = capacity }

  /// Memory for `count` floats; what it handed out before is gone.
  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    precondition(count <= capacity, "A plan promised \(capacity) floats, a tile needs \(count).")
    let memory = memory ?? AlignedBuffer(required: 4 * capacity)
    self.memory = memory
    return memory.bytes.bindMemory(to: Float.self).baseAddress.unsafelyUnwrapped
  }
}

/// Memory that a worker hands out and takes back as a whole: after the first tiles nothing is allocated any more.
package final class Arena {
  private static let alignment = AlignedBuffer.alignment
  private var blocks: [AlignedBuffer] = []
  private var block = 0
  private var used = 0
  private let capacity: Int

  /// Memory of `capacity` floats, rounded up to a whole line, taken when it is first asked for; more is taken only if that is not
  /// enough.
  package init(capacity: Int) { self.capacity = max(1, (capacity + 15) / 16) * 16 }

  /// Told what a filter does that it must not do. Without anybody to tell, the program ends.
  package var onMisuse: ((String) -> Void)?

  func misused(_ what: String) {
    guard let onMisuse else { fatalError("A filter's code is wrong: \(what).") }
    onMisuse(what)
  }

  /// Whether more was asked for than promised.
  package var isOverdrawn: Bool {
    blocks.reduce(0) { $0 + $1.bytes.count } > 4 * capacity
  }

  /// Memory for `count` floats, valid until ``reset()``.
  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    let bytes = max(1, (count * 4 + Self.alignment - 1) / Self.alignment) * Self.alignment
    while block < blocks.count, used + bytes > blocks[block].bytes.count {
      (block, used) = (block + 1, 0)
    }
    if block == blocks.count {
      blocks.append(AlignedBuffer(required: max(bytes, blocks.last?.bytes.count ?? 4 * capacity)))
    }
    defer { used += bytes }
    let start = UnsafeMutableRawBufferPointer(rebasing: blocks[block].bytes[used..<used + bytes])
    return start.bindMemory(to: Float.self).baseAddress.unsafelyUnwrapped
  }

  /// Takes everything back.
  func reset() { (block, used) = (0, 0) }

  /// What stands here is given back when `body` is done.
  func temporarily<Result>(_ body: () -> Result) -> Result {
    let mark = (block, used)
    defer { (block, used) = mark }
    return body()
  }
}
