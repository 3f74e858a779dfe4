public import ColorSpaces

/// Pixels in memory, with the color space that gives them a meaning.
///
/// A value: copies share memory until one of them changes. Rows begin at multiples of 64 bytes.
public struct Bitmap<Sample: PixelSample>: Sendable {
  /// Its width and height.
  public let size: PixelSize
  /// What a pixel is made of.
  public let channels: Channels
  /// How color and coverage are stored together. Without coverage the two are the same.
  public let alpha: Alpha
  /// Where the samples of a pixel lie.
  public let arrangement: Arrangement
  /// What the samples mean.
  public let space: ColorSpace
  /// From the beginning of a row to the beginning of the next, in bytes.
  public let bytesPerRow: Int

  @usableFromInline var storage: PixelStorage

  /// A bitmap of zeros: transparent, or black where there is no alpha.
  public init(
    _ size: PixelSize, in space: ColorSpace, channels: Channels = .rgba, alpha: Alpha = .straight,
    arrangement: Arrangement = .interleaved
  ) {
    self.init(
      size, in: space, channels: channels, alpha: alpha, arrangement: arrangement
    ) { PixelStorage(zeroed: $0) }
  }

  /// A bitmap whose every sample the caller is about to write.
  package init(
    uninitialized size: PixelSize, in space: ColorSpace, channels: Channels, alpha: Alpha,
    arrangement: Arrangement
  ) {
    self.init(
      size, in: space, channels: channels, alpha: alpha, arrangement: arrangement
    ) { PixelStorage(byteCount: $0) }
  }

  private init(
    _ size: PixelSize, in space: ColorSpace, channels: Channels, alpha: Alpha,
    arrangement: Arrangement, storage: (Int) -> PixelStorage
  ) {
    precondition(
      size.width > 0 && size.height > 0, "A bitmap needs at least one pixel; got \(size).")
    (self.size, self.space, self.channels) = (size, space, channels)
    (self.alpha, self.arrangement) = (alpha, arrangement)
    bytesPerRow = Self.bytesPerRow(size, channels, arrangement)
    let planes = arrangement == .planar ? channels.count : 1
    let (bytes, overflow) = (bytesPerRow * planes).multipliedReportingOverflow(by: size.height)
    precondition(!overflow, "A bitmap of \(size) pixels is more than memory can address.")
    self.storage = storage(bytes)
  }

  /// How far apart rows lie: their bytes, rounded up to whole cache lines.
  package static func bytesPerRow(
    _ size: PixelSize, _ channels: Channels, _ arrangement: Arrangement
  ) -> Int {
    let samples = size.width * (arrangement == .interleaved ? channels.count : 1)
    let line = PixelStorage.alignment
    return (samples * Sample.format.byteCount + line - 1) / line * line
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
    var copy = Bitmap(retagging: self, as: space)
    copy.storage = storage
    return copy
  }

  private init(retagging other: Bitmap, as space: ColorSpace) {
    (size, channels, alpha) = (other.size, other.channels, other.alpha)
    (arrangement, bytesPerRow, storage) = (other.arrangement, other.bytesPerRow, other.storage)
    self.space = space
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
