/// Finds elements and attributes of XML with their namespaces, and where they are, so that a few can be changed and all other bytes kept.
///
/// It reads what XMP needs (Namespaces in XML 1.0, UTF-8), without entities and document type definitions. Time and memory are linear in
/// the number of bytes.
struct XMLScanner {
  /// A name by its namespace.
  struct Name: Hashable {
    var space: String
    var local: String
  }

  struct Attribute {
    let name: Name
    /// From the white space before the name to behind the quotation mark.
    let range: Range<Int>
    /// Between the quotation marks.
    let value: Range<Int>
  }

  struct Element {
    let name: Name
    /// From the first bracket to behind the last one.
    let range: Range<Int>
    /// Between the tags; nil for an empty element.
    let content: Range<Int>?
    let hasChildren: Bool
  }

  /// Receives the events of a document in order. Elements are reported when they end.
  protocol Visitor {
    /// An element begins; `parents` are the names around it, the outermost first.
    mutating func begin(_ name: Name, _ attributes: [Attribute], in parents: [Name])
    mutating func end(_ element: Element, in parents: [Name])
  }

  private struct Open {
    let qualifiedName: ArraySlice<UInt8>
    let spaces: [String: String]
    let start: Int
    let contentStart: Int
    var hasChildren = false
  }

  private let bytes: [UInt8]
  private var position = 0
  private var open: [Open] = []
  private var names: [Name] = []
  private static let mostDepth = 200
  /// The bytes of white space (XML 1.0, 2.3).
  static let blanks: [UInt8] = [0x20, 0x09, 0x0D, 0x0A]
  private static let nameEnds = Set(blanks + "=/><\"'".utf8)
  /// Names and namespaces are short, except in attacks.
  private static let longestName = 1000

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Tells the visitor of all elements; returns whether the document is well-formed, as far as that is looked at.
  mutating func scan(_ visitor: inout some Visitor) -> Bool {
    while let bracket = find("<", from: position) {
      position = bracket
      let isRead =
        if starts("<?") {
          skip(behind: "?>")
        } else if starts("<!--") {
          skip(behind: "-->")
        } else if starts("<![CDATA[") {
          !open.isEmpty && skip(behind: "]]>")
        } else if starts("<!") {
          false
        } else if starts("</") {
          closeElement(&visitor)
        } else {
          openElement(&visitor)
        }
      guard isRead else { return false }
    }
    return open.isEmpty
  }

  private mutating func openElement(_ visitor: inout some Visitor) -> Bool {
    let start = position
    position += 1
    guard open.count < Self.mostDepth, let qualifiedName = takeName() else { return false }
    var found: [(name: ArraySlice<UInt8>, range: Range<Int>, value: Range<Int>)] = []
    var isEmpty = false
    while true {
      let blank = position
      skipBlanks()
      guard position < bytes.count else { return false }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        break
      }
      if starts("/>") {
        position += 2
        isEmpty = true
        break
      }
      guard position > blank, let name = takeName() else { return false }
      skipBlanks()
      guard take("=") else { return false }
      skipBlanks()
      guard position < bytes.count,
        [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position])
      else { return false }
      let quote = bytes[position]
      guard let end = bytes[(position + 1)...].firstIndex(of: quote) else { return false }
      found.append((name, blank..<end + 1, position + 1..<end))
      position = end + 1
    }
    var spaces: [String: String] = [:]
    for (name, _, value) in found where name.starts(with: "xmlns".utf8) {
      let prefix = name.dropFirst(5)
      guard value.count <= Self.longestName else { return false }
      if prefix.isEmpty || prefix.first == UInt8(ascii: ":") {
        spaces[text(prefix.dropFirst())] = text(bytes[value])
      }
    }
    let element = Open(
      qualifiedName: qualifiedName, spaces: spaces, start: start, contentStart: position)
    if !open.isEmpty { open[open.count - 1].hasChildren = true }
    open.append(element)
    let name = resolved(qualifiedName, isAttribute: false)
    let attributes = found.map {
      Attribute(name: resolved($0.name, isAttribute: true), range: $0.range, value: $0.value)
    }
    visitor.begin(name, attributes, in: names)
    names.append(name)
    if isEmpty { close(at: position, contentEnd: nil, &visitor) }
    return true
  }

  private mutating func closeElement(_ visitor: inout some Visitor) -> Bool {
    let end = position
    position += 2
    guard let name = takeName(), name == open.last?.qualifiedName else { return false }
    skipBlanks()
    guard take(">") else { return false }
    close(at: position, contentEnd: end, &visitor)
    return true
  }

  private mutating func close(at end: Int, contentEnd: Int?, _ visitor: inout some Visitor) {
    let (element, name) = (open.removeLast(), names.removeLast())
    visitor.end(
      Element(
        name: name, range: element.start..<end,
        content: contentEnd.map { element.contentStart..<$0 }, hasChildren: element.hasChildren),
      in: names)
  }

  private func resolved(_ name: ArraySlice<UInt8>, isAttribute: Bool) -> Name {
    let parts = name.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    let prefix = parts.count == 2 ? text(parts[0]) : ""
    // Attributes without a prefix are in no namespace.
    if isAttribute, prefix.isEmpty { return Name(space: "", local: text(name)) }
    let space = open.reversed().lazy.compactMap { $0.spaces[prefix] }.first
    return Name(space: space ?? "", local: text(parts.last ?? name))
  }

  private mutating func takeName() -> ArraySlice<UInt8>? {
    let start = position
    while position < bytes.count, !Self.nameEnds.contains(bytes[position]) { position += 1 }
    let count = position - start
    return count > 0 && count <= Self.longestName ? bytes[start..<position] : nil
  }

  private mutating func skipBlanks() {
    while position < bytes.count, Self.blanks.contains(bytes[position]) {
      position += 1
    }
  }

  private mutating func take(_ text: String) -> Bool {
    guard starts(text) else { return false }
    position += text.utf8.count
    return true
  }

  private mutating func skip(behind text: String) -> Bool {
    guard let start = find(text, from: position) else { return false }
    position = start + text.utf8.count
    return true
  }

  private func starts(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  private func find(_ text: String, from start: Int) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var position = start
    while let found = bytes[position...].firstIndex(of: first) {
      if bytes[found...].starts(with: text.utf8) { return found }
      position = found + 1
    }
    return nil
  }

  private func text(_ part: ArraySlice<UInt8>) -> String { String(decoding: part, as: UTF8.self) }
}
