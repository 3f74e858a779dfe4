public import ColorSpaces

extension ColorMatrix: FiniteNumbers {
  var parameterNumbers: [Double] { rows.flatMap(\.parameterNumbers) }
}

/// A color channel.
public enum ColorChannel: Int, Hashable, Sendable, CaseIterable {
  /// The first channel.
  case red
  /// The second channel.
  case green
  /// The third channel.
  case blue

  var unit: SIMD3<Double> {
    var unit = SIMD3<Double>.zero
    unit[rawValue] = 1
    return unit
  }
}

/// A color matrix: each channel becomes a weighted sum of all three, plus an offset.
package struct ChannelMix: PointFilter {
  /// The weights of red, green and blue; each row computes one channel.
  package var matrix: ColorMatrix
  /// The offset of each channel.
  package var offset: SIMD3<Double>
  /// The domain in which channels are mixed.
  package var domain: PixelDomain

  /// Creates a mix by the rows of `matrix`, in linear light or in another domain.
  package init(
    _ matrix: ColorMatrix, offset: SIMD3<Double> = .zero, in domain: PixelDomain = .linear
  ) {
    (self.matrix, self.offset, self.domain) = (matrix, offset, domain)
  }

  /// Returns the mix that copies one channel to all three: a gray picture of the channel's encoded values.
  package static func extracting(_ channel: ColorChannel) -> ChannelMix {
    ChannelMix(ColorMatrix(rows: channel.unit, channel.unit, channel.unit), in: .encoded)
  }

  /// Returns the mix that permutes or duplicates channels, by their encoded values.
  package static func rearranging(
    red: ColorChannel, green: ColorChannel, blue: ColorChannel
  ) -> ChannelMix {
    ChannelMix(ColorMatrix(rows: red.unit, green.unit, blue.unit), in: .encoded)
  }

  /// Appends a matrix and an offset.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.matrix(matrix))
    program.append(.affine(scale: .one, offset: offset))
  }
}

extension ChannelMix: RecipeFilter {
  /// The declaration of `channel-mix`.
  package static let declaration = Declaration<ChannelMix>(
    "channel-mix", "Mixes red, green and blue by a 3 × 3 matrix and adds an offset.",
    swift: """
      picture.channelMix(ColorMatrix(rows: [0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.2, 0.8]), \
      offset: [0.02, 0, -0.02])
      """,
    Parameter(
      "matrix", \.matrix, "rows of weights of red, green and blue, one for each new channel",
      sample: ColorMatrix(rows: [0.8, 0.2, 0], [0.1, 0.8, 0.1], [0, 0.2, 0.8])),
    Parameter(
      "offset", \.offset, "what is added to each channel", default: .zero,
      sample: [0.02, 0, -0.02]),
    Parameter.mixing(\.domain, "the domain in which channels are mixed", default: .linear)
  ) { ChannelMix($0, offset: $1, in: $2) }.keepingGray {
    $0.matrix.keepsEqualChannels && $0.offset.isEqual
  }
  .working("in linear light, or in the domain that in=… names")
}

extension Picture {
  /// Returns this picture with its channels mixed by the rows of `matrix`, by default in linear light.
  public func channelMix(
    _ matrix: ColorMatrix, offset: SIMD3<Double> = .zero, in domain: PixelDomain = .linear
  ) -> Picture {
    applying(ChannelMix(matrix, offset: offset, in: domain))
  }

  /// Returns one channel of this picture as a gray picture.
  public func channel(_ channel: ColorChannel) -> Picture {
    applying(ChannelMix.extracting(channel))
  }

  /// Returns this picture with its channels in another order: `.channels(.blue, .green, .red)` swaps red and blue.
  public func channels(
    _ red: ColorChannel, _ green: ColorChannel, _ blue: ColorChannel
  ) -> Picture {
    applying(ChannelMix.rearranging(red: red, green: green, blue: blue))
  }
}
