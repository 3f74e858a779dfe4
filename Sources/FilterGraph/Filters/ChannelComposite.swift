internal import ColorSpaces
internal import ImageBuffer

/// Makes one picture of the red of one, the green of another and the blue of a third one.
///
/// Three versions of one picture that differ in curves alone are one pass: see the law of channels in the plan.
public struct ChannelComposite: BlendFilter {
  /// Where the coverage of the result comes from.
  @nonexhaustive
  public enum Coverage: String, Hashable, Sendable, CaseIterable {
    /// The result is opaque.
    case opaque
    /// That of the picture that gives the red.
    case first
    /// The least of the three: only where all of them are.
    case least
    /// The greatest of the three: where any of them is.
    case greatest
  }

  /// Where the coverage of the result comes from.
  public var coverage: Coverage
  /// Which pixels the result has.
  public var extent: BlendExtent

  /// A composition of three channels.
  public init(coverage: Coverage = .greatest, extent: BlendExtent = .union) {
    (self.coverage, self.extent) = (coverage, extent)
  }

  /// Whatever light the picture that gives the red holds, straight.
  public var domain: PixelDomain { PixelDomain(light: .any, coverage: .straight) }

  /// As the coverage says.
  public func hasAlpha(_ inputs: [Bool]) -> Bool {
    switch coverage {
    case .opaque: false
    case .first: inputs[0]
    case .least: inputs.contains(true)
    case .greatest: !inputs.contains(false)
    }
  }

  /// A channel of each.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    SIMD4(
      inputs[0].x, inputs[1].y, inputs[2].z,
      covered(inputs[0].w, inputs[1].w, inputs[2].w))
  }

  private func covered<Scalar: BinaryFloatingPoint>(
    _ red: Scalar, _ green: Scalar, _ blue: Scalar
  ) -> Scalar {
    switch coverage {
    case .opaque: 1
    case .first: red
    case .least: min(red, green, blue)
    case .greatest: max(red, green, blue)
    }
  }

  /// Row by row.
  public func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      for plane in 0..<3 {
        output.pointer(y, plane).update(
          from: inputs[plane].pointer(y, plane), count: output.region.width)
      }
      guard output.planeCount == 4 else { continue }
      let rows = (PixelRow(inputs[0], y), PixelRow(inputs[1], y), PixelRow(inputs[2], y))
      let alpha = output.pointer(y, 3) - output.region.x
      for x in output.region.columns {
        alpha[x] = covered(rows.0[x].w, rows.1[x].w, rows.2[x].w)
      }
    }
  }
}

extension ChannelComposite: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "composite of channels" }
}

extension ChannelComposite: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<ChannelComposite>(
    "channel-composite", RecipeField("coverage", \.coverage, default: .greatest),
    RecipeField("extent", \.extent, default: .union)
  ) { ChannelComposite(coverage: $0, extent: $1) }

  /// Those that give red, green and blue.
  public static var recipeInputs: ClosedRange<Int> { 3...3 }
}

extension ChannelComposite.Coverage: RecipeChoice {}

extension Picture {
  /// The red of one picture, the green of another and the blue of a third, in the space of the first.
  ///
  /// The others are converted to that space before their channel is taken. Where a picture has no pixels its channel is 0; extend
  /// it first if it should be something else.
  public init(
    red: Picture, green: Picture, blue: Picture,
    coverage: ChannelComposite.Coverage = .greatest, extent: BlendExtent = .union
  ) {
    self = red.applying(
      ChannelComposite(coverage: coverage, extent: extent), with: [green, blue])
  }
}
