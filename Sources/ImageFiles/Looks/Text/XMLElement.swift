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
    var parser = XMLParser(bytes, file: file)
    self = try parser.document()
  }

  /// Appends to the text within the element.
  fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
    if content.isEmpty { content = bytes } else { content += bytes }
  }

  fileprivate init(_ name: String, _ attributes: [String: String]) {
    (self.name, self.attributes) = (name, attributes)
  }
}

private struct XMLParser {
  /// The maximum nesting depth of elements.
  private static let deepest = 32
  /// The maximum number of elements and attributes, each of which takes more memory than its text.
  private static let mostParts = 1 << 17
  /// The most bytes of a reference such as `&#x1F31E;`.
  private static let longestReference = 64
  /// The predefined entities.
  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private let file: String
  private let bytes: [UInt8]
  private var position = 0
  private var partCount = 0

  init(_ bytes: [UInt8], file: String) { (self.bytes, self.file) = (bytes, file) }

  mutating func document() throws(LookFileError) -> XMLElement {
    var open: [XMLElement] = []
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        let text = take(while: { $0 != UInt8(ascii: "<") })
        if !open.isEmpty { open[open.count - 1].append(try plain(text)) }
        continue
      }
      if try taken("<!--", to: "-->") != nil { continue }
      if try taken("<?", to: "?>") != nil { continue }
      if let text = try taken("<![CDATA[", to: "]]>") {
        if !open.isEmpty { open[open.count - 1].append(text) }
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
    try countPart()
    let name = local(take(while: isNameByte))
    if name.isEmpty { throw failure("an element has no name") }
    var attributes: [String: String] = [:]
    while true {
      _ = take(while: isSpace)
      if take("/>") { return (XMLElement(name, attributes), true) }
      if take(">") { return (XMLElement(name, attributes), false) }
      try countPart()
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
      attributes[key] = String(decoding: try plain(value), as: UTF8.self)
    }
  }

  private mutating func countPart() throws(LookFileError) {
    partCount += 1
    guard partCount <= Self.mostParts else {
      throw failure("there are more than \(Self.mostParts) elements and attributes")
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
  private mutating func taken(_ start: String, to end: String) throws(LookFileError)
    -> ArraySlice<UInt8>?
  {
    guard take(start) else { return nil }
    let from = position
    while position < bytes.count {
      let to = position
      if take(end) { return bytes[from..<to] }
      position += 1
    }
    throw failure("“\(start)” has no “\(end)”")
  }

  /// Returns text with entity and character references resolved.
  private func plain(_ bytes: ArraySlice<UInt8>) throws(LookFileError) -> ArraySlice<UInt8> {
    let mark = UInt8(ascii: "&")
    guard var next = bytes.firstIndex(of: mark) else { return bytes }
    var result = bytes[..<next]
    while next < bytes.endIndex {
      let reference = bytes[(next + 1)...]
      guard let end = reference.firstIndex(of: UInt8(ascii: ";")),
        end - next <= Self.longestReference,
        let character = character(Substring(decoding: reference[..<end], as: UTF8.self))
      else {
        let start = reference.prefix { $0 != mark }.prefix(10)
        throw failure(
          "“&\(String(decoding: start, as: UTF8.self))” is no character that is known")
      }
      result += Array(String(character).utf8)
      next = bytes[end...].firstIndex(of: mark) ?? bytes.endIndex
      result += bytes[(end + 1)..<next]
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
