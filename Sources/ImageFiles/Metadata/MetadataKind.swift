/// A kind of metadata that a format may or may not hold.
@nonexhaustive
public enum MetadataKind: String, Hashable, Sendable, CaseIterable, Codable {
  /// EXIF data.
  case exif
  /// An XMP packet.
  case xmp
  /// IPTC-IIM datasets.
  case iptc
  /// Photoshop image resource blocks.
  case photoshop
  /// A comment: a text with the keyword “Comment”.
  case comment
  /// Other texts with keywords.
  case text
  /// The resolution in pixels per unit of length, or the pixel aspect ratio.
  case resolution
  /// The content light level (cLLI).
  case contentLight
  /// The color volume of the mastering display (mDCV).
  case masteringDisplay
  /// The orientation of pixels that are not upright.
  case orientation
}

extension MetadataKind: CustomStringConvertible {
  /// A name such as “EXIF”.
  public var description: String {
    switch self {
    case .exif: "EXIF"
    case .xmp: "XMP"
    case .iptc: "IPTC"
    case .photoshop: "Photoshop resources"
    case .comment: "comment"
    case .text: "text"
    case .resolution: "resolution"
    case .contentLight: "content light level (cLLI)"
    case .masteringDisplay: "mastering display (mDCV)"
    case .orientation: "orientation"
    }
  }
}

extension ImageMetadata {
  /// The keyword of a comment.
  static let commentKeyword = "Comment"

  /// The kinds that it holds.
  public var kinds: Set<MetadataKind> {
    var kinds: Set<MetadataKind> = []
    func insert(_ kind: MetadataKind, if isThere: Bool) {
      if isThere { kinds.insert(kind) }
    }
    insert(.exif, if: exif != nil)
    insert(.xmp, if: xmp != nil)
    insert(.iptc, if: iptc != nil)
    insert(.photoshop, if: photoshop != nil)
    insert(.comment, if: text.contains { $0.keyword == Self.commentKeyword })
    insert(.text, if: text.contains { $0.keyword != Self.commentKeyword })
    insert(.resolution, if: resolution != nil)
    insert(.contentLight, if: contentLight != nil)
    insert(.masteringDisplay, if: masteringDisplay != nil)
    return kinds
  }

  /// The keywords of the texts that are no comments, each once.
  var keywords: [String] {
    text.filter { $0.keyword != Self.commentKeyword }.keywords
  }

  /// The kinds that a file of a format leaves out, in a fixed order.
  public func omissions(in format: ImageFileFormat) -> [MetadataKind] {
    let omitted = kinds.subtracting(format.metadataKinds)
    return MetadataKind.allCases.filter(omitted.contains)
  }
}

extension [ImageMetadata.Text] {
  /// The keywords, each once, in the order of their first texts.
  var keywords: [String] {
    var known: Set<String> = []
    return map(\.keyword).filter { known.insert($0).inserted }
  }
}
