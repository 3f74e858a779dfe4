internal import ColorSpaces
internal import ImageBuffer

/// An XMP packet (ISO 16684-1): properties of the picture that stop being true when it is written anew.
struct XMP {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  /// The element `rdf:RDF`, which holds the descriptions.
  static let root = XMLScanner.Name(space: rdf, local: "RDF")

  enum Space {
    static let tiff = "http://ns.adobe.com/tiff/1.0/", exif = "http://ns.adobe.com/exif/1.0/"
    static let exifEX = "http://cipa.jp/exif/1.0/", xmp = "http://ns.adobe.com/xap/1.0/"
    static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
    static let dc = "http://purl.org/dc/elements/1.1/"
    static let rights = "http://ns.adobe.com/xap/1.0/rights/"
    static let plus = "http://ns.useplus.org/ldf/xmp/1.0/"
    static let creativeCommons = "http://creativecommons.org/ns#"
    static let note = "http://ns.adobe.com/xmp/note/"
    static let iptcCore = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
    static let iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
    static let gainMap = GainMapDescription.space
    static let appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
    static let container = "http://ns.google.com/photos/1.0/container/"
    static let camera = "http://ns.google.com/photos/1.0/camera/"
  }

  /// A change of a property.
  private enum Change: Equatable {
    case keep, remove
    case set(String)
  }

  /// The packet for another picture: properties of orientation, size, color and resolution are corrected. Removed are those of color that
  /// another place states, of how pixels are stored, of thumbnails and of parts of the file that are not written (extended XMP, gain maps,
  /// videos). All other bytes stay.
  ///
  /// - Returns: The packet; nil where it is no well-formed XML, so that nothing can be corrected.
  func describing(_ picture: WrittenPicture) -> [UInt8]? {
    let isSRGB = picture.space.map { $0.isInterchangeable(with: .sRGB) } ?? false
    let resolution = picture.resolution?.tiffFields
    let withoutResolution: Change = picture.losesResolution ? .remove : .keep
    func set(_ fraction: (Int, Int)?) -> Change {
      fraction.map { .set("\($0.0)/\($0.1)") } ?? withoutResolution
    }
    let changes: [XMLScanner.Name: Change] = [
      .init(space: Space.tiff, local: "Orientation"): .set("\(picture.orientation.rawValue)"),
      .init(space: Space.tiff, local: "ImageWidth"): .set("\(picture.size.width)"),
      .init(space: Space.tiff, local: "ImageLength"): .set("\(picture.size.height)"),
      .init(space: Space.tiff, local: "XResolution"): set(resolution?.across),
      .init(space: Space.tiff, local: "YResolution"): set(resolution?.down),
      .init(space: Space.tiff, local: "ResolutionUnit"):
        resolution.map { .set("\($0.unit)") } ?? withoutResolution,
      .init(space: Space.exif, local: "ColorSpace"): .set(isSRGB ? "1" : "65535"),
      .init(space: Space.exif, local: "PixelXDimension"): .set("\(picture.size.width)"),
      .init(space: Space.exif, local: "PixelYDimension"): .set("\(picture.size.height)"),
    ]
    return rewritten { name in changes[name] ?? (Self.isStale(name) ? .remove : .keep) }
  }

  /// The packet without the properties that state a location, at any depth: packets of composites repeat those of their ingredients.
  ///
  /// - Returns: The packet; nil where it is no well-formed XML, or not in UTF-8.
  func withoutLocation() -> [UInt8]? {
    rewritten(atAnyDepth: true) { Self.isLocation($0) ? .remove : .keep }
  }

  /// Whether a property states a location. XML is searched up to its first error, and not at all in other encodings than UTF-8.
  var statesLocation: Bool {
    var isStated = false
    _ = rewritten(atAnyDepth: true) { name in
      isStated = isStated || Self.isLocation(name)
      return .keep
    }
    return isStated
  }

  /// Whether a property states a location. Cameras and drones have GPS properties in namespaces of their own.
  private static func isLocation(_ name: XMLScanner.Name) -> Bool {
    if name.local.lowercased().hasPrefix("gps") { return true }
    // A prefix without a declaration gives no namespace.
    if name.space.isEmpty { return places.values.contains { $0.contains(name.local) } }
    return places[name.space]?.contains(name.local) ?? false
  }

  /// The names of properties for places, by namespace.
  private static let places: [String: Set<String>] = [
    Space.photoshop: ["City", "State", "Country"],
    Space.iptcCore: ["Location", "CountryCode"],
    Space.iptcExtension: ["LocationCreated", "LocationShown"],
  ]

  /// A packet with these descriptions.
  static func packet(_ descriptions: String) -> [UInt8] {
    Array(
      ("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"\(rdf)\">\(descriptions)"
        + "</rdf:RDF></x:xmpmeta>").utf8)
  }

  /// A packet within the processing instructions by which programs find it in files (ISO 16684-1, 7.3.2).
  static func wrapped(_ packet: [UInt8]) -> [UInt8] {
    Array("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>".utf8) + packet
      + Array("<?xpacket end=\"w\"?>".utf8)
  }

  /// The packet with another description; nil where it has no element `rdf:RDF` to hold it.
  func adding(_ description: String) -> [UInt8]? {
    var root = Root()
    var scanner = XMLScanner(bytes)
    guard !bytes.prefix(64).contains(0), scanner.scan(&root), let end = root.end else { return nil }
    return Array(bytes[..<end]) + Array(description.utf8) + Array(bytes[end...])
  }

