extension ImageFileFormat {
  /// Creates the format of a name such as `JPEG`, or of a file extension such as `jpg` or `.jpg`; case does not matter. Nil where none of
  /// ``all`` has that name. A format by the name `ppm`, `pgm` or `pam` is written as files with that extension are, however they are named.
  public init?(named name: String) { self.init(named: name, among: Self.all) }

  private init?(named name: String, among formats: [ImageFileFormat]) {
    let name = name.lowercased()
    let ending = name.hasPrefix(".") ? String(name.dropFirst()) : name
    let format = formats.first { format in
      format.name.lowercased() == name || format.fileExtensions.contains(ending)
    }
    guard let format else { return nil }
    self = format
    if ending != format.name.lowercased() { requestedExtension = ending }
  }

  /// Creates the format of a MIME type (media type), such as `image/jpeg`. Parameters are ignored. Nil where none of ``all`` has the type.
  public init?(mimeType: String) {
    let type = MediaRange(mimeType[...]).type
    guard let format = Self.all.first(where: { $0.mimeTypes.contains(type) }) else { return nil }
    self = format
  }

  /// Returns the format with which to answer a request, by its `Accept` field (RFC 9110, 12.5.1).
  ///
  /// Of the offered formats it is the one with the highest weight; among equals, the first one offered.
  ///
  /// - Parameters:
  ///   - formats: The formats that can be sent, the preferred one first.
  ///   - accept: The value of the field, such as `image/avif,image/webp;q=0.8,*/*;q=0.5`; nil where it is missing, which accepts
  ///     everything.
  /// - Returns: The format; nil where the field accepts none of them.
  public static func preferred(
    of formats: [ImageFileFormat], accept: String?
  ) -> ImageFileFormat? {
    guard let accept, accept.contains(where: { !$0.isWhitespace }) else { return formats.first }
    let ranges = accept.split(separator: ",").map(MediaRange.init)
    var best: (format: ImageFileFormat, weight: Double)?
    for format in formats {
      let weight = format.weight(among: ranges)
      if weight > best?.weight ?? 0 { best = (format, weight) }
    }
    return best?.format
  }

  /// The weight that the most precise matching range gives to this format; 0 where none matches.
  private func weight(among ranges: [MediaRange]) -> Double {
    guard let type = mimeTypes.first else { return 0 }
    for wanted in [type, "image/*", "*/*"] {
      if let range = ranges.first(where: { $0.type == wanted }) { return range.weight }
    }
    return 0
  }
}

extension ImageFileFormat: Codable {
  /// Decodes a name such as `JPEG`, or a file extension, as ``init(named:)`` takes; also that of a format that can only be read. A format
  /// that this build does not have is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let format = ImageFileFormat(named: name, among: Self.readable) else {
      let names = Self.readable.map(\.name).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "There is no format “\(name)”; there are \(names).")
    }
    self = format
  }

  /// Encodes the name, or the file extension by which the format was asked for.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(requestedExtension ?? name)
  }
}

/// A media type, or a range of them, with its weight.
private struct MediaRange {
  /// The type in lower case, without parameters.
  let type: String
  /// From 0, not accepted, to 1. A weight that cannot be parsed counts as 1.
  let weight: Double

  init(_ text: Substring) {
    func trimmed(_ part: Substring) -> String { part.filter { !$0.isWhitespace }.lowercased() }
    let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
    type = parts.first ?? ""
    let quality = parts.dropFirst().first { $0.hasPrefix("q=") }
      .flatMap { Double($0.dropFirst(2)) }
    weight = quality.map { $0.isNaN ? 1 : min(max($0, 0), 1) } ?? 1
  }
}
