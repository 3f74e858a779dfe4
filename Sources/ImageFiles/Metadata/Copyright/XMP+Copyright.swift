extension XMP {
  /// The properties of a packet that state the copyright and the creators.
  struct Rights {
    /// A packet with only these properties; nil where they state nothing.
    let packet: [UInt8]?
    /// `dc:rights` in its default language.
    let notice: String?
    /// `dc:creator`.
    let creators: [String]
  }

  /// The properties of the copyright and the creators; nil where the packet is not well-formed XML in
  /// UTF-8, or a name within these properties has no namespace.
  var rights: Rights? {
    guard !bytes.prefix(64).contains(0) else { return nil }
    var copier = RightsCopier(bytes)
    var scanner = XMLScanner(bytes)
    return scanner.scan(&copier) ? copier.rights : nil
  }
}

/// Writes the properties of the copyright anew, without bytes of anything beside them: other properties, comments, and padding.
private struct RightsCopier: XMLScanner.Visitor {
  typealias Name = XMLScanner.Name
  private typealias Space = XMP.Space

  private let bytes: [UInt8]
  /// The properties as elements.
  private var elements: [UInt8] = []
  /// The prefixes of the namespaces in them.
  private var prefixes: [(space: String, prefix: String)] = []
  private var prefixOfSpace = [XMP.rdf: "rdf", Self.xml: "xml"]
  /// The property that is being copied, and how many elements are around it.
  private var property: (name: Name, depth: Int)?
  private var copied: Set<Name> = []
  /// `xml:lang` of the innermost element.
  private var language: String?
  private var texts: [(property: Name, language: String?, text: String)] = []
  private var statesAnything = false
  /// Whether all names have a namespace, as in RDF.
  private var isRDF = true

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The namespace of the prefix `xml`, which may be declared and need not be, and has no other prefix (Namespaces in XML 1.0, 3).
  private static let xml = "http://www.w3.org/XML/1998/namespace"
  private static let languages = [Name(space: "", local: "lang"), Name(space: xml, local: "lang")]
  private static let notice = Name(space: Space.dc, local: "rights")
  private static let creator = Name(space: Space.dc, local: "creator")

  /// Namespaces of which every property is kept.
  private static let wholeSpaces: Set = [Space.rights, Space.creativeCommons]
  /// Single properties that are kept, by namespace.
  private static let properties: [String: Set<String>] = [
    Space.dc: ["rights", "creator"], Space.photoshop: ["Credit"],
    Space.tiff: ["Copyright", "Artist"],
    Space.plus: ["CopyrightOwner", "ImageCreator", "Licensor", "OtherConstraints", "DataMining"],
  ]
  private static let usualPrefixes = [
    Space.dc: "dc", Space.rights: "xmpRights", Space.creativeCommons: "cc", Space.plus: "plus",
    Space.photoshop: "photoshop", Space.tiff: "tiff",
  ]

  /// What was copied, after the scan; nil where a name within the properties has no namespace.
  var rights: XMP.Rights? {
    guard isRDF else { return nil }
    let notices = texts.filter { $0.property == Self.notice && trimmed($0.text) != nil }
    let notice = notices.first { $0.language == "x-default" } ?? notices.first
    let creators = texts.filter { $0.property == Self.creator }.compactMap { trimmed($0.text) }
    // Names of namespaces are compared as they are written, with their references. A mark may combine with a quotation mark, so scalars are
    // escaped.
    let declarations = prefixes.map { space, prefix in
      let written = space.unicodeScalars.map { scalar in
        scalar == "\"" ? "&quot;" : scalar == "<" ? "&lt;" : String(scalar)
      }.joined()
      return " xmlns:\(prefix)=\"\(written)\""
    }.joined()
    let packet = XMP.packet(
      "<rdf:Description rdf:about=\"\"\(declarations)>"
        + String(decoding: elements, as: UTF8.self) + "</rdf:Description>")
    return XMP.Rights(
      packet: statesAnything ? XMP.wrapped(packet) : nil,
      notice: notice.flatMap { trimmed($0.text) }, creators: creators)
  }

