public import ColorSpaces

/// Applies the OOTF of hybrid log-gamma (HLG), or its inverse: Rec. ITU-R BT.2100, table 5.
///
/// HLG encodes scene light, PQ display light. The OOTF between them renders a scene for a display and its surround:
/// `displayed = peak · Y^(γ − 1) · scene`, where `Y` is the scene luminance. All channels are scaled by the same
/// factor, which keeps chromaticities. Scene-linear 1 is HLG's signal of 1; display-linear 1 has the luminance
/// ``white``. Colors without luminance become black.
package struct HLGRendering: PointFilter {
  /// Whether the OOTF or its inverse is applied.
  @nonexhaustive
  package enum Direction: String, Hashable, Sendable, CaseIterable {
    /// The OOTF: from scene light to display light.
    case displayed
    /// The inverse OOTF: from display light to scene light.
    case undone
  }

  /// The display, without its black level, which applies to the signal and not to the OOTF.
  package let display: HLGDisplay
  /// The luminance of display-linear 1.
  package let white: Luminance
  /// Whether the OOTF or its inverse is applied.
  package var direction: Direction

  /// Creates the OOTF of a display, or its inverse.
  package init(
    on display: HLGDisplay = .reference, white: Luminance = .graphicsWhite,
    _ direction: Direction = .displayed
  ) throws(RecipeError) {
    self.display = try recipeChecked { () throws(ColorError) in
      try HLGDisplay(peak: display.peak, gamma: display.gamma)
    }
    (self.white, self.direction) = (white, direction)
    try Self.declaration.check(self)
  }

  /// Linear light: the OOTF scales light by a power of the scene luminance.
  package var domain: PixelDomain { .linear }

  /// Appends a factor for each pixel, from its luminance.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let weights = space.luminanceWeights
    let unit = display.peak.candelas / white.candelas
    let formula =
      switch direction {
      case .displayed: display.rendering("HLG on \(display)", weights: weights, unit: unit)
      case .undone:
        display.inverseRendering("HLG on \(display), undone", weights: weights, unit: unit)
      }
    program.append(.formula(formula.keepingNaN))
  }
}

extension HLGRendering: RecipeFilter {
  /// The declaration of `hlg-rendering`.
  package static let declaration = Declaration<HLGRendering>(
    "hlg-rendering",
    "Applies the HLG OOTF of ITU-R BT.2100, or its inverse; linear 1 is the signal 1.",
    keepsGray: true, swift: "picture.hlgRendered()",
    Parameter(
      "peak", \.display.peak.candelas, "the display's peak luminance", unit: "cd/m²",
      default: 1000, in: 1...10_000),
    Parameter(
      "gamma", \.display.gamma, "the system gamma of the display",
      default: HLGDisplay.reference.gamma,
      in: 0.1...10),
    Parameter(
      "white", \.white.candelas, "the luminance of display light of 1", unit: "cd/m²",
      default: 203, in: 1...10_000),
    Parameter(
      "direction", \.direction, "displayed applies the OOTF, undone inverts it",
      default: .displayed)
  ) { peak, gamma, white, direction throws(RecipeError) in
    let display = try recipeChecked { () throws(ColorError) in
      try HLGDisplay(peak: Luminance(candelas: peak), gamma: gamma)
    }
    return try HLGRendering(on: display, white: Luminance(candelas: white), direction)
  }
  .computing(
    "All channels are scaled by peak / white · Y^(gamma − 1), where Y is the luminance; with "
      + "direction=undone the inverse."
  )
  .clamping("Colors whose luminance is not above 0 become black, in all channels.")
}

extension HLGRendering.Direction: RecipeChoice {}

extension Picture {
  /// Returns this scene-linear picture, 1 where HLG's signal is 1, as display-linear light, 1 at the luminance `white`.
  ///
  /// In the space `rec2100HLG` linear 1 is the signal 0.75: assign `rec2100HLG(on:)` to such pictures instead.
  public func hlgRendered(
    on display: HLGDisplay = .reference, white: Luminance = .graphicsWhite
  ) -> Picture {
    applying { () throws(RecipeError) in
      try HLGRendering(on: display, white: white, .displayed)
    }
  }

  /// Returns the scene-linear picture that an HLG display shows as this picture.
  public func hlgSceneLight(
    on display: HLGDisplay = .reference, white: Luminance = .graphicsWhite
  ) -> Picture {
    applying { () throws(RecipeError) in try HLGRendering(on: display, white: white, .undone) }
  }
}
