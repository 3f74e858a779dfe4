internal import FilterGraph

extension ByteSource {
  /// Bytes in memory are written to a temporary file in parts of so many.
  private static let partSize = 1 << 20

  /// The bytes that a sequence gives part by part: a few in memory, more in a temporary file, which threads of their own write.
  ///
  /// Throws what the sequence throws, ``ImageFileError/tooManyBytes(file:limit:)`` as soon as there are more than `limit`, and where the
  /// task is cancelled.
  nonisolated(nonsending) static func spooled<Bytes: AsyncSequence>(
    _ bytes: Bytes, limit: Int
  ) async throws -> ByteSource where Bytes.Element: Sequence<UInt8> {
    var spooling = Spooling(limit: limit)
    for try await part in bytes { try await spooling.take(part) }
    return try await spooling.source()
  }

  /// The bytes that a sequence gives one by one.
  nonisolated(nonsending) static func spooled<Bytes: AsyncSequence>(
    _ bytes: Bytes, limit: Int
  ) async throws -> ByteSource where Bytes.Element == UInt8 {
    var spooling = Spooling(limit: limit)
    for try await byte in bytes { try await spooling.take(CollectionOfOne(byte)) }
    return try await spooling.source()
  }

  /// A spool, and the bytes that wait to be written to it.
  private struct Spooling {
    private let limit: Int
    // Handed to one thread at a time, which is awaited.
    nonisolated(unsafe) private let spool: ByteSpool
    private var waiting: [UInt8] = []

    init(limit: Int) {
      self.limit = limit
      spool = ByteSpool(ByteSource.unnamed, limit: limit)
    }

    nonisolated(nonsending) mutating func take(
      _ part: some Sequence<UInt8>
    ) async throws(ImageFileError) {
      waiting.append(contentsOf: part)
      guard waiting.count <= limit - spool.count else {
        throw .tooManyBytes(file: spool.name, limit: limit)
      }
      if waiting.count >= ByteSource.partSize { try await flush() }
    }

    nonisolated(nonsending) mutating func source() async throws(ImageFileError) -> ByteSource {
      try await flush()
      return ByteSource(spool)
    }

    /// Writes what waits.
    private nonisolated(nonsending) mutating func flush() async throws(ImageFileError) {
      // A cancelled sequence may just end: half a file is none.
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

/// Something that one thread at a time has.
private struct Unshared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
