public import ColorSpaces
internal import ImageBuffer

/// Lays a picture onto another one: the operators of Porter and Duff (“Compositing digital images”, 1984), each with any blend
/// mode, as W3C Compositing and Blending Level 1 joins them.
///
/// The first input is the backdrop, the second one the source. With αs and αb as their alpha and B as the blend mode, the source's
/// color becomes (1 − αb) · Cs + αb · B(Cb, Cs), and then the two are added, each times the part of it that the operator keeps.
public struct Composite: BlendFilter {
  /// Which part of the source and of the backdrop stays.
  @nonexhaustive
  public enum Operator: String, Hashable, Sendable, CaseIterable {
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
    /// The sum of both: the middle of a cross-fade. Alpha is clamped to 1, color is not.
    case plusLighter

    /// The factors of the source and of the backdrop, each as a constant and as a multiple of the other one's alpha.
    fileprivate var kept: (source: SIMD2<Float>, backdrop: SIMD2<Float>) {
      let (none, all, inside, outside) = (
        SIMD2<Float>(0, 0), SIMD2<Float>(1, 0), SIMD2<Float>(0, 1), SIMD2<Float>(1, -1)
      )
      return switch self {
      case .clear: (none, none)
      case .source: (all, none)
      case .backdrop: (none, all)
      case .sourceOver: (all, outside)
      case .backdropOver: (outside, all)
      case .sourceIn: (inside, none)
      case .backdropIn: (none, inside)
      case .sourceOut: (outside, none)
      case .backdropOut: (none, outside)
      case .sourceAtop: (inside, outside)
      case .backdropAtop: (outside, inside)
      case .exclusiveOr: (outside, outside)
      case .plusLighter: (all, all)
      }
    }
  }

  /// Which part of each stays.
  public var `operator`: Operator
  /// How the two colors blend where both have pixels.
  public var mode: BlendMode
  /// Which pixels the result has. ``BlendExtent/first`` are those of the backdrop.
  public var extent: BlendExtent

  /// A composition of a backdrop and a source.
  public init(
    _ operator: Operator = .sourceOver, mode: BlendMode = .normal, extent: BlendExtent = .union
  ) {
    (self.operator, self.mode, self.extent) = (`operator`, mode, extent)
  }

  /// Encoded values: the picture's space says which ones are mixed.
  public var domain: PixelDomain { .encodedPremultiplied }

  /// Whether some alpha of the inputs makes an alpha of the result other than 1.
  public func hasAlpha(_ inputs: [Bool]) -> Bool {
    let coverage = inputs.map { $0 ? [0.0, 1] : [1] }
    return coverage[0].contains { backdrop in
      coverage[1].contains { source in
        pixel([SIMD4(0, 0, 0, backdrop), SIMD4(0, 0, 0, source)]).w != 1
      }
    }
  }

  /// Blends the colors, then adds the parts that the operator keeps.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    composed(backdrop: inputs[0], source: inputs[1])
  }

  private func composed<Scalar: BinaryFloatingPoint & SIMDScalar>(
    backdrop b: SIMD4<Scalar>, source: SIMD4<Scalar>
  ) -> SIMD4<Scalar> {
    var s = source
    if mode != .normal {
      let both = mode(straight(b), straight(s)) * (s.w * b.w)
      s = s * (1 - b.w) + SIMD4(both, source.w * b.w)
    }
    let kept = `operator`.kept
    var result =
      s * (Scalar(kept.source.x) + Scalar(kept.source.y) * b.w)
      + b * (Scalar(kept.backdrop.x) + Scalar(kept.backdrop.y) * s.w)
    if result.w > 1 { result.w = 1 }
    return result
  }

  /// Computes rows in one loop for the normal mode, and pixel by pixel for the others.
  public func render(into output: Tile, from inputs: [Tile]) {
    let (backdrop, source) = (inputs[0], inputs[1])
    guard mode == .normal else {
      for y in output.region.rows {
        let (target, b, s) = (PixelRow(output, y), PixelRow(backdrop, y), PixelRow(source, y))
        for x in output.region.columns { target[x] = composed(backdrop: b[x], source: s[x]) }
      }
      return
    }
    let kept = `operator`.kept
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        let backdropAlpha = backdrop.planeCount == 4 ? backdrop.pointer(y, 3) : opaque
        let sourceAlpha = source.planeCount == 4 ? source.pointer(y, 3) : opaque
        for plane in 0..<output.planeCount {
          let (target, b, s) = (
            output.pointer(y, plane),
            plane < backdrop.planeCount ? backdrop.pointer(y, plane) : opaque,
            plane < source.planeCount ? source.pointer(y, plane) : opaque
          )
          for x in 0..<output.region.width {
            target[x] =
              s[x] * (kept.source.x + kept.source.y * backdropAlpha[x])
              + b[x] * (kept.backdrop.x + kept.backdrop.y * sourceAlpha[x])
          }
        }
        if `operator` == .plusLighter, output.planeCount == 4 {
          let alpha = output.pointer(y, 3)
          for x in 0..<output.region.width { alpha[x] = min(alpha[x], 1) }
        }
      }
    }
  }
}

