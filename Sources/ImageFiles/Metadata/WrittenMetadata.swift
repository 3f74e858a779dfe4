internal import ColorSpaces
internal import ImageBuffer

/// The metadata of a new file: corrected, without the kinds that the format cannot hold, and with notes of what was left out.
struct WrittenMetadata {
  private(set) var metadata: ImageMetadata
  private(set) var notes: [ImageFileNote] = []

  /// Corrects the metadata of the options for a picture of a size in a space, which is nil where the file does not state it.
  init(
    _ options: WritingOptions, format: ImageFileFormat, size: PixelSize, space: ColorSpace?,
    holdsInks: Bool = false
  ) {
    var (wanted, kinds) = (options.metadata, format.metadataKinds)
    if wanted.xmp.map({ XMP($0).isStale }) == true { wanted.xmp = nil }
    metadata = wanted
    // That of the stored pixels.
    metadata.resolution = wanted.resolution?.oriented(by: options.orientation)
    notes = wanted.omissions(in: format).map {
      $0 == .text
        ? .omittedTexts(keywords: wanted.keywords, format: format) : .omitted($0, format: format)
    }
    if options.orientation != .upright, !kinds.contains(.orientation) {
      notes.append(.omitted(.orientation, format: format))
    }
    removeKinds(but: kinds)
    removeSpaceNames(besides: space)
    omitUnrepresentableValues(in: format)
    omitDamagedBlocks()
    var picture = WrittenPicture(
      space: space, orientation: options.orientation, size: size, resolution: metadata.resolution)
    picture.needsEXIFForOrientation = format.keepsOrientationInEXIF
    picture.losesResolution = notes.contains(.unrepresentable(.resolution, format: format))
    // A CMYK JPEG has no JFIF segment.
    picture.needsEXIFForResolution =
      format.keepsResolutionInEXIF || holdsInks && format == .jpeg
      || format.needsEXIF(for: metadata.resolution)
    metadata.exif = kinds.contains(.exif) ? exif(of: wanted, picture) : nil
    metadata.xmp = kinds.contains(.xmp) ? xmp(of: wanted, picture) : nil
    if format == .jpeg {
      // A packet with the map's announcement has one segment, too.
      let isAnnounced = !holdsInks && options.gainMap.map { $0.space == nil } ?? false
      omitWhatJPEGCannotHold(
        picture, besideXMP: isAnnounced ? GainMapDescription.announcementBytes : 0)
    }
  }

  /// Removes all metadata but that of some kinds. EXIF and XMP are corrected separately.
  private mutating func removeKinds(but kinds: Set<MetadataKind>) {
    if !kinds.contains(.iptc) { metadata.iptc = nil }
    if !kinds.contains(.photoshop) { metadata.photoshop = nil }
    metadata.text.removeAll {
      !kinds.contains($0.keyword == ImageMetadata.commentKeyword ? .comment : .text)
    }
    if !kinds.contains(.resolution) { metadata.resolution = nil }
    if !kinds.contains(.contentLight) { metadata.contentLight = nil }
    if !kinds.contains(.masteringDisplay) { metadata.masteringDisplay = nil }
  }

  /// Removes texts in which other programs name the color space of a picture, unless they name `space`.
  private mutating func removeSpaceNames(besides space: ColorSpace?) {
    metadata.text.removeAll { entry in
      guard [ImageMetadata.interopKeyword, "oiio:ColorSpace"].contains(entry.keyword) else {
        return false
      }
      guard let space, let named = try? ColorSpace(named: entry.value) else { return true }
      return !named.isInterchangeable(with: space)
    }
  }

  /// Leaves out values and texts that the format's fields do not hold.
  private mutating func omitUnrepresentableValues(in format: ImageFileFormat) {
    func note(_ kind: MetadataKind) -> ImageFileNote { .unrepresentable(kind, format: format) }
    if let resolution = metadata.resolution, !format.holds(resolution) {
      metadata.resolution = nil
      notes.append(note(.resolution))
    }
    if let light = metadata.contentLight, !format.holds(light) {
      metadata.contentLight = nil
      notes.append(note(.contentLight))
    }
    if let display = metadata.masteringDisplay, !display.isRepresentable {
      metadata.masteringDisplay = nil
      notes.append(note(.masteringDisplay))
    }
    let invalid = metadata.text.filter { !format.holds($0) }
    if !invalid.isEmpty {
      metadata.text.removeAll { !format.holds($0) }
      notes.append(.invalidTexts(keywords: invalid.keywords, format: format))
    }
  }

  /// Leaves out IPTC that does not begin with a dataset, and Photoshop resources that are truncated or malformed.
  private mutating func omitDamagedBlocks() {
    if let iptc = metadata.iptc, iptc.first != 0x1C {
      metadata.iptc = nil
      notes.append(.damagedMetadata(.iptc))
    }
    if let photoshop = metadata.photoshop, !PhotoshopResources(photoshop).isWhole {
      metadata.photoshop = nil
      notes.append(.damagedMetadata(.photoshop))
    }
  }

  /// Leaves out what does not fit into a segment of a JPEG file, which for XMP holds some bytes besides.
  private mutating func omitWhatJPEGCannotHold(
    _ picture: WrittenPicture, besideXMP others: Int
  ) {
    if !fitsJPEG(.exif, metadata.exif?.count, beside: JPEGSegments.exifName) {
      metadata.exif = EXIF.stating(picture)
    }
    let fitsXMP = fitsJPEG(
      .xmp, metadata.xmp?.count, beside: JPEGSegments.xmpName, others: others)
    if !fitsXMP { metadata.xmp = nil }
    let texts = metadata.text
    metadata.text = texts.filter { fitsJPEG(.comment, $0.value.utf8.count, beside: []) }
  }

  /// Whether metadata fits into a segment beside its name and other bytes. Adds a note where it does not.
  private mutating func fitsJPEG(
    _ kind: MetadataKind, _ count: Int?, beside name: [UInt8], others: Int = 0
  ) -> Bool {
    let limit = JPEGSegments.capacity - name.count - others
    guard let count, count > limit else { return true }
    notes.append(.tooLarge(kind, byteCount: count, limit: limit, format: .jpeg))
    return false
  }

  private mutating func exif(of wanted: ImageMetadata, _ picture: WrittenPicture) -> [UInt8]? {
    if let bytes = wanted.exif {
      if let corrected = EXIF(bytes)?.describing(picture) { return corrected }
      notes.append(.damagedMetadata(.exif))
    }
    return EXIF.stating(picture)
  }

  private mutating func xmp(of wanted: ImageMetadata, _ picture: WrittenPicture) -> [UInt8]? {
    guard let bytes = wanted.xmp else { return nil }
    guard let corrected = XMP(bytes).describing(picture) else {
      notes.append(.damagedMetadata(.xmp))
      return nil
    }
    return corrected
  }
}

extension ImageMetadata {
  /// The attribute of OpenEXR files that names the color space of a part (OpenEXR, “Standard attributes”).
  static let interopKeyword = "colorInteropID"
}

extension ImageFileFormat {
  /// Whether nothing but EXIF data states the orientation of a file.
  fileprivate var keepsOrientationInEXIF: Bool {
    metadataKinds.contains(.orientation) && !fieldKinds.contains(.orientation)
  }

  /// Whether nothing but EXIF data states the resolution of a file.
  fileprivate var keepsResolutionInEXIF: Bool {
    metadataKinds.contains(.resolution) && !fieldKinds.contains(.resolution)
  }
}
