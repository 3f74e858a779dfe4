public import ColorSpaces

/// A filter that maps each pixel independently of the others.
///
/// It describes itself as stages of a program, so that plans can fuse it with its neighbors and share common
/// subexpressions.
public protocol PointFilter: Hashable, Sendable {
  /// The domain in which it computes.
  var domain: PixelDomain { get }

  /// Appends its stages to `program`. The channels are in the primaries of `space`.
  ///
  /// Equal filters append equal stages for a space: plans compute equal filters over one picture once.
  func describe(to program: inout PointProgram, in space: ColorSpace)
}
