internal import ColorSpaces
internal import ImageBuffer

/// A 4 × 5 color matrix over red, green, blue and alpha, such as SVG's `feColorMatrix` and Core Image's
/// `CIColorMatrix`.
///
/// Colors have straight alpha, before and after (Filter Effects 1, 9.6). A fully transparent pixel has no color and
/// counts as (0, 0, 0, 0), whatever is stored. The new alpha is clamped to 0…1, color is not.
package struct FourChannelMix: BlendFilter {
  /// The weights of red, green, blue and alpha in each new channel.
  package var red, green, blue, alpha: SIMD4<Double>
  /// The offset of each new channel.
  package var offset: SIMD4<Double>
  /// The domain in which channels are mixed.
  package var domain: PixelDomain

  /// Creates a mix, in linear light or in another domain; an omitted channel is unchanged.
  package init(
    red: SIMD4<Double> = [1, 0, 0, 0], green: SIMD4<Double> = [0, 1, 0, 0],
    blue: SIMD4<Double> = [0, 0, 1, 0], alpha: SIMD4<Double> = [0, 0, 0, 1],
    offset: SIMD4<Double> = .zero, in domain: PixelDomain = .linear
  ) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    (self.offset, self.domain) = (offset, domain)
  }

  /// The pixels of the picture; outside it is transparent.
  package var extent: BlendExtent { .first }

  /// Whether alpha may become other than 1.
  package func hasAlpha(_ inputs: [Bool]) -> Bool {
    inputs[0] || alpha != [0, 0, 0, 1] || offset.w < 0
  }

  /// Returns a weighted sum for each channel.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let pixel = inputs[0].w == 0 ? .zero : inputs[0]
    let mixed =
      SIMD4((red * pixel).sum(), (green * pixel).sum(), (blue * pixel).sum(), (alpha * pixel).sum())
      + offset
    return SIMD4(mixed.x, mixed.y, mixed.z, min(max(mixed.w, 0), 1))
  }

  private func weights(_ channel: Int) -> SIMD4<Double> {
    switch channel {
    case 0: red
    case 1: green
    case 2: blue
    default: alpha
    }
  }

  /// Computes channel by channel.
  package func render(into output: Tile, from inputs: [Tile]) {
    let (source, offset) = (inputs[0], SIMD4<Float>(offset))
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        let (red, green, blue) = (
          source.pointer(y, 0), source.pointer(y, 1), source.pointer(y, 2)
        )
        let alpha = source.pointer(y, 3, or: opaque)
        for plane in 0..<output.planeCount {
          let (target, weights, offset) = (
            output.pointer(y, plane), SIMD4<Float>(weights(plane)), offset[plane]
          )
          for x in 0..<output.region.width {
            let isVisible = alpha[x] != 0
            let (r, g, b) = (
              isVisible ? red[x] : 0, isVisible ? green[x] : 0, isVisible ? blue[x] : 0
            )
            let sum = weights.x * r + weights.y * g + (weights.z * b + weights.w * alpha[x])
            target[x] = sum + offset
          }
        }
        if output.planeCount == 4 {
          let target = output.pointer(y, 3)
          for x in 0..<output.region.width { target[x] = min(max(target[x], 0), 1) }
        }
      }
    }
  }
}

extension FourChannelMix: CustomStringConvertible {
  /// The text of this step in plans: “mix of four channels”.
  package var description: String { "mix of four channels" }
}

