public import ColorSpaces

/// Applies a tone curve to each channel.
package struct ToneCurves: PointFilter {
  /// The curve of each channel.
  package var red, green, blue: CubicCurve
  /// The encoding that they are defined in.
  package var scale: ToneScale

  /// Creates a curve for each channel.
  package init(
    red: CubicCurve, green: CubicCurve, blue: CubicCurve, over scale: ToneScale = .squareRoot
  ) {
    (self.red, self.green, self.blue, self.scale) = (red, green, blue, scale)
  }

  /// The domain of the scale; linear light where a transfer function encodes it.
  package var domain: PixelDomain {
    switch scale {
    case .squareRoot: .perceptual
    case .stored: .encoded
    case .light, .encoded: .linear
    }
  }

  /// Appends the three curves, unless they are the identity.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    if [red, green, blue].allSatisfy(\.isIdentity) { return }
    if case .encoded(let transfer) = scale { program.append(.encode(transfer)) }
    program.append(.curves("tone curves", .cubic(red), .cubic(green), .cubic(blue)))
    if case .encoded(let transfer) = scale { program.append(.decode(transfer)) }
  }
}

/// The encoding that curves are defined in.
@nonexhaustive
public enum ToneScale: Hashable, Sendable {
  /// The square root of linear light, approximately perceptually uniform, as in Core Image's tone curve.
  case squareRoot
  /// Linear light: the curve maps linear values directly, 0.18 being middle gray.
  case light
  /// Encoded values of the picture's space.
  case stored
  /// Linear light encoded by a transfer function, such as `.sRGB`, or the logarithm of
  /// `TransferFunction.acescct`.
  case encoded(TransferFunction)
}

extension ToneCurves: RecipeFilter {
  /// The declaration of `tone-curves`: a curve for all channels, or for some.
  package static let declaration = Declaration<ToneCurves>(
    "tone-curves", "Maps tones through a curve for each channel.", aliases: ["curve"],
    swift: "try picture.toneCurve(CubicCurve(through: [[0, 0], [0.5, 0.4], [1, 1]]))",
    Parameter(
      "all", { $0.areEqual ? $0.red : nil }, "the curve of channels without a curve of their own",
      sample: try? CubicCurve(through: [[0, 0], [0.5, 0.4], [1, 1]])),
    Parameter("red", { $0.areEqual ? nil : $0.red }, "the red channel's curve"),
    Parameter("green", { $0.areEqual ? nil : $0.green }, "the green channel's curve"),
    Parameter("blue", { $0.areEqual ? nil : $0.blue }, "the blue channel's curve"),
    Parameter("over", \.scale, "the values that curves are drawn over", default: .squareRoot)
  ) { all, red, green, blue, scale throws(RecipeError) in
    let diagonal = try recipeChecked { () throws(ColorError) in
      try CubicCurve(through: [[0, 0], [1, 1]])
    }
    let others = all ?? diagonal
    return ToneCurves(
      red: red ?? others, green: green ?? others, blue: blue ?? others, over: scale)
  }.keepingGray { $0.areEqual }
    .working(domainsOfScales)

  /// The domains of curves over a scale, in references.
  static let domainsOfScales =
    "in the square root of linear light, in encoded values with over=stored, or in linear light with "
    + "over=light and over=encoded"

  private var areEqual: Bool { red == green && green == blue }
}

extension ToneScale: RecipeChoice {
  /// The cases in recipes; `encoded` has its transfer function.
  public static let recipeCases: [RecipeCase<ToneScale>] = [
    RecipeCase("square-root", .squareRoot), RecipeCase("light", .light),
    RecipeCase("stored", .stored),
    RecipeCase("encoded") {
      if case .encoded(let function) = $0 { function } else { nil }
    } make: {
      .encoded($0)
    },
  ]
}

extension Picture {
  /// Returns this picture with a tone curve for each channel.
  public func toneCurves(
    red: CubicCurve, green: CubicCurve, blue: CubicCurve, over scale: ToneScale = .squareRoot
  ) -> Picture {
    applying(ToneCurves(red: red, green: green, blue: blue, over: scale))
  }

  /// Returns this picture with one tone curve for all channels.
  public func toneCurve(_ curve: CubicCurve, over scale: ToneScale = .squareRoot) -> Picture {
    applying(ToneCurves(red: curve, green: curve, blue: curve, over: scale))
  }
}
