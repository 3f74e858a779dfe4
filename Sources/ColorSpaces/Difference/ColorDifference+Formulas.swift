// The formulas as code over formula numbers: they run in double precision, and as programs of the pixel kernels with the same bits.

extension FormulaCode {
  /// Maps differences of pixels: a hundredth of the difference times the larger alpha, in planes 0 to 2.
  ///
  /// Planes 0 to 3 are the standard and its alpha, planes 4 to 7 the sample and its alpha.
  package static func differenceMap(by formula: ColorDifference) -> FormulaCode {
    let recorder = FormulaRecorder()
    let planes = (0..<8).map { recorder.append(.load, plane: $0) }
    let difference = formula.mapped(
      (FormulaVector(planes[0], planes[1], planes[2]), alpha: planes[3]),
      (FormulaVector(planes[4], planes[5], planes[6]), alpha: planes[7]))
    return FormulaCode(recorder.recording(of: FormulaVector(repeating: difference)))
  }
}

extension ColorDifference {
  /// A hundredth of the difference of two pixels, times the larger alpha.
  package func mapped(_ standard: SIMD4<Double>, _ sample: SIMD4<Double>) -> Double {
    mapped(
      (FormulaVector<Double>(standard.x, standard.y, standard.z), alpha: standard.w),
      (FormulaVector<Double>(sample.x, sample.y, sample.z), alpha: sample.w))
  }

  fileprivate func mapped<Number: FormulaNumber>(
    _ standard: (color: FormulaVector<Number>, alpha: Number),
    _ sample: (color: FormulaVector<Number>, alpha: Number)
  ) -> Number {
    // As the standard library's `max`, which `atLeast` is not for zeros of two signs.
    let alpha = Number.select(standard.alpha .<= sample.alpha, sample.alpha, standard.alpha)
    return value(standard.color, sample.color) / 100 * alpha
  }

  /// The difference of two colors.
  func value<Number: FormulaNumber>(
    _ standard: FormulaVector<Number>, _ sample: FormulaVector<Number>
  ) -> Number {
    let (x, y, z) = (sample.x - standard.x, sample.y - standard.y, sample.z - standard.z)
    switch self {
    case .cie76, .ok, .cam16, .din99o:
      return length(x, y, z)
    case .cie94(let weights):
      return tolerant1994(standard, sample, weights)
    case .ciede2000(let kL, let kC, let kH):
      return tolerant2000(standard, sample, Number(kL), Number(kC), Number(kH))
    case .cmc(let l, let c):
      return tolerantCMC(standard, sample, Number(l), Number(c))
    case .hyAB:
      return x.magnitude + length(y, z)
    case .itp:
      return 720 * length(x, 0.5 * y, z)
    case .jz:
      let chord = 2 * (standard.y * sample.y).squareRoot() * (z / 360).sineOfPi
      return length(x, y, chord)
    }
  }
}

private func length<Number: FormulaNumber>(_ x: Number, _ y: Number, _ z: Number) -> Number {
  (x * x + y * y + z * z).squareRoot()
}

private func length<Number: FormulaNumber>(_ x: Number, _ y: Number) -> Number {
  (x * x + y * y).squareRoot()
}

/// The chroma C*.
private func chroma<Number: FormulaNumber>(_ lab: FormulaVector<Number>) -> Number {
  length(lab.y, lab.z)
}

/// The square of the hue difference ΔH*.
private func squaredHueDifference<Number: FormulaNumber>(
  _ lab1: FormulaVector<Number>, _ lab2: FormulaVector<Number>
) -> Number {
  let chromas = chroma(lab1) * chroma(lab2)
  let dot = lab1.y * lab2.y + lab1.z * lab2.z
  let cross = lab1.y * lab2.z - lab1.z * lab2.y
  // 2 (C₁C₂ − a₁a₂ − b₁b₂), without cancellation for close hues.
  return .select(dot .<= 0, 2 * (chromas - dot), 2 * cross * cross / (chromas + dot))
}

private func tolerant1994<Number: FormulaNumber>(
  _ standard: FormulaVector<Number>, _ sample: FormulaVector<Number>, _ weights: CIE94Weights
) -> Number {
  let tolerance = chroma(standard)
  let lightness = (sample.x - standard.x) / Number(weights.lightness)
  let color = (chroma(sample) - tolerance) / (1 + Number(weights.chroma) * tolerance)
  let hue =
    squaredHueDifference(standard, sample).squareRoot() / (1 + Number(weights.hue) * tolerance)
  return length(lightness, color, hue)
}

