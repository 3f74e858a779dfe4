internal import ColorSpaces
internal import ImageBuffer

/// Mixes pictures of rising blur as a mask says: 0 is the first input, 1 the last but one; the last input is the mask.
///
/// Depth of field for a flat picture. The result has the variance of the asked deviation s, the mask's number times the last of
/// ``sigmas``: with `t = (s² − σᵢ²) / (σᵢ₊₁² − σᵢ²)` it is `(1 − t) · xᵢ + t · xᵢ₊₁` (blurs in steps with a mixture between, as in Lance
/// Williams, “Pyramidal parametrics”, 1983). Between steps that is not quite a Gaussian: where each is twice the one before, edges are
/// off by up to 3.8 % of their height and no pixel by more than 14 % of the picture's range; by 4.8 % and 20 % for deviations below a
/// pixel.
public struct VariableBlur: BlendFilter {
  /// The standard deviation of each picture, rising from 0.
  public var sigmas: [Double]

  /// A mixture of pictures that are blurred so much.
  public init(sigmas: [Double]) {
    precondition(
      sigmas.count > 1 && zip(sigmas, sigmas.dropFirst()).allSatisfy { $0 < $1 },
      "The standard deviations of two or more pictures must rise; got \(sigmas).")
    self.sigmas = sigmas
  }

  /// The pixels of the picture.
  public var extent: BlendExtent { .first }

  /// Where the pictures may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs.dropLast().contains(true) }

  /// The mixture of the two pictures between which the asked standard deviation lies.
  public func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (above, part) = place(of: inputs[inputs.count - 1].x)
    return inputs[above] * (1 - part) + inputs[above + 1] * part
  }

  /// Pixel by pixel.
  public func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      let (target, mask) = (PixelRow(output, y), PixelRow(inputs[inputs.count - 1], y))
      for x in output.region.columns {
        let (above, part) = place(of: Double(mask[x].x))
        let share = Float(part)
        let (sharp, soft) = (PixelRow(inputs[above], y), PixelRow(inputs[above + 1], y))
        target[x] = sharp[x] * (1 - share) + soft[x] * share
      }
    }
  }

  /// Which picture is the sharper one of the two, and how much of the other is mixed in, for a number of the mask.
  private func place(of mask: Double) -> (above: Int, part: Double) {
    let last = sigmas.count - 1
    let sigma = (mask > 0 ? min(mask, 1) : 0) * sigmas[last]
    var above = 0
    while above < last - 1, sigmas[above + 1] <= sigma { above += 1 }
    let (low, high) = (sigmas[above] * sigmas[above], sigmas[above + 1] * sigmas[above + 1])
    return (above, min(max((sigma * sigma - low) / (high - low), 0), 1))
  }
}

extension VariableBlur: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "variable blur up to \(sigmas.last ?? 0)" }
}

extension VariableBlur: RecipeFilter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<VariableBlur>(
    "variable-blur", RecipeField("sigmas", \.sigmas)
  ) { sigmas throws(RecipeError) in
    guard sigmas.count > 1 else { throw .curvePointCount(sigmas.count, allowed: 2...Int.max) }
    for (index, sigma) in sigmas.enumerated().dropFirst() where !(sigmas[index - 1] < sigma) {
      throw .curvePointsOutOfOrder(index: index, x: sigma, previous: sigmas[index - 1])
    }
    return VariableBlur(sigmas: sigmas)
  }

  /// A picture for each deviation, and the mask.
  public static var recipeInputs: ClosedRange<Int> { 3...Int.max }

  /// The pictures, mixed; a failure where there are not as many as deviations, and a mask.
  public func picture(of inputs: [Picture]) -> Picture {
    let needed = Double(sigmas.count + 1)
    guard inputs.count == sigmas.count + 1 else {
      return inputs[0].failing(
        .parameter(
          "The number of a variable blur's pictures", value: Double(inputs.count),
          allowed: needed...needed))
    }
    return inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

/// Up to so much blur, where a mask is 1.
struct BlurByMask: CompoundFilter, RecipeFilter {
  var sigma: Double

  func picture(of picture: Picture, with masks: [Picture]) -> Picture {
    // The first step is so small that the sharp picture does not show through.
    var sigmas = [sigma]
    while let least = sigmas.first, least > 0.5 { sigmas.insert(least / 2, at: 0) }
    sigmas.insert(0, at: 0)
    let light = picture.entering(.linearPremultiplied)
    return light.applying(
      VariableBlur(sigmas: sigmas),
      with: sigmas.dropFirst().map { light.blurred(sigma: $0) }
        + [masks[0].tagged(as: picture.space.linear)])
  }

  static let recipeForm = RecipeForm<BlurByMask>(
    "blur-by-mask", RecipeField("sigma", \.sigma, in: 1e-6...10_000)
  ) { BlurByMask(sigma: $0) }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// This picture blurred by up to `sigma` pixels where `mask` is 1, not at all where it is 0, in linear light.
  ///
  /// A mask's numbers count as they are stored. Between blurs of half the deviation each, down to half a pixel and less, the picture is
  /// mixed: where the mask is 1, ½, ¼ … it is a Gaussian. Between, edges are off by up to 3.8 % of their height and no pixel by more than
  /// 14 % of the picture's range; by 4.8 % and 20 % for deviations below a pixel.
  public func blurred(sigma: Double, mask: Picture) -> Picture {
    sigma == 0 ? self : applying(BlurByMask(sigma: sigma), with: [mask])
  }
}
