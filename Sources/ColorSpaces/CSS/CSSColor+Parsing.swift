extension CSSColor {
  /// Parses a CSS color (CSS Color 4): a name, `transparent`, a `#` code of 3, 4, 6 or 8 digits, or one of the
  /// functions `rgb`, `hsl`, `hwb`, `lab`, `lch`, `oklab`, `oklch` and `color`, the first two also in the legacy comma
  /// syntax and as `rgba` and `hsla`. Letter case does not matter, and the end of the text closes open functions.
  ///
  /// Math functions may replace numbers: `calc()`, `min()`, `max()`, `clamp()`, `round()`, `sin()` and the others of
  /// CSS Values 4, nested up to 64 levels. Colors that depend on a context are not supported: `currentcolor`, system
  /// colors and relative colors.
  public init(_ text: String) throws(CSSColorError) {
    var parser = CSSColorParser(text)
    self = try parser.color()
  }

  /// Creates a color from four bytes, red in the most significant one.
  fileprivate init(code: UInt32) {
    func byte(_ shift: UInt32) -> Double { Double(code >> shift & 0xFF) / 255 }
    self.init(.sRGB, byte(24), byte(16), byte(8), alpha: byte(0))
  }
}

/// A parser for one color; CSSColorParser+Math.swift parses math functions.
struct CSSColorParser {
  private let text: String
  private(set) var tokenizer: CSSTokenizer
  private(set) var token: CSSTokenizer.Token
  /// The nesting depth of math functions.
  var depth = 0

  init(_ text: String) {
    self.text = text
    tokenizer = CSSTokenizer(text)
    token = tokenizer.read()
  }

  mutating func color() throws(CSSColorError) -> CSSColor {
    let color: CSSColor
    switch token {
    case .identifier(let name):
      guard let code = name == "transparent" ? 0 : CSSColor.named[name].map({ $0 << 8 | 0xFF })
      else {
        throw error("the name of a color, a “#” code or a color function")
      }
      color = CSSColor(code: code)
      advance()
    case .hash(let digits):
      color = try hexadecimal(digits)
      advance()
    case .function("color"):
      advance()
      guard case .identifier(let name) = token, let function = CSSFunction.color(name) else {
        let spaces = CSSColor.Space.allCases.filter { !$0.hasOwnFunction }.map(\.rawValue)
        throw error("one of the color spaces \(spaces.joined(separator: ", "))")
      }
      color = try self.color(function)
    case .function(let name):
      guard let function = CSSFunction.named[name] else {
        let names = CSSFunction.named.keys.sorted() + ["color"]
        throw error("one of the functions \(names.joined(separator: ", "))")
      }
      color = try self.color(function)
    default:
      throw error("the name of a color, a “#” code or a color function")
    }
    guard token == .end else { throw error("the end") }
    return color
  }

  mutating func advance() { token = tokenizer.read() }

  func error(_ expected: String) -> CSSColorError {
    let range = tokenizer.range
    let found = tokenizer.text(range)
    let quoted = found.count > 40 ? "\(found.prefix(40))…" : found
    return CSSColorError(
      text: text, position: tokenizer.text(0..<range.lowerBound).count + 1, expected: expected,
      found: token == .end ? "the end" : "“\(quoted)”")
  }

  private func hexadecimal(_ digits: String) throws(CSSColorError) -> CSSColor {
    // The initializer of integers would accept a sign.
    let isHexadecimal = digits.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    guard isHexadecimal, [3, 4, 6, 8].contains(digits.utf8.count) else {
      throw error("“#” and 3, 4, 6 or 8 of the digits 0…9 and a…f")
    }
    let long = digits.utf8.count > 4 ? digits : digits.map { "\($0)\($0)" }.joined()
    guard let code = UInt32(long.utf8.count == 8 ? long : long + "ff", radix: 16) else {
      throw error("hexadecimal digits")
    }
    return CSSColor(code: code)
  }

  /// Skips a closing parenthesis; the end of the text closes everything (CSS Syntax 3, 5.4.9).
  mutating func closeParenthesis(_ expected: String) throws(CSSColorError) {
    if token == .end { return }
    guard token == .closeParenthesis else { throw error(expected) }
    advance()
  }

