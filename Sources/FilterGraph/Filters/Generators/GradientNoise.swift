public import ColorSpaces
internal import ImageBuffer

/// Gradient noise, for clouds: smooth within a cell and random beyond it (Perlin, “Improving noise”, 2002).
///
/// Each corner of a grid of cells has a gradient in a random direction. Within a cell the values of the four gradients
/// are interpolated along 6t⁵ − 15t⁴ + 10t³. Each further octave has cells of half the size and half the weight. The
/// result is in 0…1, centered on ½, and a function of the column, the row and the seed alone. In place of Perlin's
/// twelve directions any direction occurs, so that no axis is visible.
package struct GradientNoise: Painter {
  /// The seed of the random directions.
  package let seed: UInt64
  /// The side of a cell in pixels.
  package let cell: Double
  /// The number of octaves: layers of noise that are summed.
  package let octaves: Int

  /// Creates noise with cells of `cell` pixels in the first octave.
  package init(seed: UInt64, cell: Double, octaves: Int = 1) throws(RecipeError) {
    (self.seed, self.cell, self.octaves) = (seed, cell, octaves)
    try Self.declaration.check(self)
  }

  /// Encoded values, so that it looks uniform.
  package var domain: PixelDomain { .encoded }

  /// Returns the sum of the octaves at the pixel's center.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    var (sum, weights, weight, scale) = (0.0, 0.0, 1.0, 1 / cell)
    for octave in 0..<octaves {
      let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5) * scale
      sum += weight * noise(at: place, octave: octave)
      weights += weight
      (weight, scale) = (weight / 2, scale * 2)
    }
    let number = 0.5 + 0.5 * sum / weights
    return SIMD4(number, number, number, 1)
  }

  /// One octave, −1…1. Each has random values of its own: the octaves of a seed are not those of another one.
  private func noise(at place: SIMD2<Double>, octave: Int) -> Double {
    let corner = place.rounded(.down)
    let part = place - corner
    // Cells whose index overflows an integer are smaller than the precision of coordinates.
    let (column, row) = (Int(exactly: corner.x) ?? 0, Int(exactly: corner.y) ?? 0)
    func slope(_ dx: Int, _ dy: Int) -> Double {
      let random = PixelRandom(seed: seed, x: column &+ dx, y: row &+ dy)
      let turn = 2 * Double(random[octave])
      let step = part - SIMD2(Double(dx), Double(dy))
      return cosine(ofPi: turn) * step.x + sine(ofPi: turn) * step.y
    }
    let quadratic = part * (part * 6 - 15) + 10
    let mix = part * part * part * quadratic
    let above = slope(0, 0) + (slope(1, 0) - slope(0, 0)) * mix.x
    let below = slope(0, 1) + (slope(1, 1) - slope(0, 1)) * mix.x
    // In the middle of a cell, four gradients of length 1 reach at most √½.
    return 2.squareRoot() * (above + (below - above) * mix.y)
  }
}

extension GradientNoise: CustomStringConvertible {
  /// The text of this step in plans, such as “gradient noise of seed 1”.
  package var description: String { "gradient noise of seed \(seed)" }
}

extension GradientNoise: RecipePainter {
  /// The declaration of `gradient-noise`.
  package static let declaration = Declaration<Painting<GradientNoise>>(
    "gradient-noise", "Paints clouds: Perlin's gradient noise in one or more octaves.",
    swift: "Picture.gradientNoise(seed: 1, cell: 10, in: .sRGB)",
    Parameter("seed", \.painter.seed, "the seed; another one is other noise", sample: 1),
    Parameter(
      "cell", \.painter.cell, "the side of the largest cells", unit: "pixels", in: 1...65_536,
      sample: 10),
    Parameter(
      "octaves", \.painter.octaves,
      "how many sizes of cells are added, each half of the one before",
      default: 1, in: 1...16),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { seed, cell, octaves, space throws(RecipeError) in
    Painting(try GradientNoise(seed: seed, cell: cell, octaves: octaves), in: space)
  }
}

extension Picture {
  /// Creates infinite gradient noise, from 0 to 1 in the encoded values of `space`.
  public static func gradientNoise(
    seed: UInt64, cell: Double, octaves: Int = 1, in space: ColorSpace
  ) -> Picture {
    painted(in: space) { () throws(RecipeError) in
      try GradientNoise(seed: seed, cell: cell, octaves: octaves)
    }
  }
}
