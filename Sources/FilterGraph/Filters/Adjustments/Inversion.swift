package import ColorSpaces

/// Inverts a picture, in one of four definitions; alpha is unchanged.
package struct Inversion: PointFilter {
  /// The quantity that is inverted.
  package var meaning: InversionMeaning

  /// Creates an inversion, by default of encoded values.
  package init(_ meaning: InversionMeaning = .encoded) { self.meaning = meaning }

  /// Encoded values, or linear light.
  package var domain: PixelDomain {
    switch meaning {
    case .encoded, .value: .encoded
    case .light, .density: .linear
    }
  }

  /// Appends the inversion.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    switch meaning {
    case .encoded, .light: program.affine(scale: -1, offset: 1)
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

/// The quantity that is inverted.
@nonexhaustive
public enum InversionMeaning: Hashable, Sendable {
  /// Each encoded channel x becomes 1 − x: the inversion of image editors.
  case encoded
  /// Each linear channel x becomes 1 − x: the light that a reflecting surface absorbs.
  case light
  /// Density, −log₁₀ of linear light, becomes `range`, 0…10, minus itself, as on film: a linear value x becomes `10^(−range)
  /// / x`. Densities above the range become white.
  case density(range: Double)
  /// The largest encoded channel x becomes 1 − x, and the others keep their ratio to it: hue and saturation of HSV
  /// are unchanged.
  case value
}

extension Inversion: RecipeFilter {
  /// The declaration of `invert`.
  package static let declaration = Declaration<Inversion>(
    "invert", "Inverts encoded values, linear light, the value of HSV, or density.",
    keepsGray: true, swift: "picture.inverted()",
    Parameter(
      "meaning", \.meaning, "what is inverted; density becomes a maximum density minus itself",
      unit: "density", default: .encoded, in: 0...10)
  ) { Inversion($0) }
  .working("in encoded values, or in linear light with meaning=light and meaning=density")
  .computing(
    "1 − x for each channel x; with meaning=value, the largest channel v becomes 1 − v and the others "
      + "keep their ratio to it; with meaning=density:D, x becomes 10^−D / x."
  )
  .clamping("With meaning=density:D, values below 10^−D, whose density is above D, become 1.") {
    if case .density = $0.meaning { true } else { false }
  }
}

extension InversionMeaning: ParameterNumbers, NumberList {
  var parameterNumbers: [Double] { if case .density(let range) = self { [range] } else { [] } }
}

extension InversionMeaning: RecipeChoice {
  /// The cases in recipes; a density has its range.
  public static let recipeCases: [RecipeCase<InversionMeaning>] = [
    RecipeCase("encoded", aliases: ["stored"], .encoded), RecipeCase("light", .light),
    RecipeCase("value", .value),
    RecipeCase("density") {
      if case .density(let range) = $0 { range } else { nil }
    } make: {
      .density(range: $0)
    },
  ]
}

extension Picture {
  /// Returns this picture inverted.
  ///
  /// Inverting encoded values or linear light twice restores them. The value of HSV does not come back where it was 1, nor does
  /// a density beyond its range.
  public func inverted(_ meaning: InversionMeaning = .encoded) -> Picture {
    applying(Inversion(meaning))
  }
}
