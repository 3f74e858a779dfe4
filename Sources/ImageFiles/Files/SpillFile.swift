internal import ImageBuffer
internal import PlatformLibc

/// An unnamed temporary file: for the bytes of an encoder that seeks where the target cannot, and for files that exceed the memory limit.
final class SpillFile: ByteSink {
  /// The size in bytes of the buffer for copying to the target.
  static let memoryBytes = 1 << 16

  let canGoBack = true
  private(set) var failure: String?
  private let descriptor: Int32
  /// The number of bytes.
  private(set) var count = 0

  /// `file` is the target's name.
  init(for file: String) throws(ImageFileError) {
    guard let descriptor = UnnamedFile.open() else {
      throw .cannotWrite(file: file, reason: UnnamedFile.refusal(systemReason()))
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    guard writeAll(bytes, to: descriptor, at: position) else {
      failure = UnnamedFile.refusal(systemReason())
      return false
    }
    count = max(count, position + bytes.count)
    return true
  }

  /// Reads bytes that were put before.
  func read(
    into target: UnsafeMutableRawBufferPointer, at position: Int, file: String
  ) throws(ImageFileError) {
    let count = filled(target) { rest, done in
      let start = off_t(position + done)
      return max(uninterrupted { pread(descriptor, rest.baseAddress, rest.count, start) }, 0)
    }
    guard count == target.count else {
      throw .cannotWrite(file: file, reason: UnnamedFile.refusal(systemReason()))
    }
  }

  /// Appends all bytes to a target, in order.
  func copy(to target: any ByteSink, file: String) throws(ImageFileError) {
    let block = try MemoryBlock(byteCount: Self.memoryBytes, for: file)
    var position = 0
    while position < count {
      let part = UnsafeMutableRawBufferPointer(
        rebasing: block.bytes.prefix(count - position))
      try read(into: part, at: position, file: file)
      guard target.put(UnsafeRawBufferPointer(part), at: position) else {
        throw .cannotWrite(file: file, reason: target.failure ?? "it takes no bytes")
      }
      position += part.count
    }
  }
}
