internal import FilterGraph

extension ByteSource {
  /// The size in bytes of the parts in which bytes from memory are written to a temporary file.
  private static let partSize = 1 << 16

  /// Collects the bytes of a picture's file, a sequence of parts: in memory while they are few, else in a temporary file.
  ///
  /// Threads of their own write the file, so that the caller is not blocked.
  ///
  /// - Throws: What the sequence throws; ``ImageFileError/unknownFormat(file:found:)`` as soon as the first bytes are those of no format;
  ///   ``ImageFileError/tooManyBytes(file:limit:)`` as soon as there are more than `limit` bytes; an error where the task is cancelled.
  nonisolated(nonsending) static func spooled<Bytes: AsyncSequence>(
    _ bytes: Bytes, limit: Int
  ) async throws -> ByteSource where Bytes.Element: Sequence<UInt8> {
    var spooling = Spooling(limit: limit)
    for try await part in bytes { try await spooling.take(part) }
    return try await spooling.source()
  }

  /// Collects the bytes of a sequence of single bytes.
  nonisolated(nonsending) static func spooled<Bytes: AsyncSequence>(
    _ bytes: Bytes, limit: Int
  ) async throws -> ByteSource where Bytes.Element == UInt8 {
    var spooling = Spooling(limit: limit)
    for try await byte in bytes { try await spooling.take(CollectionOfOne(byte)) }
    return try await spooling.source()
  }

  /// A spool, with the buffered bytes that are not written to it yet.
  private struct Spooling {
    private let limit: Int
    // Passed to one thread at a time, which is awaited.
    nonisolated(unsafe) private let spool: ByteSpool
    private var waiting: [UInt8] = []
    /// Whether the first bytes are those of a format.
    private var isRecognized = false

    init(limit: Int) {
      self.limit = limit
      spool = ByteSpool(ByteSource.unnamed, limit: limit)
    }

    nonisolated(nonsending) mutating func take(
      _ part: some Sequence<UInt8>
    ) async throws(ImageFileError) {
      waiting.append(contentsOf: part)
      if !isRecognized, waiting.count >= ImageFileFormat.startByteCount {
        let start = Array(waiting.prefix(ImageFileFormat.startByteCount))
        _ = try ImageFileFormat(ofStart: start, file: spool.name)
        isRecognized = true
      }
      guard waiting.count <= limit - spool.count else {
        throw .tooManyBytes(file: spool.name, limit: limit)
      }
      if waiting.count >= ByteSource.partSize { try await flush() }
    }

    nonisolated(nonsending) mutating func source() async throws(ImageFileError) -> ByteSource {
      try await flush()
      return ByteSource(spool)
    }

    /// Writes the buffered bytes to the spool.
    private nonisolated(nonsending) mutating func flush() async throws(ImageFileError) {
      // A sequence may end early without an error when the task is cancelled; a partial file is not usable.
      if Task.isCancelled { throw .rendering(.cancelled) }
      let (spool, part) = (Unshared(spool), waiting)
      waiting = []
      let result = await RenderQueue.withoutSlot {
        Result { () throws(ImageFileError) in try spool.value.append(part) }
      }
      try result.get()
    }
  }
}

/// A value that one thread at a time owns.
private struct Unshared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
