public import ColorSpaces
internal import ImageBuffer

/// White noise: values distributed uniformly in 0..<1, independently at every pixel.
///
/// A pixel's values are a function of its column, its row and the seed alone.
public struct Noise: Painter {
  /// The seed of the random values.
  public var seed: UInt64
  /// Whether all channels have the same value.
  public var isGray: Bool

  /// Creates noise from a seed.
  public init(seed: UInt64, isGray: Bool = true) { (self.seed, self.isGray) = (seed, isGray) }

  /// Encoded values, whose distribution is uniform.
  public var domain: PixelDomain { .encoded }

  /// Returns one random value for gray, three for color.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let generator = PixelRandom(seed: seed, x: x, y: y)
    let first = Double(generator[0])
    return isGray
      ? SIMD4(first, first, first, 1)
      : SIMD4(first, Double(generator[1]), Double(generator[2]), 1)
  }

  /// Computes pixel by pixel.
  public func render(into output: Tile) {
    for y in output.region.rows {
      let row = PixelRow(output, y)
      for x in output.region.columns {
        let generator = PixelRandom(seed: seed, x: x, y: y)
        let first = generator[0]
        row[x] =
          isGray
          ? SIMD4(first, first, first, 1) : SIMD4(first, generator[1], generator[2], 1)
      }
    }
  }
}

extension Noise: CustomStringConvertible {
  /// The description that plans show.
  public var description: String { "noise of seed \(seed)" }
}

extension Noise: RecipePainter {
  /// The declaration of `noise`.
  public static let declaration = Declaration<Painting<Noise>>(
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
