/// A block of memory that bitmaps share until one of them changes.
///
/// Aligned to 64 bytes, the cache line of every machine at hand and the width of its widest vectors.
@usableFromInline
final class PixelStorage: @unchecked Sendable {
  // Sendable because it is only written to while uniquely referenced.
  static let alignment = 64
  @usableFromInline let bytes: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    bytes = .allocate(byteCount: max(byteCount, 1), alignment: Self.alignment)
  }

  convenience init(zeroed byteCount: Int) {
    self.init(byteCount: byteCount)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  convenience init(copying other: PixelStorage) {
    self.init(byteCount: other.bytes.count)
    bytes.copyMemory(from: UnsafeRawBufferPointer(other.bytes))
  }

  deinit { bytes.deallocate() }
}
