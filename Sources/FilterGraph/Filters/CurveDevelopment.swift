public import ColorSpaces

/// The print of a color negative by four tone curves: one that turns tones around, and one for each channel.
///
/// It is how people develop by hand in editors with curves. The channels' curves hold everything at once: the film's orange mask, the
/// contrast of its layers, and that of the print. So a recipe fits one film in one light, and the result is a print, not the light of a
/// scene; ``NegativeDevelopment`` is for that.
public struct CurveDevelopment: PointFilter {
  /// The curve that all channels go through first.
  public var reversal: CubicCurve
  /// The curve of each channel after that.
  public var red, green, blue: CubicCurve
  /// What the curves are drawn over.
  public var scale: ToneCurves.Scale

  /// A recipe of curves; the reversal is the falling diagonal if it is not given.
  public init(
    reversal: CubicCurve = .fallingDiagonal, red: CubicCurve, green: CubicCurve, blue: CubicCurve,
    over scale: ToneCurves.Scale = .squareRoot
  ) {
    (self.reversal, self.red, self.green, self.blue) = (reversal, red, green, blue)
    self.scale = scale
  }

  /// The recipe of NegaDeveloping (M. Yamate, github.com/MasamiYamate/NegaDeveloping), drawn over the square root of light as Core Image
  /// documents its tone curves.
  ///
  /// Which spline goes through the points is not documented there, and blue's shadows differ by a factor of 3.6 between them, so it is
  /// named here.
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

  /// That of tone curves.
  public var domain: PixelDomain { reversing.domain }

  /// The reversal, then the channels' curves.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    reversing.describe(to: &program, in: space)
    printing.describe(to: &program, in: space)
  }
}

extension CurveDevelopment: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<CurveDevelopment>(
    "develop-by-curves", RecipeField("reversal", \.reversal, default: .fallingDiagonal),
    RecipeField("red", \.red), RecipeField("green", \.green), RecipeField("blue", \.blue),
    RecipeField("over", \.scale, default: .squareRoot)
  ) { CurveDevelopment(reversal: $0, red: $1, green: $2, blue: $3, over: $4) }
}

extension CubicCurve {
  /// The line from (0, 1) to (1, 0): each number becomes one minus itself.
  public static let fallingDiagonal = CubicCurve([[0, 1], [1, 0]], slopes: [[-1, -1]])
}

extension Picture {
  /// This scan of a negative as the print that a recipe of curves makes of it.
  public func developed(by curves: CurveDevelopment) -> Picture { applying(curves) }
}
