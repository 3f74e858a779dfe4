#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#elseif canImport(ucrt)
  internal import ucrt
#endif

/// A block of memory that bitmaps share until one of them changes.
@usableFromInline
final class PixelStorage: @unchecked Sendable {
  // Sendable because it is only written to while uniquely referenced.
  /// The cache line of every machine at hand, and the width of its widest vectors.
  static let alignment = 64

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

  /// Throws where so many bytes are more than this machine has.
  static func checkRoom(for byteCount: Int) throws(BitmapError) {
    guard byteCount <= installedMemory - alignment else { throw .notEnoughMemory(bytes: byteCount) }
  }

  /// New memory. What the system cannot give is an error; what it would promise and not have, too.
  convenience init(byteCount: Int, isZeroed: Bool) throws(BitmapError) {
    try Self.checkRoom(for: byteCount)
    let room = byteCount + Self.alignment - 1
    guard let block = isZeroed ? calloc(1, room) : malloc(room) else {
      throw .notEnoughMemory(bytes: byteCount)
    }
    nonisolated(unsafe) let owned = block
    self.init(
      UnsafeMutableRawBufferPointer(
        start: block.alignedUp(toMultipleOf: Self.alignment), count: byteCount),
      isWritable: true, release: { free(owned) })
  }
}

/// How many bytes of memory this machine has.
private let installedMemory: Int = {
  #if canImport(Glibc) || canImport(Musl) || canImport(Darwin)
    let (bytes, overflow) = Int(sysconf(Int32(_SC_PHYS_PAGES)))
      .multipliedReportingOverflow(by: Int(sysconf(Int32(_SC_PAGESIZE))))
    return overflow || bytes <= 0 ? .max : bytes
  #else
    return .max
  #endif
}()
