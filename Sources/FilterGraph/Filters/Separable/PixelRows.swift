internal import CPixelKernels
internal import ImageBuffer

/// Rows of pixels as a separable filter reads them: in memory, in any form, with a program that runs over what is read.
struct PixelRows {
  /// Which pixels there are. Beyond them those of the edges are repeated.
  let bounds: Region
  let planeCount: Int
  /// What makes the values of the pixels.
  let program: LoweredProgram
  let storage: RowStorage

  init(_ bounds: Region, planeCount: Int, program: LoweredProgram, in storage: RowStorage) {
    (self.bounds, self.planeCount) = (bounds, planeCount)
    (self.program, self.storage) = (program, storage)
  }

  init(_ tile: Tile) {
    self.init(tile.region, planeCount: tile.planeCount, program: .nothing, in: .tile(tile))
  }

  /// Whether rows are computed in bands when they are read: from top to bottom, each once.
  var areInBands: Bool {
    if case .feed(let rows) = storage { rows.areComputedOnReading } else { false }
  }

  /// The row `y` from column `x` on.
  func surface(_ y: Int, from x: Int) -> cpk_surface { storage.surface(y, from: x) }

  /// Where the pixel nearest to (x, y) lies.
  func nearest(_ x: Int, _ y: Int) -> cpk_surface {
    surface(nearestRow(y), from: min(max(x, bounds.x), bounds.columns.upperBound - 1))
  }

  /// Whether there are pixels in all of these columns.
  func contain(_ columns: Range<Int>) -> Bool {
    columns.lowerBound >= bounds.x && columns.upperBound <= bounds.columns.upperBound
  }

  /// The row with pixels that is nearest to `y`.
  func nearestRow(_ y: Int) -> Int {
    min(max(y, bounds.rows.lowerBound), bounds.rows.upperBound - 1)
  }

  /// How many rows ahead of the one that is read a row is prefetched. Strips are too short for the processor to do so by itself.
  private static let ahead = 2

  /// Computes the pixels of some columns of the row `y`. Rows up to `lastRow` are read soon.
  func load(_ y: Int, _ columns: Range<Int>, into row: FloatRow, lastRow: Int = .min) {
    let first = min(max(columns.lowerBound, bounds.x), bounds.columns.upperBound - 1)
    let end = max(min(columns.upperBound, bounds.columns.upperBound), first + 1)
    // Where no column has pixels, the nearest pixel takes the place of the column nearest to it.
    let place = min(max(first - columns.lowerBound, 0), columns.count - 1)
    if y + Self.ahead <= lastRow {
      var next = surface(y + Self.ahead, from: first)
      cpk_prefetch(&next, end - first)
    }
    program.run(
      surface(y, from: first), row.surface(from: place, planeCount: 4), count: end - first,
      x: first, y: y)
    row.repeatPixel(place, in: 0..<place)
    row.repeatPixel(place + end - first - 1, in: place + end - first..<columns.count)
  }
}

/// Where the rows of a result go.
struct PixelRowTarget {
  /// What becomes of the pixels on the way.
  let program: LoweredProgram
  /// Whether the alpha of an opaque picture may be written, too.
  let hasSpareAlpha: Bool
  let storage: RowStorage

  init(_ storage: RowStorage, program: LoweredProgram = .nothing, hasSpareAlpha: Bool = false) {
    (self.storage, self.program, self.hasSpareAlpha) = (storage, program, hasSpareAlpha)
  }

  /// The row `y` from column `x` on.
  func surface(_ y: Int, from x: Int) -> cpk_surface { storage.surface(y, from: x) }
}

/// A row of floats in memory: adjacent planes, or four channels of each pixel together.
struct FloatRow {
  let base: UnsafeMutablePointer<Float>
  let channels, planes: Int
  /// From a plane to the next.
  let stride: Int

  init(base: UnsafeMutablePointer<Float>, channels: Int, planes: Int, stride: Int) {
    (self.base, self.channels, self.planes, self.stride) = (base, channels, planes, stride)
  }

  init(_ tile: Tile, _ y: Int) {
    self.init(
      base: tile.pointer(y, 0), channels: 1, planes: tile.planeCount, stride: tile.planeStride)
  }

  /// The row from a pixel on, as the kernels see it.
  func surface(from x: Int, planeCount: Int) -> cpk_surface {
    func plane(_ index: Int) -> UnsafeMutableRawPointer? {
      if index >= planeCount { return nil }
      if channels == 4 { return UnsafeMutableRawPointer(base + (4 * x + index)) }
      return index < planes ? UnsafeMutableRawPointer(base + (index * stride + x)) : nil
    }
    return cpk_surface(
      planes: (plane(0), plane(1), plane(2), plane(3)), format: Int32(CPK_F32),
      step: Int32(channels), streams: false)
  }

  func plane(_ index: Int) -> UnsafeMutablePointer<Float> { base + index * stride }

  /// The row without its first pixels.
  func from(_ x: Int) -> FloatRow {
    FloatRow(base: base + channels * x, channels: channels, planes: planes, stride: stride)
  }

  /// Sets some pixels to another one.
  func repeatPixel(_ pixel: Int, in range: Range<Int>) {
    for plane in 0..<planes {
      let row = self.plane(plane)
      for place in range {
        for channel in 0..<channels {
          row[channels * place + channel] = row[channels * pixel + channel]
        }
      }
    }
  }
}

extension cpk_surface {
  /// Whether the row holds so many channels of a pixel together. With four channels alpha may be missing from opaque pictures
  /// that are read, or be there.
  func isPlain(channels: Int, planeCount: Int, hasSpareAlpha: Bool) -> Bool {
    guard Int(step) == channels, let first = planes.0, let second = planes.1,
      let third = planes.2
    else { return false }
    let size = sampleBytes
    if channels == 4, second != first + size || third != first + 2 * size { return false }
    if planeCount == 3, channels == 4, hasSpareAlpha { return true }
    if planeCount == 3 { return planes.3 == nil && channels == 1 }
    return planes.3.map { channels == 1 || $0 == first + 3 * size } ?? false
  }

  /// The row of one of its planes alone.
  func only(_ plane: Int) -> cpk_surface {
    cpk_surface(
      planes: (UnsafeMutableRawPointer(mutating: samples(plane)), nil, nil, nil), format: format,
      step: step, streams: streams)
  }

  var sampleBytes: Int {
    switch format {
    case Int32(CPK_U8): 1
    case Int32(CPK_F32): 4
    default: 2
    }
  }

  /// Where the samples of a plane lie, or those of all channels.
  func samples(_ plane: Int) -> UnsafeRawPointer {
    let pointer =
      switch plane {
      case 0: planes.0
      case 1: planes.1
      case 2: planes.2
      default: planes.3
      }
    return UnsafeRawPointer(pointer.unsafelyUnwrapped)
  }

  /// The same, of floats that are written.
  func floats(_ plane: Int) -> UnsafeMutablePointer<Float> {
    UnsafeMutableRawPointer(mutating: samples(plane)).assumingMemoryBound(to: Float.self)
  }
}
