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

/// The numbers of a row, between blanks or commas; nil for `none`. Nil where something else is among them.
func numbers(of row: some StringProtocol) -> [Double?]? {
  let words = row.split { $0.isWhitespace || $0 == "," }
  let numbers = words.compactMap { word -> Double?? in
    word == "none" ? .some(nil) : Double(word).map { .some($0) }
  }
  return numbers.count == words.count ? numbers : nil
}

/// A row of numbers with every digit that matters, `none` where there is none.
func text(_ numbers: [Double?]) -> String {
  numbers.map { $0.map { "\($0)" } ?? "none" }.joined(separator: " ")
}

extension ColorPoint {
  /// The color that a row means: three numbers, with `none` for 0 as in CSS, or a CSS color, which names its own space.
  init(row: String, in space: ColorSpace) throws {
    if let numbers = numbers(of: row) {
      guard numbers.count == 3 else {
        throw Misuse("\(space) has 3 numbers, such as “1 0.5 0”; “\(row)” has \(numbers.count).")
      }
      self.init(SIMD3(numbers.map { $0 ?? 0 }), in: space)
    } else {
      do { self = try ColorPoint(css: row) } catch {
        throw Misuse("Three numbers are needed, such as “1 0.5 0”, or a CSS color. \(error)")
      }
    }
  }

  /// Its numbers; none where a hue means nothing.
  var numbersOrNone: [Double?] {
    (0..<3).map { $0 == powerlessChannel ? nil : components[$0] }
  }
}
