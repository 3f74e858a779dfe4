public import ColorSpaces

/// Tones mapped through a curve for each channel.
public struct ToneCurves: PointFilter {
  /// The numbers that curves are drawn over.
  @nonexhaustive
  public enum Scale: Hashable, Sendable {
    /// The square root of light, in which equal steps look about alike, as in Core Image's tone curve.
    case squareRoot
    /// Amounts of light.
    case light
    /// The numbers that the picture's space stores.
    case stored
    /// Light encoded by a transfer function, such as `.sRGB`, or the logarithm of ``ColorSpaces/TransferFunction/acescct``.
    case encoded(TransferFunction)
  }

  /// The curve of each channel.
  public var red, green, blue: CubicCurve
  /// What they are drawn over.
  public var scale: Scale

  /// A curve for each channel.
  public init(
    red: CubicCurve, green: CubicCurve, blue: CubicCurve, over scale: Scale = .squareRoot
  ) {
    (self.red, self.green, self.blue, self.scale) = (red, green, blue, scale)
  }

  /// Where the scale is one of its own, linear light, from which it goes there.
  public var domain: PixelDomain {
    switch scale {
    case .squareRoot: .perceptual
    case .stored: .encoded
    case .light, .encoded: .linear
    }
  }

  /// The three curves, or nothing if they change nothing.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if [red, green, blue].allSatisfy(\.isIdentity) { return }
    if case .encoded(let transfer) = scale { program.append(.encode(transfer)) }
    program.append(.curves("tone curves", .cubic(red), .cubic(green), .cubic(blue)))
    if case .encoded(let transfer) = scale { program.append(.decode(transfer)) }
  }
}

extension Picture {
  /// This picture with a tone curve for each channel.
  public func toneCurves(
    red: CubicCurve, green: CubicCurve, blue: CubicCurve, over scale: ToneCurves.Scale = .squareRoot
  ) -> Picture {
    applying(ToneCurves(red: red, green: green, blue: blue, over: scale))
  }

  /// This picture with one tone curve for all channels.
  public func toneCurve(_ curve: CubicCurve, over scale: ToneCurves.Scale = .squareRoot) -> Picture
  {
    applying(ToneCurves(red: curve, green: curve, blue: curve, over: scale))
  }
}
