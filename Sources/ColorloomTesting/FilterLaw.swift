/// The contract of filters, by which a graph can cut them into tiles, fuse them, and run them on many threads.
@nonexhaustive
public enum FilterLaw: String, Hashable, Sendable, CaseIterable {
  /// The filter can be rendered.
  case renders
  /// The fast implementation equals the definition within the tolerance.
  case meaning
  /// The filter reads only its declared region.
  case region
  /// The filter writes all of its own tile, and nothing else.
  case writing
  /// The filter allocates no more scratch memory than it declares.
  case scratch
  /// The result does not depend on the tile size.
  case tiles
  /// The result does not depend on the number of threads or on earlier runs.
  case threads
  /// The result does not depend on fusion with neighboring steps.
  case fusion
  /// The result does not depend on the storage: planar or interleaved, straight or premultiplied, linear or encoded.
  case storage
  /// With neutral parameters the filter changes no bit.
  case identity
  /// Filters with different effects are not equal. A graph evaluates equal filters once.
  case equality
  /// A NaN does not spread beyond the filter's support, and none arises from finite colors.
  case containment
  /// Values below 0 and above 1 stay distinct: no channel is clamped, unless a declaration in FilterGraph says so.
  case range
  /// The filter preserves a constant alpha, and a result declared opaque is opaque.
  case alpha
}

/// A violation of a law by a filter.
public struct FilterViolation: Hashable, Sendable, CustomStringConvertible {
  /// The law that is violated.
  public let law: FilterLaw
  /// A description of the filter and the violation, with numbers.
  public let description: String
}
