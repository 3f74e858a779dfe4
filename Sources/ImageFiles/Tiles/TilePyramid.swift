public import ColorSpaces
public import FilterGraph
public import ImageBuffer

/// How a picture is cut into tiles, at several resolutions, for viewers that zoom.
///
/// The first level is the whole picture, and each level has half the width and height of the one before, rounded up. Its pixels are
/// means of that level in linear light by a kernel, exactly two to one: where a side is odd, its last pixel is repeated. A pixel of a
/// level therefore shows the same place in each viewer, and levels are neither darkened nor shifted.
///
/// A level is made from the values of the one before, neither rounded nor clipped: overshoot of the kernel, which the samples of tiles
/// cannot hold, goes on to the smaller levels and mostly cancels out there. Levels that are made from the tiles of the one before differ.
public struct TilePyramid: Hashable, Sendable {
  /// The names of tiles, and the file that describes them.
  @nonexhaustive
  public enum Layout: Hashable, Sendable {
    /// Deep Zoom, as OpenSeadragon and `vips dzsave` have it: `NAME.dzi` and `NAME_files/LEVEL/COLUMN_ROW`, where NAME is that of the
    /// folder and level 0 has one pixel.
    case deepZoom
    /// `LEVEL/COLUMN/ROW`, as slippy maps have it (“Google”, “XYZ”): level 0 is one tile, and all tiles have the same size. `tiles.json`
    /// states the size of the picture.
    case xyz
    /// IIIF Image API 3.0, level 0: `info.json`, which states the address `id` of the folder, and `REGION/SIZE/0/default`. No file is
    /// larger than a tile, which `maxWidth` and `maxHeight` state; `full/max` is the whole picture within that size.
    case iiif(id: String)
  }

  /// The names of tiles.
  public var layout: Layout
  /// The width and height of a tile without overlap, 1…8192.
  public var tileSize: Int
  /// How many pixels of each neighbor a tile shows at its sides, less than the size of a tile; 0 but for Deep Zoom.
  public var overlap: Int
  /// The color that fills the tiles of ``Layout/xyz`` beyond the picture; nil for transparency where the files hold it, and white in
  /// others.
  public var background: ColorPoint?
  /// The kernel that makes a level of the one before. A box takes the mean of four pixels.
  public var kernel: ResamplingKernel

  /// Creates a pyramid.
  ///
  /// - Parameters:
  ///   - layout: The names of tiles.
  ///   - tileSize: The width and height of a tile; nil for 254 in Deep Zoom and 256 in others, as `vips dzsave` has them.
  ///   - overlap: The overlap; nil for 1 in Deep Zoom, and 0 in others.
  ///   - background: The color beyond the picture.
  ///   - kernel: The kernel that makes a level of the one before.
  public init(
    _ layout: Layout = .deepZoom, tileSize: Int? = nil, overlap: Int? = nil,
    background: ColorPoint? = nil, kernel: ResamplingKernel = .lanczos3
  ) {
    let isDeepZoom = layout == .deepZoom
    (self.layout, self.kernel) = (layout, kernel)
    self.tileSize = tileSize ?? (isDeepZoom ? 254 : 256)
    self.overlap = overlap ?? (isDeepZoom ? 1 : 0)
    self.background = background
  }

  /// Returns the sizes of the levels of a picture, the whole picture first.
  public func levels(of size: PixelSize) -> [PixelSize] {
    var levels = [size]
    let last = layout == .deepZoom ? 1 : tileSize
    while let size = levels.last, max(size.width, size.height) > max(last, 1) {
      levels.append(size.halved)
    }
    return levels
  }

  /// Returns the size of the largest file that shows a whole picture: that of IIIF fits in a tile, in the picture's proportions.
  func largestWhole(of size: PixelSize) -> PixelSize? {
    guard case .iiif = layout else { return nil }
    let longest = max(size.width, size.height)
    guard longest > tileSize else { return size }
    let scale = Double(tileSize) / Double(longest)
    let (width, height) = (Double(size.width) * scale, Double(size.height) * scale)
    return PixelSize(max(Int(width.rounded()), 1), max(Int(height.rounded()), 1))
  }

  /// Returns how many tiles a level has.
  package func grid(of level: PixelSize) -> PixelSize {
    PixelSize(
      (level.width + tileSize - 1) / tileSize, (level.height + tileSize - 1) / tileSize)
  }

  /// The columns or rows of a level that a tile shows, of a side with so many pixels.
  package func range(ofTile index: Int, in count: Int) -> Range<Int> {
    max(index * tileSize - overlap, 0)..<min((index + 1) * tileSize + overlap, count)
  }

  /// Throws where a property is out of range.
  func check(for folder: String) throws(ImageFileError) {
    let problem: String? =
      if !(1...8192).contains(tileSize) {
        "tiles have 1 to 8192 pixels a side; got \(tileSize)"
      } else if !(0..<tileSize).contains(overlap) {
        "tiles overlap by 0 to \(tileSize - 1) pixels, less than their size; got \(overlap)"
      } else if overlap > 0, layout != .deepZoom {
        "only Deep Zoom has tiles that overlap; got \(overlap) pixels"
      } else {
        nil
      }
    if let problem { throw .cannotWrite(file: folder, reason: problem) }
  }
}

extension TilePyramid {
  /// Returns the picture of the next level.
  package func half(of level: Picture) -> Picture {
    let size = level.size
    let half = size.halved
    return level.padded(
      to: Region(
        x: level.region.x, y: level.region.y, width: 2 * half.width, height: 2 * half.height),
      edges: .repeated
    ).resized(to: .exact(half.width, half.height), by: kernel)
  }

  /// Returns the picture of `overview` pixels beside the levels, made of the last level that is larger.
  func overview(_ overview: PixelSize, of level: Picture) -> Picture {
    level.resized(to: .exact(overview.width, overview.height), by: kernel)
  }

  /// Returns the picture that the tiles of a level show: filled up to whole tiles where the layout has no others.
  ///
  /// - Parameter holdsAlpha: Whether the files hold alpha.
  package func shown(_ level: Picture, holdsAlpha: Bool) -> Picture {
    guard layout == .xyz else { return level }
    let grid = grid(of: level.size)
    let whole = Region(
      x: level.region.x, y: level.region.y, width: grid.width * tileSize,
      height: grid.height * tileSize)
    let white = ColorPoint(1, 1, 1, in: .sRGB)
    guard let color = background ?? (holdsAlpha ? nil : white) else {
      return level.padded(to: whole)
    }
    return level.padded(to: whole, with: color)
  }
}

extension PixelSize {
  /// Half the size, rounded up.
  fileprivate var halved: PixelSize { PixelSize((width + 1) / 2, (height + 1) / 2) }
}
