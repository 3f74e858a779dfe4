extension ImageMetadata {
  /// The copyright notice; nil where none is stated.
  ///
  /// It is read from EXIF (Copyright), else from XMP (`dc:rights`, in the default language), else from IPTC (2:116), else from a text with
  /// the keyword “Copyright” or, as in OpenEXR files, “owner”. Two notices of EXIF, of the photographer and of the editor, are joined by
  /// a comma.
  public var copyright: String? {
    let notices = exif.flatMap(EXIF.init)?.copyrightNotices ?? []
    return notices.isEmpty
      ? xmp.flatMap { XMP($0).rights?.notice } ?? iptcTexts(.copyrightNotice).first
        ?? texts(Self.copyrightKeywords).first
      : notices.joined(separator: ", ")
  }

  /// The names of those who made the picture; empty where none is stated.
  ///
  /// They are read from EXIF (Artist, with semicolons between names), else from XMP (`dc:creator`), else from IPTC (2:80), else from texts
  /// with the keyword “Author”, “Artist” or “Creator”.
  public var creators: [String] {
    let sources: [() -> [String]] = [
      { exif.flatMap(EXIF.init)?.creators ?? [] },
      { xmp.flatMap { XMP($0).rights?.creators } ?? [] },
      { iptcTexts(.byline) },
      { texts(Self.creatorKeywords) },
    ]
    return sources.lazy.map { $0() }.first { !$0.isEmpty } ?? []
  }

  /// Removes all metadata but the copyright and the creators.
  ///
  /// Kept as they are:
  ///
  /// - in EXIF Copyright and Artist
  /// - in XMP `dc:rights`, `dc:creator`, `photoshop:Credit`, `tiff:Copyright`, `tiff:Artist`, all properties of `xmpRights` and of Creative
  ///   Commons, and of PLUS the copyright owner, the image creator, the licensor, other constraints and data mining
  /// - in IPTC the by-line, the credit and the copyright notice
  /// - in Photoshop resources the copyright flag and its URL
  /// - texts with the keywords “Copyright”, “Author”, “Artist”, “Creator” and “owner”
  /// - ``framing``, which is geometry and not a description
  ///
  /// Everything else is removed with its bytes, such as a location, serial numbers, maker notes, thumbnails, the history of edits, and the
  /// resolution. Where EXIF, XMP or IPTC cannot be parsed, it is removed whole.
  ///
  /// ```swift
  /// var writing = WritingOptions()
  /// writing.metadata = try ImageFile.info(source).metadata
  /// writing.metadata.removeAllButCopyright()
  /// ```
  public mutating func removeAllButCopyright() {
    var kept = ImageMetadata()
    kept.exif = exif.flatMap { EXIF($0)?.onlyCopyright() }
    kept.xmp = xmp.flatMap { XMP($0).rights?.packet }
    kept.iptc = iptc.flatMap { IPTCDatasets($0).only([.byline, .credit, .copyrightNotice]) }
    kept.photoshop = photoshop.flatMap { PhotoshopResources($0).copyright }
    let keywords = Self.copyrightKeywords.union(Self.creatorKeywords)
    kept.text = text.filter { keywords.contains($0.keyword.lowercased()) }
    kept.framing = framing
    self = kept
  }

  /// The keywords of a copyright notice, in lower case: that of PNG, and the attribute of OpenEXR for the owner of the picture.
  private static let copyrightKeywords: Set = ["copyright", "owner"]
  private static let creatorKeywords: Set = ["author", "artist", "creator"]

  private func texts(_ keywords: Set<String>) -> [String] {
    text.filter { keywords.contains($0.keyword.lowercased()) }.compactMap { trimmed($0.value) }
  }

  private func iptcTexts(_ number: IPTCDatasets.Number) -> [String] {
    iptc.map { IPTCDatasets($0).texts(number).compactMap(trimmed) } ?? []
  }
}

/// The text without white space at its ends; nil where there is nothing else. Cameras fill fields with blanks.
func trimmed(_ text: some StringProtocol) -> String? {
  guard let first = text.firstIndex(where: { !$0.isWhitespace }),
    let last = text.lastIndex(where: { !$0.isWhitespace })
  else { return nil }
  return String(text[first...last])
}
