internal import CPixelKernels
internal import ImageBuffer

/// The memory that rows of pixels are read from or written to.
///
/// An enumeration rather than a closure that returns rows: the evaluator makes one for each tile, and an escaping closure would allocate
/// memory for what it captures.
enum RowStorage {
  case tile(Tile)
  /// A bitmap whose pixel at the offset is the pixel (0, 0).
  case bitmap(BitmapSurface, Offset)
  /// Rows that are available in order, from top to bottom.
  case feed(any SequentialRows)
  /// Rows between two passes of a separable filter.
  case floats(FloatRows)

  /// The row `y` from column `x` on.
  func surface(_ y: Int, from x: Int) -> cpk_surface {
    switch self {
    case .tile(let tile): tile.surface(y, from: x)
    case .bitmap(let bitmap, let offset): bitmap.row(y + offset.y, from: x + offset.x)
    case .feed(let feed): feed.row(y, from: x)
    case .floats(let rows): rows.surface(y, from: x)
    }
  }
}

/// Rows that are read from top to bottom.
protocol SequentialRows: AnyObject {
  /// Whether they are computed when they are read, and each is there only until the next one is read. Otherwise those that a tile needs are
  /// there.
  var areComputedOnReading: Bool { get }

  /// The row `y` from column `x` on.
  func row(_ y: Int, from x: Int) -> cpk_surface
}

/// Rows of floats in scratch memory: planar, or four channels of each pixel together.
struct FloatRows {
  let region: Region
  let planeCount: Int
  private let base: UnsafeMutablePointer<Float>
  private let isPlanar: Bool

  init(_ region: Region, planeCount: Int, isPlanar: Bool, memory: Arena) {
    (self.region, self.planeCount, self.isPlanar) = (region, planeCount, isPlanar)
    base = memory.floats(Self.count(region))
  }

  /// The row `y` from column `x` on.
  func surface(_ y: Int, from x: Int) -> cpk_surface {
    let (channels, stride) = (isPlanar ? 1 : 4, region.width.wholeVectors)
    return FloatRow(
      base: base + channels * stride * (y - region.y), channels: channels,
      planes: isPlanar ? planeCount : 1, stride: stride * region.height
    ).surface(from: x - region.x, planeCount: isPlanar ? planeCount : 4)
  }

  /// The floats of a region: enough for four channels, whether or not they are planar.
  static func count(_ region: Region) -> Int { 4 * region.width.wholeVectors * region.height }
}