/// The straight color of a premultiplied pixel; zero where it is transparent.
private func straight<Scalar: BinaryFloatingPoint & SIMDScalar>(
  _ pixel: SIMD4<Scalar>
) -> SIMD3<Scalar> {
  let color = SIMD3(pixel.x, pixel.y, pixel.z)
  return pixel.w == 0 ? .zero : color / pixel.w
}

extension Composite: CustomStringConvertible {
  /// The name in plans.
  public var description: String {
    mode == .normal
      ? "composite \(`operator`.rawValue)" : "composite \(`operator`.rawValue) by \(mode.rawValue)"
  }
}

extension Composite: RecipeFilter {
  /// The declaration of `composite`.
  public static let declaration = Declaration<Composite>(
    "composite", "Composites two pictures by an operator of Porter and Duff and a blend mode.",
    swift: "picture.applying(Composite(.sourceAtop), with: [other])",
    Parameter(
      "operator", \.operator, "which part of the source and of the backdrop stays",
      default: .sourceOver),
    Parameter("mode", \.mode, "how colors blend where both have pixels", default: .normal),
    Parameter("extent", \.extent, "which pixels the result has", default: .union)
  ) { Composite($0, mode: $1, extent: $2) }
}

extension Composite.Operator: RecipeChoice {}

/// Lays the second picture, the layer, onto the first, the backdrop.
struct Layer: CompoundFilter, RecipeFilter {
  var mode: BlendMode
  var `operator`: Composite.Operator
  var space: ColorSpace?

  func picture(of backdrop: Picture, with layers: [Picture]) -> Picture {
    let extent: BlendExtent = layers[0].isEndless ? .first : .union
    return backdrop.converted(to: space ?? backdrop.space.linear)
      .applying(Composite(`operator`, mode: mode, extent: extent), with: layers)
      .converted(to: backdrop.space)
  }

  static let declaration = Declaration<Layer>(
    "layer", "Lays a picture onto a backdrop, in linear light or in the values of a space.",
    swift: "picture.composited(onto: other, by: .screen)",
    Parameter("mode", \.mode, "how colors blend where both have pixels", default: .normal),
    Parameter(
      "operator", \.operator, "which part of the layer and of the backdrop stays",
      default: .sourceOver),
    Parameter("in", \.space, "the space whose encoded values are mixed; linear light if left out")
  ) { Layer(mode: $0, operator: $1, space: $2) }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// This picture laid onto another one, in the space of that one.
  ///
  /// Linear light is mixed, unless `space` names other values: in `.sRGB` layers mix as in a browser, in `.oklab` perceptually. The
  /// result has the pixels of both, or those of the backdrop if this picture is endless.
  public func composited(
    onto backdrop: Picture, by mode: BlendMode = .normal,
    operator: Composite.Operator = .sourceOver, in space: ColorSpace? = nil
  ) -> Picture {
    backdrop.applying(Layer(mode: mode, operator: `operator`, space: space), with: [self])
  }
}
