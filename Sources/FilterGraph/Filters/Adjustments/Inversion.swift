public import ColorSpaces

/// Inverts a picture in one of four meanings; alpha stays.
public struct Inversion: PointFilter {
  /// What is inverted.
  @nonexhaustive
  public enum Meaning: Hashable, Sendable {
    /// Each encoded channel becomes one minus itself: the inversion of image editors, and of Core Image over sRGB.
    case stored
    /// Each channel of linear light becomes one minus itself: what a reflecting surface absorbs.
    case light
    /// Density, −log₁₀ of linear light, becomes `range` minus itself, as on film: light becomes `10^(−range) / light`. What is
    /// denser than the range becomes white.
    case density(range: Double)
    /// The largest encoded channel becomes one minus itself, and the others keep their ratio to it: hue and saturation of HSV stay.
    case value
  }

  /// What is inverted.
  public var meaning: Meaning

  /// Creates an inversion, by default of encoded values.
  public init(_ meaning: Meaning = .stored) { self.meaning = meaning }

  /// Encoded values, or linear light.
  public var domain: PixelDomain {
    switch meaning {
    case .stored, .value: .encoded
    case .light, .density: .linear
    }
  }

  /// One minus the channel, or what the meaning has in its place.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    switch meaning {
    case .stored, .light: program.affine(scale: -1, offset: 1)
    case .density(let range):
      let densest = power(10, -range)
      program.curve(
        "density inversion",
        .power(
          PowerCurve(
            scale: densest, exponent: -1, intercept: 1, threshold: densest, belowZero: .continued)))
    case .value:
      program.append(.formula(.valueInversion))
    }
  }
}

extension Inversion: RecipeFilter {
  /// The declaration of `invert`.
  public static let declaration = Declaration<Inversion>(
    "invert", "Inverts encoded values, linear light, the value of HSV, or density.",
    swift: "picture.inverted()",
    Parameter(
      "meaning", \.meaning, "what is inverted; density becomes a maximum density minus itself",
      default: .stored)
  ) { Inversion($0) }
}

extension Inversion.Meaning: RecipeChoice {
  /// The words for it in recipes; a density has its range.
  public static let recipeCases: [RecipeCase<Inversion.Meaning>] = [
    RecipeCase("stored", .stored), RecipeCase("light", .light), RecipeCase("value", .value),
    RecipeCase("density") {
      if case .density(let range) = $0 { range } else { nil }
    } make: {
      .density(range: $0)
    },
  ]
}

extension Picture {
  /// Returns this picture inverted. Inverting twice restores it.
  public func inverted(_ meaning: Inversion.Meaning = .stored) -> Picture {
    applying(Inversion(meaning))
  }
}
