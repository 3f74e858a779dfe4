/// An element of an XML document: the part of XML 1.0 that color decision lists and lookup tables need.
///
/// Namespace prefixes are dropped. A document type declaration is refused, because entities can expand without limit.
struct XMLElement {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLElement] = []
  /// The text within the element itself, in UTF-8: bytes of the document where no reference or child divides it.
  fileprivate(set) var content: ArraySlice<UInt8> = []

  /// The text within the element itself.
  var text: String { String(decoding: content, as: UTF8.self) }

  /// The first child of this name.
  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// This element, or the elements within it, that have this name.
  func all(_ name: String) -> [XMLElement] {
    self.name == name ? [self] : children.flatMap { $0.all(name) }
  }

  /// The numbers in the element's text, of which there must be `count`.
  func numbers(count: Int, file: String) throws(LookFileError) -> [Double] {
    var numbers: [Double] = []
    let found = try forEachNumber(file: file) { index, number in
      if index < count { numbers.append(number) }
    }
    guard found == count else {
      throw .incomplete(
        file: file, reason: "<\(name)> has \(found) numbers and should have \(count)")
    }
    return numbers
  }

  /// Calls `body` with the index and the value of each number in the element's text, and returns how many there are.
  func forEachNumber(
    file: String, _ body: (Int, Double) -> Void
  ) throws(LookFileError) -> Int {
    let (count, wrong) = content.withUnsafeBytes { DecimalNumber.forEach(in: $0, body) }
    if let wrong {
      throw .incomplete(
        file: file, reason: "“\(wrong)” in <\(name)> is not a \(DecimalNumber.needed)")
    }
    return count
  }

  /// The element that the text of a file is.
  init(_ bytes: [UInt8], file: String) throws(LookFileError) {
    self = try XMLTreeBuilder(bytes, file: file).document()
  }

  /// Appends to the text within the element.
  fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
    if content.isEmpty { content = bytes } else { content += bytes }
  }

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }
}

/// Builds the tree of a document's first element.
private struct XMLTreeBuilder {
  /// The maximum nesting depth of elements.
  private static let deepest = 32
  /// The maximum number of elements and attributes, each of which takes more memory than its text.
  private static let mostParts = 1 << 17

  private let file: String
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

  func document() throws(LookFileError) -> XMLElement {
    do throws(XMLTokens.Fault) {
      if let element = try firstElement() { return element }
    } catch {
      let line = 1 + bytes.prefix(error.position).count { $0 == UInt8(ascii: "\n") }
      throw .line(file: file, number: line, reason: error.reason)
    }
    throw .incomplete(file: file, reason: "its first element does not end")
  }

  /// Returns the first element; nil where it does not end. The bytes behind it are not read.
  private func firstElement() throws(XMLTokens.Fault) -> XMLElement? {
    var tokens = XMLTokens(bytes, partLimit: Self.mostParts)
    var open: [(element: XMLElement, name: ArraySlice<UInt8>)] = []
    while let token = try tokens.next() {
      var ended: XMLElement?
      switch token {
      case .text(let range):
        if !open.isEmpty { open[open.count - 1].element.append(try plain(range)) }
      case .verbatim(let range):
        if !open.isEmpty { open[open.count - 1].element.append(bytes[range]) }
      case .start(let tag):
        let element = try element(tag)
        if tag.isEmpty {
          ended = element
        } else {
          guard open.count < Self.deepest else {
            throw XMLTokens.Fault(
              reason: "elements lie deeper than \(Self.deepest) within each other",
              position: tag.range.upperBound)
          }
          open.append((element, tag.name))
        }
      case .end(let name, let range):
        guard let last = open.popLast(), last.name == name else {
          throw XMLTokens.unopened(name, at: range.upperBound)
        }
        ended = last.element
      }
      guard let ended else { continue }
      if open.isEmpty { return ended }
      open[open.count - 1].element.children.append(ended)
    }
    return nil
  }

  private func element(_ tag: XMLTokens.StartTag) throws(XMLTokens.Fault) -> XMLElement {
    var attributes: [String: String] = [:]
    for attribute in tag.attributes {
      attributes[XMLTokens.localName(attribute.name)] =
        String(decoding: try plain(attribute.value), as: UTF8.self)
    }
    return XMLElement(XMLTokens.localName(tag.name), attributes)
  }

  /// Returns text with entity and character references resolved.
  private func plain(_ range: Range<Int>) throws(XMLTokens.Fault) -> ArraySlice<UInt8> {
    let (bytes, mark) = (bytes[range], UInt8(ascii: "&"))
    guard var next = bytes.firstIndex(of: mark) else { return bytes }
    var result = bytes[..<next]
    while next < bytes.endIndex {
      let reference = bytes[(next + 1)...]
      guard let end = reference.firstIndex(of: UInt8(ascii: ";")),
        end - next <= XMLTokens.longestReference,
        let character = XMLTokens.character(Substring(decoding: reference[..<end], as: UTF8.self))
      else {
        let start = reference.prefix { $0 != mark }.prefix(10)
        throw XMLTokens.Fault(
          reason: "“&\(String(decoding: start, as: UTF8.self))” is no character that is known",
          position: range.upperBound)
      }
      result += Array(String(character).utf8)
      next = bytes[end...].firstIndex(of: mark) ?? bytes.endIndex
      result += bytes[(end + 1)..<next]
    }
    return result
  }
}
