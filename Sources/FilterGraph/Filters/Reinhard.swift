public import ColorSpaces

/// Bright light folded into what a display can show: `Y · (1 + Y / white²) / (1 + Y)`, and the channels in proportion (Reinhard, Stark,
/// Shirley and Ferwerda 2002, equation 4).
///
/// Luminance `white` becomes 1 and what is brighter goes beyond; shadows stay nearly what they are. Expose the picture first, so that
/// its middle gray is where it shall be.
public struct Reinhard: PointFilter {
  /// What ``white`` can be.
  public static let whites = 0.1...1e6

  /// The luminance that becomes 1.
  public let white: Double

  /// A tone mapping for this white.
  public init(white: Double) throws(RecipeError) {
    self.white = try checked("The white of a tone mapping", white, in: Self.whites)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A factor for each pixel, from its luminance.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let weights = SIMD3<Float>(space.luminanceWeights)
    let scale = Float(1 / (white * white))
    program.rows("Reinhard \(white)") { strip in
      for i in strip.indices {
        let light = SIMD3(strip.red[i], strip.green[i], strip.blue[i])
        // Colors of negative luminance have no brightness to fold; infinite ones stay so.
        let luminance = max((weights * light).sum(), 0)
        let factor = luminance == .infinity ? 1 : (1 + luminance * scale) / (1 + luminance)
        strip.red[i] = light.x * factor
        strip.green[i] = light.y * factor
        strip.blue[i] = light.z * factor
      }
    }
  }
}

extension Reinhard: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Reinhard>("reinhard", RecipeField("white", \.white)) {
    white throws(RecipeError) in try Reinhard(white: white)
  }
}

extension Picture {
  /// This picture with its bright light folded in, so that the luminance `white` becomes 1.
  public func reinhard(white: Double) -> Picture {
    applying { () throws(RecipeError) in try Reinhard(white: white) }
  }
}
