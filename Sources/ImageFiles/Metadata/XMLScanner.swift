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
    let tag: Range<Int>
    var hasChildren = false
  }

  private let bytes: [UInt8]
  private var open: [Open] = []
  private var names: [Name] = []
  private static let mostDepth = 200

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Tells the visitor of all elements; returns whether the document is well-formed, as far as that is looked at.
  mutating func scan(_ visitor: inout some Visitor) -> Bool {
    var tokens = XMLTokens(bytes)
    do throws(XMLTokens.Fault) {
      while let token = try tokens.next() {
        switch token {
        case .text: break
        case .verbatim: if open.isEmpty { return false }
        case .start(let tag): guard begin(tag, &visitor) else { return false }
        case .end(let name, let tag):
          guard name == open.last?.qualifiedName else { return false }
          close(before: tag, &visitor)
        }
      }
    } catch { return false }
    return open.isEmpty
  }

  private mutating func begin(_ tag: XMLTokens.StartTag, _ visitor: inout some Visitor) -> Bool {
    guard open.count < Self.mostDepth else { return false }
    var spaces: [String: String] = [:]
    for attribute in tag.attributes where attribute.name.starts(with: "xmlns".utf8) {
      let prefix = attribute.name.dropFirst(5)
      // Namespaces are short, except in attacks.
      guard attribute.value.count <= XMLTokens.longestName else { return false }
      if prefix.isEmpty || prefix.first == UInt8(ascii: ":") {
        spaces[text(prefix.dropFirst())] = text(bytes[attribute.value])
      }
    }
    if !open.isEmpty { open[open.count - 1].hasChildren = true }
    open.append(Open(qualifiedName: tag.name, spaces: spaces, tag: tag.range))
    let name = resolved(tag.name, isAttribute: false)
    let attributes = tag.attributes.map {
      Attribute(name: resolved($0.name, isAttribute: true), range: $0.range, value: $0.value)
    }
    visitor.begin(name, attributes, in: names)
    names.append(name)
    if tag.isEmpty { close(before: nil, &visitor) }
    return true
  }

  /// Ends the innermost element, by its end tag where it has one.
  private mutating func close(before tag: Range<Int>?, _ visitor: inout some Visitor) {
    let (element, name) = (open.removeLast(), names.removeLast())
    visitor.end(
      Element(
        name: name, range: element.tag.lowerBound..<(tag ?? element.tag).upperBound,
        content: tag.map { element.tag.upperBound..<$0.lowerBound },
        hasChildren: element.hasChildren),
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

  private func text(_ part: ArraySlice<UInt8>) -> String { String(decoding: part, as: UTF8.self) }
}
