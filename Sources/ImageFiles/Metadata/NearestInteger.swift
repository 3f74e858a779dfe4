extension FixedWidthInteger {
  /// Creates the nearest number that the type holds; 0 for NaN.
  init(nearest value: Double) {
    let whole = value.rounded()
    self = whole.isNaN ? 0 : Self(exactly: whole) ?? (whole < 0 ? .min : .max)
  }

  /// Whether the type holds the integer nearest to a value.
  static func holds(nearest value: Double) -> Bool { Self(exactly: value.rounded()) != nil }
}
