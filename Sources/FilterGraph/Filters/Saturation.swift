public import ColorSpaces

/// Colors farther from, or nearer to, the gray of their own luminance: `Y + factor · (x − Y)` in linear light.
///
/// 0 leaves gray, 1 changes nothing; a little more than 1 is what punchy film does. It is the matrix of Paul Haeberli (“Matrix operations
/// for image processing”, 1993). Luminance Y, and so the weights of the channels, is that of the picture's space; the color decision lists
/// of the ASC have those of Rec. 709 in all spaces (see ``ColorDecisions``).
public struct Saturation: PointFilter {
  /// How far from gray, 1 for as far as before.
  public var factor: Double

  /// A saturation of so many times what there is.
  public init(_ factor: Double) { self.factor = factor }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A matrix.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.matrix(.saturation(factor, weights: space.luminanceWeights)))
  }
}

extension ColorMatrix {
  /// What moves colors `factor` times as far from the gray that `weights` make of them.
  static func saturation(_ factor: Double, weights: SIMD3<Double>) -> ColorMatrix {
    let gray = weights * (1 - factor)
    return ColorMatrix(rows: gray + [factor, 0, 0], gray + [0, factor, 0], gray + [0, 0, factor])
  }
}

extension Saturation: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Saturation>(
    "saturation", RecipeField("factor", \.factor)
  ) { Saturation($0) }
}

extension Picture {
  /// This picture with its colors `factor` times as far from gray.
  public func saturation(_ factor: Double) -> Picture { applying(Saturation(factor)) }
}
