/// Checksums for files that tests create.
public enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
  }

  /// Returns the CRC-32 of PNG (third edition, annex D).
  public static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }
}

/// zlib streams, independent of the library under test.
public enum Zlib {
  /// Returns a zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: max(bytes.count, 1), by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
      stream += [start + 65_535 >= bytes.count ? 1 : 0, low, high, ~low, ~high] + block
    }
    let (a, b) = bytes.reduce((1, 0)) { sums, byte in
      let a = (sums.0 + Int(byte)) % 65_521
      return (a, (sums.1 + a) % 65_521)
    }
    return stream + [b >> 8, b & 255, a >> 8, a & 255].map { UInt8($0) }
  }
}
