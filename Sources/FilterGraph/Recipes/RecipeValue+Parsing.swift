extension RecipeValue {
  /// Parses JSON text (RFC 8259). Names must be unique in an object.
  package init(json text: String) throws(RecipeDecodingError) {
    var reader = JSONReader(bytes: Array(text.utf8))
    self = try reader.document()
  }
}

/// A byte-wise JSON parser.
private struct JSONReader {
  let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  /// The maximum nesting depth. No recipe is deeper, and each level takes stack.
  private static let deepest = 100

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(RecipeDecodingError) -> RecipeValue {
    let value = try value()
    skipBlanks()
    if position < bytes.count { throw problem("the text goes on after its end") }
    return value
  }

  private func problem(_ text: String) -> RecipeDecodingError {
    let before = bytes[..<position]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let column = position - (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1)
    return .notJSON(line: line, column: column, text)
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Skips white space and the next byte if it is `byte`; returns whether it was.
  private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(RecipeDecodingError) -> RecipeValue {
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"):
      return try nested { reader throws(RecipeDecodingError) in try reader.object() }
    case UInt8(ascii: "["):
      return try nested { reader throws(RecipeDecodingError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case nil: throw problem("the text ends in the middle")
    default: return try word()
    }
  }

  private mutating func nested(
    _ read: (inout JSONReader) throws(RecipeDecodingError) -> RecipeValue
  ) throws(RecipeDecodingError) -> RecipeValue {
    if depth == Self.deepest { throw problem("values are nested more than \(Self.deepest) deep") }
    position += 1
    depth += 1
    defer { depth -= 1 }
    return try read(&self)
  }

  private mutating func array() throws(RecipeDecodingError) -> RecipeValue {
    var values: [RecipeValue] = []
    if skip("]") { return .array(values) }
    repeat { values.append(try value()) } while skip(",")
    if !skip("]") { throw problem("a list goes on with “,” or ends with “]”") }
    return .array(values)
  }

  private mutating func object() throws(RecipeDecodingError) -> RecipeValue {
    var members: [RecipeValue.Member] = []
    var names: Set<String> = []
    if skip("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw problem("a name in quotes is needed") }
      let name = try string()
      if !names.insert(name).inserted {
        throw problem("the name \(quotedBeginning(of: name)) occurs twice")
      }
      if !skip(":") { throw problem("a name is followed by “:”") }
      members.append(RecipeValue.Member(name, try value()))
    } while skip(",")
    if !skip("}") { throw problem("an object goes on with “,” or ends with “}”") }
    return .object(members)
  }

  /// Parses a number, `true`, `false` or `null`.
  private mutating func word() throws(RecipeDecodingError) -> RecipeValue {
    let start = position
    while let byte = next, isPartOfWord(byte) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      let isNumber = isNumber(word)
      if isNumber {
        if let value = Int(word), word != "-0" { return .integer(value) }
        if let value = Double(word), value.isFinite { return .number(value) }
      }
      position = start
      if word.isEmpty { throw problem("a value is needed") }
      throw problem(
        quotedBeginning(of: word)
          + (isNumber
            ? " is too large; numbers are at most 3.4e38" : " is no value; texts stand in quotes"))
    }
  }

  private func isPartOfWord(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": true
    default: false
    }
  }

  /// Whether the word is a number of JSON: an optional sign, digits without a leading zero, an optional fraction and
  /// exponent.
  private func isNumber(_ word: String) -> Bool {
    var rest = Array(word.utf8)[...]
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    func dropDigits() -> Int {
      let digits = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(digits)
      return digits
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let hasZero = rest.first == UInt8(ascii: "0")
    let whole = dropDigits()
    if whole == 0 || hasZero && whole > 1 { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      if dropDigits() == 0 { return false }
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      if dropDigits() == 0 { return false }
    }
    return rest.isEmpty
  }

  private mutating func string() throws(RecipeDecodingError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw problem("a text is not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      case 0..<0x20:
        position -= 1
        throw problem("a line ends within a text")
      default: text.append(byte)
      }
    }
    throw problem("the text ends in the middle")
  }

  private mutating func escape() throws(RecipeDecodingError) -> Unicode.Scalar {
    let letter = next.map { Unicode.Scalar($0) }
    position += 1
    switch letter {
    case "\"", "\\", "/": return letter ?? "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      let high = try hexadecimal()
      if let scalar = Unicode.Scalar(high) { return scalar }
      // A surrogate pair, for a character beyond U+FFFF.
      if (0xD800...0xDBFF).contains(high), bytes[position...].starts(with: #"\u"#.utf8) {
        position += 2
        let low = try hexadecimal()
        if (0xDC00...0xDFFF).contains(low),
          let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        {
          return scalar
        }
      }
      throw problem("half a character is escaped")
    default:
      position = min(position, bytes.count)
      throw problem("no such escape")
    }
  }

  private mutating func hexadecimal() throws(RecipeDecodingError) -> UInt32 {
    let digits = bytes[min(position, bytes.count)..<min(position + 4, bytes.count)]
    // Numbers may begin with a sign, escapes may not.
    guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      position = min(position, bytes.count)
      throw problem("an escape needs four hexadecimal digits")
    }
    position += 4
    return value
  }
}
