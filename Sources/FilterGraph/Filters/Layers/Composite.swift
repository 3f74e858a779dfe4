internal import CPixelKernels
public import ColorSpaces
public import ImageBuffer

/// Composites a picture over another one: the operators of Porter and Duff (“Compositing digital images”, 1984),
/// combined with blend modes by W3C Compositing and Blending Level 1.
///
/// The first input is the backdrop, the second one the source. With αs and αb as their alpha and B as the blend mode,
/// the source's color becomes (1 − αb) · Cs + αb · B(Cb, Cs). Both are then added, each scaled by the fraction of it
/// that the operator keeps.
package struct Composite: BlendFilter {
  /// The compositing operator.
  package var `operator`: CompositeOperator
  /// The blend mode where both have pixels.
  package var mode: BlendMode
  /// The region of the result. ``BlendExtent/first`` is that of the backdrop.
  package var extent: BlendExtent

  /// Creates a composition of a backdrop and a source.
  package init(
    _ operator: CompositeOperator = .sourceOver, mode: BlendMode = .normal,
    extent: BlendExtent = .union
  ) {
    (self.operator, self.mode, self.extent) = (`operator`, mode, extent)
  }

  /// Encoded values, premultiplied: the picture's space determines how colors mix.
  package var domain: PixelDomain { .encodedPremultiplied }

  /// Returns whether the result may be transparent for the given inputs.
  package func hasAlpha(_ inputs: [Bool]) -> Bool {
    let coverage = inputs.map { $0 ? [0.0, 1] : [1] }
    return coverage[0].contains { backdrop in
      coverage[1].contains { source in
        pixel([SIMD4(0, 0, 0, backdrop), SIMD4(0, 0, 0, source)]).w != 1
      }
    }
  }

  /// Returns the sum of the blended colors, weighted by the operator.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let b = inputs[0]
    var s = inputs[1]
    if mode != .normal {
      let both = mode(straight(b), straight(s)) * (s.w * b.w)
      s = s * (1 - b.w) + SIMD4(both, s.w * b.w)
    }
    let kept = SIMD4<Double>(`operator`.kept)
    var result = s * (kept.x + kept.y * b.w) + b * (kept.z + kept.w * s.w)
    if result.w > 1 { result.w = 1 }
    return result
  }

  /// Computes row by row.
  package func render(into output: Tile, from inputs: [Tile]) {
    let kept = `operator`.kept
    var how = cpk_composition(
      mode: mode.kernelMode, source: (kept.x, kept.y), backdrop: (kept.z, kept.w))
    let (backdrop, source) = (inputs[0], inputs[1])
    for y in output.region.rows {
      let x = output.region.x
      var to = output.surface(y, from: x)
      var (b, s) = (backdrop.surface(y, from: x), source.surface(y, from: x))
      kernels.composite(&how, &to, &b, &s, output.region.width)
    }
  }
}

/// A compositing operator: the parts of the source and of the backdrop that are kept.
@nonexhaustive
public enum CompositeOperator: String, Hashable, Sendable, CaseIterable {
  /// Nothing.
  case clear
  /// The source alone.
  case source
  /// The backdrop alone.
  case backdrop
  /// The source, and the backdrop around it.
  case sourceOver
  /// The backdrop, and the source around it.
  case backdropOver
  /// The source where the backdrop is.
  case sourceIn
  /// The backdrop where the source is.
  case backdropIn
  /// The source where the backdrop is not.
  case sourceOut
  /// The backdrop where the source is not.
  case backdropOut
  /// The backdrop, with the source where both are.
  case sourceAtop
  /// The source, with the backdrop where both are.
  case backdropAtop
  /// Each where the other one is not.
  case exclusiveOr
  /// The sum of both, as in a cross-fade. Alpha is clamped to 1, color is not.
  case plusLighter