private func tolerantCMC<Number: FormulaNumber>(
  _ standard: FormulaVector<Number>, _ sample: FormulaVector<Number>, _ l: Number, _ c: Number
) -> Number {
  let c1 = chroma(standard)
  let grown = 0.040975 * standard.x / (1 + 0.01765 * standard.x)
  let sL = Number.select(standard.x .< 16, 0.511, grown)
  let sC = 0.0638 * c1 / (1 + 0.0131 * c1) + 0.638
  let h = hueInDegrees(standard.y, standard.z)
  let blue = 0.56 + (0.2 * ((h + 168) / 180).cosineOfPi).magnitude
  let other = 0.36 + (0.4 * ((h + 35) / 180).cosineOfPi).magnitude
  let t = Number.select((h .>= 164) .& (h .<= 345), blue, other)
  let fourth = c1 * c1 * c1 * c1
  let f = (fourth / (fourth + 1900)).squareRoot()
  let sH = sC * (f * t + 1 - f)
  return length(
    (sample.x - standard.x) / (l * sL), (chroma(sample) - c1) / (c * sC),
    squaredHueDifference(standard, sample).squareRoot() / sH)
}

/// CIEDE2000 in the steps of Sharma, Wu and Dalal, “The CIEDE2000 color-difference formula: implementation notes”,
/// 2005.
private func tolerant2000<Number: FormulaNumber>(
  _ lab1: FormulaVector<Number>, _ lab2: FormulaVector<Number>, _ kL: Number, _ kC: Number,
  _ kH: Number
) -> Number {
  /// √(c⁷ / (c⁷ + 25⁷)), with 25 divided out so that no power overflows.
  func saturation(_ c: Number) -> Number {
    let r = 25 / c
    let seventh = r * r * r * r * r * r * r
    return .select(c .== 0, 0, (1 / (1 + seventh)).squareRoot())
  }

  let g = 0.5 * (1 - saturation((chroma(lab1) + chroma(lab2)) / 2))
  let (a1, a2) = (lab1.y * (1 + g), lab2.y * (1 + g))
  let (c1, c2) = (length(a1, lab1.z), length(a2, lab2.z))
  let (h1, h2) = (hueInDegrees(a1, lab1.z), hueInDegrees(a2, lab2.z))
  let step = h2 - h1
  let isGray = c1 * c2 .== 0

  // Whether the shorter arc between the hues crosses 0°. The cross product is exactly 0 for opposite hues, so the
  // rounding of angles does not decide.
  let cross = a1 * lab2.z - lab1.z * a2
  let wraps = (step.magnitude .> 90) .& (step * cross .< 0)
  let shortest = Number.select(wraps, step + .select(step .> 0, -360, 360), step)
  let turn = Number.select(isGray, 0, shortest)
  let hueStep = 2 * (c1 * c2).squareRoot() * (turn / 360).sineOfPi

  let lightness = (lab1.x + lab2.x) / 2
  let meanChroma = (c1 + c2) / 2
  let sum = h1 + h2
  let unwrapped = Number.select(wraps, sum + .select(sum .< 360, 360, -360), sum)
  let hue = Number.select(isGray, sum, unwrapped / 2)

  func cosine(_ degrees: Number) -> Number { (degrees / 180).cosineOfPi }
  let t =
    1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6)
    - 0.20 * cosine(4 * hue - 63)
  let blueness = (hue - 275) / 25
  let rotation =
    -((-blueness * blueness).exponential / 3).sineOfPi * 2 * saturation(meanChroma)
  let offset = (lightness - 50) * (lightness - 50)
  let sL = 1 + 0.015 * offset / (20 + offset).squareRoot()
  let sC = 1 + 0.045 * meanChroma
  let sH = 1 + 0.015 * meanChroma * t

  let x = (lab2.x - lab1.x) / (kL * sL)
  let y = (c2 - c1) / (kC * sC)
  let z = hueStep / (kH * sH)
  // A NaN stays.
  return (x * x + y * y + z * z + rotation * y * z).atLeast(0).squareRoot()
}
