/// A value that violates a property, with everything needed to reproduce it.
public struct Counterexample<Value> {
  /// The seed of the run.
  public let seed: UInt64

  /// The number of the failing case, counted from 1.
  public let caseNumber: Int

  /// The generated value.
  public let original: Value

  /// The simplest failing value that shrinking found.
  public let shrunken: Value

  /// The reason why the property fails for the shrunken value.
  public let reason: String

  package init(
    seed: UInt64, caseNumber: Int, original: Value, shrunken: Value, reason: String
  ) {
    (self.seed, self.caseNumber) = (seed, caseNumber)
    (self.original, self.shrunken, self.reason) = (original, shrunken, reason)
  }

  /// The text of the issue for a property with the given name.
  public func report(property name: String) -> String {
    """
    The property "\(name)" does not hold: \(reason).
      simplest failing value: \(abridged(shrunken))
      value as generated: \(abridged(original)) (case \(caseNumber), seed \(seed))
      to run it again: COLORLOOM_SEED=\(seed) swift test -c release
    """
  }
}

extension Counterexample: Sendable where Value: Sendable {}

/// The description of a value, truncated for large images.
private func abridged(_ value: some Any) -> String {
  let limit = 2_000
  let text = String(describing: value)
  guard text.count > limit else { return text }
  return "\(text.prefix(limit))… (\(text.count) characters)"
}
