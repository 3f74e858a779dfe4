internal import PlatformLibc

/// Uninitialized or zeroed memory that is aligned to 64 bytes and freed with its last reference.
///
/// Buffers of ``pageThreshold`` bytes and more are mapped from the system and unmapped when they are freed. `malloc`
/// would keep them: glibc raises its own threshold for mapping to 32 MiB as soon as a mapped block is freed, and each
/// thread's heap then keeps what it once used.
///
/// For buffers of ``hugePageThreshold`` bytes and more Linux is asked for huge pages: the first write to a page of 4 KiB
/// takes longer than blurring its pixels.
package final class AlignedBuffer: @unchecked Sendable {
  // Sendable because it stores only an address; its owners synchronize access to the contents.

  /// The cache line of every supported machine, and the width of its widest vectors.
  package static let alignment = 64
  /// The size from which a buffer is mapped from the system, in bytes.
  package static let pageThreshold = 1 << 20
  /// The size from which huge pages are requested, in bytes.
  package static let hugePageThreshold = 1 << 22

  /// The memory.
  package let bytes: UnsafeMutableRawBufferPointer

  /// Allocates `byteCount` bytes.
  ///
  /// - Throws: `BitmapError.notEnoughMemory` if the machine has less memory or the system refuses.
  package init(byteCount: Int, isZeroed: Bool = false) throws(BitmapError) {
    try Self.checkRoom(for: byteCount)
    guard let start = Self.allocate(byteCount, isZeroed: isZeroed) else {
      throw .notEnoughMemory(bytes: byteCount)
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  /// Allocates `byteCount` bytes where the caller cannot report an error; traps if there is not enough memory.
  package convenience init(required byteCount: Int) {
    do throws(BitmapError) {
      try self.init(byteCount: byteCount)
    } catch {
      fatalError("\(error)")
    }
  }

  deinit { Self.deallocate(bytes) }

  /// Throws if so many bytes exceed the memory of this machine or of its control group.
  static func checkRoom(for byteCount: Int) throws(BitmapError) {
    guard byteCount <= MachineMemory.physicalBytes - alignment else {
      throw .notEnoughMemory(bytes: byteCount)
    }
  }

  /// The maximum memory of a buffer of `byteCount` bytes: the buffer, this object, and either whole pages or the
  /// overhead of `malloc`.
  package static func footprint(_ byteCount: Int) -> Int {
    let overhead = 128
    if byteCount < pageThreshold { return byteCount + alignment + overhead }
    return (byteCount + MachineMemory.pageSize - 1) / MachineMemory.pageSize
      * MachineMemory.pageSize + overhead
  }

  private static func allocate(_ byteCount: Int, isZeroed: Bool) -> UnsafeMutableRawPointer? {
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      if byteCount >= pageThreshold {
        let memory = mmap(
          nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return nil }
        #if os(Linux)
          // Without effect where there are none.
          if byteCount >= Self.hugePageThreshold {
            madvise(memory, byteCount, Int32(MADV_HUGEPAGE))
          }
        #endif
        return memory
      }
    #endif
    let room = byteCount + alignment
    guard let block = isZeroed ? calloc(1, room) : malloc(room) else { return nil }
    // The byte before the buffer stores its distance from the block's start: 1…64 bytes.
    let start = (block + 1).alignedUp(toMultipleOf: alignment)
    (start - 1).storeBytes(of: UInt8(start - block), as: UInt8.self)
    return start
  }

  private static func deallocate(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
      if bytes.count >= pageThreshold {
        munmap(start, bytes.count)
        return
      }
    #endif
    free(start - Int((start - 1).load(as: UInt8.self)))
  }
}
