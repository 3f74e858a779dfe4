extension ImageMetadata {
  /// Whether EXIF, XMP or IPTC state where the picture was taken, or which place it shows.
  ///
  /// Texts, Photoshop resources and maker notes within EXIF are not searched. XMP in other encodings than UTF-8 is not searched, and XML
  /// that is not well-formed is searched up to its first error; ``removeLocation()`` removes both whole.
  public var statesLocation: Bool {
    exif.flatMap(EXIF.init)?.statesLocation ?? false || xmp.map(XMP.init)?.statesLocation ?? false
      || iptc.map(IPTCDatasets.init)?.statesLocation ?? false
  }

  /// Removes where the picture was taken and which place it shows, and keeps everything else.
  ///
  /// Removed are the GPS directory of EXIF with all its bytes, in XMP the GPS properties of any namespace and the city, state, country and
  /// locations of Photoshop and IPTC, and the datasets of IPTC for them. Where EXIF, XMP or IPTC cannot be parsed, it is removed whole.
  /// Texts, Photoshop resources and maker notes within EXIF are unchanged.
  ///
  /// ```swift
  /// var writing = WritingOptions()
  /// writing.metadata = try ImageFile.info(source).metadata
  /// writing.metadata.removeLocation()
  /// ```
  public mutating func removeLocation() {
    exif = exif.flatMap { EXIF($0)?.withoutLocation() }
    xmp = xmp.flatMap { XMP($0).withoutLocation() }
    iptc = iptc.flatMap { IPTCDatasets($0).withoutLocation() }
  }
}
