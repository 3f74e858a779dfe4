/// A syntax error in a CSS color. The description tells where the error is and what is expected there.
public struct CSSColorError: Error, Hashable, Sendable {
  /// The text that was parsed.
  public let text: String
  /// The position of the offending character, counted from 1.
  public let position: Int
  /// The syntax that is allowed at that position.
  public let expected: String
  /// The text at that position.
  public let found: String
}

extension CSSColorError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    "“\(beginning(of: text))” is not a CSS color: character \(position) should be \(expected), "
      + "but \(found) is there."
  }
}
