internal import ColorSpaces
internal import ImageBuffer

/// Mixes pictures of increasing blur by a mask: 0 is the first input, 1 the last but one; the last input is the mask.
///
/// It gives a flat picture depth of field. The result has the variance of the standard deviation s, the mask's value times the last
/// of ``sigmas``: with `t = (s² − σᵢ²) / (σᵢ₊₁² − σᵢ²)` it is `(1 − t) · xᵢ + t · xᵢ₊₁` (blurs in steps with a mixture between, as in Lance
/// Williams, “Pyramidal parametrics”, 1983). Between steps that is not quite a Gaussian: where each is twice the one before, edges are
/// off by up to 3.8 % of their height and no pixel by more than 14 % of the picture's range; by 4.8 % and 20 % for deviations below a
/// pixel.
package struct VariableBlur: BlendFilter {
  /// The standard deviation of each picture's blur in pixels, rising from 0.
  package let sigmas: [Double]

  /// A mixture of pictures with these blurs.
  ///
  /// - Throws: ``RecipeError`` where there are fewer than two standard deviations, or where their squares do not
  ///   rise from 0.
  package init(sigmas: [Double]) throws(RecipeError) {
    let variances = sigmas.map { $0 * $0 }
    guard sigmas.count > 1, sigmas[0] == 0, sigmas.dropFirst().allSatisfy({ $0 > 0 }),
      zip(variances, variances.dropFirst()).allSatisfy({ $0 < $1 && $1.isFinite })
    else {
      throw .other(
        "The sigmas of variable blur must be two or more that rise from 0; got "
          + "\(sigmas.map { "\($0)" }.joined(separator: ", ")).")
    }
    self.sigmas = sigmas
  }

  /// The pixels of the picture.
  package var extent: BlendExtent { .first }

  /// Where the pictures may be transparent.
  package func hasAlpha(_ inputs: [Bool]) -> Bool { inputs.dropLast().contains(true) }

  /// The mixture of the two pictures between which the asked standard deviation lies.
  package func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let (above, part) = place(of: inputs[inputs.count - 1].x)
    return inputs[above] * (1 - part) + inputs[above + 1] * part
  }

  /// Pixel by pixel.
  package func render(into output: Tile, from inputs: [Tile]) {
    output.withOpaqueRow { opaque in
      for y in output.region.rows {
        let mask = inputs[inputs.count - 1].pointer(y, 0)
        for x in 0..<output.region.width {
          let (above, part) = place(of: Double(mask[x]))
          let share = Float(part)
          for plane in 0..<output.planeCount {
            let sharp = inputs[above].pointer(y, plane, or: opaque)[x]
            let soft = inputs[above + 1].pointer(y, plane, or: opaque)[x]
            output.pointer(y, plane)[x] = sharp * (1 - share) + soft * share
          }
        }
      }
    }
  }

  /// Which picture is the sharper one of the two, and how much of the other is mixed in, for a value of the mask.
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
  /// The text of this step in plans, with the largest σ, such as “variable blur up to 8.0”.
  package var description: String { "variable blur up to \(sigmas.last ?? 0)" }
}

extension VariableBlur: RecipeFilter {
  /// The declaration of `mix-blurs`.
  package static let declaration = Declaration<VariableBlur>(
    "mix-blurs", "Mixes pictures of increasing blur by the values of a mask.",
    aliases: [.formerly("variable-blur")],
    Parameter(
      "sigmas", \.sigmas, "the standard deviation of each picture's blur, rising from 0",
      unit: "pixels", sample: [0, 2])
  ) { sigmas throws(RecipeError) in try VariableBlur(sigmas: sigmas) }
  .computing(
    "The linear red of the mask times its alpha, clamped to 0…1, times the last of the sigmas is s. Between "
      + "the neighboring sigmas a ≤ s ≤ b, (s² − a²) / (b² − a²) is the part of the second picture: with "
      + "sigmas 0 and 2, the square of the mask."
  )

  /// A picture for each deviation, and the mask.
  package static var recipeInputs: ClosedRange<Int> { 3...Int.max }

  /// The pictures, mixed; a failure where there are not as many as deviations, and a mask.
  package func picture(of inputs: [Picture]) -> Picture {
    let needed = Double(sigmas.count + 1)
    guard inputs.count == sigmas.count + 1 else {
      return inputs[0].failing(
        .parameter(
          "The number of pictures for mix-blurs", value: Double(inputs.count),
          allowed: needed...needed))
    }
    return inputs[0].applying(self, with: Array(inputs.dropFirst()))
  }
}

/// A Gaussian blur whose standard deviation is proportional to a mask.
struct VariableBlurCompound: CompoundFilter, RecipeFilter {
  let sigma: Double

  init(sigma: Double) throws(RecipeError) {
    self.sigma = sigma
    try Self.declaration.check(self)
  }

  func picture(of picture: Picture, with masks: [Picture]) -> Picture {
    // The variances of a mixture must rise from 0: tiny deviations have none.
    if sigma * sigma == 0 { return masks[0].failure.map(picture.failing) ?? picture }
    // The first step is so small that the sharp picture does not show through.
    var sigmas = [sigma]
    while let least = sigmas.first, least > 0.5 { sigmas.insert(least / 2, at: 0) }
    sigmas.insert(0, at: 0)
    let light = picture.entering(.linearPremultiplied)
    return picture.attempting { () throws(RecipeError) in
      light.applying(
        try VariableBlur(sigmas: sigmas),
        with: sigmas.dropFirst().map { light.blurred(sigma: $0) }
          + [masks[0].tagged(as: picture.space.linear)])
    }
  }

  static let declaration = Declaration<VariableBlurCompound>(
    "blur-by-mask", "Blurs with a Gaussian whose width follows a mask.",
    keepsGray: true, swift: "picture.blurred(sigma: 3, mask: mask)",
    Parameter(
      "sigma", \.sigma, "the standard deviation where the mask is 1", unit: "pixels",
      in: GaussianBlur.sigmas, sample: 3)
  ) { sigma throws(RecipeError) in try VariableBlurCompound(sigma: sigma) }
  .computing(
    "The standard deviation is sigma times the encoded red of the mask times its alpha, clamped to 0…1: the "
      + "picture and its blurs by sigma, sigma / 2 and so on down to 0.5 or less are mixed as mix-blurs does."
  )

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

extension Picture {
  /// This picture blurred by up to `sigma` pixels where `mask` is 1, not at all where it is 0, in linear light.
  /// Beyond the edges the edge pixels repeat.
  ///
  /// The mask's encoded red counts, times its alpha. Between blurs of half the deviation each, down to half a pixel and less, the picture
  /// is mixed: where the mask is 1, ½, ¼ … it is a Gaussian. Between, edges are off by up to 3.8 % of their height and no pixel by more
  /// than 14 % of the picture's range; by 4.8 % and 20 % for deviations below a pixel.
  public func blurred(sigma: Double, mask: Picture) -> Picture {
    applying(with: [mask]) { () throws(RecipeError) in try VariableBlurCompound(sigma: sigma) }
  }
}
