/// Memory of a size that a file or a caller decides: what the machine cannot give is an error, and no trap.
package final class MemoryBlock {
  private let storage: PixelStorage

  /// Memory for `byteCount` bytes, aligned as bitmaps are.
  package init(byteCount: Int, isZeroed: Bool = false) throws(BitmapError) {
    storage = try PixelStorage(byteCount: byteCount, isZeroed: isZeroed)
  }

  /// The memory, valid while the block is.
  package var bytes: UnsafeMutableRawBufferPointer { storage.bytes }

  /// The bytes of a range. Traps where they are not in the block.
  package subscript(range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(rebasing: bytes[range])
  }
}
