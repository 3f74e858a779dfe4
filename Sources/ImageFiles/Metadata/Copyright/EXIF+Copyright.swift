extension EXIF {
  /// The copyright notices of the photographer and of the editor, as far as they are stated.
  var copyrightNotices: [String] { texts(Tag.copyright, separator: 0) }

  /// The names of the creators.
  var creators: [String] { texts(Tag.artist, separator: UInt8(ascii: ";")) }

  /// Returns data with only the fields of the copyright and of the creators; nil where neither states anything.
  ///
  /// It is new data, so that it has no byte of other fields.
  func onlyCopyright() -> [UInt8]? {
    let kept = [Tag.artist, Tag.copyright].filter { !texts($0, separator: 0).isEmpty }
      .compactMap { main?[$0]?.position }
    let fields = structure.fields(of: main) { kept.contains($0.position) }
    if fields.isEmpty { return nil }
    return Self.data(of: .init(fields: fields), isBigEndian: structure.isBigEndian)
  }

  /// The texts of a field of the main directory that are not blank. Fields of ASCII hold UTF-8 in practice, and some Latin-1.
  private func texts(_ tag: Int, separator: UInt8) -> [String] {
    guard let entry = main?[tag], TIFFStructure.textTypes.contains(entry.type),
      let bytes = structure.value(entry)
    else { return [] }
    return bytes.split { $0 == separator || $0 == 0 }.compactMap { part in
      trimmed(String(utf8OrLatin1: part))
    }
  }
}
