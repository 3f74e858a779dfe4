public import ColorSpaces

/// One of the three channels of color.
public enum ColorChannel: Int, Hashable, Sendable, CaseIterable {
  /// The first.
  case red
  /// The second.
  case green
  /// The third.
  case blue

  var unit: SIMD3<Double> {
    var unit = SIMD3<Double>.zero
    unit[rawValue] = 1
    return unit
  }
}

/// Each channel mixed anew from all three, plus an offset: a color matrix.
public struct ChannelMix: PointFilter {
  /// The rows say how each new channel is mixed.
  public var matrix: ColorMatrix
  /// What is added to each channel.
  public var offset: SIMD3<Double>
  /// The light in which channels are mixed.
  public var domain: PixelDomain

  /// A mix by the rows of `matrix`, of light or of other numbers.
  public init(
    _ matrix: ColorMatrix, offset: SIMD3<Double> = .zero, in domain: PixelDomain = .linear
  ) {
    (self.matrix, self.offset, self.domain) = (matrix, offset, domain)
  }

  /// One channel in place of all three: a gray picture of it, with its numbers as stored.
  public static func extracting(_ channel: ColorChannel) -> ChannelMix {
    ChannelMix(ColorMatrix(rows: channel.unit, channel.unit, channel.unit), in: .encoded)
  }

  /// Channels in another order, with their numbers as stored: what stands for red, green and blue.
  public static func rearranging(
    red: ColorChannel, green: ColorChannel, blue: ColorChannel
  ) -> ChannelMix {
    ChannelMix(ColorMatrix(rows: red.unit, green.unit, blue.unit), in: .encoded)
  }

  /// A matrix and an offset.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.matrix(matrix))
    program.append(.affine(scale: .one, offset: offset))
  }
}

extension ChannelMix: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<ChannelMix>(
    "channel-mix", RecipeField("matrix", \.matrix), RecipeField("offset", \.offset, default: .zero),
    RecipeField("in", \.domain, default: .linear)
  ) { ChannelMix($0, offset: $1, in: $2) }
}

extension Picture {
  /// This picture with its channels mixed by the rows of `matrix`, in linear light if no other domain is named.
  public func channelMix(
    _ matrix: ColorMatrix, offset: SIMD3<Double> = .zero, in domain: PixelDomain = .linear
  ) -> Picture {
    applying(ChannelMix(matrix, offset: offset, in: domain))
  }

  /// One channel of this picture as a gray picture.
  public func channel(_ channel: ColorChannel) -> Picture {
    applying(ChannelMix.extracting(channel))
  }

  /// This picture with its channels in another order: `.channels(.blue, .green, .red)` swaps red and blue.
  public func channels(
    _ red: ColorChannel, _ green: ColorChannel, _ blue: ColorChannel
  ) -> Picture {
    applying(ChannelMix.rearranging(red: red, green: green, blue: blue))
  }
}
