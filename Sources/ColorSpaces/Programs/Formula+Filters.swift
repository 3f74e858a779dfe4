// The formulas of filters. They stand here because the operators of formula numbers are visible in this module alone.

extension Formula {
  /// `Y · (1 + Y / white²) / (1 + Y)` for the luminance Y, with the channels in proportion.
  package static func reinhard(white: Double, weights: SIMD3<Double>) -> Formula {
    Formula("Reinhard \(white)") { light in
      // Colors of negative luminance have no highlights to compress; infinite ones stay so.
      let luminance = (Vector(weights) * light).sum().atLeast(0)
      let factor = (1 + luminance * Value(1 / (white * white))) / (1 + luminance)
      return light * .select(luminance .== Value(.infinity), 1, factor)
    }
  }

  /// Divides linear values of `space` by their largest linear sRGB component, where a component in Rec. 2020 exceeds 1 by more than
  /// `tolerance` and that of sRGB exceeds 1.
  package static func brightnessReduction(in space: ColorSpace, tolerance: Double) -> Formula {
    let (toWide, toNarrow) = (space.matrix(to: .rec2020), space.matrix(to: .sRGB))
    return Formula("brightness reduction") { light in
      // Infinity divided by itself would be NaN.
      let light = light.clamped(to: -1e9...1e9)
      let isTooBright = (toWide * light).max() .> Value(1 + tolerance)
      let largest = (toNarrow * light).max().atLeast(1)
      return light * .select(isTooBright, Value(1) / largest, 1)
    }
  }

  /// The largest channel becomes one minus itself, and the others keep their ratio to it.
  package static let valueInversion = Formula("value inversion") { color in
    let value = color.max()
    // Black and negative values have no hue: they become grays.
    return color.map { .select(value .> 0, $0 / value * (1 - value), 1 - value) }
  }

  /// The second and third channel times `1 + amount / (1 + (C / 0.1)²)`, where C is their distance from gray.
  package static func vibrance(_ amount: Double) -> Formula {
    Formula("vibrance \(amount)") { color in
      let square = color.y * color.y + color.z * color.z
      let factor = 1 + Value(amount) / (1 + square * 100)
      return [color.x, color.y * factor, color.z * factor]
    }
  }

  /// Curves for red, green and blue that keep where the middle channel lies between the smallest and the largest one; nil for curves
  /// that formulas cannot express. Equal channels are ordered red, green, blue.
  package static func hueAdjusted(
    _ name: String, _ red: Curve, _ green: Curve, _ blue: Curve
  ) -> Formula? {
    guard [red, green, blue].allSatisfy(\.isFormula) else { return nil }
    return Formula(name) { color in
      var sorted = [
        Channel(number: 0, color: color.x, result: red.value(at: color.x)),
        Channel(number: 1, color: color.y, result: green.value(at: color.y)),
        Channel(number: 2, color: color.z, result: blue.value(at: color.z)),
      ]
      let results = sorted.map(\.result)
      for first in [0, 1, 0] {
        let (a, b) = (sorted[first], sorted[first + 1])
        let isWrong = a.color .> b.color
        sorted[first] = .select(isWrong, b, a)
        sorted[first + 1] = .select(isWrong, a, b)
      }
      let (low, middle, high) = (sorted[0], sorted[1], sorted[2])
      let chroma = high.color - low.color
      let place = Value.select(chroma .== 0, 0, (middle.color - low.color) / chroma)
      let adjusted = low.result + place * (high.result - low.result)
      return [
        .select(middle.number .== 0, adjusted, results[0]),
        .select(middle.number .== 1, adjusted, results[1]),
        .select(middle.number .== 2, adjusted, results[2]),
      ]
    }
  }

  private struct Channel {
    var number, color, result: Value

    static func select(_ mask: Mask, _ a: Channel, _ b: Channel) -> Channel {
      Channel(
        number: .select(mask, a.number, b.number), color: .select(mask, a.color, b.color),
        result: .select(mask, a.result, b.result))
    }
  }
}
