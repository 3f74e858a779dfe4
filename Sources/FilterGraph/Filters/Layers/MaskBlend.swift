internal import ColorSpaces
internal import ImageBuffer

/// Interpolates between two pictures by a mask, in linear light: where the mask is 0 it shows the first input, where it is 1 the
/// second. The third input is the mask.
///
/// Like colors, a mask is not clamped: beyond 0…1 it extrapolates, and alpha may leave 0…1.
package struct MaskBlend: BlendFilter {
  /// The channel of the mask, premultiplied: where the mask is transparent it is 0.
  package var channel: MaskChannel
  /// The region of the result. ``BlendExtent/first`` is that of the picture where the mask is 0.
  package var extent: BlendExtent

  /// Creates a blend by one channel of a mask.
  package init(by channel: MaskChannel = .red, extent: BlendExtent = .first) {
    (self.channel, self.extent) = (channel, extent)
  }

  /// Returns whether one of the two pictures may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] || inputs[1] }

  /// Returns the weighted mean of the two.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let part = inputs[2][channel.index]
    return inputs[1] * part + inputs[0] * (1 - part)
  }

  /// Computes row by row.
  package func render(into output: Tile, from inputs: [Tile]) {
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        let part = inputs[2].pointer(y, channel.index, or: opaque)
        for plane in 0..<output.planeCount {
          let target = output.pointer(y, plane)
          let below = inputs[0].pointer(y, plane, or: opaque)
          let above = inputs[1].pointer(y, plane, or: opaque)
          for x in 0..<output.region.width {
            target[x] = above[x] * part[x] + below[x] * (1 - part[x])
          }
        }
      }
    }
  }
}

/// A channel that serves as a mask.
@nonexhaustive
public enum MaskChannel: String, Hashable, Sendable, CaseIterable {
  /// Red; for gray pictures, the gray.
  case red
  /// Green.
  case green
  /// Blue.
  case blue
  /// Alpha.
  case alpha

  var index: Int {
    switch self {
    case .red: 0
    case .green: 1
    case .blue: 2
    case .alpha: 3
    }
  }
}

extension MaskBlend: CustomStringConvertible {
  /// The text of this step in plans, such as “blend by a mask's red”.
  package var description: String { "blend by a mask's \(channel.rawValue)" }
}

extension MaskBlend: RecipeFilter {
  /// The declaration of `blend-by-linear-mask`.
  package static let declaration = Declaration<MaskBlend>(
    "blend-by-linear-mask", "Interpolates between two pictures by the linear light of a mask.",
    aliases: [.formerly("mask-blend")],
    Parameter("channel", \.channel, MaskChannel.meaning, default: .red),
    Parameter("extent", \.extent, "which pixels the result has", default: .first)
  ) { MaskBlend(by: $0, extent: $1) }
  .computing(formula(of: "the linear channel of the mask"))

  /// What references say of both filters.
  fileprivate static func formula(of mask: String) -> String {
    "a · (1 − m) + b · m for alpha and each premultiplied color, where a and b are the two pictures and m is \(mask) "
      + "times the mask's alpha. m is not clamped: beyond 0…1 it extrapolates, and alpha may leave 0…1, too."
  }

  /// The two pictures and the mask.
  package static var recipeInputs: ClosedRange<Int> { 3...3 }
}

extension MaskChannel: RecipeChoice {
  /// What the parameter of a mask's channel says: masks count premultiplied.
  static let meaning =
    "the channel of the mask that counts; a color counts times the mask's alpha"
}

/// Interpolates between two pictures by the encoded values of a mask.
struct MaskBlendCompound: CompoundFilter, RecipeFilter {
  var channel: MaskChannel

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(
      MaskBlend(by: channel), with: [others[0], others[1].tagged(as: picture.space.linear)])
  }

  static let declaration = Declaration<MaskBlendCompound>(
    "blend-by-mask", "Interpolates between two pictures by the encoded values of a mask.",
    swift: "picture.blended(with: other, mask: mask)",
    Parameter("channel", \.channel, MaskChannel.meaning, default: .red)
  ) { MaskBlendCompound(channel: $0) }
  .computing(MaskBlend.formula(of: "the encoded channel of the mask"))

  static var recipeInputs: ClosedRange<Int> { 3...3 }
}

extension Picture {
  /// Returns this picture where `mask` is 0, the other one where it is 1, and a mixture in linear light in between.
  ///
  /// The mask's encoded values are used: an encoded value of ½ gives equal parts of both.
  /// A color of the mask counts times the mask's alpha, so a transparent mask counts as 0. A mask beyond 0…1 extrapolates: fit it into its
  /// space first, with ``fitted(into:by:)`` and `.clipped`, where colors and alpha must not leave the range of the two pictures.
  public func blended(
    with other: Picture, mask: Picture, channel: MaskChannel = .red
  ) -> Picture {
    applying(MaskBlendCompound(channel: channel), with: [other, mask])
  }
}
