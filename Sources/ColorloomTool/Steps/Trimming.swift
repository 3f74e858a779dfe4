import Colorloom

extension Picture {
  /// Returns the picture cropped to the pixels that differ from the top left one. A uniform picture stays as it is, with a note.
  func trimmed(_ tolerance: Double?, at path: String?, in session: Session) throws -> Picture {
    let options = session.settings.renderOptions
    if let content = try contentBounds(tolerance: tolerance, options: options) {
      return cropped(to: content)
    }
    session.note(
      "“--trim” crops nothing of \(path.map { "“\($0)”" } ?? "the picture"): all its pixels equal the top left one within "
        + "\(percent(tolerance ?? Self.contentTolerance)) %.")
    return self
  }
}

extension Parser<Double> {
  /// A difference of values as a fraction or a percentage.
  static var tolerance: Parser {
    Parser("TOLERANCE", needed: "a tolerance from 0 to 1 such as 0.05, or 5%") { word in
      decimalFraction(word[...]).flatMap { (0...1).contains($0) ? $0 : nil }
    }
  }
}

/// Reads a fraction such as 0.05, or a percentage such as 5%.
func decimalFraction(_ word: Substring) -> Double? {
  let isPercent = word.hasSuffix("%")
  return decimalNumber(isPercent ? word.dropLast() : word).map { isPercent ? $0 / 100 : $0 }
}
