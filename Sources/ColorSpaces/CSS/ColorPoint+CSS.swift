extension ColorPoint {
  /// Parses a CSS color, with 0 for `none`: `oklch(70% 0.1 250deg)`, `#ff8800`, `rebeccapurple` …
  ///
  /// The opacity is dropped; ``CSSColor`` keeps it.
  public init(css text: String) throws(CSSColorError) { self.init(try CSSColor(text)) }

  /// Creates a color from a CSS color, with 0 for `none`. The opacity is dropped.
  public init(_ color: CSSColor) {
    self.init(color.values / color.space.scale, in: color.space.colorSpace)
  }

  /// The CSS color; nil where CSS does not have the space. A powerless hue is `none`.
  public var css: CSSColor? {
    guard let space = CSSColor.Space.allCases.first(where: { $0.colorSpace == self.space }) else {
      return nil
    }
    let values = components * space.scale
    let numbers = (0..<3).map { $0 == powerlessChannel ? nil : values[$0] }
    return CSSColor(space, numbers[0], numbers[1], numbers[2])
  }
}

extension CSSColor.Space {
  /// The color space that CSS's name stands for.
  public var colorSpace: ColorSpace {
    switch self {
    case .sRGB: .sRGB
    case .linearSRGB: .linearSRGB
    case .displayP3: .displayP3
    case .linearDisplayP3: .linearDisplayP3
    case .adobeRGB: .adobeRGB
    case .proPhoto: .proPhoto
    case .rec2020: .rec2020
    case .xyzD50: .xyzD50
    case .xyzD65: .xyzD65
    case .lab: .lab
    case .lch: .lch
    case .oklab: .oklab
    case .oklch: .oklch
    case .hsl: .hsl
    case .hwb: .hwb
    }
  }

  /// The factor between CSS's scale of a component and the space's.
  fileprivate var scale: SIMD3<Double> {
    self == .hsl || self == .hwb ? [1, 100, 100] : .one
  }
}
