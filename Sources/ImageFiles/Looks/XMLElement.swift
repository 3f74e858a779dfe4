/// An element of an XML document: the part of XML 1.0 that color decision lists and lookup tables need.
///
/// Namespace prefixes are dropped. A document type declaration is refused, because entities can expand without limit.
struct XMLElement {
  let name: String
  let attributes: [String: String]
  fileprivate(set) var children: [XMLElement] = []
  /// The text within the element itself.
  fileprivate(set) var text = ""

  /// The first child of this name.
  func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// This element, or the elements within it, that have this name.
  func all(_ name: String) -> [XMLElement] {
    self.name == name ? [self] : children.flatMap { $0.all(name) }
  }

  /// The element that the text of a file is.
  init(_ bytes: [UInt8], file: String) throws(LookFileError) {
    var parser = XMLParser(bytes, file: file)
    self = try parser.document()
  }

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }
}

private struct XMLParser {
  /// The maximum nesting depth of elements.
  private static let deepest = 32
  /// The predefined entities.
  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private let file: String
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

  mutating func document() throws(LookFileError) -> XMLElement {
    var open: [XMLElement] = []
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        let text = take(while: { $0 != UInt8(ascii: "<") })
        if !open.isEmpty { open[open.count - 1].text += try plain(text) }
        continue
      }
      if try taken("<!--", to: "-->") != nil { continue }
      if try taken("<?", to: "?>") != nil { continue }
      if let text = try taken("<![CDATA[", to: "]]>") {
        if !open.isEmpty { open[open.count - 1].text += text }
        continue
      }
      if follows("<!") { throw failure("a document type is not accepted") }
      if follows("</") {
        position += 2
        let name = local(take(while: { $0 != UInt8(ascii: ">") && !isSpace($0) }))
        _ = take(while: isSpace)
        guard let element = open.popLast(), element.name == name, take(">") else {
          throw failure("an element ends as “\(name.prefix(40))” that has not begun so")
        }
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
        continue
      }
      let (element, isEmpty) = try startTag()
      if !isEmpty {
        guard open.count < Self.deepest else {
          throw failure("elements lie deeper than \(Self.deepest) within each other")
        }
        open.append(element)
      } else if open.isEmpty {
        return element
      } else {
        open[open.count - 1].children.append(element)
      }
    }
    throw .incomplete(file: file, reason: "its first element does not end")
  }

  private mutating func startTag() throws(LookFileError) -> (XMLElement, isEmpty: Bool) {
    position += 1
    let name = local(take(while: isNameByte))
    if name.isEmpty { throw failure("an element has no name") }
    var attributes: [String: String] = [:]
    while true {
      _ = take(while: isSpace)
      if take("/>") { return (XMLElement(name, attributes), true) }
      if take(">") { return (XMLElement(name, attributes), false) }
      let key = local(take(while: isNameByte))
      _ = take(while: isSpace)
      guard !key.isEmpty, take("=") else { throw failure("an attribute has no value") }
      _ = take(while: isSpace)
      guard let quote = position < bytes.count ? bytes[position] : nil,
        quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else { throw failure("the value of “\(key.prefix(40))” has no quotes") }
      position += 1
      let value = take(while: { $0 != quote })
      guard take(while: { $0 == quote }).count == 1 else {
        throw failure("the value of “\(key.prefix(40))” has no end")
      }
      attributes[key] = try plain(value)
    }
  }

  private func follows(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

  private mutating func take(_ mark: String) -> Bool {
    guard follows(mark) else { return false }
    position += mark.utf8.count
    return true
  }

  private mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = min(position, bytes.count)
    let taken = bytes[start...].prefix(while: condition)
    position = taken.endIndex
    return taken
  }

  /// Returns the text between two delimiters, if the first one comes next.
  private mutating func taken(_ start: String, to end: String) throws(LookFileError) -> String? {
    guard take(start) else { return nil }
    let from = position
    while position < bytes.count {
      let to = position
      if take(end) { return String(decoding: bytes[from..<to], as: UTF8.self) }
      position += 1
    }
    throw failure("“\(start)” has no “\(end)”")
  }

  /// Returns text with entity and character references resolved.
  private func plain(_ bytes: ArraySlice<UInt8>) throws(LookFileError) -> String {
    let parts = String(decoding: bytes, as: UTF8.self)
      .split(separator: "&", omittingEmptySubsequences: false)
    var result = String(parts[0])
    for part in parts.dropFirst() {
      guard let end = part.firstIndex(of: ";"), let character = character(part[..<end]) else {
        throw failure("“&\(part.prefix(10))” is no character that is known")
      }
      result.append(character)
      result.append(contentsOf: part[part.index(after: end)...])
    }
    return result
  }

  /// The character of a predefined entity, or of a number (XML 1.0, 4.1 and 4.6); nil for anything else.
  private func character(_ reference: Substring) -> Character? {
    guard reference.first == "#" else { return Self.entities[reference] }
    let isHexadecimal = reference.dropFirst().first == "x"
    let digits = reference.dropFirst(isHexadecimal ? 2 : 1)
    // A number may have a sign in Swift, and not in XML.
    guard digits.first?.isHexDigit == true,
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
      let scalar = Unicode.Scalar(number),
      // The other control characters and the noncharacters are not allowed (XML 1.0, 2.2).
      [0x9, 0xA, 0xD].contains(number) || (number >= 0x20 && ![0xFFFE, 0xFFFF].contains(number))
    else { return nil }
    return Character(scalar)
  }

  private func failure(_ reason: String) -> LookFileError {
    let line = 1 + bytes.prefix(position).count { $0 == UInt8(ascii: "\n") }
    return .line(file: file, number: line, reason: reason)
  }
}

private func isNameByte(_ byte: UInt8) -> Bool {
  !isSpace(byte) && !"<>/='\"".utf8.contains(byte)
}

/// A name without its prefix.
private func local(_ name: ArraySlice<UInt8>) -> String {
  let colon = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
  return String(decoding: name[colon...], as: UTF8.self)
}
