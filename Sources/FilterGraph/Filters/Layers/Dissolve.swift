internal import ColorSpaces
internal import ImageBuffer

/// Shows each pixel of either one picture or another: of the second input where the third one, the die, is less than the amount. The
/// die has random values in 0..<1.
package struct Dissolve: BlendFilter {
  /// The part of the pixels that the second picture gives: none at 0, all from 1 on.
  package var amount: Double

  /// A dissolve with `amount` of the pixels from the second picture.
  package init(amount: Double) { self.amount = amount }

  /// Encoded: pixels keep their values.
  package var domain: PixelDomain { .encoded }

  /// The pixels of the first picture.
  package var extent: BlendExtent { .first }

  /// Whether one of the two pictures may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] || inputs[1] }

  /// The second where the die shows less than the amount.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs[2].x < amount ? inputs[1] : inputs[0]
  }

  /// Computes pixel by pixel.
  package func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      let (target, die) = (PixelRow(output, y), PixelRow(inputs[2], y))
      let (first, second) = (PixelRow(inputs[0], y), PixelRow(inputs[1], y))
      for x in output.region.columns {
        target[x] = Double(die[x].x) < amount ? second[x] : first[x]
      }
    }
  }
}

extension Dissolve: CustomStringConvertible {
  /// The name in plans.
  package var description: String { "dissolve by \(amount)" }
}

extension Dissolve: RecipeFilter {
  /// The declaration of `dissolve-by-die`.
  package static let declaration = Declaration<Dissolve>(
    "dissolve-by-die",
    "Replaces pixels by those of a second picture where a third one is dark enough.",
    swift: "picture.applying(Dissolve(amount: 0.5), with: [other, mask])",
    Parameter(
      "amount", \.amount, "the encoded red of the third picture below which pixels are replaced",
      unit: "encoded values", sample: 0.5)
  ) { Dissolve(amount: $0) }

  /// The two pictures and the die.
  package static var recipeInputs: ClosedRange<Int> { 3...3 }
}

/// Replaces a random part of the pixels, which noise from a seed chooses.
struct DissolveCompound: CompoundFilter, RecipeFilter {
  var amount: Double
  var seed: UInt64

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(
      Dissolve(amount: amount), with: [others[0], .noise(seed: seed, in: picture.space)])
  }

  static let declaration = Declaration<DissolveCompound>(
    "dissolve", "Replaces a random part of the pixels by those of a second picture.",
    swift: "picture.dissolved(into: other, amount: 0.5)",
    Parameter(
      "amount", \.amount, "the part of the pixels that is replaced: 0 for none, 1 for all",
      sample: 0.5),
    Parameter("seed", \.seed, "the seed of the random numbers", default: 0)
  ) { DissolveCompound(amount: $0, seed: $1) }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// This picture, with the part `amount` of its pixels replaced by those of another one. Which ones depends on the seed and on
  /// where they lie; those of a smaller amount are among those of a larger one.
  public func dissolved(into other: Picture, amount: Double, seed: UInt64 = 0) -> Picture {
    applying(DissolveCompound(amount: amount, seed: seed), with: [other])
  }
}
