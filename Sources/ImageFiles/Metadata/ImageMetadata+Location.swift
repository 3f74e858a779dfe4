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

/// The datasets of IPTC-IIM (IPTC-NAA Information Interchange Model 4.2, section 1.5), up to the first one that is damaged.
private struct IPTCDatasets {
  private let bytes: [UInt8]
  private let datasets: [Dataset]

  private struct Dataset {
    let record, number: UInt8
    /// From the marker to behind the value.
    let range: Range<Int>

    /// Content location code and name, city, sublocation, province or state, country code and name.
    var isLocation: Bool { record == 2 && [26, 27, 90, 92, 95, 100, 101].contains(number) }
  }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var datasets: [Dataset] = []
    while let next = Self.dataset(at: datasets.last?.range.upperBound ?? 0, of: bytes) {
      datasets.append(next)
    }
    self.datasets = datasets
  }

  var statesLocation: Bool { datasets.contains(where: \.isLocation) }

  /// The datasets but those of a location; nil where there are none.
  func withoutLocation() -> [UInt8]? {
    let kept = datasets.filter { !$0.isLocation }.flatMap { bytes[$0.range] }
    return kept.isEmpty ? nil : kept
  }

  private static func dataset(at start: Int, of bytes: [UInt8]) -> Dataset? {
    guard bytes.count - start >= 5, bytes[start] == 0x1C else { return nil }
    var position = start + 5
    var count = bytes.bigEndian16(at: start + 3)
    // The length of an extended dataset follows in as many bytes.
    if count >= 0x8000 {
      let end = position + count & 0x7FFF
      guard end <= bytes.count else { return nil }
      count = bytes[position..<end].number(isBigEndian: true)
      position = end
    }
    guard count <= bytes.count - position else { return nil }
    return Dataset(
      record: bytes[start + 1], number: bytes[start + 2], range: start..<position + count)
  }
}
