/// What every filter must obey, so that a graph may cut it into tiles, fuse it, and compute it on many threads.
@nonexhaustive
public enum FilterLaw: String, Hashable, Sendable, CaseIterable {
  /// It can be rendered at all.
  case renders
  /// What it computes fast is what it says it means, within the tolerance.
  case meaning
  /// It reads only the pixels that it declared.
  case region
  /// It writes its own tile, all of it, and nothing else.
  case writing
  /// It asks for no more memory than it promised.
  case scratch
  /// The size of tiles changes nothing.
  case tiles
  /// Neither the number of threads nor how often it ran before changes anything.
  case threads
  /// It comes out the same, fused with its neighbours or not.
  case fusion
  /// Planar or interleaved, straight or premultiplied, linear or encoded: where and how the numbers are stored changes nothing.
  case storage
  /// With parameters that change nothing it changes not one bit.
  case identity
  /// Filters that do not do the same are not equal. A graph computes equal ones once.
  case equality
  /// A NaN does not spread beyond the filter's support, and none arises from finite colors.
  case containment
  /// Colors below 0 and above 1 stay apart: no channel is clamped.
  case range
  /// It leaves even coverage as it is, and a picture that is said to be opaque is.
  case coverage
}

/// A law that a filter breaks, and how.
public struct FilterViolation: Hashable, Sendable, CustomStringConvertible {
  /// The law.
  public let law: FilterLaw
  /// The filter, and what it does, with numbers.
  public let description: String
}
