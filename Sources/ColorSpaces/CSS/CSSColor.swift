/// A color as style sheets write it (CSS Color 4): any of its functions, a `#` code or a name.
///
/// ```swift
/// let color = try CSSColor("oklch(70% 0.1 250deg / 50%)")
/// color.space       // .oklch
/// color.components  // [0.7, 0.1, 250]
/// "\(color)"        // oklch(0.7 0.1 250 / 0.5)
/// ```
///
/// The numbers are kept as written; only what CSS confines while reading is confined: `rgb()` to 0…255, alpha to 0…1, the
/// lightness of Lab and Oklab to 0…100 and 0…1, chroma and saturation from 0 up, hues to one turn.
public struct CSSColor: Hashable, Sendable {
  /// What the numbers mean.
  public let space: Space
  /// The three numbers in the order of the space's name, on the scales of ``Space``; nil for `none`.
  public let components: [Double?]
  /// How much the color covers, 0 to 1; nil for `none`.
  public let alpha: Double?

  /// A color from its numbers; nil is `none`. What CSS has no numbers for becomes the nearest it has: zero for NaN, the largest
  /// numbers for the infinities.
  public init(
    _ space: Space, _ first: Double?, _ second: Double?, _ third: Double?, alpha: Double? = 1
  ) {
    func finite(_ x: Double) -> Double {
      let limit = Double.greatestFiniteMagnitude
      return x.isNaN ? 0 : min(max(x, -limit), limit)
    }
    self.space = space
    self.components = [first.map(finite), second.map(finite), third.map(finite)]
    self.alpha = alpha.map(finite)
  }

  /// The three numbers, with 0 for `none`.
  public var values: SIMD3<Double> {
    [components[0] ?? 0, components[1] ?? 0, components[2] ?? 0]
  }
}

extension CSSColor {
  /// What the three numbers of a color mean; the raw value is the name CSS has for it.
  @nonexhaustive
  public enum Space: String, CaseIterable, Hashable, Sendable {
    /// sRGB, 0 to 1: `rgb()`, `#` codes, names and `color(srgb …)`.
    case sRGB = "srgb"
    /// The light of sRGB, 0 to 1.
    case linearSRGB = "srgb-linear"
    /// Display P3, 0 to 1.
    case displayP3 = "display-p3"
    /// The light of Display P3, 0 to 1.
    case linearDisplayP3 = "display-p3-linear"
    /// Adobe RGB (1998), 0 to 1.
    case adobeRGB = "a98-rgb"
    /// ProPhoto RGB, 0 to 1.
    case proPhoto = "prophoto-rgb"
    /// Rec. 2020, 0 to 1.
    case rec2020
    /// XYZ with the white of D50 and Y = 1 for white.
    case xyzD50 = "xyz-d50"
    /// XYZ with the white of D65 and Y = 1 for white; `xyz` for short.
    case xyzD65 = "xyz-d65"
    /// CIELAB with the white of D50: L from 0 to 100, a, b.
    case lab
    /// CIELAB by L, chroma and hue in degrees.
    case lch
    /// Oklab: L from 0 to 1, a, b.
    case oklab
    /// Oklab by L, chroma and hue in degrees.
    case oklch
    /// sRGB by hue in degrees, saturation and lightness, both 0 to 100.
    case hsl
    /// sRGB by hue in degrees, whiteness and blackness, both 0 to 100.
    case hwb
  }
}

extension CSSColor: CustomStringConvertible {
  /// The color in the form CSS serializes it: `lab()`, `lch()`, `oklab()`, `oklch()`, `hsl()` or `hwb()` for those, `color()` for
  /// all other spaces. Nothing is rounded, so that reading it gives the same color again, unless CSS confines its numbers.
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

/// The shortest text that is read as this number.
private func text(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension CSSColor.Space {
  /// Whether CSS writes the space as a function of its own, not as `color()`.
  var hasOwnFunction: Bool {
    switch self {
    case .lab, .lch, .oklab, .oklch, .hsl, .hwb: true
    default: false
    }
  }
}