  mutating func begin(
    _ name: Name, _ attributes: [XMLScanner.Attribute], in parents: [Name]
  ) {
    if property != nil {
      copyStart(name, attributes)
    } else if parents.last == XMP.root {
      for attribute in attributes where isFirst(attribute.name) { copyProperty(attribute) }
    } else if parents.dropLast().last == XMP.root, isFirst(name) {
      property = (name, parents.count)
      copyStart(name, attributes)
    }
  }

  mutating func end(_ element: XMLScanner.Element, in parents: [Name]) {
    guard let property else { return }
    if !element.hasChildren, let content = element.content {
      copy(text(in: bytes[content]), language: language)
    }
    elements += "</\(qualified(element.name))>".utf8
    if parents.count == property.depth { self.property = nil }
  }

  /// Whether a property is kept, and was not copied yet: RDF has each once.
  private mutating func isFirst(_ name: Name) -> Bool {
    let isKept =
      Self.wholeSpaces.contains(name.space)
      || Self.properties[name.space]?.contains(name.local) == true
    return isKept && copied.insert(name).inserted
  }

  /// Copies a property that is an attribute, as an element.
  private mutating func copyProperty(_ attribute: XMLScanner.Attribute) {
    let name = qualified(attribute.name)
    elements += "<\(name)>".utf8
    property = (attribute.name, 0)
    copy(text(of: attribute), language: nil)
    property = nil
    elements += "</\(name)>".utf8
  }

  private mutating func copy(_ text: String, language: String?) {
    guard let property else { return }
    texts.append((property.name, language, text))
    elements += escaped(text).utf8
    if trimmed(text) != nil { statesAnything = true }
  }

  private mutating func copyStart(_ name: Name, _ attributes: [XMLScanner.Attribute]) {
    language = nil
    elements += "<\(qualified(name))".utf8
    // Prefixes of one namespace may give an attribute twice, which is not well-formed.
    var written: Set<String> = []
    for attribute in attributes where !XMP.isDeclaration(attribute, in: bytes) {
      let value = text(of: attribute)
      if Self.languages.contains(attribute.name) {
        guard written.insert("xml:lang").inserted else { continue }
        language = value
        elements += " xml:lang=\"\(escaped(value, inAttribute: true))\"".utf8
      } else if !attribute.name.space.isEmpty {
        let name = qualified(attribute.name)
        guard written.insert(name).inserted else { continue }
        elements += " \(name)=\"\(escaped(value, inAttribute: true))\"".utf8
        if attribute.name != Name(space: XMP.rdf, local: "parseType") { statesAnything = true }
      }
    }
    elements += ">".utf8
  }

  /// The name with the prefix of its namespace, which is declared with the properties.
  private mutating func qualified(_ name: Name) -> String {
    if name.space.isEmpty { isRDF = false }
    if let prefix = prefixOfSpace[name.space] { return "\(prefix):\(name.local)" }
    let prefix = Self.usualPrefixes[name.space] ?? "ns\(prefixes.count + 1)"
    prefixOfSpace[name.space] = prefix
    prefixes.append((name.space, prefix))
    return "\(prefix):\(name.local)"
  }

  /// The value of an attribute, in which line ends and tabs are blanks (XML 1.0, 3.3.3).
  private func text(of attribute: XMLScanner.Attribute) -> String {
    XMLTokens.resolved(
      bytes[attribute.value].map { XMLTokens.blanks.contains($0) ? UInt8(ascii: " ") : $0 })
  }

  /// The text of an element without children, whose comments do not count.
  private func text(in part: ArraySlice<UInt8>) -> String {
    // Line ends become one character (XML 1.0, 2.11).
    let lines = String(decoding: part, as: UTF8.self)
    let content = Array(
      part.contains(0x0D)
        ? lines.replacing("\r\n", with: "\n").replacing("\r", with: "\n").utf8 : lines.utf8)
    var tokens = XMLTokens(content)
    var text = ""
    while let token = try? tokens.next() {
      switch token {
      case .text(let range): text += XMLTokens.resolved(Array(content[range]))
      case .verbatim(let range): text += String(decoding: content[range], as: UTF8.self)
      case .start, .end: break
      }
    }
    return text
  }

  /// The text with references for markup, and for characters that readers would normalize.
  private func escaped(_ text: String, inAttribute: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\r": result += "&#xD;"
      case "\n" where inAttribute: result += "&#xA;"
      case "\t" where inAttribute: result += "&#x9;"
      case "\"" where inAttribute: result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