  /// Parses from the token before the first channel to the token after the closing parenthesis.
  private mutating func color(_ function: CSSFunction) throws(CSSColorError) -> CSSColor {
    advance()
    let first = try component(function.channels[0])
    // Commas select the legacy syntax, which has no `none` and does not mix numbers and percentages.
    let hasCommas = function.allowsCommas && token == .comma && first.value != nil
    var expectsPercentage: Bool? = function.space == .hsl ? true : first.isPercentage
    if !hasCommas { expectsPercentage = nil }
    let separator: CSSTokenizer.Token? = hasCommas ? .comma : nil

    var numbers = [first.value]
    for channel in function.channels.dropFirst() {
      try skip(separator)
      numbers.append(try component(channel, isPercentage: expectsPercentage).value)
    }

    var alpha: Double? = 1
    let hasAlpha = token == (separator ?? .slash)
    if hasAlpha {
      advance()
      let channel = CSSChannel.amount(full: 1, in: 0...1)
      alpha = try component(channel, allowsNone: !hasCommas).value
    }
    try closeParenthesis(hasAlpha ? "“)”" : hasCommas ? "“,” or “)”" : "“/” or “)”")
    return CSSColor(function.space, numbers[0], numbers[1], numbers[2], alpha: alpha)
  }

  private mutating func skip(_ separator: CSSTokenizer.Token?) throws(CSSColorError) {
    guard let separator else { return }
    guard token == separator else { throw error("“,”") }
    advance()
  }

  /// Parses a channel: its value, nil for `none`, and whether it was a percentage. `isPercentage` requires one of the
  /// two, as the legacy syntax does; `none` is then an error.
  private mutating func component(
    _ channel: CSSChannel, isPercentage: Bool? = nil, allowsNone: Bool = true
  ) throws(CSSColorError) -> (value: Double?, isPercentage: Bool) {
    let allowsNone = allowsNone && isPercentage == nil
    var result: (Double?, Bool)?
    if case .function(let name) = token {
      let start = self
      let quantity = try calculation(name)
      guard let result = channel.value(quantity, isPercentage: isPercentage) else {
        throw start.error(
          "\(channel.description(isPercentage, false)), which this calculation is not")
      }
      return result
    }
    switch token {
    case .number(let number) where isPercentage != true:
      result = (channel.value(number: number), false)
    case .percentage(let number) where isPercentage != false:
      result = channel.value(percentage: number).map { ($0, true) }
    case .dimension(let number, let unit):
      result = channel.value(number: number, unit: unit).map { ($0, false) }
    case .identifier("none") where allowsNone:
      result = (nil, false)
    default:
      break
    }
    guard let result else { throw error(channel.description(isPercentage, allowsNone)) }
    advance()
    return result
  }
}

extension CSSTokenizer.Token {
  static let comma = Self.sign(UInt8(ascii: ","))
  static let slash = Self.sign(UInt8(ascii: "/"))
  static let asterisk = Self.sign(UInt8(ascii: "*"))
  static let plus = Self.sign(UInt8(ascii: "+"))
  static let minus = Self.sign(UInt8(ascii: "-"))
  static let openParenthesis = Self.sign(UInt8(ascii: "("))
  static let closeParenthesis = Self.sign(UInt8(ascii: ")"))
}

extension CSSChannel {
  /// The value of a math function and whether it is a percentage; nil where its type does not fit the channel.
  fileprivate func value(
    _ quantity: CSSQuantity, isPercentage: Bool?
  ) -> (value: Double?, isPercentage: Bool)? {
    switch quantity.type {
    case .number where isPercentage != true: (value(number: quantity.censored), false)
    case .percentage where isPercentage != false:
      value(percentage: quantity.censored).map { ($0, true) }
    case .angle: value(number: quantity.censored, unit: "deg").map { ($0, false) }
    default: nil
    }
  }

  /// The syntax that the channel allows, for error messages.
  fileprivate func description(_ isPercentage: Bool?, _ allowsNone: Bool) -> String {
    var kinds: [String]
    switch (kind, isPercentage) {
    case (.hue, _): kinds = ["an angle in deg, grad, rad or turn", "a number of degrees"]
    case (.amount, nil): kinds = ["a number", "a percentage"]
    case (.amount, true): kinds = ["a percentage"]
    case (.amount, false): kinds = ["a number without a percent sign"]
    }
    if allowsNone { kinds.append("“none”") }
    return kinds.count < 3
      ? kinds.joined(separator: " or ") : "\(kinds[0]), \(kinds[1]) or \(kinds[2])"
  }
}
