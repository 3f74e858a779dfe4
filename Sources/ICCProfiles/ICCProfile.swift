/// An ICC profile: what a file's numbers mean, in the form in which files carry it.
///
/// A value, made of its bytes. It is checked when it is made, and turned into a ``ColorSpace`` or an ``ICCTransform`` on request.
public struct ICCProfile: Sendable {
  /// The profile's bytes, as a file holds them.
  public let bytes: [UInt8]
  let layout: ProfileLayout

  /// The most bytes a profile may have.
  public static let byteLimit = 16 << 20

  /// A profile from its bytes. Bytes after those that the header states are ignored.
  public init(bytes: [UInt8]) throws(ICCProfileError) {
    layout = try ProfileLayout(bytes, byteLimit: Self.byteLimit)
    self.bytes = layout.byteCount == bytes.count ? bytes : Array(bytes.prefix(layout.byteCount))
  }

  /// The intent that the profile's maker had in mind.
  public var intent: RenderingIntent {
    // The upper half of the field is not for intents (ICC.1:2022, 7.2.15). An unknown one counts as the first.
    RenderingIntent(rawValue: Int(bytes.uint16(at: 66))) ?? .perceptual
  }

  /// The bytes of a tag, its type's signature first; nil where there is no such tag.
  func data(_ tag: Signature) -> ArraySlice<UInt8>? { layout.data(tag, in: bytes) }
}

extension ICCProfile: Hashable {
  /// Whether the two have the same bytes.
  public static func == (a: ICCProfile, b: ICCProfile) -> Bool { a.bytes == b.bytes }

  /// Feeds the number of bytes and the header's and the first tags' to a hasher; more would not tell more profiles apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.count)
    bytes.withUnsafeBytes { hasher.combine(bytes: .init(rebasing: $0.prefix(512))) }
  }
}

extension ICCProfile: CustomStringConvertible {
  /// What the profile calls itself; what it is, where it does not say.
  public var description: String { title ?? "\(kind) profile without a name" }

  /// What the profile is for, such as “RGB display” or “CMYK output”.
  public var kind: String {
    let space = "\(layout.colorSpace)".split(separator: " ").joined()
    let profileClass: String =
      switch layout.profileClass {
      case "mntr": "display"
      case "scnr": "input"
      case "prtr": "output"
      case "spac": "color space"
      case "link": "device link"
      case "abst": "abstract"
      case "nmcl": "named color"
      default: "“\(layout.profileClass)” class"
      }
    return "\(space) \(profileClass)"
  }

  /// The text of the tag `desc`. Read here, because text parsers are where readers of profiles have been attacked most.
  private var title: String? {
    guard let tag = data("desc"), tag.count >= 12 else { return nil }
    let text =
      switch tag.signature(at: 0) {
      case "mluc": localizedText(tag)
      case "desc": asciiText(tag)
      default: String?.none
      }
    guard let text, !text.isEmpty else { return nil }
    return text
  }
}

/// The English, or else the first, of a `multiLocalizedUnicodeType` (ICC.1:2022, 10.15).
private func localizedText(_ tag: ArraySlice<UInt8>) -> String? {
  let (count, recordSize) = (Int(tag.uint32(at: 8)), 12)
  guard count >= 1, tag.count >= 16, tag.uint32(at: 12) == recordSize else { return nil }
  let records = (0..<min(count, 200)).map { 16 + recordSize * $0 }
    .filter { $0 + recordSize <= tag.count }
  let english: UInt16 = 0x656E
  guard let record = records.first(where: { tag.uint16(at: $0) == english }) ?? records.first else {
    return nil
  }
  let (length, offset) = (Int(tag.uint32(at: record + 4)), Int(tag.uint32(at: record + 8)))
  guard length % 2 == 0, length <= 1024, offset + length <= tag.count else { return nil }
  let units = stride(from: offset, to: offset + length, by: 2).map { tag.uint16(at: $0) }
  return printable(String(decoding: units, as: UTF16.self))
}

/// The text of a `textDescriptionType` (ICC.1:2001-04, 6.5.17).
private func asciiText(_ tag: ArraySlice<UInt8>) -> String? {
  let length = Int(tag.uint32(at: 8))
  guard length <= 1024, 12 + length <= tag.count else { return nil }
  return printable(String(decoding: tag.dropFirst(12).prefix(length), as: UTF8.self))
}

/// Up to the first zero, without control characters: names are shown on terminals.
private func printable(_ text: String) -> String {
  let scalars = text.unicodeScalars.prefix { $0.value != 0 }
    .filter { $0.properties.generalCategory != .control }
  return String(String.UnicodeScalarView(scalars))
}
