extension ICCProfile {
  /// The profile ID (ICC.1:2022, 7.2.18): the MD5 digest of the profile without the fields that a container may change.
  public var identifier: [UInt8] { Self.identifier(of: bytes) }

  /// Whether the profile ID in the header is the profile's ``identifier``; nil if the header has none.
  public var hasValidIdentifier: Bool? {
    let stated = Array(bytes[Self.identifierRange])
    return stated.allSatisfy { $0 == 0 } ? nil : stated == identifier
  }

  static let identifierRange = 84..<100

  static func identifier(of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    // The flags, the rendering intent and the profile ID itself.
    for range in [44..<48, 64..<68, identifierRange] {
      bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    return md5(bytes)
  }
}