  /// What is kept of the source, as a constant and a multiple of the backdrop's alpha, and of the backdrop by the source's.
  fileprivate var kept: SIMD4<Float> {
    switch self {
    case .clear: [0, 0, 0, 0]
    case .source: [1, 0, 0, 0]
    case .backdrop: [0, 0, 1, 0]
    case .sourceOver: [1, 0, 1, -1]
    case .backdropOver: [1, -1, 1, 0]
    case .sourceIn: [0, 1, 0, 0]
    case .backdropIn: [0, 0, 0, 1]
    case .sourceOut: [1, -1, 0, 0]
    case .backdropOut: [0, 0, 1, -1]
    case .sourceAtop: [0, 1, 1, -1]
    case .backdropAtop: [1, -1, 0, 1]
    case .exclusiveOr: [1, -1, 1, -1]
    case .plusLighter: [1, 0, 1, 0]
    }
  }
}

/// The straight color of a premultiplied pixel; zero where it is transparent.
private func straight(_ pixel: SIMD4<Double>) -> SIMD3<Double> {
  let color = SIMD3(pixel.x, pixel.y, pixel.z)
  return pixel.w == 0 ? .zero : color / pixel.w
}

extension Composite: CustomStringConvertible {
  /// The text of this step in plans, such as “composite source-over” or “composite source-over by multiply”.
  package var description: String {
    "composite \(hyphenated(`operator`.rawValue))"
      + (mode == .normal ? "" : " by \(hyphenated(mode.rawValue))")
  }
}

extension Composite: RecipeFilter {
  /// The declaration of `composite`.
  package static let declaration = Declaration<Composite>(
    "composite", "Composites two pictures by an operator of Porter and Duff and a blend mode.",
    Parameter(
      "operator", \.operator, "which part of the source and of the backdrop stays",
      default: .sourceOver),
    Parameter("mode", \.mode, "how colors blend where both have pixels", default: .normal),
    Parameter("extent", \.extent, "which pixels the result has", default: .union)
  ) { Composite($0, mode: $1, extent: $2) }
  .clamping(BlendMode.clamping) { $0.mode.clamps }
}

extension BlendMode {
  /// What references say of the modes that clamp.
  fileprivate static let clamping =
    "Where both pictures have pixels, color-dodge, color-burn and vivid-light hold the blended color in 0…1, and "
    + "hard-mix makes each channel 0 or 1. hue, saturation, color and luminosity reduce the saturation of colors beyond "
    + "0…1, and make those gray whose luminosity is beyond it. The other modes keep such values. Alpha becomes 1 at most."

  /// Whether backdrops beyond 0…1 all give a channel one value, though backdrops inside give it different ones. Hard mix has only two values
  /// inside, too; hue, saturation and color keep luminosities apart.
  fileprivate var clamps: Bool {
    switch self {
    case .colorDodge, .colorBurn, .vividLight, .luminosity: true
    default: false
    }
  }
}

extension CompositeOperator: RecipeChoice {}

/// Composites the second picture, the layer, over the first, the backdrop.
struct Layer: CompoundFilter, RecipeFilter {
  var mode: BlendMode
  var `operator`: CompositeOperator
  var space: ColorSpace?
  /// The offset of the layer from the place of `x` and `y`; a layer that has none of these keeps its own position.
  var offset: Offset?
  /// Where the layer lies in the backdrop: 0 left or top, 0.5 middle, 1 right or bottom; nil counts as 0 where the layer is placed.
  var x, y: Double?
  /// The factor of the layer's alpha.
  var opacity = 1.0

  func picture(of backdrop: Picture, with layers: [Picture]) -> Picture {
    let layer = faded(placed(layers[0], in: backdrop))
    let extent: BlendExtent = layer.isEndless ? .first : .union
    let result = backdrop.space.holding(layer.space)
    return backdrop.converted(to: space ?? result.linear)
      .applying(Composite(`operator`, mode: mode, extent: extent), with: [layer])
      .converted(to: result)
  }

