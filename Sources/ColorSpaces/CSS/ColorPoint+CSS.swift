extension ColorPoint {
  /// The color that a style sheet writes so, `none` taken for 0: `oklch(70% 0.1 250deg)`, `#ff8800`, `rebeccapurple` …
  ///
  /// Alpha is not part of a color; ``CSSColor`` keeps it.
  public init(css text: String) throws(CSSColorError) { self.init(try CSSColor(text)) }

  /// The color of a style sheet's color, `none` taken for 0.
  public init(_ color: CSSColor) {
    self.init(color.values / color.space.scale, in: color.space.colorSpace)
  }

  /// The color as style sheets write it; nil where CSS does not have the space. A hue that means nothing is `none`.
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
  /// The space that CSS means.
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

  /// How much larger CSS's numbers are than the space's.
  fileprivate var scale: SIMD3<Double> {
    self == .hsl || self == .hwb ? [1, 100, 100] : .one
  }
}
