/// A block of memory that bitmaps share until one of them changes.
@usableFromInline
final class PixelStorage: @unchecked Sendable {
  // Sendable because it is only written to while uniquely referenced.
  static let alignment = AlignedBuffer.alignment

  @usableFromInline let bytes: UnsafeMutableRawBufferPointer
  /// Whether its only owner may change it in place.
  let isWritable: Bool
  private let release: @Sendable () -> Void

  /// Memory that somebody else owns until `release` is called.
  init(
    _ bytes: UnsafeMutableRawBufferPointer, isWritable: Bool,
    release: @escaping @Sendable () -> Void
  ) {
    (self.bytes, self.isWritable, self.release) = (bytes, isWritable, release)
  }

  deinit { release() }

  /// New memory. What the system cannot give is an error; what it would promise and not have, too.
  convenience init(byteCount: Int, isZeroed: Bool) throws(BitmapError) {
    let buffer = try AlignedBuffer(byteCount: byteCount, isZeroed: isZeroed)
    self.init(buffer.bytes, isWritable: true, release: { withExtendedLifetime(buffer) {} })
  }
}
