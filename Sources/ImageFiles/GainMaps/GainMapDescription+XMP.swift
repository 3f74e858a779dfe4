internal import FilterGraph

/// The properties of a gain map in XMP (Adobe, “Gain map specification”, 1.0; Ultra HDR Image Format 1.1).
extension GainMapDescription {
  static let space = "http://ns.adobe.com/hdr-gain-map/1.0/"

  /// Reads the properties of the gain map's own packet.
  ///
  /// - Returns: nil where the packet describes no gain map. The packet of a base picture only announces one.
  init?(xmp bytes: [UInt8]) throws(GainMapDamage) {
    var properties = Properties(bytes: bytes)
    var scanner = XMLScanner(bytes)
    guard scanner.scan(&properties), !properties.values.isEmpty else { return nil }
    let values = properties.values
    guard values["GainMapMax"] != nil else { return nil }
    func vector(_ name: String, default value: Double?) throws(GainMapDamage) -> SIMD3<Double> {
      guard let words = values[name] else {
        guard let value else { throw GainMapDamage(reason: "its XMP states no hdrgm:\(name)") }
        return SIMD3(repeating: value)
      }
      let numbers = words.compactMap { Double($0) }
      guard numbers.count == words.count, [1, 3].contains(numbers.count) else {
        throw GainMapDamage(
          reason:
            "its hdrgm:\(name) is “\(words.joined(separator: " ").prefix(40))”, and not one or "
            + "three numbers")
      }
      return SIMD3((0..<3).map { numbers[min($0, numbers.count - 1)] })
    }
    let offset = GainMap.usualOffset.x
    let offsets = (
      try vector("OffsetSDR", default: offset), try vector("OffsetHDR", default: offset)
    )
    let capacities = (
      try vector("HDRCapacityMin", default: 0).x, try vector("HDRCapacityMax", default: nil).x
    )
    let isHDR = values["BaseRenditionIsHDR"]?.first?.lowercased() == "true"
    try self.init(
      least: vector("GainMapMin", default: 0), greatest: vector("GainMapMax", default: nil),
      gamma: vector("Gamma", default: 1), baseOffset: isHDR ? offsets.1 : offsets.0,
      alternateOffset: isHDR ? offsets.0 : offsets.1,
      baseHeadroom: isHDR ? capacities.1 : capacities.0,
      alternateHeadroom: isHDR ? capacities.0 : capacities.1)
  }

  /// The packet of the gain map.
  var xmp: [UInt8] {
    let isHDR = gain.baseHeadroom > gain.alternateHeadroom
    let offsets =
      isHDR ? (gain.alternateOffset, gain.baseOffset) : (gain.baseOffset, gain.alternateOffset)
    var attributes = [
      ("Version", "1.0"), ("BaseRenditionIsHDR", isHDR ? "True" : "False"),
      ("HDRCapacityMin", "\(min(gain.baseHeadroom, gain.alternateHeadroom))"),
      ("HDRCapacityMax", "\(max(gain.baseHeadroom, gain.alternateHeadroom))"),
    ]
    var elements: [String] = []
    for (name, value) in [
      ("GainMapMin", gain.least), ("GainMapMax", gain.greatest), ("Gamma", gain.gamma),
      ("OffsetSDR", offsets.0), ("OffsetHDR", offsets.1),
    ] {
      if value.x == value.y, value.y == value.z {
        attributes.append((name, "\(value.x)"))
      } else {
        let items = (0..<3).map { "<rdf:li>\(value[$0])</rdf:li>" }.joined()
        elements.append("<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>")
      }
    }
    let list = attributes.map { " hdrgm:\($0.0)=\"\($0.1)\"" }.joined()
    return XMP.packet(
      "<rdf:Description rdf:about=\"\" xmlns:hdrgm=\"\(Self.space)\"\(list)>\(elements.joined())"
        + "</rdf:Description>")
  }

  /// The description that the base picture's packet needs: that a gain map of so many bytes follows the picture.
  static func announcement(ofBytes count: Int) -> String {
    func item(_ semantic: String, _ rest: String) -> String {
      "<rdf:li rdf:parseType=\"Resource\"><Container:Item Item:Semantic=\"\(semantic)\" "
        + "Item:Mime=\"image/jpeg\"\(rest)/></rdf:li>"
    }
    return "<rdf:Description xmlns:rdf=\"\(XMP.rdf)\" rdf:about=\"\" xmlns:hdrgm=\"\(space)\" "
      + "xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" "
      + "xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" hdrgm:Version=\"1.0\">"
      + "<Container:Directory><rdf:Seq>\(item("Primary", ""))"
      + "\(item("GainMap", " Item:Length=\"\(count)\""))</rdf:Seq></Container:Directory>"
      + "</rdf:Description>"
  }

  /// The most bytes of an announcement: a JPEG file counts up to 4 GB.
  static var announcementBytes: Int { announcement(ofBytes: Int(UInt32.max)).utf8.count }

  /// Collects the properties of a gain map: attributes, simple elements, and ordered lists.
  private struct Properties: XMLScanner.Visitor {
    let bytes: [UInt8]
    private(set) var values: [String: [String]] = [:]
    private static let item = XMLScanner.Name(space: XMP.rdf, local: "li")
    /// Numbers are short; three of them are needed.
    private static let longestNumber = 64, mostItems = 4

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func begin(
      _: XMLScanner.Name, _ attributes: [XMLScanner.Attribute], in parents: [XMLScanner.Name]
    ) {
      guard parents.last == XMP.root else { return }
      for attribute in attributes where attribute.name.space == GainMapDescription.space {
        values[attribute.name.local] = [text(attribute.value)]
      }
    }

    mutating func end(_ element: XMLScanner.Element, in parents: [XMLScanner.Name]) {
      guard let content = element.content, !element.hasChildren else { return }
      if element.name.space == GainMapDescription.space, parents.dropLast().last == XMP.root {
        values[element.name.local] = [text(content)]
      } else if element.name == Self.item,
        let property = parents.last(where: { $0.space == GainMapDescription.space })
      {
        let known = values[property.local] ?? []
        if known.count < Self.mostItems { values[property.local] = known + [text(content)] }
      }
    }

    private func text(_ range: Range<Int>) -> String {
      let words = String(decoding: bytes[range].prefix(Self.longestNumber), as: UTF8.self)
      return String(words.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
  }
}
