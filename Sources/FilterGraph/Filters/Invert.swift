public import ColorSpaces

/// The photographic negative: each color channel becomes one minus itself, as stored; alpha stays.
public struct Invert: PointFilter {
  /// The negative.
  public init() {}

  /// As stored.
  public var domain: PixelDomain { .encoded }

  /// One minus the channel.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(scale: -1, offset: 1)
  }
}

extension Picture {
  /// This picture as a negative. Twice is the picture itself.
  public func inverted() -> Picture { applying(Invert()) }
}
