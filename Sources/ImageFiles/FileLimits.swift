/// How much a file may ask for. Checked before memory is allocated, so that a small hostile file cannot take all of it.
public struct FileLimits: Hashable, Sendable {
  /// The most pixels a picture may have.
  public var pixels: Int
  /// The most bytes a file may have.
  public var bytes: Int

  /// Limits; by default 500 million pixels and 4 GiB.
  public init(pixels: Int = 500_000_000, bytes: Int = 4 << 30) {
    (self.pixels, self.bytes) = (pixels, bytes)
  }
}
