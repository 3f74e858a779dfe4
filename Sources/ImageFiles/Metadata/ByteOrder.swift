extension Collection<UInt8> {
  /// Returns the unsigned number that these bytes are in a byte order, up to 8 of them. Numbers above 2⁶⁰ become 2⁶⁰.
  func number(isBigEndian: Bool) -> Int {
    let value: UInt64 =
      isBigEndian
      ? reduce(0) { $0 << 8 | UInt64($1) } : reversed().reduce(0) { $0 << 8 | UInt64($1) }
    // Far beyond any file, and small enough to compute with.
    return Int(Swift.min(value, 1 << 60))
  }
}

extension [UInt8] {
  /// The big-endian number of 2 bytes at `offset`. The caller has checked that the bytes are there.
  func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// The big-endian number of 4 bytes at `offset`. The caller has checked that the bytes are there.
  func bigEndian32(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The little-endian number of 2 bytes at `offset`. The caller has checked that the bytes are there.
  func littleEndian16(at offset: Int) -> Int { Int(self[offset]) | Int(self[offset + 1]) << 8 }
}

extension ByteWindow {
  /// Returns the unsigned number of up to 7 bytes at `position`. The caller has checked that the bytes are there.
  func number(
    _ byteCount: Int, at position: Int, isBigEndian: Bool
  ) throws(ImageFileError) -> Int {
    var number = 0
    for index in 0..<byteCount {
      let byte = Int(try self[position + index])
      number = isBigEndian ? number << 8 | byte : number | byte << (8 * index)
    }
    return number
  }
}

extension Int {
  /// Returns the lowest bytes of the number in a byte order.
  func bytes(_ byteCount: Int, isBigEndian: Bool) -> [UInt8] {
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}

/// Returns the bytes of numbers in big-endian order.
func bigEndianBytes(_ numbers: [UInt32]) -> [UInt8] {
  numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

extension String {
  /// Creates the text of bytes in Latin-1 (ISO 8859-1), of which each is a character.
  init(latin1 bytes: some Sequence<UInt8>) {
    self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// Creates the text of bytes whose encoding is not stated: UTF-8 where they are valid, else Latin-1, which older programs wrote and which is
  /// seldom valid UTF-8.
  init(utf8OrLatin1 bytes: some Collection<UInt8>) {
    self = String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
  }
}
