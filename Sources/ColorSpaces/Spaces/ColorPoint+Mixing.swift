extension ColorPoint {
  /// A color between this one and another, on a straight line through the numbers of `space`: this one for an `amount` of 0, the
  /// other one for 1, and beyond them for less or more.
  ///
  /// ```swift
  /// blue.mixed(with: yellow, amount: 0.25)                      // even steps, through grayish green
  /// blue.mixed(with: yellow, in: .linearSRGB)                   // as lights are mixed
  /// blue.mixed(with: yellow, in: .oklch, hue: .decreasing)      // through the vivid hues between them
  /// ```
  ///
  /// A component that is NaN is missing: it is as the other color has it, and NaN where both are. A gray has no hue; it takes the other color's. Models of appearance that see grays as slightly colored keep their hue.
  public func mixed(
    with other: ColorPoint, amount: Double = 0.5, in space: ColorSpace = .oklab,
    hue: HueInterpolation = .shorter
  ) -> ColorPoint {
    let (start, end) = (converted(to: space), other.converted(to: space))
    let numbers = ColorInterpolation(amount: amount, hueChannel: space.hueChannel, hue: hue)
      .numbers(
        from: start.numbers, to: end.numbers)
    // Two grays have the hue 0, or NaN as the first one has it.
    let components = (0..<3).map { numbers[$0] ?? (start.components[$0].isNaN ? .nan : 0) }
    return ColorPoint(components[0], components[1], components[2], in: space)
  }

  /// The components, nil for NaN and for a hue that can be replaced without changing the color.
  private var numbers: [Double?] {
    let hue = space.hue.flatMap { $0.isNegligible(in: components) ? $0.channel : nil }
    return (0..<3).map { $0 == hue || components[$0].isNaN ? nil : components[$0] }
  }
}

extension ColorSpace {
  /// The component that is an angle in degrees, if one is.
  var hueChannel: Int? { hue?.channel }

  fileprivate var hue: Coordinates.Hue? {
    if case .coordinates(let coordinates) = transfer.form { coordinates.hue } else { nil }
  }
}

/// A place between two colors of one space, whose numbers may be missing (CSS Color 4, 12).
struct ColorInterpolation {
  var amount: Double
  var hueChannel: Int?
  var hue: HueInterpolation

  /// What one color leaves out is as the other has it; what both leave out stays so.
  func numbers(from start: [Double?], to end: [Double?]) -> [Double?] {
    zip(start, end).enumerated().map { channel, pair in
      guard let start = pair.0 ?? pair.1, let end = pair.1 ?? pair.0 else { return nil }
      if channel != hueChannel { return number(from: start, to: end) }
      return degreesInOneTurn(start + amount * hue.turn(from: start, to: end))
    }
  }

  func number(from start: Double, to end: Double) -> Double {
    // Exact at both ends. Differences of the largest numbers overflow.
    let difference = end - start
    return amount == 1
      ? end
      : difference.isFinite ? start + amount * difference : (1 - amount) * start + amount * end
  }
}
