#if HEIF
  /// The boxes of a part of a file in order (ISO/IEC 14496-12, 4.2). A damaged box ends the sequence.
  struct HEIFBoxes: Sequence, IteratorProtocol {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    mutating func next() -> (type: String, content: Slice<UnsafeRawBufferPointer>)? {
      guard rest.count >= 8 else { return nil }
      let head = Array(rest.prefix(16))
      let stated = Int(head.bigEndian32(at: 0))
      let type = String(decoding: head[4..<8], as: UTF8.self)
      var (size, headSize) = (stated == 0 ? rest.count : stated, 8)
      if stated == 1, head.count == 16 {
        (size, headSize) = (
          Int(clamping: UInt64(head.bigEndian32(at: 8)) << 32 | UInt64(head.bigEndian32(at: 12))),
          16
        )
      }
      guard size >= headSize, size <= rest.count else { return nil }
      let content = rest.prefix(size).dropFirst(headSize)
      rest = rest.dropFirst(size)
      return (type, content)
    }
  }

  /// The numbers of a box in order, the most significant byte first.
  struct HEIFWords {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: Slice<UnsafeRawBufferPointer>) { rest = bytes }

    /// A number of so many bytes, 8 at most; 0 for none, and nil where the box ends.
    mutating func next(_ count: Int) -> Int? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).number(isBigEndian: true)
    }
  }
#endif
