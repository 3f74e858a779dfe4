/// A tokenizer for the subset of CSS Syntax 3 that colors need. White space and comments separate tokens.
struct CSSTokenizer {
  enum Token: Hashable {
    case number(Double)
    case percentage(Double)
    /// A number with a unit, in lowercase.
    case dimension(Double, String)
    /// A name, in lowercase.
    case identifier(String)
    /// A name and its opening parenthesis, in lowercase.
    case function(String)
    /// The name after a number sign.
    case hash(String)
    /// Any other character.
    case sign(UInt8)
    case end
  }

  private let bytes: [UInt8]
  private var next = 0
  /// The bytes of the current token.
  private(set) var range = 0..<0
  /// Whether white space, not only a comment, precedes the current token.
  private(set) var followsBlank = false

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Decodes bytes; tokens neither begin nor end within a character.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  mutating func read() -> Token {
    followsBlank = false
    skipBlanks()
    let start = next
    defer { range = start..<next }
    guard let byte = peek() else { return .end }
    if startsNumber { return numeric() }
    if isNameStart(byte) || (byte == .hyphen && peek(1).map(isName) == true) {
      let name = name()
      guard peek() == .openParenthesis else { return .identifier(name) }
      next += 1
      return .function(name)
    }
    next += 1
    if byte == .numberSign, peek().map(isName) == true { return .hash(name()) }
    return .sign(byte)
  }

  private func peek(_ offset: Int = 0) -> UInt8? {
    next + offset < bytes.count ? bytes[next + offset] : nil
  }

  private func isDigit(_ offset: Int) -> Bool { peek(offset).map { $0.isDigit } == true }

  private mutating func skipBlanks() {
    while let byte = peek() {
      if byte.isBlank {
        followsBlank = true
        next += 1
      } else if byte == .slash, peek(1) == .asterisk {
        next += 2
        // In CSS, the end of the text also ends a comment.
        while next < bytes.count, !(peek() == .asterisk && peek(1) == .slash) { next += 1 }
        next = min(next + 2, bytes.count)
      } else {
        return
      }
    }
  }

  private var startsNumber: Bool {
    let sign = peek() == .plus || peek() == .hyphen ? 1 : 0
    return isDigit(sign) || (peek(sign) == .period && isDigit(sign + 1))
  }

  private mutating func numeric() -> Token {
    let start = next
    if peek() == .plus || peek() == .hyphen { next += 1 }
    skipDigits()
    if peek() == .period, isDigit(1) {
      next += 1
      skipDigits()
    }
    if peek().map({ $0 | 0x20 }) == UInt8(ascii: "e") {
      let sign = peek(1) == .plus || peek(1) == .hyphen ? 1 : 0
      if isDigit(1 + sign) {
        next += 1 + sign
        skipDigits()
      }
    }
    // Overflow gives the largest finite number (CSS Values 4, 10.9.1).
    let limit = Double.greatestFiniteMagnitude
    let value = min(max(Double(text(start..<next)) ?? 0, -limit), limit)
    if peek() == .percent {
      next += 1
      return .percentage(value)
    }
    let startsUnit =
      peek().map(isNameStart) == true || (peek() == .hyphen && peek(1).map(isNameStart) == true)
    return startsUnit ? .dimension(value, name()) : .number(value)
  }

  private mutating func skipDigits() { while isDigit(0) { next += 1 } }

  private mutating func name() -> String {
    let start = next
    while let byte = peek(), isName(byte) { next += 1 }
    // CSS folds the case of ASCII letters only: a Kelvin sign is no k.
    let small = bytes[start..<next].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: small, as: UTF8.self)
  }

  /// Every byte of a non-ASCII character counts, so that names end between characters.
  private func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
  }

  private func isName(_ byte: UInt8) -> Bool {
    isNameStart(byte) || byte.isDigit || byte == .hyphen
  }
}

extension UInt8 {
  fileprivate static let openParenthesis = UInt8(ascii: "(")
  fileprivate static let numberSign = UInt8(ascii: "#")
  fileprivate static let percent = UInt8(ascii: "%")
  fileprivate static let period = UInt8(ascii: ".")
  fileprivate static let plus = UInt8(ascii: "+")
  fileprivate static let hyphen = UInt8(ascii: "-")
  fileprivate static let slash = UInt8(ascii: "/")
  fileprivate static let asterisk = UInt8(ascii: "*")

  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }

  /// Space, tab, line feed, form feed, carriage return.
  fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(self) }
}
