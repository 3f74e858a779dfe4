internal import ColorSpaces

/// Mixes pictures of rising blur as a mask says: 0 is the first input, 1 the last but one; the last input is the mask.
///
/// Between two of them the mask's numbers mix variances, so that they count in standard deviations.
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
    let mask = inputs[inputs.count - 1].x
    let last = sigmas.count - 1
    let sigma = (mask > 0 ? min(mask, 1) : 0) * sigmas[last]
    let above = sigmas.dropLast().lastIndex { $0 <= sigma } ?? 0
    let (low, high) = (sigmas[above] * sigmas[above], sigmas[above + 1] * sigmas[above + 1])
    let part = min(max((sigma * sigma - low) / (high - low), 0), 1)
    return inputs[above] * (1 - part) + inputs[above + 1] * part
  }
}

extension VariableBlur: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "variable blur up to \(sigmas.last ?? 0)" }
}

extension Picture {
  /// This picture blurred by up to `sigma` pixels where `mask` is 1, not at all where it is 0, in linear light.
  ///
  /// A mask's numbers count as they are stored. Between four blurs of half the deviation each, the picture is mixed.
  public func blurred(sigma: Double, mask: Picture) -> Picture {
    if sigma == 0 { return self }
    let sigmas = [0, sigma / 8, sigma / 4, sigma / 2, sigma]
    let light = entering(.linearPremultiplied)
    return light.applying(
      VariableBlur(sigmas: sigmas),
      with: sigmas.dropFirst().map { light.blurred(sigma: $0) }
        + [mask.tagged(as: space.linear)])
  }
}
