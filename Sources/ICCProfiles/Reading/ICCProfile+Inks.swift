extension ICCProfile {
  /// Whether the profile is of a device with ink channels that are no color space of three values: CMYK, or n-color.
  public var isOfInks: Bool {
    guard !isLink, let model = ColorModel(header.colorSpace) else { return false }
    return model.isInks && !model.isConnection && model.channelCount != 3
  }

  /// The names of the ink channels, in their order: those of CMYK, those that the tag `clrt` lists, or “ink 1”, “ink 2” …
  public var inkNames: [String] {
    let count = channelCount ?? 0
    let listed = (try? colorantNames()) ?? []
    if listed.count == count { return listed }
    return Self.inkNames(count)
  }

  /// The names of so many inks of which nothing else is known.
  package static func inkNames(_ count: Int) -> [String] {
    count == 4
      ? ["cyan", "magenta", "yellow", "black"] : (0..<count).map { "ink \($0 + 1)" }
  }

  /// The names in a tag of type `colorantTableType` (ICC.1:2022, 10.5), up to 15.
  private func colorantNames() throws(ICCProfileError) -> [String] {
    guard has("clrt") else { return [] }
    let reader = try TagReader("clrt", of: self)
    guard reader.type == "clrt" else { return [] }
    let count = try reader.uint32(at: 8)
    guard (1...15).contains(count) else { return [] }
    var names: [String] = []
    for index in 0..<count {
      var letters: [UInt8] = []
      for offset in 0..<32 {
        let letter = try reader.uint8(at: 12 + 38 * index + offset)
        if letter == 0 { break }
        letters.append(UInt8(letter))
      }
      let name = letters.filter { (0x20..<0x7F).contains($0) }
      guard !name.isEmpty else { return [] }
      names.append(String(decoding: name, as: UTF8.self))
    }
    return names
  }
}
