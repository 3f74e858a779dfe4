package import ColorSpaces

/// Scales the distance of colors from the gray of their luminance: `Y + factor · (x − Y)` in linear light.
///
/// 0 makes everything gray, 1 is the identity, and values a little above 1 give the saturated colors of slide film. It
/// is the matrix of Paul Haeberli (“Matrix operations for image processing”, 1993). Luminance Y has the weights of the
/// picture's space; the color decision lists of the ASC have those of Rec. 709 in all spaces (see ``ColorDecisions``).
package struct Saturation: PointFilter {
  /// The factor of the distance from gray.
  package var factor: Double

  /// Creates a saturation by the factor of the distance from gray.
  package init(_ factor: Double) { self.factor = factor }

  /// Linear light: luminance is a weighted mean of linear values.
  package var domain: PixelDomain { .linear }

  /// Appends a matrix.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.matrix(.saturation(factor, weights: space.luminanceWeights)))
  }
}

extension ColorMatrix {
  /// The matrix that scales the distance of colors from the gray given by `weights`.
  package static func saturation(_ factor: Double, weights: SIMD3<Double>) -> ColorMatrix {
    let gray = weights * (1 - factor)
    return ColorMatrix(rows: gray + [factor, 0, 0], gray + [0, factor, 0], gray + [0, 0, factor])
  }
}

extension Saturation: RecipeFilter {
  /// The declaration of `saturation`.
  package static let declaration = Declaration<Saturation>(
    "saturation", "Scales the distance of colors from the gray of the same luminance.",
    keepsGray: true, swift: "picture.saturation(1.5)",
    Parameter("factor", \.factor, "0 makes everything gray, 1 changes nothing", sample: 1.5)
  ) { Saturation($0) }
}

extension Picture {
  /// Returns this picture with its colors `factor` times as far from gray.
  public func saturation(_ factor: Double) -> Picture { applying(Saturation(factor)) }
}
