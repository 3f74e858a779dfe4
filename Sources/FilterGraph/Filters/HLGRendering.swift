public import ColorSpaces

/// The light of a scene as a display of hybrid log-gamma shows it, or back: the OOTF of Rec. ITU-R BT.2100, table 5.
///
/// HLG stores the light of the scene, PQ that of the display. Between them lies how a display renders a scene for the room in which it
/// stands: `displayed = peak · Y^(γ − 1) · scene`, where `Y` is the scene's luminance. All channels get the same factor, so that the
/// colors of the scene stay. Scene light of 1 is what HLG's signal 1 stands for; displayed light of 1 is as bright as ``white``.
/// Colors without luminance become black.
public struct HLGRendering: PointFilter {
  /// Which way light goes.
  @nonexhaustive
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// From the scene to the display.
    case displayed
    /// From the display back to the scene.
    case undone
  }

  /// The display. Its black is a matter of the signal, not of the rendering, and not looked at.
  public var display: HLGDisplay
  /// How bright displayed light of 1 is.
  public var white: Luminance
  /// Which way light goes.
  public var direction: Direction

  /// The rendering of a display, or the way back.
  public init(
    on display: HLGDisplay = HLGDisplay(), white: Luminance = .graphicsWhite,
    _ direction: Direction = .displayed
  ) {
    precondition(white > 0, "White is brighter than 0; got \(white).")
    (self.display, self.white, self.direction) = (display, white, direction)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// A factor for each pixel, from its luminance.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let (weights, gamma) = (space.luminanceWeights, display.gamma)
    let unit = display.peak.candelas / white.candelas
    switch direction {
    case .displayed:
      program.append(
        .map("HLG on \(display)") { light in
          let luminance = (light * weights).sum()
          return luminance > 0 ? light * (unit * power(luminance, gamma - 1)) : .zero
        })
    case .undone:
      program.append(
        .map("HLG on \(display), undone") { light in
          let luminance = (light * weights).sum() / unit
          return luminance > 0 ? light * (power(luminance, 1 / gamma - 1) / unit) : .zero
        })
    }
  }
}

extension HLGRendering: RecipeFilter {
  /// The name and the parameters in recipes; luminances are in cd/m².
  public static let recipeForm = RecipeForm<HLGRendering>(
    "hlg-rendering",
    RecipeField("peak", \.display.peak.candelas, default: 1000, in: 1...10_000),
    RecipeField("black", \.display.black.candelas, default: 0, in: 0...1),
    RecipeField("gamma", \.display.gamma, default: HLGDisplay().gamma, in: 0.1...10),
    RecipeField("white", \.white.candelas, default: 203, in: 1...10_000),
    RecipeField("direction", \.direction, default: .displayed)
  ) { peak, black, gamma, white, direction in
    HLGRendering(
      on: HLGDisplay(
        peak: Luminance(candelas: peak), black: Luminance(candelas: black), gamma: gamma),
      white: Luminance(candelas: white), direction)
  }
}

extension HLGRendering.Direction: RecipeChoice {}

extension Picture {
  /// This picture of a scene, with light of 1 where HLG's signal is 1, as a display of hybrid log-gamma shows it, with light of 1 as
  /// bright as `white`.
  public func hlgRendered(
    on display: HLGDisplay = HLGDisplay(), white: Luminance = .graphicsWhite
  ) -> Picture {
    applying(HLGRendering(on: display, white: white, .displayed))
  }

  /// The scene that a display of hybrid log-gamma shows as this picture.
  public func hlgRenderingUndone(
    on display: HLGDisplay = HLGDisplay(), white: Luminance = .graphicsWhite
  ) -> Picture {
    applying(HLGRendering(on: display, white: white, .undone))
  }
}
