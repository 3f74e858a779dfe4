public import ImageBuffer

/// A warning about a file that was read or written differently than expected. It is not an error.
@nonexhaustive
public enum ImageFileNote: Hashable, Sendable, Codable {
  /// The file has other pages, frames, pictures or parts than the one that is read.
  case otherPages(ImagePages)
  /// A statement about color cannot be used, and another one was used instead.
  case unusableColor(reason: String, used: ColorStatement)
  /// The file's statement of its color space, such as a damaged ICC profile, cannot be used, and there is no other one. A picture is in the
  /// space that `assuming` names, and is refused without.
  case unusableSpace(reason: String)
  /// Two statements about color contradict each other; the first one counts.
  case conflictingColor(
    used: ColorStatement, space: String, other: ColorStatement, otherSpace: String)
  /// The file lacks a required field, and one of its meanings is assumed, such as “its samples are gray”.
  case assumed(field: String, meaning: String)
  /// The file has a part that is not read, such as the video of a motion photo.
  case unread(String)
  /// The file has a gain map that cannot be used; the base picture is read.
  case unusableGainMap(reason: String)
  /// The format has no place for a gain map, which is left out.
  case omittedGainMap(format: ImageFileFormat)
  /// Lossless compression of samples of 16 bits keeps fewer bits, because the format holds no more.
  case reducedDepth(bits: Int, format: ImageFileFormat)
  /// Metadata that cannot be corrected for the new file is left out.
  case damagedMetadata(MetadataKind)
  /// The format has no place for metadata of a kind, which is left out. Texts are named by ``omittedTexts(keywords:format:)``.
  case omitted(MetadataKind, format: ImageFileFormat)
  /// The format has no place for texts other than a comment, or for none at all; those with these keywords are left out.
  case omittedTexts(keywords: [String], format: ImageFileFormat)
  /// Metadata of a kind has a value that the format's fields do not hold, such as NaN, and is left out.
  case unrepresentable(MetadataKind, format: ImageFileFormat)
  /// Texts have keywords or characters that the format does not allow; those with these keywords are left out.
  case invalidTexts(keywords: [String], format: ImageFileFormat)
  /// Metadata of a kind has more bytes than the format holds, and is left out.
  case tooLarge(MetadataKind, byteCount: Int, limit: Int, format: ImageFileFormat)
  /// Samples in floating point are clipped, because the transfer function of the space has no code for their linear values. Negative light
  /// is lost so in spaces such as ACEScc.
  case clippedByTransfer(samples: Int, of: Int, space: String)
  /// The quality of lossy compression is lower than the requested one, so that the file is within ``WritingOptions/maximumBytes``.
  case reducedQuality(Int, requested: Int, byteCount: Int, limit: Int)

  // Names for the values without labels in coded notes.
  private enum OtherPagesCodingKeys: String, CodingKey { case _0 = "pages" }
  private enum UnreadCodingKeys: String, CodingKey { case _0 = "part" }
  private enum DamagedMetadataCodingKeys: String, CodingKey { case _0 = "kind" }
  private enum OmittedCodingKeys: String, CodingKey { case _0 = "kind", format }
  private enum UnrepresentableCodingKeys: String, CodingKey { case _0 = "kind", format }
  private enum ReducedQualityCodingKeys: String, CodingKey {
    case _0 = "quality", requested, byteCount, limit
  }
  private enum TooLargeCodingKeys: String, CodingKey {
    case _0 = "kind", byteCount, limit, format
  }
}

extension ImageFileNote {
  /// Whether the note says that colors may be other ones than the file's writer meant.
  package var concernsColor: Bool {
    switch self {
    case .unusableColor, .conflictingColor, .assumed, .unusableGainMap: true
    default: false
    }
  }

  /// Whether the note repeats ``ImageFileInfo/color``, which reports state in their own words.
  package var repeatsStatedColor: Bool { if case .unusableSpace = self { true } else { false } }

  /// Whether the note says why a gain map is not read.
  var isOfGainMap: Bool { if case .unusableGainMap = self { true } else { false } }
}

