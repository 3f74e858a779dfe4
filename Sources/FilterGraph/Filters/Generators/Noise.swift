public import ColorSpaces
internal import ImageBuffer

/// White noise: values distributed uniformly in 0..<1, independently at every pixel.
///
/// A pixel's values are a function of its column, its row and the seed alone.
package struct Noise: Painter {
  /// The seed of the random values.
  package var seed: UInt64
  /// Whether all channels have the same value.
  package var isGray: Bool

  /// Creates noise from a seed.
  package init(seed: UInt64, isGray: Bool = true) { (self.seed, self.isGray) = (seed, isGray) }

  /// Encoded values, whose distribution is uniform.
  package var domain: PixelDomain { .encoded }

  /// Returns one random value for gray, three for color.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let generator = PixelRandom(seed: seed, x: x, y: y)
    let first = Double(generator[0])
    return isGray
      ? SIMD4(first, first, first, 1)
      : SIMD4(first, Double(generator[1]), Double(generator[2]), 1)
  }

  /// Computes pixel by pixel.
  package func render(into output: Tile) {
    for y in output.region.rows {
      let (red, green, blue) = (
        output.pointer(y, 0), output.pointer(y, 1), output.pointer(y, 2)
      )
      for (index, x) in output.region.columns.enumerated() {
        let generator = PixelRandom(seed: seed, x: x, y: y)
        red[index] = generator[0]
        green[index] = isGray ? red[index] : generator[1]
        blue[index] = isGray ? red[index] : generator[2]
      }
    }
  }
}

extension Noise: CustomStringConvertible {
  /// The text of this step in plans, such as “noise of seed 1”.
  package var description: String { "noise of seed \(seed)" }
}

extension Noise: RecipePainter {
  /// The declaration of `noise`.
  package static let declaration = Declaration<Painting<Noise>>(
    "noise", "Paints white noise with uniformly distributed encoded values.",
    swift: "Picture.noise(seed: 1, in: .sRGB)",
    Parameter("seed", \.painter.seed, "the seed; another one is other noise", sample: 1),
    Parameter(
      "gray", \.painter.isGray, "whether all channels have the same value", default: true),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { Painting(Noise(seed: $0, isGray: $1), in: $2) }
}

extension Picture {
  /// Creates infinite white noise, 0..<1 in the encoded values of `space`.
  public static func noise(
    seed: UInt64, isGray: Bool = true, in space: ColorSpace
  ) -> Picture {
    Picture(Noise(seed: seed, isGray: isGray), in: space)
  }
}
