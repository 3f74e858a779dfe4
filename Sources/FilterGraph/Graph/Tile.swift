internal import CPixelKernels
public import ImageBuffer

/// A rectangle of a picture during rendering: planar, in single precision.
///
/// The planes are red, green, blue and, unless the picture is opaque, alpha. A tile is valid only during the call that
/// receives it.
public struct Tile {
  /// The region of the picture that it covers.
  public let region: Region
  /// The size of the whole picture.
  public let pictureSize: PixelSize
  /// The number of planes: 3, or 4 with alpha.
  public let planeCount: Int

  let base: UnsafeMutablePointer<Float>
  let rowStride: Int
  let planeStride: Int
  let arena: Arena

  /// Returns a row of a plane for reading. Its first value belongs to the column `region.x`.
  ///
  /// The span is valid as long as the constant that holds the tile. Bind a tile of an array first: `let guide =
  /// tiles[1]`.
  ///
  /// - Parameters:
  ///   - y: The row, in the picture's coordinates.
  ///   - plane: The channel: 0 for red, 1 for green, 2 for blue, 3 for alpha, which opaque pictures lack.
  @_lifetime(borrow self)
  public func row(_ y: Int, plane: Int) -> Span<Float> {
    let row = Span(_unsafeStart: checkedPointer(y, plane), count: region.width)
    return _overrideLifetime(row, borrowing: self)
  }

  /// Returns a row of a plane for writing. Its first value belongs to the column `region.x`.
  ///
  /// A filter writes to the rows of its output only; other steps may read its inputs as well.
  ///
  /// - Parameters:
  ///   - y: The row, in the picture's coordinates.
  ///   - plane: The channel: 0 for red, 1 for green, 2 for blue, 3 for alpha, which opaque pictures lack.
  @_lifetime(borrow self)
  public func mutableRow(_ y: Int, plane: Int) -> MutableSpan<Float> {
    let row = MutableSpan(_unsafeStart: checkedPointer(y, plane), count: region.width)
    return _overrideLifetime(row, borrowing: self)
  }

  /// The address of a row. Traps for a row outside of the tile.
  private func checkedPointer(_ y: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
    if region.rows.contains(y), plane >= 0, plane < planeCount { return pointer(y, plane) }
    arena.misused(
      "row \(y) of channel \(plane) is outside of a tile of \(region) with \(planeCount) channels")
    return pointer(
      min(max(y, region.y), region.rows.upperBound - 1), min(max(plane, 0), planeCount - 1))
  }

  /// A pixel; alpha is 1 in opaque pictures.
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

  /// Returns a scratch buffer, aligned to 64 bytes, that is released when the tile is done. Its values are undefined at
  /// first.
  ///
  /// A filter declares the maximum in ``AreaFilter/scratchCount(for:from:planes:)``.
  ///
  /// - Parameter count: The number of floats.
  @_lifetime(borrow self)
  public func scratch(_ count: Int) -> MutableSpan<Float> {
    if count < 0 { arena.misused("a scratch buffer of \(count) floats was requested") }
    let count = max(count, 0)
    let floats = MutableSpan(_unsafeStart: scratchPointer(count), count: count)
    return _overrideLifetime(floats, borrowing: self)
  }

  /// The memory of a scratch buffer.
  func scratchPointer(_ count: Int) -> UnsafeMutablePointer<Float> { arena.floats(count) }

  func pointer(_ y: Int, _ plane: Int) -> UnsafeMutablePointer<Float> {
    base + plane * planeStride + (y - region.y) * rowStride
  }

  /// The row `y` from column `x` on, as a kernel surface.
  func surface(_ y: Int, from x: Int) -> cpk_surface {
    func plane(_ index: Int) -> UnsafeMutableRawPointer? {
      index < planeCount ? UnsafeMutableRawPointer(pointer(y, index) + (x - region.x)) : nil
    }
    return cpk_surface(
      planes: (plane(0), plane(1), plane(2), plane(3)), format: Int32(CPK_F32), step: 1,
      streams: false)
  }
}

