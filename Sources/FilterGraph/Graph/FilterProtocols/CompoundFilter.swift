/// A filter that is composed of others.
///
/// In recipes it is one step, whatever filters it applies to the pictures at hand.
public protocol CompoundFilter: Hashable, Sendable {
  /// Returns the result for one picture and possibly others.
  func picture(of picture: Picture, with others: [Picture]) -> Picture
}
