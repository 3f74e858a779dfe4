import Colorloom

extension Session {
  /// Prints what `convert` makes of each row, of those given or else of those of standard input.
  ///
  /// A row that cannot be converted gets a line with its number on standard error, and the others go on.
  func convertRows(_ rows: [String], _ convert: (String) throws -> String) {
    var number = 0
    func handle(_ row: String) {
      number += 1
      do { print(try convert(row)) } catch { fail("row \(number): \(error)") }
    }
    if rows.isEmpty || rows == ["-"] {
      while let row = console.nextLine() { handle(row) }
    } else {
      rows.forEach(handle)
    }
  }
}

/// What a row holds.
enum RowPart {
  /// Numbers one after the other; nil for `none`.
  case numbers([Double?])
  /// A color as style sheets write it.
  case color(CSSColor)
}

/// The parts of a row, between blanks or commas; what stands in parentheses belongs together.
func parts(of row: String) throws -> [RowPart] {
  var depth = 0
  let words = row.split { letter in
    depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
    return depth == 0 && (letter.isWhitespace || letter == ",")
  }
  var parts: [RowPart] = []
  for word in words {
    let number = Double(word)
    if number == nil, word != "none" {
      parts.append(.color(try CSSColor(String(word))))
    } else if case .numbers(let before) = parts.last {
      parts[parts.count - 1] = .numbers(before + [number])
    } else {
      parts.append(.numbers([number]))
    }
  }
  return parts
}

/// The colors of a row: three numbers of `space` for each, with `none` for 0 as in CSS, or CSS colors, which name their own spaces.
func colors(of row: String, count: Int, in space: ColorSpace) throws -> [ColorPoint] {
  let colors = try parts(of: row).flatMap { part throws -> [ColorPoint] in
    switch part {
    case .color(let color): return [ColorPoint(color)]
    case .numbers(let numbers):
      guard numbers.count.isMultiple(of: 3) else {
        throw Misuse(
          "A color of \(space) has 3 numbers, such as “1 0.5 0”; here are \(numbers.count).")
      }
      return stride(from: 0, to: numbers.count, by: 3).map { start in
        ColorPoint(SIMD3(numbers[start..<start + 3].map { $0 ?? 0 }), in: space)
      }
    }
  }
  guard colors.count == count else {
    throw Misuse(
      "\(count == 1 ? "One color is" : "\(count) colors are") needed, three numbers or a CSS color each; "
        + "here are \(colors.count).")
  }
  return colors
}

/// A row of numbers with every digit that matters, `none` where there is none.
func text(_ numbers: [Double?]) -> String {
  numbers.map { $0.map { "\($0)" } ?? "none" }.joined(separator: " ")
}

extension ColorPoint {
  /// Its numbers; none where a hue means nothing.
  var numbersOrNone: [Double?] {
    (0..<3).map { $0 == powerlessChannel ? nil : components[$0] }
  }
}
