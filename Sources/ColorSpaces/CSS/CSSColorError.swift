/// Why a text is not a CSS color. The description says where the text goes wrong and what would be right.
public struct CSSColorError: Error, Hashable, Sendable {
  /// The text that was read.
  public let text: String
  /// The character where reading ended, counted from 1.
  public let position: Int
  /// What could have stood there.
  public let expected: String
  /// What stood there instead.
  public let found: String
}

extension CSSColorError: CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var description: String {
    let limit = 60
    let quoted = text.count > limit ? "\(text.prefix(limit))…" : text
    return "“\(quoted)” is not a CSS color: character \(position) should be \(expected), "
      + "but \(found) is there."
  }
}