  /// Moves a layer to its place in the backdrop.
  private func placed(_ layer: Picture, in backdrop: Picture) -> Picture {
    let isAligned = x != nil || y != nil
    guard isAligned || offset != nil else { return layer }
    if backdrop.isEndless {
      return isAligned ? layer.failing(.endless) : layer.placed(at: offset ?? .zero)
    }
    let place = backdrop.region.part(of: layer.size, x: x ?? 0, y: y ?? 0)
    return layer.placed(at: place.origin + (offset ?? .zero))
  }

  /// Multiplies alpha by the opacity.
  private func faded(_ picture: Picture) -> Picture {
    opacity == 1 ? picture : picture.channelMix(alpha: [0, 0, 0, opacity], in: .encoded)
  }

  static let declaration = Declaration<Layer>(
    "layer", "Lays a picture onto a backdrop, in linear light or in the values of a space.",
    swift: "other.composited(onto: picture)",
    Parameter("mode", \.mode, "how colors blend where both have pixels", default: .normal),
    Parameter(
      "operator", \.operator, "which part of the layer and of the backdrop stays",
      default: .sourceOver),
    Parameter("in", \.space, "the space whose encoded values are mixed; linear light if left out"),
    Parameter(
      "at", \.offset,
      "the offset from x and y, by default the upper left; with none of the three the layer does not move",
      unit: "pixels"),
    Parameter(
      "x", \.x,
      "where the layer lies: 0 the left, 0.5 the middle, 1 the right; 0 where only at or y is given",
      in: 0...1),
    Parameter(
      "y", \.y,
      "where the layer lies: 0 the top, 0.5 the middle, 1 the bottom; 0 where only at or x is given",
      in: 0...1),
    Parameter(
      "opacity", \.opacity, "the factor of the layer's alpha", default: 1, in: 0...1
    ).omittedAtDefault()
  ) { Layer(mode: $0, operator: $1, space: $2, offset: $3, x: $4, y: $5, opacity: $6) }
  .working("in linear light, premultiplied, or in encoded values, premultiplied, with in=SPACE")
  .clamping(BlendMode.clamping) { $0.mode.clamps }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// Returns this picture composited over another one, in the space of that one.
  ///
  /// If that is a gray space and this picture's space is not, the result is in the RGB space of its primaries: `ColorSpace.withColors`, or one
  /// with the transfer function of sRGB for grays by lightness or by a lookup table.
  ///
  /// Colors mix in linear light, unless `space` names another space: in `.sRGB` layers mix as in a browser, in `.oklab`
  /// perceptually. The result has the pixels of both, or those of the backdrop if this picture has infinite extent.
  ///
  /// This picture keeps its own position, unless `offset`, `x` or `y` places it in the backdrop.
  ///
  /// - Parameters:
  ///   - backdrop: The picture below.
  ///   - mode: How colors blend where both have pixels.
  ///   - operator: Which part of this picture and of the backdrop stays.
  ///   - space: The space whose encoded values are mixed; nil for linear light.
  ///   - offset: The offset in pixels from the place of `x` and `y`, by default the upper left corner of the backdrop.
  ///   - x: Where this picture lies in the width of the backdrop: 0 at the left, 0.5 in the middle, 1 at the right; nil counts as 0 where
  ///     `offset` or `y` is given.
  ///   - y: Where this picture lies in the height of the backdrop: 0 at the top, 0.5 in the middle, 1 at the bottom; nil counts as 0 where
  ///     `offset` or `x` is given.
  ///   - opacity: The factor of this picture's alpha, 0 to 1.
  public func composited(
    onto backdrop: Picture, by mode: BlendMode = .normal,
    operator: CompositeOperator = .sourceOver, in space: ColorSpace? = nil,
    at offset: Offset? = nil, x: Double? = nil, y: Double? = nil, opacity: Double = 1
  ) -> Picture {
    backdrop.applying(
      Layer(
        mode: mode, operator: `operator`, space: space, offset: offset, x: x, y: y,
        opacity: opacity),
      with: [self])
  }
}
