internal import ColorSpaces

/// An ICC profile: what a file's numbers mean, in the form in which files carry it.
///
/// A value, made of its bytes. It is checked when it is made, and turned into a ``ColorSpace`` or an ``ICCTransform`` on request.
public struct ICCProfile: Sendable {
  /// The profile's bytes, as a file holds them.
  public let bytes: [UInt8]
  let header: ProfileHeader
  /// The signatures in the tag directory.
  let tagSignatures: Set<Signature>
  /// The text of the tag `desc`.
  private let title: String?
  private let parsingByteLimit: Int

  /// The most bytes a profile may have.
  public static let byteLimit = 16 << 20

  /// Creates a profile from its bytes. Bytes after those that the header states are ignored.
  ///
  /// The size, the header and the tag directory are checked before Little CMS parses them, in a context of its own.
  ///
  /// - Throws: ``ICCProfileError`` where the bytes are no profile, are damaged, or are refused by Little CMS.
  public init(bytes: [UInt8]) throws(ICCProfileError) {
    try self.init(bytes: bytes, parsingByteLimit: .max)
  }

  /// A profile whose parsing may hold no more than so many bytes at once.
  package init(bytes: [UInt8], parsingByteLimit: Int) throws(ICCProfileError) {
    let byteCount = try ProfileLayout.check(bytes, byteLimit: Self.byteLimit)
    self.bytes = byteCount == bytes.count ? bytes : Array(bytes.prefix(byteCount))
    self.parsingByteLimit = min(
      parsingByteLimit, ParserMonitor.byteLimit(forProfileOf: byteCount))
    let parser = try ProfileParser(self.bytes, byteLimit: self.parsingByteLimit)
    header = parser.header
    tagSignatures = Set(parser.tags)
    title = parser.text("desc")
  }

  /// The intent that the profile's maker had in mind.
  public var intent: RenderingIntent { header.intent }

  /// Opens the profile again.
  func parser() throws(ICCProfileError) -> ProfileParser {
    try ProfileParser(bytes, byteLimit: parsingByteLimit)
  }

  func has(_ tag: Signature) -> Bool { tagSignatures.contains(tag) }

  /// The bytes of a tag, its type's signature first; nil where there is no such tag.
  func rawTag(_ tag: Signature) throws(ICCProfileError) -> [UInt8]? {
    has(tag) ? try parser().rawTag(tag) : nil
  }

  /// The color in a tag of type `XYZ `.
  func color(_ tag: Signature) throws(ICCProfileError) -> SIMD3<Double> {
    try parser().color(tag)
  }

  /// The curves in tags. Those that share their data are parsed once.
  func curves(_ tags: [Signature]) throws(ICCProfileError) -> [ChannelCurve] {
    let parser = try parser()
    var curves: [ChannelCurve] = []
    for tag in tags { curves.append(try parser.curve(tag)) }
    return curves
  }
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
