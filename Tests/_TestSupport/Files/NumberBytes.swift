extension FixedWidthInteger {
  /// Returns the lowest bytes of a number in a byte order, as fields of files hold it.
  package func bytes(_ count: Int, isBigEndian: Bool = false) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
    return isBigEndian ? bytes.reversed() : bytes
  }
}
