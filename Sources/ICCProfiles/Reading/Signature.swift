/// A four-character code of a tag, type, class or color space of ICC profiles (ICC.1:2022, 4.3).
struct Signature: Hashable, Sendable, ExpressibleByStringLiteral {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(stringLiteral letters: String) {
    precondition(letters.utf8.count == 4, "A signature has four letters; “\(letters)” has not.")
    rawValue = letters.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Signature: CustomStringConvertible {
  /// The characters; “?” for unprintable ones, since files may contain anything.
  var description: String {
    let letters = (0..<4).map { index -> Character in
      let byte = UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * index))
      return (0x20..<0x7F).contains(byte) ? Character(Unicode.Scalar(byte)) : "?"
    }
    return String(letters)
  }
}

extension Collection<UInt8> where Index == Int {
  // Offsets are relative to the collection's start. The caller has checked the bounds.

  func uint16(at offset: Int) -> UInt16 {
    UInt16(self[startIndex + offset]) << 8 | UInt16(self[startIndex + offset + 1])
  }

  func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) << 16 | UInt32(uint16(at: offset + 2))
  }

  func signature(at offset: Int) -> Signature { Signature(rawValue: uint32(at: offset)) }
}
