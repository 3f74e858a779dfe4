/// Validates the size and the tag directory of a profile before Little CMS parses it.
enum ProfileLayout {
  /// A header of 128 bytes and the number of tags.
  static let smallestByteCount = 132
  /// Real profiles have up to 30 tags. The limit of Little CMS is the same.
  static let largestTagCount = 100

  /// Checks the size, the signature and the tag directory.
  ///
  /// - Returns: The size that the header states. Bytes after it are ignored.
  static func check(_ bytes: [UInt8], byteLimit: Int) throws(ICCProfileError) -> Int {
    guard bytes.count >= smallestByteCount else { throw .tooShort(byteCount: bytes.count) }
    guard bytes.count <= byteLimit else {
      throw .tooLarge(byteCount: bytes.count, limit: byteLimit)
    }
    guard bytes.signature(at: 36) == "acsp" else {
      throw .notAProfile(found: bytes.signature(at: 36).description)
    }
    let byteCount = Int(bytes.uint32(at: 0))
    guard byteCount >= smallestByteCount else { throw .tooShort(byteCount: byteCount) }
    guard byteCount <= bytes.count else {
      throw .truncated(stated: byteCount, present: bytes.count)
    }
    try checkTags(bytes, byteCount: byteCount)
    return byteCount
  }

  /// Checks that each tag lies in the profile and occurs once.
  ///
  /// Tags shorter than a type signature are accepted: reading such a tag throws.
  private static func checkTags(
    _ bytes: [UInt8], byteCount: Int
  ) throws(ICCProfileError) {
    let count = Int(bytes.uint32(at: 128))
    guard (1...largestTagCount).contains(count) else {
      throw .tagCount(count, limit: largestTagCount)
    }
    let tableEnd = smallestByteCount + 12 * count
    guard tableEnd <= byteCount else { throw .truncated(stated: tableEnd, present: byteCount) }
    var tags: Set<Signature> = []
    for index in 0..<count {
      let entry = smallestByteCount + 12 * index
      let tag = bytes.signature(at: entry)
      // Both fit in 32 bits, so their sum cannot overflow.
      let (offset, size) = (Int(bytes.uint32(at: entry + 4)), Int(bytes.uint32(at: entry + 8)))
      guard offset >= tableEnd, offset + size <= byteCount else {
        throw .malformedTag(
          tag.description,
          reason: "bytes \(offset) to \(offset + size) lie outside of the profile's data, which is "
            + "\(tableEnd) to \(byteCount)")
      }
      guard tags.insert(tag).inserted else {
        throw .malformedTag(tag.description, reason: "it occurs twice")
      }
    }
  }
}
