public import ColorSpaces

/// Pixels in memory, with the color space that gives them a meaning.
///
/// A value: copies and views share memory until one of them changes; then that one gets memory of its own, in which rows begin at
/// multiples of 64 bytes.
public struct Bitmap<Sample: PixelSample>: Sendable {
  /// Its width and height.
  public private(set) var size: PixelSize
  /// What a pixel is made of.
  public let channels: Channels
  /// How color and coverage are stored together. Without coverage the two are the same.
  public let alpha: Alpha
  /// Where the samples of a pixel lie.
  public let arrangement: Arrangement
  /// What the samples mean, where they are light. What others mean is for their owner to know.
  public private(set) var space: ColorSpace
  /// From the beginning of a row to the beginning of the next, in bytes; negative in memory of others where the last row comes first.
  public private(set) var bytesPerRow: Int

  // From the first row of a plane to that of the next, and from the storage's beginning to the first sample.
  @usableFromInline let bytesPerPlane: Int
  @usableFromInline private(set) var start = 0
  @usableFromInline var storage: PixelStorage

  /// A bitmap of zeros: transparent, or black where there is no alpha. For sizes that the program states: impossible ones stop it.
  ///
  /// - Parameters:
  ///   - size: Its width and height.
  ///   - space: What the samples mean.
  ///   - channels: What a pixel is made of.
  ///   - alpha: How color and coverage are stored together.
  ///   - arrangement: Where the samples of a pixel lie.
  ///   - bytesPerRow: From row to row; nil for the next multiple of 64.
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

  /// A bitmap of zeros, for sizes that come from somewhere else: impossible ones, and those that there is no memory for, are
  /// errors.
  public init(
    validating size: PixelSize, in space: ColorSpace, channels: Channels = .rgba,
    alpha: Alpha = .straight, arrangement: Arrangement = .interleaved, bytesPerRow: Int? = nil
  ) throws(BitmapError) {
    let layout = try BitmapLayout(
      size, channels, Sample.format, arrangement, bytesPerRow: bytesPerRow,
      alignment: PixelStorage.alignment)
    self.init(
      size, space, channels, alpha, arrangement, layout,
      try PixelStorage(byteCount: layout.byteCount, isZeroed: true))
  }

  /// A bitmap whose every sample the caller is about to write.
  package init(
    uninitialized size: PixelSize, in space: ColorSpace, channels: Channels, alpha: Alpha,
    arrangement: Arrangement, bytesPerRow: Int? = nil
  ) throws(BitmapError) {
    let layout = try BitmapLayout(
      size, channels, Sample.format, arrangement, bytesPerRow: bytesPerRow,
      alignment: PixelStorage.alignment)
    self.init(
      size, space, channels, alpha, arrangement, layout,
      try PixelStorage(byteCount: layout.byteCount, isZeroed: false))
  }

  init(
    _ size: PixelSize, _ space: ColorSpace, _ channels: Channels, _ alpha: Alpha,
    _ arrangement: Arrangement, _ layout: BitmapLayout, _ storage: PixelStorage
  ) {
    (self.size, self.space, self.channels) = (size, space, channels)
    (self.alpha, self.arrangement, self.storage) = (alpha, arrangement, storage)
    (bytesPerRow, bytesPerPlane, start) = (layout.bytesPerRow, layout.bytesPerPlane, layout.start)
  }

  /// A bitmap that shares the memory of a surface, until one of the two is changed as a bitmap.
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

  /// How many planes of memory there are: one where samples are interleaved.
  public var planeCount: Int { arrangement == .planar ? channels.count : 1 }

  /// How many samples a row of one plane has.
  public var samplesPerRow: Int {
    size.width * (arrangement == .interleaved ? channels.count : 1)
  }
}

extension Bitmap {
  /// A bitmap of which each pixel is what `pixel` says for its column and row.
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

  /// The same samples with another meaning. No pixel changes.
  public func tagged(as space: ColorSpace) -> Bitmap {
    var copy = self
    copy.space = space
    return copy
  }

  /// A part of this bitmap, as a bitmap that shares its memory until one of the two changes. Its upper left pixel is (0, 0).
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
  /// Whether size, meaning and every sample agree. Where the samples lie does not matter.
  public static func == (a: Bitmap, b: Bitmap) -> Bool {
    guard a.size == b.size, a.channels == b.channels, a.alpha == b.alpha, a.space == b.space else {
      return false
    }
    return (0..<a.size.height).allSatisfy { y in
      (0..<a.size.width).allSatisfy { x in
        (0..<a.channels.count).allSatisfy { a[x, y, $0] == b[x, y, $0] }
      }
    }
  }
}
