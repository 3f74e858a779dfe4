extension ColorPoint {
  /// The contrast ratio of WCAG 2.1: from 1 for colors as light as each other to 21 for black and white; text should have 4.5.
  ///
  /// Luminance is that of sRGB with the weights that the guidelines print; less than none counts as none.
  public func wcag21Contrast(with other: ColorPoint) -> Double {
    func luminance(_ color: ColorPoint) -> Double {
      max(0, (color.converted(to: .linearSRGB).components * VideoEncoding.rec709Weights).sum())
    }
    let (a, b) = (luminance(self), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The difference in CIE lightness, L* of D65: from 0 to 100 for black and white.
  public func lightnessContrast(with other: ColorPoint) -> Double {
    abs(converted(to: .labD65).components.x - other.converted(to: .labD65).components.x)
  }
}