  /// Finds the end of the content of `rdf:RDF`.
  private struct Root: XMLScanner.Visitor {
    private(set) var end: Int?

    mutating func begin(
      _: XMLScanner.Name, _: [XMLScanner.Attribute], in _: [XMLScanner.Name]
    ) {}

    mutating func end(_ element: XMLScanner.Element, in _: [XMLScanner.Name]) {
      if element.name == XMP.root { end = element.content?.upperBound }
    }
  }

  /// Whether the packet has properties, and ``describing(_:)`` removes all of them from every packet, such as the announcement of a gain map.
  var isStale: Bool {
    let about = XMLScanner.Name(space: Self.rdf, local: "about")
    var names: Set<XMLScanner.Name> = []
    let isRead = rewritten { name in
      if name != about { names.insert(name) }
      return .keep
    }
    return isRead != nil && !names.isEmpty && names.allSatisfy(Self.isStale)
  }

  /// Whether a property describes something that no new file has, or that another part of the new file states.
  private static func isStale(_ name: XMLScanner.Name) -> Bool {
    switch name.space {
    case Space.tiff:
      [
        "WhitePoint", "PrimaryChromaticities", "TransferFunction", "BitsPerSample", "Compression",
        "PhotometricInterpretation", "SamplesPerPixel",
      ].contains(name.local)
    case Space.exif, Space.exifEX: ["Gamma", "InteroperabilityIndex"].contains(name.local)
    case Space.photoshop: ["ColorMode", "ICCProfile"].contains(name.local)
    case Space.xmp: name.local == "Thumbnails"
    case Space.note: name.local == "HasExtendedXMP"
    case Space.container: name.local == "Directory"
    case Space.camera:
      name.local.hasPrefix("MotionPhoto") || name.local.hasPrefix("MicroVideo")
    case Space.gainMap, Space.appleGainMap: true
    default: false
    }
  }

  /// Whether an attribute declares the prefix of a namespace.
  static func isDeclaration(_ attribute: XMLScanner.Attribute, in bytes: [UInt8]) -> Bool {
    bytes[attribute.range].drop { XMLTokens.blanks.contains($0) }.starts(with: "xmlns:".utf8)
  }

  /// What ``unreadParts`` calls a gain map.
  static let gainMapPart = "a gain map"

  /// The parts of the file that the packet announces and that are not read, in words.
  var unreadParts: [String] {
    var parts: [String] = []
    func add(_ part: String) { if !parts.contains(part) { parts.append(part) } }
    _ = rewritten { name in
      switch name.space {
      case Space.note where name.local == "HasExtendedXMP": add("extended XMP")
      case Space.gainMap, Space.appleGainMap: add(Self.gainMapPart)
      case Space.camera where Self.isStale(name): add("the video of a motion photo")
      default: break
      }
      return .keep
    }
    return parts
  }

  /// The packet with changes of the properties of its descriptions, or also of those within other properties.
  private func rewritten(
    atAnyDepth: Bool = false, _ change: (XMLScanner.Name) -> Change
  ) -> [UInt8]? {
    // UTF-16 and UTF-32 have zero bytes; packets in files are UTF-8 (ISO 16684-3).
    guard !bytes.prefix(64).contains(0) else { return nil }
    return withoutActuallyEscaping(change) { change in
      var editor = Editor(bytes: bytes, editsAnyDepth: atAnyDepth, change: change)
      var scanner = XMLScanner(bytes)
      guard scanner.scan(&editor) else { return nil }
      return editor.result
    }
  }

  /// Collects edits of properties: attributes and children of the nodes in `rdf:RDF`, or all elements and attributes.
  private struct Editor: XMLScanner.Visitor {
    let bytes: [UInt8]
    let editsAnyDepth: Bool
    let change: (XMLScanner.Name) -> Change
    private var edits: [(range: Range<Int>, text: String)] = []

    init(
      bytes: [UInt8], editsAnyDepth: Bool, change: @escaping (XMLScanner.Name) -> Change
    ) {
      (self.bytes, self.editsAnyDepth, self.change) = (bytes, editsAnyDepth, change)
    }

    mutating func begin(
      _: XMLScanner.Name, _ attributes: [XMLScanner.Attribute], in parents: [XMLScanner.Name]
    ) {
      guard editsAnyDepth || parents.last == XMP.root else { return }
      for attribute in attributes where !XMP.isDeclaration(attribute, in: bytes) {
        switch change(attribute.name) {
        case .keep: break
        case .remove: edits.append((attribute.range, ""))
        case .set(let text): edits.append((attribute.value, text))
        }
      }
    }

    mutating func end(_ element: XMLScanner.Element, in parents: [XMLScanner.Name]) {
      guard editsAnyDepth || parents.dropLast().last == XMP.root else { return }
      switch (change(element.name), element.content) {
      case (.keep, _): break
      case (.set(let text), let content?) where !element.hasChildren:
        edits.append((content, text))
      case (.set, _), (.remove, _):
        // With the line that it leaves empty.
        var start = element.range.lowerBound
        while start > 0, XMLTokens.blanks.contains(bytes[start - 1]) { start -= 1 }
        edits.append((start..<element.range.upperBound, ""))
      }
    }

    var result: [UInt8] {
      var result: [UInt8] = []
      var position = 0
      // Within a removed element there is nothing left to edit.
      for (range, text) in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
        result += bytes[position..<max(range.lowerBound, position)]
        result += text.utf8
        position = max(range.upperBound, position)
      }
      return result + bytes[position...]
    }
  }
}
