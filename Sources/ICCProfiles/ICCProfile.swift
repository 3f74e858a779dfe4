internal import ColorSpaces

/// An ICC profile, which defines the meaning of a file's color values.
///
/// A profile is a value that consists of its bytes. It is validated when it is created, and converted to a
/// `ColorSpace` or an ``ICCTransform`` on request.
public struct ICCProfile: Sendable {
  /// The bytes of the profile, for embedding.
  public let bytes: [UInt8]
  let header: ProfileHeader
  /// The signatures in the tag directory.
  let tagSignatures: Set<Signature>
  /// The text of the tag `desc`.
  private let title: String?
  private let parsingByteLimit: Int

  /// The maximum size of a profile in bytes.
  public static let byteLimit = 16 << 20

  /// Creates a profile from its bytes. Bytes after those that the header states are ignored.
  ///
  /// The size, the header and the tag directory are checked before Little CMS parses them, in a context of its own.
  ///
  /// - Throws: ``ICCProfileError`` where the bytes are no profile, are damaged, or are refused by Little CMS.
  public init(bytes: [UInt8]) throws(ICCProfileError) {
    try self.init(bytes: bytes, parsingByteLimit: .max)
  }

  /// Creates a profile whose parsing may allocate no more than so many bytes at once.
  package init(bytes: [UInt8], parsingByteLimit: Int) throws(ICCProfileError) {
    let byteCount = try ProfileLayout.check(bytes, byteLimit: Self.byteLimit)
    self.bytes = byteCount == bytes.count ? bytes : Array(bytes.prefix(byteCount))
    self.parsingByteLimit = parsingByteLimit
    let parser = try ProfileParser(self.bytes, byteLimit: parsingByteLimit)
    header = parser.header
    tagSignatures = Set(parser.tags)
    title = parser.text("desc")
  }

  /// The rendering intent in the profile's header.
  public var intent: RenderingIntent { header.intent }

  /// Opens the profile for parsing.
  func parser() throws(ICCProfileError) -> ProfileParser {
    try ProfileParser(bytes, byteLimit: parsingByteLimit)
  }

  func has(_ tag: Signature) -> Bool { tagSignatures.contains(tag) }

  /// The bytes of a tag, beginning with its type signature; nil if there is no such tag.
  func rawTag(_ tag: Signature) throws(ICCProfileError) -> [UInt8]? {
    has(tag) ? try parser().rawTag(tag) : nil
  }

  /// The media white that the profile states, in XYZ.
  func mediaWhite() throws(ICCProfileError) -> SIMD3<Double> { try parser().color("wtpt") }

  /// The curves of tags, read by one parser.
  func curves(_ tags: [Signature]) throws(ICCProfileError) -> [ChannelCurve] {
    let parser = try parser()
    var curves: [ChannelCurve] = []
    for tag in tags { curves.append(try parser.curve(tag)) }
    return curves
  }
}

extension ICCProfile: Hashable {
  /// Whether the bytes are equal.
  public static func == (a: ICCProfile, b: ICCProfile) -> Bool { a.bytes == b.bytes }

  /// Hashes the size, the header and the first tags; more would hardly distinguish more profiles.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.count)
    bytes.withUnsafeBytes { hasher.combine(bytes: .init(rebasing: $0.prefix(512))) }
  }
}

extension ICCProfile: CustomStringConvertible {
  /// The description in the profile; its kind if it has none.
  public var description: String { title ?? "\(kind) profile without a name" }

  /// The class and color model of the profile, such as “RGB display” or “CMYK output”.
  public var kind: String {
    let space = "\(header.colorSpace)".split(separator: " ").joined()
    let profileClass: String =
      switch header.profileClass {
      case "mntr": "display"
      case "scnr": "input"
      case "prtr": "output"
      case "spac": "color space"
      case "link": "device link"
      case "abst": "abstract"
      case "nmcl": "named color"
      default: "“\(header.profileClass)” class"
      }
    return "\(space) \(profileClass)"
  }
}
