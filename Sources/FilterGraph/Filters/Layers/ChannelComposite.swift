internal import ColorSpaces
internal import ImageBuffer

/// Combines the red of one picture, the green of another and the blue of a third, and optionally the alpha of a fourth.
///
/// Plans run three versions of one picture that differ only in curves as one pass (see ``ChannelSources``).
package struct ChannelComposite: BlendFilter {
  /// The origin of the result's alpha.
  package var alphaSource: ChannelAlpha
  /// The region of the result.
  package var extent: BlendExtent

  /// Creates a composite of three channels.
  package init(alpha: ChannelAlpha = .greatest, extent: BlendExtent = .union) {
    (self.alphaSource, self.extent) = (alpha, extent)
  }

  /// The values of the picture with the red, with straight alpha.
  package var domain: PixelDomain { PixelDomain(light: .any, coverage: .straight) }

  /// Returns whether the result may be transparent, by ``alphaSource``.
  package func hasAlpha(_ inputs: [Bool]) -> Bool {
    switch alphaSource {
    case .opaque: false
    case .first: inputs[0]
    case .last: inputs[inputs.count - 1]
    case .least: inputs.contains(true)
    case .greatest: !inputs.contains(false)
    }
  }

  /// Returns the first three inputs for red, green and blue.
  package func channelSources(inputs: Int) -> ChannelSources? {
    ChannelSources(red: 0, green: 1, blue: 2, keepsCommonAlpha: alphaSource != .opaque)
  }

  /// Returns one channel of each input.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (first, others) = (inputs[0].w, inputs.dropFirst())
    let alpha: Double =
      switch alphaSource {
      case .opaque: 1
      case .first: first
      case .last: inputs[inputs.count - 1].w
      case .least: others.reduce(first) { min($0, $1.w) }
      case .greatest: others.reduce(first) { max($0, $1.w) }
      }
    return SIMD4(inputs[0].x, inputs[1].y, inputs[2].z, alpha)
  }

  /// Computes row by row.
  package func render(into output: Tile, from inputs: [Tile]) {
    let width = output.region.width
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        for plane in 0..<3 {
          output.pointer(y, plane).update(from: inputs[plane].pointer(y, plane), count: width)
        }
        guard output.planeCount == 4 else { continue }
        func row(_ input: Int) -> UnsafeMutablePointer<Float> {
          inputs[input].pointer(y, 3, or: opaque)
        }
        let alpha = output.pointer(y, 3)
        switch alphaSource {
        case .opaque: alpha.update(from: opaque, count: width)
        case .last: alpha.update(from: row(inputs.count - 1), count: width)
        case .first, .least, .greatest: alpha.update(from: row(0), count: width)
        }
        guard alphaSource == .least || alphaSource == .greatest else { continue }
        for input in inputs.indices.dropFirst() {
          let other = row(input)
          if alphaSource == .least {
            for x in 0..<width { alpha[x] = min(alpha[x], other[x]) }
          } else {
            for x in 0..<width { alpha[x] = max(alpha[x], other[x]) }
          }
        }
      }
    }
  }
}

/// The origin of the result's alpha.
@nonexhaustive
public enum ChannelAlpha: String, Hashable, Sendable, CaseIterable {
  /// The result has no alpha.
  case opaque
  /// The alpha of the picture with the red.
  case first
  /// The alpha of the last picture: of the fourth if there are four, else of the one with the blue.
  case last
  /// The minimum alpha: opaque only where all inputs are.
  case least
  /// The maximum alpha: opaque where any input is.
  case greatest
}

extension ChannelComposite: CustomStringConvertible {
  /// The text of this step in plans: “composite of channels”.
  package var description: String { "composite of channels" }
}

extension ChannelComposite: RecipeFilter {
  /// The declaration of `channel-composite`.
  package static let declaration = Declaration<ChannelComposite>(
    "channel-composite", "Assembles red, green, blue and optionally alpha from one picture each.",
    swift: "Picture(red: picture, green: other, blue: mask)",
    Parameter(
      "alpha", \.alphaSource, "the origin of the result's alpha", default: .greatest),
    Parameter("extent", \.extent, "which pixels the result has", default: .union)
  ) { ChannelComposite(alpha: $0, extent: $1) }

  /// The pictures with red, green and blue, and optionally one with alpha.
  package static var recipeInputs: ClosedRange<Int> { 3...4 }
}

extension ChannelAlpha: RecipeChoice {}

extension Picture {
  /// Creates a picture from the red of one picture, the green of another and the blue of a third, in the space of the
  /// first.
  ///
  /// The others are converted to that space first, or to the RGB space of its primaries if it is gray. Where a picture has no pixels its
  /// channel is 0; extend the picture first for other values.
  public init(
    red: Picture, green: Picture, blue: Picture,
    alpha: ChannelAlpha = .greatest, extent: BlendExtent = .union
  ) {
    self = red.applying(
      ChannelComposite(alpha: alpha, extent: extent), with: [green, blue])
  }

  /// Creates a picture from the red of one picture, the green of another, the blue of a third and the alpha of a
  /// fourth, in the space of the first.
  ///
  /// To use a mask's color channel as alpha see ``alphaMasked(by:channel:)``.
  public init(
    red: Picture, green: Picture, blue: Picture, alpha: Picture, extent: BlendExtent = .union
  ) {
    self = red.applying(
      ChannelComposite(alpha: .last, extent: extent), with: [green, blue, alpha])
  }
}
