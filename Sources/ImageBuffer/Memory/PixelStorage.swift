/// A block of memory that bitmaps share, copy-on-write.
@usableFromInline
final class PixelStorage: @unchecked Sendable {
  // Sendable because it is only written to while uniquely referenced.
  static let alignment = AlignedBuffer.alignment

  @usableFromInline let bytes: UnsafeMutableRawBufferPointer
  /// Whether its only owner may mutate it in place.
  let isWritable: Bool
  private let release: @Sendable () -> Void

  /// Creates storage of wrapped memory, which remains valid until `release` is called.
  init(
    _ bytes: UnsafeMutableRawBufferPointer, isWritable: Bool,
    release: @escaping @Sendable () -> Void
  ) {
    (self.bytes, self.isWritable, self.release) = (bytes, isWritable, release)
  }

  deinit { release() }

  /// Allocates memory. Throws if the system refuses, or would overcommit.
  convenience init(byteCount: Int, isZeroed: Bool) throws(BitmapError) {
    let buffer = try AlignedBuffer(byteCount: byteCount, isZeroed: isZeroed)
    self.init(buffer.bytes, isWritable: true, release: { withExtendedLifetime(buffer) {} })
  }
}
