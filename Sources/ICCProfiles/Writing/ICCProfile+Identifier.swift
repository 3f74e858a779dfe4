extension ICCProfile {
  /// The digest by which profiles are told apart (ICC.1:2022, 7.2.18): MD5 over the profile, without what a file may change of it.
  public var identifier: [UInt8] { Self.identifier(of: bytes) }

  /// Whether the header states the profile's own ``identifier``; nil where it states none.
  public var hasValidIdentifier: Bool? {
    let stated = Array(bytes[Self.identifierRange])
    return stated.allSatisfy { $0 == 0 } ? nil : stated == identifier
  }

  static let identifierRange = 84..<100

  static func identifier(of bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    // The flags, the intent and the digest itself.
    for range in [44..<48, 64..<68, identifierRange] {
      bytes.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    return md5(bytes)
  }
}
