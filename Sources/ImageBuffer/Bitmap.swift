public import ColorSpaces

/// Pixels in memory, with their color space.
///
/// A bitmap is a value with copy-on-write: copies and views share memory until one of them is changed and copies its
/// pixels to memory with rows aligned to 64 bytes.
public struct Bitmap<Sample: PixelSample>: Sendable {
  /// The width and height in pixels.
  public private(set) var size: PixelSize
  /// The channels of a pixel.
  public let channels: Channels
  /// Whether colors are premultiplied by alpha. Without alpha the two are equal.
  public let alpha: Alpha
  /// Whether samples are interleaved or planar.
  public let arrangement: Arrangement
  /// The color space of the color channels. The meaning of other channels is the caller's.
  public private(set) var space: ColorSpace
  /// The stride between rows in bytes; negative for wrapped memory that stores the last row first.
  public private(set) var bytesPerRow: Int

  // The stride between planes, and the offset of the first sample in the storage.
  @usableFromInline let bytesPerPlane: Int
  @usableFromInline private(set) var start = 0
  @usableFromInline var storage: PixelStorage

  /// Creates a bitmap of zeros: transparent, or black without alpha. For sizes from the program itself: it traps for
  /// impossible ones.
  ///
  /// - Parameters:
  ///   - size: The width and height.
  ///   - space: The color space of the samples.
  ///   - channels: The channels of a pixel.
  ///   - alpha: Whether colors are premultiplied by alpha.
  ///   - arrangement: Whether samples are interleaved or planar.
  ///   - bytesPerRow: The stride between rows; nil for the next multiple of 64.
  public init(
    _ size: PixelSize, in space: ColorSpace, channels: Channels = .rgba, alpha: Alpha = .straight,
    arrangement: Arrangement = .interleaved, bytesPerRow: Int? = nil
  ) {
    do throws(BitmapError) {
      try self.init(
        validating: size, in: space, channels: channels, alpha: alpha, arrangement: arrangement,
        bytesPerRow: bytesPerRow)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Creates a bitmap of zeros, for sizes from input: it throws for impossible sizes and for those that exceed memory.
  public init(
    validating size: PixelSize, in space: ColorSpace, channels: Channels = .rgba,
    alpha: Alpha = .straight, arrangement: Arrangement = .interleaved, bytesPerRow: Int? = nil
  ) throws(BitmapError) {
    try self.init(
      size, space, channels, alpha, arrangement, bytesPerRow: bytesPerRow, isZeroed: true)
  }

  /// Creates a bitmap with undefined samples. The caller must write each of them.
  package init(
    uninitialized size: PixelSize, in space: ColorSpace, channels: Channels, alpha: Alpha,
    arrangement: Arrangement, bytesPerRow: Int? = nil
  ) throws(BitmapError) {
    try self.init(
      size, space, channels, alpha, arrangement, bytesPerRow: bytesPerRow, isZeroed: false)
  }

  /// Creates a bitmap in newly allocated memory.
  private init(
    _ size: PixelSize, _ space: ColorSpace, _ channels: Channels, _ alpha: Alpha,
    _ arrangement: Arrangement, bytesPerRow: Int?, isZeroed: Bool
  ) throws(BitmapError) {
    let layout = try BitmapLayout(
      size, channels, Sample.format, arrangement, bytesPerRow: bytesPerRow,
      alignment: PixelStorage.alignment)
    self.init(
      size, space, channels, alpha, arrangement, layout,
      try PixelStorage(byteCount: layout.byteCount, isZeroed: isZeroed))
  }

  init(
    _ size: PixelSize, _ space: ColorSpace, _ channels: Channels, _ alpha: Alpha,
    _ arrangement: Arrangement, _ layout: BitmapLayout, _ storage: PixelStorage
  ) {
    (self.size, self.space, self.channels) = (size, space, channels)
    (self.alpha, self.arrangement, self.storage) = (alpha, arrangement, storage)
    (bytesPerRow, bytesPerPlane, start) = (layout.bytesPerRow, layout.bytesPerPlane, layout.start)
  }

  /// Creates a bitmap that shares the memory of a surface, copy-on-write.
  package init(_ surface: BitmapSurface, in space: ColorSpace, alpha: Alpha) {
    guard let storage = surface.storage, surface.format == Sample.format else {
      preconditionFailure("There is no bitmap of \(Sample.self) in memory of \(surface.format).")
    }
    (size, channels, arrangement) = (surface.size, surface.channels, surface.arrangement)
    (self.space, self.alpha, self.storage) = (space, alpha, storage)
    (bytesPerRow, bytesPerPlane) = (surface.bytesPerRow, surface.bytesPerPlane)
    if let base = surface.base, let first = storage.bytes.baseAddress {
      start = base - first
    }
  }

  /// The number of planes in memory: 1 for interleaved samples.
  public var planeCount: Int { arrangement == .planar ? channels.count : 1 }

  /// The number of samples in a row of one plane.
  public var samplesPerRow: Int {
    size.width * (arrangement == .interleaved ? channels.count : 1)
  }
}

extension Bitmap {
  /// Creates a bitmap from a closure of the column and row of each pixel.
  ///
  /// - Precondition: `pixel` returns one sample per channel.
  public init(
    _ size: PixelSize, in space: ColorSpace, channels: Channels = .rgba, alpha: Alpha = .straight,
    arrangement: Arrangement = .interleaved, pixel: (_ x: Int, _ y: Int) -> [Sample]
  ) {
    self.init(size, in: space, channels: channels, alpha: alpha, arrangement: arrangement)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let samples = pixel(x, y)
        precondition(
          samples.count == channels.count,
          "A pixel here has \(channels.count) samples; got \(samples.count).")
        for channel in samples.indices { self[x, y, channel] = samples[channel] }
      }
    }
  }

  /// Assigns another color space without converting the samples.
  public func tagged(as space: ColorSpace) -> Bitmap {
    var copy = self
    copy.space = space
    return copy
  }

  /// Returns a part of this bitmap that shares its memory, copy-on-write. Its top left pixel is (0, 0).
  ///
  /// - Precondition: `region` has a pixel or more, and lies inside of the bitmap.
  public func view(of region: Region) -> Bitmap {
    precondition(
      region.width > 0 && region.height > 0 && Region(size).contains(region),
      "A view lies inside of its bitmap, which is \(size); got \(region).")
    var view = self
    view.start = offset(region.x, region.y, 0)
    view.size = region.size
    return view
  }
}

extension Bitmap: Equatable {
  /// Whether size, color space, channels, the form of alpha where there is any, and samples are equal, independent of the memory layout.
  public static func == (a: Bitmap, b: Bitmap) -> Bool {
    guard a.size == b.size, a.channels == b.channels, a.space == b.space,
      a.alpha == b.alpha || !a.channels.hasAlpha
    else { return false }
    guard a.arrangement == b.arrangement else {
      return (0..<a.size.height).allSatisfy { y in
        (0..<a.size.width).allSatisfy { x in
          (0..<a.channels.count).allSatisfy { a[x, y, $0] == b[x, y, $0] }
        }
      }
    }
    return (0..<a.planeCount).allSatisfy { plane in
      (0..<a.size.height).allSatisfy { y in
        a.withUnsafeRow(y, plane: plane) { row in
          b.withUnsafeRow(y, plane: plane) { row.elementsEqual($0) }
        }
      }
    }
  }
}
