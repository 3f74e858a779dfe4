import Colorloom

/// The size of a fit: a box, or a percentage of the picture's size.
struct FitBox {
  /// A size to fit into, or a scale.
  let target: ResizeTarget
  /// Whether smaller pictures become larger.
  let enlarges: Bool

  /// Whether a picture would become larger, or keep its size.
  func isAtLeast(_ size: PixelSize) -> Bool {
    switch target {
    case .fit(let width, let height): size.width <= width && size.height <= height
    case .scaled(let scale): scale >= 1
    default: false
    }
  }
}

extension Parser<FitBox> {
  private static let forms = "N|WxH|Wx|xH|N%"
  private static let needed =
    "a length such as 2048, a size such as 2048x1365, 2048x or x1365, or a percentage such as 50%"

  static var fit: Parser {
    Parser("\(forms)[,no-enlarge]", needed: needed) { word in
      let parts = word.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count > 1, parts[1] != "no-enlarge" {
        throw UnfitWord(
          "has “\(beginning(of: String(parts[1])))” after the comma, where only “no-enlarge” may stand."
        )
      }
      return try reading("\(parts[0])").map { FitBox(target: $0, enlarges: parts.count < 2) }
    }
  }

  /// The same without enlargement.
  static var thumbnail: Parser {
    Parser(forms, needed: needed) { word in
      try reading(word).map { FitBox(target: $0, enlarges: false) }
    }
  }

  /// Returns the target that a word means: a box, or a scale for a percentage.
  private static func reading(_ word: String) throws -> ResizeTarget? {
    if word.hasSuffix("%") { return try ResizeTarget.reading(word) }
    let target = try ResizeTarget.reading("fit:\(word)")
    if case .fit? = target { return target }
    return nil
  }
}

extension Parser<ResizeTarget> {
  /// The words that the filter “resize” takes.
  static var resize: Parser {
    Parser(
      ResizeTarget.textForm.placeholder,
      needed: "a size such as 2048x1365, 2048x, x1365 or 50%", read: ResizeTarget.reading)
  }
}

extension ResizeTarget {
  /// Returns the target that a word means in recipes; nil for a word of another form. Throws for a size that no picture has.
  fileprivate static func reading(_ word: String) throws -> ResizeTarget? {
    guard textForm.value(of: word) != nil else { return nil }
    do {
      let target = try ResizeTarget(word: word)
      if case .scaled(let scale) = target, word.hasSuffix("%"), !scales.contains(scale) {
        throw UnfitWord("is out of range. A scale is from 0.0001% to 100000000%.")
      }
      return target
    } catch let error as RecipeDecodingError {
      switch error {
      case .unusable(_, let error): throw error
      case .mismatch(_, let expected, let found):
        throw UnfitWord("needs \(expected), found \(found).")
      default: return nil
      }
    }
  }
}
