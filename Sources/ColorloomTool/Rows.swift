import ColorSpaces
import Colorloom
import ICCProfiles

extension Session {
  /// Prints what `convert` makes of each row, of those given or else of those of standard input: a line each, or one of JSON.
  ///
  /// A row that cannot be converted gets a line with its number on standard error, and the others go on. Where standard input cannot be
  /// read, throws after the results of the rows before.
  func convertRows(
    _ rows: [String], toJSON printsJSON: Bool, _ convert: (String) throws -> [Double?]
  ) throws {
    var number = 0
    var report = RowReport()
    func handle(_ row: InputLine) {
      number += 1
      do {
        if let problem = row.problem { throw Misuse(problem) }
        let numbers = try convert(row.text)
        guard numbers.allSatisfy({ $0?.isFinite != false }) else {
          throw Misuse(
            "The result of “\(beginning(of: row.text))” is \(text(numbers)), not finite. Give values nearer to 0."
          )
        }
        if printsJSON { report.rows.append(numbers) } else { print(text(numbers)) }
      } catch {
        report.rows.append(nil)
        fail("row \(number): \(sentence(for: error))")
      }
    }
    defer { if printsJSON { print(json: report) } }
    if rows.isEmpty || rows == ["-"] {
      try takeStandardInput(as: "-")
      while let row = try console.nextInput() { handle(row) }
    } else {
      for row in rows { handle(InputLine(text: row)) }
    }
  }
}

/// The results of the rows; null for rows that cannot be converted, and for components without a meaning.
private struct RowReport: Encodable { var rows: [[Double?]?] = [] }

/// A color in a row.
enum RowColor {
  /// One of a space, or one that style sheets write, which names its space.
  case point(ColorPoint)
  /// The numbers of a profile.
  case numbers([Double])
}

/// The colors of a row, one for each of `ends`, which say what numbers mean; a color may also be as style sheets write it. `none` is 0, as
/// there, or the hue of white.
func colors(of row: String, in ends: [ICCTransform.Link]) throws -> [RowColor] {
  var parts = try parts(of: row)[...]
  let colors = try ends.map { end -> RowColor in
    if case .color(let color)? = parts.first {
      parts.removeFirst()
      return .point(try ColorPoint(color).ofFiniteLight(in: row))
    }
    let numbers = parts.prefix(end.channelCount).compactMap { part -> Double?? in
      if case .number(let number) = part { .some(number) } else { nil }
    }
    guard numbers.count == end.channelCount else { throw misuse(of: row, in: ends) }
    parts.removeFirst(numbers.count)
    return switch end {
    case .space(let space):
      .point(
        try ColorPoint(
          withMissing: space.isGray ? Array(repeating: numbers[0], count: 3) : numbers, in: space
        ).ofFiniteLight(in: row))
    case .profile: .numbers(numbers.map { $0 ?? 0 })
    }
  }
  guard parts.isEmpty else { throw misuse(of: row, in: ends) }
  return colors
}

private func misuse(of row: String, in ends: [ICCTransform.Link]) -> Misuse {
  let needed = ends.map { end in
    let count = end.channelCount
    return "a color of \(end), \(count) number\(count == 1 ? "" : "s") or a CSS color"
  }
  return Misuse("A row is \(needed.joined(separator: ", and ")); here is “\(row)”.")
}

/// A part of a row.
private enum RowPart {
  /// A number, or nil for `none`.
  case number(Double?)
  /// A color as style sheets write it.
  case color(CSSColor)
}

/// The parts of a row, separated by blanks or single commas; parentheses enclose a single part.
private func parts(of row: String) throws -> [RowPart] {
  let lists = pieces(of: row[...], omitsEmpty: false) { $0 == "," }
  if lists.count > 1, lists.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
    throw Misuse(
      "A comma of “\(row)” has nothing before or after it. Write each number, or “none”.")
  }
  let words = lists.flatMap { pieces(of: $0, omitsEmpty: true, at: \.isWhitespace) }
  return try words.map { word in
    if word == "none" { return .number(nil) }
    if let number = decimalNumber(word) {
      guard number.isFinite else { throw Misuse("“\(word)” is no finite number.") }
      return .number(number)
    }
    let color = try CSSColor(String(word))
    try color.checkOpaque(writtenAs: "\(word)")
    return .color(color)
  }
}

extension CSSColor {
  /// Throws where the color is transparent.
  func checkOpaque(writtenAs text: String) throws {
    guard alpha != 1 else { return }
    throw Misuse(
      "“\(text)” has an alpha of \(alpha.map { "\($0)" } ?? "none"); colors here are opaque. "
        + "Leave the alpha out.")
  }
}

/// Splits text at separators outside of parentheses.
private func pieces(
  of text: Substring, omitsEmpty: Bool, at isSeparator: (Character) -> Bool
) -> [Substring] {
  var depth = 0
  return text.split(omittingEmptySubsequences: omitsEmpty) { letter in
    depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
    return depth == 0 && isSeparator(letter)
  }
}

/// A row of numbers with every digit that matters, `none` where there is none.
private func text(_ numbers: [Double?]) -> String {
  numbers.map { $0.map(inWords) ?? "none" }.joined(separator: " ")
}

extension ColorPoint {
  /// Returns the color of a row; throws where its linear light is infinite or NaN, of which gamut mapping would make some color.
  fileprivate func ofFiniteLight(in row: String) throws -> ColorPoint {
    guard converted(to: .xyzD65).components.array.allSatisfy(\.isFinite) else {
      throw Misuse(
        "The color of “\(beginning(of: row))” in \(space) has no finite linear light. Give values nearer to the range that "
          + "\(space) encodes.")
    }
    return self
  }

  /// Its numbers, a single one in gray spaces; none where a hue means nothing.
  var numbersOrNone: [Double?] {
    (0..<(space.isGray ? 1 : 3)).map { $0 == powerlessChannel ? nil : components[$0] }
  }
}
