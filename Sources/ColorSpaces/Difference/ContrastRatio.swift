extension ColorPoint {
  /// Returns the contrast ratio of WCAG 2.1, from 1 for equal luminance to 21 for black on white; text needs 4.5.
  ///
  /// Luminance is that of sRGB with the weights that WCAG prints, clamped at 0. NaN where either color has a NaN channel.
  public func wcag21Contrast(with other: ColorPoint) -> Double {
    func luminance(_ color: ColorPoint) -> Double {
      // In this order, `max` returns a NaN.
      max((color.converted(to: .linearSRGB).components * VideoEncoding.rec709Weights).sum(), 0)
    }
    let (a, b) = (luminance(self), luminance(other))
    guard !a.isNaN, !b.isNaN else { return .nan }
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// Returns the difference in lightness L* relative to D65, from 0 to 100 for black and white.
  public func lightnessContrast(with other: ColorPoint) -> Double {
    abs(converted(to: .labD65).components.x - other.converted(to: .labD65).components.x)
  }
}
