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
  /// A gray has no hue; it takes the other color's.
  public func mixed(
    with other: ColorPoint, amount: Double = 0.5, in space: ColorSpace = .oklab,
    hue: HueInterpolation = .shorter
  ) -> ColorPoint {
    let numbers = Interpolation(amount: amount, hueChannel: space.hueChannel, hue: hue).numbers(
      from: converted(to: space).numbers, to: other.converted(to: space).numbers)
    return ColorPoint(numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, in: space)
  }

  /// The components, nil for a hue that means nothing.
  private var numbers: [Double?] {
    (0..<3).map { $0 == powerlessChannel ? nil : components[$0] }
  }
}

extension ColorSpace {
  /// The component that is an angle in degrees, if one is.
  var hueChannel: Int? {
    if case .coordinates(let coordinates) = transfer.form { coordinates.hue?.channel } else { nil }
  }
}

/// A place between two colors of one space, whose numbers may be missing (CSS Color 4, 12).
struct Interpolation {
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
    // Exact at both ends.
    amount == 1 ? end : start + amount * (end - start)
  }
}
