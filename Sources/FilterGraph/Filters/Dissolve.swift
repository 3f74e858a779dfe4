internal import ColorSpaces
internal import ImageBuffer

/// Shows each pixel either of one picture or of another, by the throw of a die: the more, the more often of the second input. The
/// third input is the die, numbers from 0 up to 1.
public struct Dissolve: BlendFilter {
  /// How much of the second picture is there: nothing at 0, everything from 1 on.
  public var amount: Double

  /// A dissolve, so far.
  public init(amount: Double) { self.amount = amount }

  /// As stored: pixels stay the numbers that they are.
  public var domain: PixelDomain { .encoded }

  /// The pixels of the first picture.
  public var extent: BlendExtent { .first }

  /// Whether one of the two pictures may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] || inputs[1] }

  /// The second where the die shows less than the amount.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    inputs[2].x < amount ? inputs[1] : inputs[0]
  }

  /// Pixel by pixel.
  public func render(into output: Tile, from inputs: [Tile]) {
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
  public var description: String { "dissolve by \(amount)" }
}

extension Dissolve: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Dissolve>(
    "dissolve-by-die", RecipeField("amount", \.amount)
  ) { Dissolve(amount: $0) }

  /// The two pictures and the die.
  public static var recipeInputs: ClosedRange<Int> { 3...3 }
}

/// A dissolve by noise from a seed.
struct SeededDissolve: CompoundFilter, RecipeFilter {
  var amount: Double
  var seed: UInt64

  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(
      Dissolve(amount: amount), with: [others[0], .noise(seed: seed, in: picture.space)])
  }

  static let recipeForm = RecipeForm<SeededDissolve>(
    "dissolve", RecipeField("amount", \.amount), RecipeField("seed", \.seed, default: 0)
  ) { SeededDissolve(amount: $0, seed: $1) }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// This picture, with the part `amount` of its pixels replaced by those of another one. Which ones depends on the seed and on
  /// where they lie; those of a smaller amount are among those of a larger one.
  public func dissolved(into other: Picture, amount: Double, seed: UInt64 = 0) -> Picture {
    applying(SeededDissolve(amount: amount, seed: seed), with: [other])
  }
}
