public import ColorSpaces

/// Develops a color negative by four tone curves: one that inverts tones, and one for each channel.
///
/// It imitates development by hand in image editors. The channels' curves combine the correction of the orange mask,
/// the contrast of the layers, and that of the print. A set of curves therefore fits one film under one illuminant, and
/// the result is a print, not scene-linear light; use ``Picture/developed(_:)`` for that.
public struct CurveDevelopment: PointFilter {
  /// The curve that is applied to all channels first.
  package var reversal: CubicCurve
  /// The curve of each channel.
  package var red, green, blue: CubicCurve
  /// The encoding that the curves are defined in.
  package var scale: ToneScale

  /// Creates a set of curves; the default reversal is the falling diagonal.
  public init(
    reversal: CubicCurve = .fallingDiagonal, red: CubicCurve, green: CubicCurve, blue: CubicCurve,
    over scale: ToneScale = .squareRoot
  ) {
    (self.reversal, self.red, self.green, self.blue) = (reversal, red, green, blue)
    self.scale = scale
  }

  /// Returns the curves of NegaDeveloping (M. Yamate, github.com/MasamiYamate/NegaDeveloping), defined over the square
  /// root of linear light as Core Image documents for its tone curves.
  ///
  /// Core Image does not document its spline, and blue's shadows differ by a factor of 3.6 between splines; it is
  /// therefore a parameter here.
  public static func published(
    interpolation: CubicCurve.Interpolation = .natural
  ) -> CurveDevelopment {
    func curve(_ points: [SIMD2<Double>]) -> CubicCurve {
      do { return try CubicCurve(through: points, interpolation: interpolation) } catch {
        preconditionFailure("\(error)")
      }
    }
    return CurveDevelopment(
      red: curve([[0, 0], [0.38, 0.07], [0.63, 0.24], [0.78, 0.49], [1, 1]]),
      green: curve([[0, 0], [0.67, 0.07], [0.85, 0.19], [0.92, 0.39], [1, 0.90]]),
      blue: curve([[0, 0], [0.69, 0.06], [0.90, 0.20], [0.96, 0.44], [1, 0.92]]))
  }

  private var reversing: ToneCurves {
    ToneCurves(red: reversal, green: reversal, blue: reversal, over: scale)
  }

  private var printing: ToneCurves {
    ToneCurves(red: red, green: green, blue: blue, over: scale)
  }

  /// The domain of the tone curves.
  public var domain: PixelDomain { reversing.domain }

  /// Appends the reversal, then the channels' curves.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    reversing.describe(to: &program, in: space)
    printing.describe(to: &program, in: space)
  }
}

extension CurveDevelopment: RecipeFilter {
  /// The declaration of `develop-by-curves`.
  public static let declaration = Declaration<CurveDevelopment>(
    "develop-by-curves", "Prints a scan of a negative by tone curves drawn by hand.",
    swift: "picture.developed(by: .published())",
    Parameter(
      "reversal", \.reversal, "the curve of all channels that inverts tones first",
      default: .fallingDiagonal),
    Parameter(
      "red", \.red, "the red channel's curve after the reversal", sample: published().red),
    Parameter(
      "green", \.green, "the green channel's curve after the reversal", sample: published().green),
    Parameter(
      "blue", \.blue, "the blue channel's curve after the reversal", sample: published().blue),
    Parameter("over", \.scale, "the values that curves are drawn over", default: .squareRoot)
  ) { CurveDevelopment(reversal: $0, red: $1, green: $2, blue: $3, over: $4) }
  .keepingGray { $0.red == $0.green && $0.green == $0.blue }.with(.develops, .mapsTones)
  .working(ToneCurves.domainsOfScales)
}

extension CubicCurve {
  /// The line from (0, 1) to (1, 0): x becomes 1 − x.
  public static let fallingDiagonal = CubicCurve([[0, 1], [1, 0]], slopes: [[-1, -1]])
}

extension Picture {
  /// Returns this scan of a negative as a print by tone curves.
  public func developed(by curves: CurveDevelopment) -> Picture { applying(curves) }
}
