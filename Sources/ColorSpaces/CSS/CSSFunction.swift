/// The syntax and the scale of one channel of a color function.
struct CSSChannel {
  enum Kind {
    /// A number; 100 % is `full`.
    case amount(full: Double)
    /// An angle, or a number in degrees.
    case hue
  }

  let kind: Kind
  /// The scale of a number: 255 in `rgb()`.
  var divisor = 1.0
  /// The range to which CSS clamps the value at parsed-value time.
  var range = -Double.infinity ... .infinity

  static let hue = CSSChannel(kind: .hue)

  static func amount(
    full: Double, dividedBy divisor: Double = 1,
    in range: ClosedRange<Double> = -Double.infinity ... .infinity
  ) -> CSSChannel {
    CSSChannel(kind: .amount(full: full), divisor: divisor, range: range)
  }

  private func confined(_ x: Double) -> Double { min(max(x, range.lowerBound), range.upperBound) }

  /// The value of a number.
  func value(number: Double) -> Double {
    switch kind {
    case .amount: confined(number / divisor)
    case .hue: degreesInOneTurn(number)
    }
  }

  /// The value of a percentage; nil for an angle.
  func value(percentage: Double) -> Double? {
    guard case .amount(let full) = kind else { return nil }
    // Exact where both scales are the same.
    return confined(full == 100 ? percentage : percentage * full / 100)
  }

  /// The value of a dimension; nil unless it is an angle and the channel a hue.
  ///
  /// It is that of a calculation of one term, so that `90deg` and `calc(90deg)` are the same color.
  func value(number: Double, unit: String) -> Double? {
    guard case .hue = kind else { return nil }
    return CSSQuantity.angle(number, unit: unit).map { value(number: $0.censored) }
  }
}

/// One of CSS's color functions: the space of its result and the syntax of its channels.
struct CSSFunction {
  let space: CSSColor.Space
  let channels: [CSSChannel]
  /// Whether commas may separate the channels, as in the legacy syntax before CSS Color 4.
  var allowsCommas = false

  /// The function of this name, except for `color()`.
  static let named: [String: CSSFunction] = {
    let byte = CSSChannel.amount(full: 1, dividedBy: 255, in: 0...1)
    let rgb = CSSFunction(space: .sRGB, channels: [byte, byte, byte], allowsCommas: true)
    let hundred = CSSChannel.amount(full: 100)
    let hsl = CSSFunction(
      space: .hsl, channels: [.hue, .amount(full: 100, in: 0 ... .infinity), hundred],
      allowsCommas: true)
    let lightness = CSSChannel.amount(full: 100, in: 0...100)
    let okLightness = CSSChannel.amount(full: 1, in: 0...1)
    return [
      "rgb": rgb, "rgba": rgb, "hsl": hsl, "hsla": hsl,
      "hwb": CSSFunction(space: .hwb, channels: [.hue, hundred, hundred]),
      "lab": CSSFunction(
        space: .lab, channels: [lightness, .amount(full: 125), .amount(full: 125)]),
      "lch": CSSFunction(
        space: .lch, channels: [lightness, .amount(full: 150, in: 0 ... .infinity), .hue]),
      "oklab": CSSFunction(
        space: .oklab, channels: [okLightness, .amount(full: 0.4), .amount(full: 0.4)]),
      "oklch": CSSFunction(
        space: .oklch, channels: [okLightness, .amount(full: 0.4, in: 0 ... .infinity), .hue]),
    ]
  }()

  /// `color()` with the given color space name.
  static func color(_ name: String) -> CSSFunction? {
    let space = CSSColor.Space(rawValue: name == "xyz" ? "xyz-d65" : name)
    guard let space, !space.hasOwnFunction else { return nil }
    let one = CSSChannel.amount(full: 1)
    return CSSFunction(space: space, channels: [one, one, one])
  }
}
