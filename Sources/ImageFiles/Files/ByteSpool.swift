internal import PlatformLibc

/// Collects bytes that arrive in order: in memory while they are few, else in an unnamed temporary file.
final class ByteSpool {
  /// The path, or a name for bytes without one.
  let name: String
  /// How many bytes have arrived.
  private(set) var count = 0
  /// All bytes, where there is no file.
  private(set) var beginning: [UInt8] = []
  private let limit: Int
  private var descriptor: Int32 = -1

  init(_ name: String, limit: Int) { (self.name, self.limit) = (name, limit) }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Appends bytes. Throws where they exceed the limit or cannot be stored.
  func append(_ part: [UInt8]) throws(ImageFileError) {
    guard part.count <= limit - count else { throw .tooManyBytes(file: name, limit: limit) }
    if descriptor < 0, count + part.count < ByteSource.smallFile {
      beginning += part
    } else {
      if descriptor < 0 {
        guard let file = UnnamedFile.open() else { throw refusal }
        descriptor = file
        guard beginning.withUnsafeBytes({ writeAll($0, to: file, at: 0) }) else { throw refusal }
        beginning = []
      }
      guard part.withUnsafeBytes({ writeAll($0, to: descriptor, at: count) }) else {
        throw refusal
      }
    }
    count += part.count
  }

  private var refusal: ImageFileError {
    .cannotRead(file: name, reason: UnnamedFile.refusal(systemReason()))
  }

  /// The file's descriptor, which the caller closes; nil where the bytes are in memory.
  func taken() -> Int32? {
    defer { descriptor = -1 }
    return descriptor >= 0 ? descriptor : nil
  }
}