extension ImageFileNote: CustomStringConvertible {
  /// The note as an English sentence.
  public var description: String {
    switch self {
    case .otherPages(let pages): "It has \(pages.others); \(pages) is read."
    case .unusableColor(let reason, let used):
      "A statement about its color cannot be used: \(reason). Its color space is known \(used)."
    case .unusableSpace(let reason): "\(reason) Its colors are known by an assumption only."
    case .conflictingColor(let used, let space, let other, let otherSpace):
      "It is in \(space) \(used), and in \(otherSpace) \(other). The first one counts."
    case .assumed(let field, let meaning):
      "It has no \(field), which its format requires; it is assumed that \(meaning)."
    case .unread(let part): "Not read: \(part)."
    case .unusableGainMap(let reason): "Its gain map cannot be used: \(reason)."
    case .omittedGainMap(let format): "\(format) files hold no gain map; it is left out."
    case .reducedDepth(let bits, let format):
      "Its samples of 16 bits are stored in \(bits), the most that \(format) files hold."
    case .damagedMetadata(let kind):
      "Its \(kind) is damaged, so that it cannot be corrected, and is left out."
    case .omitted(let kind, let format): "\(format) files hold no \(kind); it is left out."
    case .omittedTexts(let keywords, let format):
      "\(format) files hold no text\(format.metadataKinds.contains(.comment) ? " but a comment" : ""); "
        + "\(listed(keywords)) \(keywords.count == 1 ? "is" : "are") left out."
    case .unrepresentable(let kind, let format):
      "Its \(kind) has a value that \(format) files cannot hold, and is left out."
    case .invalidTexts(let keywords, let format):
      "Texts of \(format) files have no NUL\(format == .png ? keywordRule : ""); "
        + "\(listed(keywords)) \(keywords.count == 1 ? "is" : "are") left out."
    case .tooLarge(let kind, let byteCount, let limit, let format):
      "Its \(kind) has \(byteCount) bytes, and \(format) files hold at most \(limit)"
        + (kind == .xmp && limit < JPEGSegments.capacity - JPEGSegments.xmpName.count
          ? " beside the announcement of a gain map" : "") + "; it is left out."
    case .clippedByTransfer(let samples, let count, let space):
      "\(samples) of \(count) samples are out of the range of linear values that the transfer function of \(space) encodes, "
        + "and are clipped."
    case .reducedQuality(let quality, let requested, let byteCount, let limit):
      "Its quality is \(quality) instead of \(requested), for \(byteCount) bytes of at most \(limit)."
    }
  }
}

/// The keywords that PNG allows (PNG, third edition, 11.3.3.2).
private let keywordRule =
  ", and keywords of 1 to 79 Latin-1 characters, not reserved for metadata, without spaces at an end "
  + "or side by side"

/// Names in quotes, at most `most` of them: “Author”, “Title”.
package func listed(_ names: [String], most: Int = 4) -> String {
  let shown = names.count > most ? most - 1 : names.count
  let rest = names.count - shown
  return names.prefix(shown).map { "“\($0)”" }.joined(separator: ", ")
    + (rest > 0 ? " and \(rest) others" : "")
}

/// A number of things, such as “2 other channels”.
func counted(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }

/// The position of the picture among the pages, frames, pictures or parts of a file.
public struct ImagePages: Hashable, Sendable, Codable {
  /// The kind of a file's pictures.
  @nonexhaustive
  public enum Kind: String, Hashable, Sendable, Codable {
    /// Pages of a document, such as those of a TIFF file.
    case page
    /// Frames of an animation.
    case frame
    /// Pictures beside each other, such as those of a HEIF file.
    case picture
    /// Parts of an OpenEXR file, each with its own channels and windows.
    case part
  }

  /// Whether the file has pages, frames, pictures or parts.
  public var kind = Kind.page
  /// The number of the one that is read, from 1.
  public var number = 1
  /// The number of pages, frames, pictures or parts in the file.
  public var count = 1

  /// Creates a place among pages, frames, pictures or parts.
  public init(_ kind: Kind = .page, number: Int = 1, count: Int = 1) {
    (self.kind, self.number, self.count) = (kind, number, count)
  }

  fileprivate var others: String { "\(count) \(kind.rawValue)s" }
}

extension ImagePages: CustomStringConvertible {
  /// Words such as “page 1 of 12”.
  public var description: String { "\(kind.rawValue) \(number) of \(count)" }
}

/// The result of writing a file.
public struct WritingReport: Hashable, Sendable, Codable {
  /// The requested metadata that the file does not hold.
  public var notes: [ImageFileNote] = []
  /// How many samples were clipped: those of an integer format that were below 0, above 1 or NaN, and those that became infinite in half
  /// precision. 0 if all are in single precision, and for the samples of a bitmap, which are written unchanged. Colors of fully transparent
  /// pixels do not count, nor does alpha below 0 or above 1, as kernels make it along edges.
  public var clippedSamples = 0
  /// How many samples the file holds, with those of its layers.
  public var sampleCount = 0
  /// The sample format of the file; of its picture where it holds layers.
  public var samples: SampleFormat

  init(_ job: EncodingJob, clippedSamples: Int = 0) {
    (notes, self.clippedSamples) = (job.notes + job.qualityNotes, clippedSamples)
    let layerChannels = job.layers.reduce(0) { $0 + $1.channels.count }
    sampleCount = job.size.pixelCount * (job.channels.count + layerChannels)
    samples = job.samples
  }
}

extension WritingReport: CustomStringConvertible {
  /// One line: how many samples were clipped, and the notes.
  public var description: String {
    "\(clippedSamples) of \(sampleCount) samples (\(samples)) clipped"
      + notes.map { "; \($0)" }.joined()
  }
}
