public import ColorSpaces

/// Tones mapped through a curve for each channel, drawn over the square root of light as in Core Image's tone curve.
public struct ToneCurves: PointFilter {
  /// The curve of each channel.
  public var red, green, blue: CubicCurve

  /// A curve for each channel.
  public init(red: CubicCurve, green: CubicCurve, blue: CubicCurve) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  /// The square root of light.
  public var domain: PixelDomain { .perceptual }

  /// The three curves, or nothing if they change nothing.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    if [red, green, blue].allSatisfy(\.isIdentity) { return }
    program.append(.curves("tone curves", .cubic(red), .cubic(green), .cubic(blue)))
  }
}

extension Picture {
  /// This picture with a tone curve for each channel.
  public func toneCurves(red: CubicCurve, green: CubicCurve, blue: CubicCurve) -> Picture {
    applying(ToneCurves(red: red, green: green, blue: blue))
  }

  /// This picture with one tone curve for all channels.
  public func toneCurve(_ curve: CubicCurve) -> Picture {
    applying(ToneCurves(red: curve, green: curve, blue: curve))
  }
}
