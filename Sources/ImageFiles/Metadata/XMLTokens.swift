/// Divides an XML document in UTF-8 into tags and text, and states where they are (XML 1.0, without document type definitions).
///
/// ``XMLScanner`` keeps the places, so that XMP can be edited, and ``XMLElement`` builds a tree of them. Both check how elements nest.
/// A document type declaration is refused, because entities can expand without limit; references within text are left to the caller, who
/// has ``resolved(_:)``. Time and memory are linear in the number of bytes.
struct XMLTokens {
  enum Token {
    case start(StartTag)
    /// An end tag: its name, and its range.
    case end(ArraySlice<UInt8>, Range<Int>)
    /// Text outside of tags, which may have references.
    case text(Range<Int>)
    /// The text within a CDATA section.
    case verbatim(Range<Int>)
  }

  /// A start tag, or the tag of an empty element.
  struct StartTag {
    let name: ArraySlice<UInt8>
    let attributes: [Attribute]
    let range: Range<Int>
    let isEmpty: Bool
  }

  struct Attribute {
    let name: ArraySlice<UInt8>
    /// From the white space before the name to behind the quotation mark.
    let range: Range<Int>
    /// Between the quotation marks.
    let value: Range<Int>
  }

  /// Why a document is not well-formed, and where that was found.
  struct Fault: Error {
    let reason: String
    let position: Int
  }

  let bytes: [UInt8]
  private var position = 0
  /// The most elements and attributes, each of which takes more memory than its text.
  private let partLimit: Int
  private var partCount = 0
  /// The bytes of white space (XML 1.0, 2.3).
  static let blanks: [UInt8] = [0x20, 0x09, 0x0D, 0x0A]
  private static let nameEnds = Set(blanks + "=/><\"'".utf8)
  /// Names are short, except in attacks.
  static let longestName = 1000

  init(_ bytes: [UInt8], partLimit: Int = .max) {
    (self.bytes, self.partLimit) = (bytes, partLimit)
  }

  /// Returns the next token; nil at the end of the document. Comments and processing instructions are skipped.
  mutating func next() throws(Fault) -> Token? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return .text(start..<position)
      }
      if try content(from: "<!--", to: "-->") != nil { continue }
      if try content(from: "<?", to: "?>") != nil { continue }
      if let text = try content(from: "<![CDATA[", to: "]]>") { return .verbatim(text) }
      if starts("<!") { throw fault("a document type is not accepted") }
      return starts("</") ? try endTag() : .start(try startTag())
    }
    return nil
  }

  private mutating func endTag() throws(Fault) -> Token {
    let start = position
    position += 2
    let name = try takeName()
    skipBlanks()
    guard take(">") else { throw Self.unopened(name, at: position) }
    return .end(name, start..<position)
  }

  private mutating func startTag() throws(Fault) -> StartTag {
    let start = position
    position += 1
    try countPart()
    let name = try takeName()
    if name.isEmpty { throw fault("an element has no name") }
    var attributes: [Attribute] = []
    while true {
      let blank = position
      skipBlanks()
      let isEmpty = take("/>")
      if isEmpty || take(">") {
        return StartTag(
          name: name, attributes: attributes, range: start..<position, isEmpty: isEmpty)
      }
      attributes.append(try attribute(from: blank))
    }
  }

  /// Reads an attribute whose white space begins at `blank` and ends here.
  private mutating func attribute(from blank: Int) throws(Fault) -> Attribute {
    try countPart()
    let isApart = position > blank
    let name = try takeName()
    skipBlanks()
    guard !name.isEmpty, take("=") else { throw fault("an attribute has no value") }
    guard isApart else { throw fault("there is no space before “\(Self.brief(name))”") }
    skipBlanks()
    guard let quote = position < bytes.count ? bytes[position] : nil,
      quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else { throw fault("the value of “\(Self.brief(name))” has no quotes") }
    position += 1
    let start = position
    guard let end = bytes[start...].firstIndex(of: quote) else {
      position = bytes.count
      throw fault("the value of “\(Self.brief(name))” has no end")
    }
    position = end + 1
    return Attribute(name: name, range: blank..<position, value: start..<end)
  }

  private mutating func countPart() throws(Fault) {
    partCount += 1
    guard partCount <= partLimit else {
      throw fault("there are more than \(partLimit) elements and attributes")
    }
  }

  private mutating func takeName() throws(Fault) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, !Self.nameEnds.contains(bytes[position]) { position += 1 }
    guard position - start <= Self.longestName else {
      throw fault("a name has more than \(Self.longestName) bytes")
    }
    return bytes[start..<position]
  }

  private mutating func skipBlanks() {
    while position < bytes.count, Self.blanks.contains(bytes[position]) { position += 1 }
  }

  /// Returns the range between two delimiters, if the first one comes next.
  private mutating func content(
    from start: String, to end: String
  ) throws(Fault) -> Range<Int>? {
    guard take(start), let mark = end.utf8.first else { return nil }
    let first = position
    while let found = bytes[position...].firstIndex(of: mark) {
      position = found
      if take(end) { return first..<found }
      position += 1
    }
    position = bytes.count
    throw fault("“\(start)” has no “\(end)”")
  }

  private mutating func take(_ mark: String) -> Bool {
    guard starts(mark) else { return false }
    position += mark.utf8.count
    return true
  }

  private func starts(_ mark: String) -> Bool { bytes[position...].starts(with: mark.utf8) }

  private func fault(_ reason: String) -> Fault { Fault(reason: reason, position: position) }

  /// The fault of an end tag that does not end the element around it.
  static func unopened(_ name: ArraySlice<UInt8>, at position: Int) -> Fault {
    Fault(
      reason: "an element ends as “\(brief(name))” that has not begun so", position: position)
  }

  /// A name for a sentence, without its prefix.
  private static func brief(_ name: ArraySlice<UInt8>) -> Substring { localName(name).prefix(40) }

  /// A name without its prefix.
  static func localName(_ name: ArraySlice<UInt8>) -> String {
    let colon = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? name.startIndex
    return String(decoding: name[colon...], as: UTF8.self)
  }
}

extension XMLTokens {
  /// The predefined entities (XML 1.0, 4.6).
  private static let entities: [Substring: Character] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]
  /// The most bytes of a reference such as `&#x1F31E;`.
  static let longestReference = 64

  /// The text of bytes in which references stand for characters. References that are not known stay as they are.
  static func resolved(_ bytes: [UInt8]) -> String {
    let mark = UInt8(ascii: "&")
    var result: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.firstIndex(of: mark) {
      result += rest[..<start]
      rest = rest[(start + 1)...]
      if let end = rest.prefix(longestReference).firstIndex(of: UInt8(ascii: ";")),
        let character = character(Substring(decoding: rest[..<end], as: UTF8.self))
      {
        result += String(character).utf8
        rest = rest[(end + 1)...]
      } else {
        result.append(mark)
      }
    }
    return String(decoding: result + rest, as: UTF8.self)
  }

  /// The character of a predefined entity, or of a number (XML 1.0, 4.1); nil for anything else.
  static func character(_ reference: Substring) -> Character? {
    guard reference.first == "#" else { return entities[reference] }
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
}