extension FourChannelMix: RecipeFilter {
  /// The declaration of `four-channel-mix`: four weights and an offset for each channel.
  package static let declaration = Declaration<FourChannelMix>(
    "four-channel-mix", "Mixes red, green, blue and alpha by a 4 × 5 matrix.",
    swift: """
      picture.channelMix(red: [0.8, 0.2, 0, 0], green: [0.1, 0.9, 0, 0], blue: [0, 0.2, 0.8, 0], \
      alpha: [0, 0, 0, 0.5], offset: [0.05, 0, 0, 0])
      """,
    Parameter<FourChannelMix, [Double]>(
      "red", { $0.row(0) },
      "the weights of red, green, blue and alpha in the new red, and an offset",
      default: [1, 0, 0, 0, 0], sample: [0.8, 0.2, 0, 0, 0.05]
    ).withFiniteElements(),
    Parameter<FourChannelMix, [Double]>(
      "green", { $0.row(1) }, "the four weights and the offset of the new green",
      default: [0, 1, 0, 0, 0], sample: [0.1, 0.9, 0, 0, 0]
    ).withFiniteElements(),
    Parameter<FourChannelMix, [Double]>(
      "blue", { $0.row(2) }, "the four weights and the offset of the new blue",
      default: [0, 0, 1, 0, 0], sample: [0, 0.2, 0.8, 0, 0]
    ).withFiniteElements(),
    Parameter<FourChannelMix, [Double]>(
      "alpha", { $0.row(3) },
      "the four weights and the offset of the new alpha, which is clamped to 0…1",
      default: [0, 0, 0, 1, 0], sample: [0, 0, 0, 0.5, 0]
    ).withFiniteElements(),
    Parameter.mixing(\.domain, "the domain in which channels are mixed", default: .linear)
  ) { red, green, blue, alpha, domain throws(RecipeError) in
    let rows = [("red", red), ("green", green), ("blue", blue), ("alpha", alpha)]
    for (name, row) in rows where row.count != 5 {
      throw .other(
        "The row of \(name) has four weights and an offset, 5 numbers; got \(row.count).")
    }
    func weights(_ row: [Double]) -> SIMD4<Double> { SIMD4(row[0], row[1], row[2], row[3]) }
    return FourChannelMix(
      red: weights(red), green: weights(green), blue: weights(blue), alpha: weights(alpha),
      offset: SIMD4(red[4], green[4], blue[4], alpha[4]), in: domain)
  }.keepingGray { $0.keepsEqualChannels }
    .working("in linear light, or in the domain that in=… names")
    .computing(
      "Each new channel is the sum of red, green, blue and alpha times its four weights, and of its offset. Colors have "
        + "straight alpha; a pixel with alpha 0 counts as 0, 0, 0, 0, whatever its color. The new alpha is clamped to 0…1."
    )

  /// Whether equal channels stay equal at any alpha.
  private var keepsEqualChannels: Bool {
    let colors = ColorMatrix(
      rows: SIMD3(red.x, red.y, red.z), SIMD3(green.x, green.y, green.z),
      SIMD3(blue.x, blue.y, blue.z))
    return colors.keepsEqualChannels && SIMD3(red.w, green.w, blue.w).isEqual
      && offset.hasEqualColors
  }

  /// The picture alone.
  package static var recipeInputs: ClosedRange<Int> { 1...1 }

  private func row(_ index: Int) -> [Double] {
    let weights = [red, green, blue, alpha][index]
    return (0..<4).map { weights[$0] } + [offset[index]]
  }
}

extension Picture {
  /// Returns this picture with red, green, blue and alpha mixed by a 4 × 5 matrix: four weights for each channel, and an offset.
  ///
  /// Colors have straight alpha, and a pixel with alpha 0 counts as 0, 0, 0, 0, whatever its color. An omitted channel is unchanged. The new
  /// alpha is clamped to 0…1, color is not.
  public func channelMix(
    red: SIMD4<Double> = [1, 0, 0, 0], green: SIMD4<Double> = [0, 1, 0, 0],
    blue: SIMD4<Double> = [0, 0, 1, 0], alpha: SIMD4<Double> = [0, 0, 0, 1],
    offset: SIMD4<Double> = .zero, in domain: PixelDomain = .linear
  ) -> Picture {
    applying(
      FourChannelMix(
        red: red, green: green, blue: blue, alpha: alpha, offset: offset, in: domain), with: [])
  }
}
