/// Memory of a size that a file or a caller determines: insufficient memory is an error, not a trap.
package final class MemoryBlock {
  private let storage: PixelStorage

  /// Allocates `byteCount` bytes, aligned as for bitmaps.
  package init(byteCount: Int, isZeroed: Bool = false) throws(BitmapError) {
    storage = try PixelStorage(byteCount: byteCount, isZeroed: isZeroed)
  }

  /// The memory, valid while the block is.
  package var bytes: UnsafeMutableRawBufferPointer { storage.bytes }

  /// The bytes of a range. Traps if they are outside of the block.
  package subscript(range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[range])
  }
}
