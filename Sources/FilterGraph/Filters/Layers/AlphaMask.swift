internal import ColorSpaces
internal import ImageBuffer

/// Takes the color of the first input, and a channel of the second one, the mask, as its alpha. Like colors, a mask is not clamped.
package struct AlphaMask: BlendFilter {
  /// The channel of the mask, premultiplied: where the mask is transparent it is 0.
  package var channel: MaskChannel

  /// Creates a filter that takes alpha from one channel of a mask.
  package init(by channel: MaskChannel = .red) { self.channel = channel }

  /// Linear, straight alpha: alpha is replaced without changing the color.
  package var domain: PixelDomain { .linear }

  /// The pixels of the picture.
  package var extent: BlendExtent { .first }

  /// True: the result may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { true }

  /// Returns the color of the first input with the alpha of the second.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let mask = inputs[1]
    return SIMD4(
      inputs[0].x, inputs[0].y, inputs[0].z,
      channel == .alpha ? mask.w : mask[channel.index] * mask.w)
  }

  /// Computes pixel by pixel.
  package func render(into output: Tile, from inputs: [Tile]) {
    let (color, mask) = (inputs[0], inputs[1])
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        for plane in 0..<3 {
          output.pointer(y, plane).update(from: color.pointer(y, plane), count: output.region.width)
        }
        let (target, alpha) = (output.pointer(y, 3), mask.pointer(y, 3, or: opaque))
        let factor = channel == .alpha ? opaque : mask.pointer(y, channel.index)
        for x in 0..<output.region.width { target[x] = factor[x] * alpha[x] }
      }
    }
  }
}

extension AlphaMask: CustomStringConvertible {
  /// The text of this step in plans, such as “alpha by a mask's red”.
  package var description: String { "alpha by a mask's \(channel.rawValue)" }
}

extension AlphaMask: RecipeFilter {
  /// The declaration of `linear-alpha-mask`.
  package static let declaration = Declaration<AlphaMask>(
    "linear-alpha-mask", "Replaces the alpha of a picture by the linear light of a mask.",
    aliases: [.formerly("coverage-mask")],
    keepsGray: true,
    Parameter("channel", \.channel, MaskChannel.meaning, default: .red)
  ) { AlphaMask(by: $0) }
  .computing(formula(of: "linear"))

  /// What references say of both filters.
  fileprivate static func formula(of values: String) -> String {
    "Alpha becomes the \(values) channel of the mask times the mask's alpha. It is not clamped: a mask beyond 0…1 gives "
      + "alpha beyond 0…1. Straight colors stay."
  }
}

/// Replaces alpha by the encoded values of a mask's channel.
struct AlphaMaskCompound: CompoundFilter, RecipeFilter {
  var channel: MaskChannel

  func picture(of picture: Picture, with masks: [Picture]) -> Picture {
    picture.applying(
      AlphaMask(by: channel), with: [masks[0].tagged(as: picture.space.linear)])
  }

  static let declaration = Declaration<AlphaMaskCompound>(
    "alpha-mask", "Replaces the alpha of a picture by the encoded values of a mask.",
    aliases: [.formerly("cover")],
    keepsGray: true, swift: "picture.alphaMasked(by: mask)",
    Parameter("channel", \.channel, MaskChannel.meaning, default: .red)
  ) { AlphaMaskCompound(channel: $0) }
  .computing(AlphaMask.formula(of: "encoded"))

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// Returns this picture with a channel of `mask` as its alpha. The mask's encoded values are used.
  ///
  /// A color of the mask counts times the mask's alpha, so a transparent mask makes transparent. A mask beyond 0…1 gives alpha beyond 0…1:
  /// fit it into its space first, with ``fitted(into:by:)`` and `.clipped`, where it may have such values.
  public func alphaMasked(by mask: Picture, channel: MaskChannel = .red) -> Picture {
    applying(AlphaMaskCompound(channel: channel), with: [mask])
  }
}
