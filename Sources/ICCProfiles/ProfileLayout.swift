/// The header of a profile and where its tags are, checked before anything else sees a byte.
struct ProfileLayout: Hashable, Sendable {
  /// 128 bytes of header and the number of tags.
  static let smallestByteCount = 132
  /// Real profiles have up to 30 tags. Little CMS stops at the same number.
  static let largestTagCount = 100

  let version: (major: Int, minor: Int)
  let profileClass: Signature
  let colorSpace: Signature
  let connectionSpace: Signature
  let byteCount: Int
  private let ranges: [Signature: Range<Int>]

  init(_ bytes: [UInt8], byteLimit: Int) throws(ICCProfileError) {
    guard bytes.count >= Self.smallestByteCount else { throw .tooShort(byteCount: bytes.count) }
    guard bytes.count <= byteLimit else {
      throw .tooLarge(byteCount: bytes.count, limit: byteLimit)
    }
    guard bytes.signature(at: 36) == "acsp" else {
      throw .notAProfile(found: bytes.signature(at: 36).description)
    }
    byteCount = Int(bytes.uint32(at: 0))
    guard byteCount >= Self.smallestByteCount else { throw .tooShort(byteCount: byteCount) }
    guard byteCount <= bytes.count else {
      throw .truncated(stated: byteCount, present: bytes.count)
    }
    version = (Int(bytes[8]), Int(bytes[9] >> 4))
    profileClass = bytes.signature(at: 12)
    colorSpace = bytes.signature(at: 16)
    connectionSpace = bytes.signature(at: 20)
    ranges = try Self.tagRanges(bytes, byteCount: byteCount)
  }

  private static func tagRanges(
    _ bytes: [UInt8], byteCount: Int
  ) throws(ICCProfileError) -> [Signature: Range<Int>] {
    let count = Int(bytes.uint32(at: 128))
    guard (1...largestTagCount).contains(count) else {
      throw .tagCount(count, limit: largestTagCount)
    }
    let tableEnd = smallestByteCount + 12 * count
    guard tableEnd <= byteCount else { throw .truncated(stated: tableEnd, present: byteCount) }
    var ranges: [Signature: Range<Int>] = [:]
    for index in 0..<count {
      let entry = smallestByteCount + 12 * index
      let tag = bytes.signature(at: entry)
      // Both fit in 32 bits, so their sum cannot overflow.
      let (offset, size) = (Int(bytes.uint32(at: entry + 4)), Int(bytes.uint32(at: entry + 8)))
      guard offset >= tableEnd, size >= 8, offset + size <= byteCount else {
        throw .malformedTag(
          tag.description,
          reason: "bytes \(offset) to \(offset + size) lie outside of the profile's data, which is "
            + "\(tableEnd) to \(byteCount)")
      }
      guard ranges.updateValue(offset..<offset + size, forKey: tag) == nil else {
        throw .malformedTag(tag.description, reason: "it occurs twice")
      }
    }
    return ranges
  }

  func has(_ tag: Signature) -> Bool { ranges[tag] != nil }

  var tags: [Signature] { Array(ranges.keys) }

  /// The bytes of a tag, its type's signature first; nil where there is no such tag.
  func data(_ tag: Signature, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    ranges[tag].map { bytes[$0] }
  }

  static func == (a: ProfileLayout, b: ProfileLayout) -> Bool {
    a.version == b.version && a.profileClass == b.profileClass && a.colorSpace == b.colorSpace
      && a.connectionSpace == b.connectionSpace && a.byteCount == b.byteCount
      && a.ranges == b.ranges
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(byteCount)
    hasher.combine(ranges)
  }
}