extension Tile {
  /// Creates a tile in newly allocated memory. Rows are aligned to 64 bytes.
  init(
    _ region: Region, of pictureSize: PixelSize, planeCount: Int, arena: Arena,
    memory: (Int) -> UnsafeMutablePointer<Float>
  ) {
    (self.region, self.pictureSize, self.planeCount) = (region, pictureSize, planeCount)
    rowStride = region.width.wholeVectors
    planeStride = rowStride * region.height
    base = memory(Self.floatCount(region, planes: planeCount))
    self.arena = arena
  }

  /// The number of floats of a newly allocated tile.
  static func floatCount(_ region: Region, planes: Int) -> Int {
    region.width.wholeVectors * region.height * planes
  }

  /// Creates a tile in memory of an arena.
  init(_ region: Region, of pictureSize: PixelSize, planeCount: Int, arena: Arena) {
    self.init(
      region, of: pictureSize, planeCount: planeCount, arena: arena, memory: arena.floats)
  }

  /// Fills each pixel from the nearest pixel of `source`, another tile of the same picture.
  func fill(from source: Tile) {
    // The columns before, shared with and after those of the source; each part may be empty.
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

  /// The part of this tile on `region`, in the same memory.
  func part(_ part: Region) -> Tile {
    Tile(
      region: part, pictureSize: pictureSize, planeCount: planeCount,
      base: pointer(part.y, 0) + (part.x - region.x), rowStride: rowStride,
      planeStride: planeStride, arena: arena)
  }
}

extension Tile {
  /// The same memory, as another region.
  func moved(to region: Region, of pictureSize: PixelSize) -> Tile {
    Tile(
      region: region, pictureSize: pictureSize, planeCount: planeCount, base: base,
      rowStride: rowStride, planeStride: planeStride, arena: arena)
  }
}

extension Int {
  /// This number of floats, rounded up to a multiple of 16: 64 bytes, a cache line.
  var wholeVectors: Int { (self + 15) / 16 * 16 }
}

/// Reusable memory for one tile at a time.
final class TileMemory {
  private var memory: AlignedBuffer?
  private let capacity: Int

  /// Creates memory for tiles of up to `capacity` floats, allocated on first use.
  init(capacity: Int) { self.capacity = capacity }

  /// Returns memory for `count` floats. The memory returned before becomes invalid.
  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    precondition(count <= capacity, "A plan promised \(capacity) floats, a tile needs \(count).")
    let memory = memory ?? AlignedBuffer(required: 4 * capacity)
    self.memory = memory
    return memory.bytes.bindMemory(to: Float.self).baseAddress.unsafelyUnwrapped
  }
}

/// An arena allocator of a worker, reset after each step. After the first tiles it does not allocate any more.
package final class Arena {
  private static let alignment = AlignedBuffer.alignment
  private var blocks: [AlignedBuffer] = []
  private var block = 0
  private var used = 0
  private let capacity: Int

  /// Creates an arena of `capacity` floats, rounded up to a cache line and allocated on first use. It allocates more
  /// only if that is exceeded.
  package init(capacity: Int) { self.capacity = max(16, capacity.wholeVectors) }

  /// Called with a description when a filter violates its contract. Without a handler, the program traps.
  package var onMisuse: ((String) -> Void)?

  /// Returns the description of the filter that computes, which a trap names.
  var filterName: (() -> String)?

  func misused(_ what: String) {
    guard let onMisuse else {
      let code = filterName.map { "The code of the filter “\($0())”" } ?? "A filter's code"
      fatalError(
        "\(code) is wrong: \(what). FilterLaws of the product ColorloomTesting finds such mistakes."
      )
    }
    onMisuse(what)
  }

  /// Whether more was requested than the capacity.
  package var isOverdrawn: Bool {
    blocks.reduce(0) { $0 + $1.bytes.count } > 4 * capacity
  }

  /// Returns memory for `count` floats, valid until ``reset()``.
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

  /// Releases all memory for reuse.
  func reset() { (block, used) = (0, 0) }

  /// Releases the memory that `body` allocated.
  func temporarily<Result>(_ body: () -> Result) -> Result {
    let mark = (block, used)
    defer { (block, used) = mark }
    return body()
  }
}
