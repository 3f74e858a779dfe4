// Math functions: `calc()` and the other functions of CSS Values 4, 10.

extension CSSColorParser {
  /// The maximum nesting depth of math functions; CSS requires at least 32.
  private static let depthLimit = 64

  /// Parses a math function, from its name to its closing parenthesis.
  mutating func calculation(_ name: String) throws(CSSColorError) -> CSSQuantity {
    try nested { parser throws(CSSColorError) in
      if name == "round" { return try parser.rounding() }
      guard let function = CSSMathFunction.named[name] else {
        let names = (CSSMathFunction.named.keys + ["round"]).sorted()
        throw parser.error("one of \(names.joined(separator: ", "))")
      }
      let start = parser
      parser.advance()
      var arguments: [CSSQuantity] = []
      repeat {
        if !arguments.isEmpty { parser.advance() }
        // A bound of `none` does not limit (CSS Values 4, 10.2).
        if name == "clamp", arguments.count != 1, parser.token == .identifier("none") {
          parser.advance()
          arguments.append(CSSQuantity(arguments.isEmpty ? -.infinity : .infinity, .number))
        } else {
          arguments.append(try parser.sum())
        }
      } while parser.token == .comma && arguments.count < function.arguments.upperBound
      if name == "clamp", arguments.count > 1 {
        for index in [0, 2]
        where arguments.indices.contains(index) && arguments[index].value.isInfinite {
          arguments[index].type = arguments[1].type
        }
      }
      guard arguments.count >= function.arguments.lowerBound else { throw parser.error("“,”") }
      try parser.closeParenthesis("an operator or “)”")
      guard let value = function.value(arguments) else {
        throw start.error("\(name)() of \(function.needed)")
      }
      return value
    }
  }

  /// Parses the arguments of `round()`: an optional strategy, a value and an optional step.
  private mutating func rounding() throws(CSSColorError) -> CSSQuantity {
    let start = self
    advance()
    var strategy = "nearest"
    if case .identifier(let name) = token, CSSQuantity.constant(name) == nil {
      strategy = name
      guard CSSMathFunction.rounded(1, to: 1, by: name) != nil else {
        throw error("one of nearest, up, down, to-zero or a number")
      }
      advance()
      guard token == .comma else { throw error("“,”") }
      advance()
    }
    let value = try sum()
    var step = CSSQuantity(1)
    if token == .comma {
      advance()
      step = try sum()
    }
    try closeParenthesis("an operator, “,” or “)”")
    guard value.type == step.type,
      let result = CSSMathFunction.rounded(value.value, to: step.value, by: strategy)
    else { throw start.error("round() of values of one kind") }
    return CSSQuantity(result, value.type)
  }

  private mutating func sum() throws(CSSColorError) -> CSSQuantity {
    var value = try product()
    while token == .plus || token == .minus {
      let (isPlus, start) = (token == .plus, self)
      // Without white space the sign belongs to a number, as in `2 -1`.
      let hasBlankBefore = tokenizer.followsBlank
      advance()
      guard hasBlankBefore, tokenizer.followsBlank else {
        throw start.error("“\(isPlus ? "+" : "-")” with blanks around it")
      }
      let term = try product()
      guard term.type == value.type else {
        throw start.error("an operation on values of one kind")
      }
      value.value += isPlus ? term.value : -term.value
    }
    return value
  }

  private mutating func product() throws(CSSColorError) -> CSSQuantity {
    var value = try operand()
    while token == .asterisk || token == .slash {
      let isProduct = token == .asterisk
      advance()
      let factor = try operand()
      value = isProduct ? value * factor : value / factor
    }
    return value
  }

  private mutating func operand() throws(CSSColorError) -> CSSQuantity {
    let value: CSSQuantity?
    switch token {
    case .number(let number): value = CSSQuantity(number)
    case .percentage(let number): value = CSSQuantity(number, .percentage)
    case .dimension(let number, let unit): value = .angle(number, unit: unit)
    case .identifier(let name): value = .constant(name)
    case .function(let name): return try calculation(name)
    case .openParenthesis:
      return try nested { parser throws(CSSColorError) in
        parser.advance()
        let value = try parser.sum()
        try parser.closeParenthesis("an operator or “)”")
        return value
      }
    default: value = nil
    }
    guard let value else {
      throw error("a number, a percentage, an angle, a constant or a calculation")
    }
    advance()
    return value
  }

  /// Parses one level deeper: a limit on the depth keeps hostile texts from overflowing the stack.
  private mutating func nested(
    _ body: (inout CSSColorParser) throws(CSSColorError) -> CSSQuantity
  ) throws(CSSColorError) -> CSSQuantity {
    guard depth < Self.depthLimit else {
      throw error("at most \(Self.depthLimit) calculations within each other")
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }
}
