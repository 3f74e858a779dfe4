/// The gamut of a display at one hue, in lightness and colorfulness, as the gamut compression of ACES 2 approximates it: two curves
/// that meet smoothly near the cusp.
struct ACES2Hull<Number: FormulaNumber> {
  /// Lightness and colorfulness of the cusp.
  let j, m: Number
  /// The reciprocals of the exponents of the curves above and below the cusp.
  let upper: Number
  let lower: Double
  /// The largest lightness of the display.
  let largest: Double
  /// How far away the lines of compression meet.
  let distance: Double
  /// The lightness to which lines of compression lead.
  private let focus: Number
  /// The lightness above which lines of compression get flatter.
  private let threshold: Number

  init(
    j: Number, m: Number, upper: Number, _ display: ACES2Limits
  ) {
    (self.j, self.m, self.upper, lower) = (j, m, upper, display.lower)
    (largest, distance) = (display.largest, display.distance)
    let blend = (1.3 - j * Number(1 / display.largest)).atMost(1)
    focus = j + (Number(display.middle) - j) * blend
    threshold = j + (Number(display.largest) - j) * 0.3
  }

  /// A line of compression.
  struct Line {
    /// Where it meets the axis of grays.
    let gray: Number
    let slope: Number
    /// Where the line through the cusp with the same focus meets that axis.
    let cusp: Number
  }

  /// The line through a color.
  func line(_ j: Number, _ m: Number) -> Line {
    let bright = Number(largest)
    let adjustment = decimalLogarithm((bright - threshold) / (bright - j).atLeast(0.0001))
    let gain =
      Number(largest * distance)
      * .select(threshold .< j, adjustment * adjustment + 1, 1)
    let gray = intersection(j, m, gain)
    let direction = Number.select(gray .< focus, gray, bright - gray)
    return Line(
      gray: gray, slope: direction * (gray - focus) / (focus * gain),
      cusp: intersection(self.j, self.m, gain))
  }

  /// Where the line through a color meets the axis of grays.
  private func intersection(_ j: Number, _ m: Number, _ gain: Number) -> Number {
    let scaled = m / gain
    let a = scaled / focus
    let isLow = j .< focus
    let b = Number.select(isLow, 1 - scaled, -(1 + scaled + Number(largest) * a))
    let c = Number.select(isLow, -j, Number(largest) * scaled + j)
    let root = (b * b - 4 * a * c).squareRoot()
    return -2 * c / .select(isLow, b + root, b - root)
  }

  /// The colorfulness at which a line leaves the gamut.
  func boundary(_ line: Line, upper: Number? = nil) -> Number {
    let low = Self.crossing(
      line.gray, line.slope, Number(lower), largest: j, m, reference: line.cusp)
    let bright = Number(largest)
    let high = Self.crossing(
      bright - line.gray, -line.slope, upper ?? self.upper, largest: bright - j, m,
      reference: bright - line.cusp)
    // A smooth minimum of both.
    let width = 0.12 * m
    let h = (width - (low - high).magnitude).atLeast(0) / width
    return low.atMost(high) - h * h * h * width * Number(1.0 / 6)
  }

  /// Where a line from lightness `start` meets the curve through `largest` and `m`, about.
  static func crossing(
    _ start: Number, _ slope: Number, _ exponent: Number, largest: Number, _ m: Number,
    reference: Number
  ) -> Number {
    let part = start / reference
    let raised = (exponent * part.atLeast(0).binaryLogarithm).binaryExponential
    return reference * raised * m / (largest - slope * m)
  }
}

/// What the gamut compression of ACES 2 needs of a display, apart from its hull.
struct ACES2Limits: Sendable {
  /// The largest lightness of the display, and the lightness of middle gray.
  let largest, middle: Double
  /// How far away the lines of compression meet.
  let distance: Double
  /// The reciprocal of the exponent of the hull below the cusp.
  let lower: Double

  init(_ tones: ACES2ToneScale, _ scene: ACES2Appearance) {
    largest = scene.lightness(luminance: tones.peak)
    middle = scene.lightness(luminance: tones.gray * 100)
    distance = 1.35 + 1.35 * 1.75 * tones.logarithm
    lower = 1 / (1.14 + 0.07 * tones.logarithm)
  }
}
