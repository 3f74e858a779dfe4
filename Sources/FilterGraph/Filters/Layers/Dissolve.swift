internal import ColorSpaces
internal import ImageBuffer

/// Takes each pixel either from one picture or from another: from the second input where the third one, the die, is
/// less than the amount. The die has uniformly distributed values in 0..<1.
package struct Dissolve: BlendFilter {
  /// The fraction of pixels from the second picture: none at 0, all from 1 on.
  package var amount: Double

  /// Creates a dissolve with the fraction `amount` of the pixels from the second picture.
  package init(amount: Double) { self.amount = amount }

  /// Encoded values, which are unchanged.
  package var domain: PixelDomain { .encoded }

  /// The pixels of the first picture.
  package var extent: BlendExtent { .first }

  /// Returns whether one of the two pictures may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] || inputs[1] }

  /// Returns the second pixel where the die is less than the amount, otherwise the first.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs[2].x < amount ? inputs[1] : inputs[0]
  }

  /// Computes pixel by pixel.
  package func render(into output: Tile, from inputs: [Tile]) {
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        let die = inputs[2].pointer(y, 0)
        for plane in 0..<output.planeCount {
          let target = output.pointer(y, plane)
          let first = inputs[0].pointer(y, plane, or: opaque)
          let second = inputs[1].pointer(y, plane, or: opaque)
          for x in 0..<output.region.width {
            target[x] = Double(die[x]) < amount ? second[x] : first[x]
          }
        }
      }
    }
  }
}

extension Dissolve: CustomStringConvertible {
  /// The text of this step in plans, such as “dissolve by 0.5”.
  package var description: String { "dissolve by \(amount)" }
}

extension Dissolve: RecipeFilter {
  /// The declaration of `dissolve-by-mask`.
  package static let declaration = Declaration<Dissolve>(
    "dissolve-by-mask",
    "Replaces pixels by those of a second picture where the red of a third is below the amount.",
    aliases: [.formerly("dissolve-by-die")],
    Parameter(
      "amount", \.amount,
      "the encoded red of the third picture, whatever its alpha, below which pixels are replaced",
      unit: "encoded values", sample: 0.5)
  ) { Dissolve(amount: $0) }

  /// The two pictures and the die.
  package static var recipeInputs: ClosedRange<Int> { 3...3 }
}

/// Replaces a random fraction of the pixels, chosen by noise from a seed.
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
      in: 0...1, sample: 0.5),
    Parameter("seed", \.seed, "the seed of the random numbers", default: 0)
  ) { DissolveCompound(amount: $0, seed: $1) }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// Returns this picture with the fraction `amount` of its pixels replaced by those of another one. The choice depends
  /// on the seed and the position alone; the pixels of a smaller amount are a subset of those of a larger one.
  public func dissolved(into other: Picture, amount: Double, seed: UInt64 = 0) -> Picture {
    applying(DissolveCompound(amount: amount, seed: seed), with: [other])
  }
}
