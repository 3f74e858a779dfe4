/// A bounds-checked reader of tags that are decoded here: LUTs, whose values Little CMS would round, and types that its
/// version 2.14 does not support.
///
/// Every read throws if it exceeds the tag.
struct TagReader {
  let tag: Signature
  private let bytes: [UInt8]

  /// Creates a reader of a tag's bytes, at least 8.
  init(_ tag: Signature, _ bytes: [UInt8]) { (self.tag, self.bytes) = (tag, bytes) }

  /// Creates a reader of a profile's tag; throws if the profile has no such tag.
  init(_ tag: Signature, of profile: ICCProfile) throws(ICCProfileError) {
    guard let bytes = try profile.rawTag(tag) else { throw .missingTag(tag.description) }
    self.init(tag, bytes)
  }

  /// The type signature of the tag.
  var type: Signature { bytes.signature(at: 0) }

  func malformed(_ reason: String) -> ICCProfileError {
    .malformedTag(tag.description, reason: reason)
  }

  private func check(_ count: Int, at offset: Int) throws(ICCProfileError) {
    guard offset >= 0, count >= 0, offset <= bytes.count - count else {
      throw malformed(
        "its contents go on to byte \(offset + count), but it has \(bytes.count) bytes")
    }
  }

  func uint8(at offset: Int) throws(ICCProfileError) -> Int {
    try check(1, at: offset)
    return Int(bytes[offset])
  }

  func uint16(at offset: Int) throws(ICCProfileError) -> Int {
    try check(2, at: offset)
    return Int(bytes.uint16(at: offset))
  }

  func uint32(at offset: Int) throws(ICCProfileError) -> Int {
    try check(4, at: offset)
    return Int(bytes.uint32(at: offset))
  }

  func signature(at offset: Int) throws(ICCProfileError) -> Signature {
    try check(4, at: offset)
    return bytes.signature(at: offset)
  }

  /// Reads values of the type `s15Fixed16Number`.
  func fixed(_ count: Int, at offset: Int) throws(ICCProfileError) -> [Double] {
    try check(4 * count, at: offset)
    return (0..<count).map {
      Double(Int32(bitPattern: bytes.uint32(at: offset + 4 * $0))) / 65_536
    }
  }

  /// Reads fractions of 8 or 16 bits, scaled to steps of 1/65,535.
  func samples(_ count: Int, byteCount: Int, at offset: Int) throws(ICCProfileError) -> [UInt16] {
    try check(byteCount * count, at: offset)
    return bytes.withUnsafeBytes { all in
      let source = UnsafeRawBufferPointer(rebasing: all[offset...])
      return [UInt16](unsafeUninitializedCapacity: count) { target, used in
        for index in 0..<count {
          target.initializeElement(
            at: index,
            to: byteCount == 1
              ? UInt16(source[index]) * 257
              : UInt16(bigEndian: source.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)))
        }
        used = count
      }
    }
  }
}
