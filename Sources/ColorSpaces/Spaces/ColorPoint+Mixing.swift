extension ColorPoint {
  /// Interpolates between this color and another one in `space`: `amount` 0 gives this color, 1 the other one, and
  /// values outside 0…1 extrapolate.
  ///
  /// ```swift
  /// blue.mixed(with: yellow, amount: 0.25)                      // even steps, through grayish green
  /// blue.mixed(with: yellow, in: .linearSRGB)                   // additive mixing in linear light
  /// blue.mixed(with: yellow, in: .oklch, hue: .decreasing)      // through the vivid hues between them
  /// ```
  ///
  /// A NaN component is missing: it takes the other color's value, and stays NaN where both are missing. The hue of a
  /// gray counts as missing, except in color appearance models, in which grays have a small chroma and need their hue.
  public func mixed(
    with other: ColorPoint, amount: Double = 0.5, in space: ColorSpace = .oklab,
    hue: HueInterpolation = .shorter
  ) -> ColorPoint {
    let (start, end) = (converted(to: space), other.converted(to: space))
    let numbers = ColorInterpolation(amount: amount, hueChannel: space.hueChannel, hue: hue)
      .numbers(
        from: start.numbers, to: end.numbers)
    // Two grays get the hue 0, or NaN where the first color's hue is NaN.
    let components = (0..<3).map { numbers[$0] ?? (start.components[$0].isNaN ? .nan : 0) }
    return ColorPoint(components[0], components[1], components[2], in: space)
  }

  /// The components; nil for NaN and for a hue that can be replaced without changing the color.
  private var numbers: [Double?] {
    let hue = space.hue.flatMap { $0.isNegligible(in: components) ? $0.channel : nil }
    return (0..<3).map { $0 == hue || components[$0].isNaN ? nil : components[$0] }
  }
}

extension ColorSpace {
  /// The component that is an angle in degrees, if one is.
  var hueChannel: Int? { hue?.channel }

  /// The hue of coordinates that have one.
  package var hue: Coordinates.Hue? {
    if case .coordinates(let coordinates) = transfer.form { coordinates.hue } else { nil }
  }
}

/// An interpolation between two colors of one space with missing components (CSS Color 4, 12).
struct ColorInterpolation {
  var amount: Double
  var hueChannel: Int?
  var hue: HueInterpolation

  /// Interpolates. A component that is missing in one color is taken from the other; one that is missing in both stays
  /// missing.
  func numbers(from start: [Double?], to end: [Double?]) -> [Double?] {
    zip(start, end).enumerated().map { channel, pair in
      guard let start = pair.0 ?? pair.1, let end = pair.1 ?? pair.0 else { return nil }
      if channel != hueChannel { return number(from: start, to: end) }
      return degreesInOneTurn(start + amount * hue.turn(from: start, to: end))
    }
  }

  func number(from start: Double, to end: Double) -> Double {
    // Exact at both ends; the difference of the largest components would overflow.
    let difference = end - start
    return amount == 1
      ? end
      : difference.isFinite ? start + amount * difference : (1 - amount) * start + amount * end
  }
}
