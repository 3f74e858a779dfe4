/// A CSS color (CSS Color 4): any color function, a `#` code or a name.
///
/// ```swift
/// let color = try CSSColor("oklch(70% 0.1 250deg / 50%)")
/// color.space       // .oklch
/// color.components  // [0.7, 0.1, 250]
/// "\(color)"        // oklch(0.7 0.1 250 / 0.5)
/// ```
///
/// Components are kept as written, except where CSS clamps at parsed-value time: `rgb()` to 0…255, alpha to 0…1, the
/// lightness of Lab to 0…100 and of Oklab to 0…1, chroma and saturation to 0 and up, hues to one turn.
public struct CSSColor: Hashable, Sendable {
  /// The color space of the components.
  public let space: Space
  /// The components in the order of the space's name, on the scales of ``Space``; nil for `none`.
  public let components: [Double?]
  /// The opacity, 0…1; nil for `none`.
  public let alpha: Double?

  /// Creates a color from its components; nil is `none`. Values that CSS cannot represent are replaced: NaN by zero,
  /// infinities by the largest finite numbers. Alpha is clamped to 0…1.
  public init(
    _ space: Space, _ first: Double?, _ second: Double?, _ third: Double?, alpha: Double? = 1
  ) {
    func finite(_ x: Double) -> Double {
      let limit = Double.greatestFiniteMagnitude
      return x.isNaN ? 0 : min(max(x, -limit), limit)
    }
    self.space = space
    self.components = [first.map(finite), second.map(finite), third.map(finite)]
    self.alpha = alpha.map { min(max(finite($0), 0), 1) }
  }

  /// The components, with 0 for `none`.
  public var values: SIMD3<Double> {
    [components[0] ?? 0, components[1] ?? 0, components[2] ?? 0]
  }
}

extension CSSColor {
  /// The color spaces of CSS; the raw value is CSS's name.
  @nonexhaustive
  public enum Space: String, CaseIterable, Hashable, Sendable {
    /// sRGB, 0…1: `rgb()`, `#` codes, names and `color(srgb …)`.
    case sRGB = "srgb"
    /// Linear sRGB, 0…1.
    case linearSRGB = "srgb-linear"
    /// Display P3, 0…1.
    case displayP3 = "display-p3"
    /// Linear Display P3, 0…1.
    case linearDisplayP3 = "display-p3-linear"
    /// Adobe RGB (1998), 0…1.
    case adobeRGB = "a98-rgb"
    /// ProPhoto RGB, 0…1.
    case proPhoto = "prophoto-rgb"
    /// Rec. 2020, 0…1.
    case rec2020
    /// XYZ with white point D50, Y = 1 for white.
    case xyzD50 = "xyz-d50"
    /// XYZ with white point D65, Y = 1 for white; also `xyz`.
    case xyzD65 = "xyz-d65"
    /// CIELAB with white point D50: L of 0…100, a, b.
    case lab
    /// CIELAB as L, chroma and hue in degrees.
    case lch
    /// Oklab: L of 0…1, a, b.
    case oklab
    /// Oklab as L, chroma and hue in degrees.
    case oklch
    /// sRGB as hue in degrees, saturation and lightness, both 0…100.
    case hsl
    /// sRGB as hue in degrees, whiteness and blackness, both 0…100.
    case hwb
  }
}

extension CSSColor: CustomStringConvertible {
  /// The CSS serialization: `lab()`, `lch()`, `oklab()`, `oklch()`, `hsl()` or `hwb()` for those spaces, `color()` for
  /// all others. Values are not rounded, so that parsing returns the same color, unless CSS clamps it.
  public var description: String {
    let isPercentage = space == .hsl || space == .hwb
    let numbers = components.enumerated().map { index, number in
      guard let number else { return "none" }
      return text(number) + (isPercentage && index > 0 ? "%" : "")
    }
    var list = numbers.joined(separator: " ")
    if alpha != 1 { list += " / " + (alpha.map(text) ?? "none") }
    return space.hasOwnFunction ? "\(space.rawValue)(\(list))" : "color(\(space.rawValue) \(list))"
  }
}

/// The shortest text that parses as this number.
private func text(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension CSSColor.Space {
  /// Whether CSS has a function for the space besides `color()`.
  var hasOwnFunction: Bool {
    switch self {
    case .lab, .lch, .oklab, .oklch, .hsl, .hwb: true
    default: false
    }
  }
}
