public import ColorSpaces

/// Prints a scan of a negative by densities of film and paper: the formula of darktable's negadoctor, after Kodak's
/// Cineon densitometry.
///
/// A channel's density is `D = −log₁₀(base / T)`. It is weighted, `d = highlights · (D / range + offset · shadows)`,
/// and printed: `x = (exposure · (1 + black − 10^d))^grade`. Values above the shoulder s roll off to 1: `s + (1 − s) ·
/// (1 − e^(−(x − s) / (1 − s)))`. The result is display-linear; for scene-linear light, see ``Picture/developed(_:)`` and
/// ``Picture/paperCurve(contrast:blackest:gray:)``.
public struct DensityPrint: PointFilter {
  /// The transmittance of unexposed film: D_min of negadoctor.
  package let base: SIMD3<Double>
  /// The maximum density above the base: D_max.
  package let range: Double
  /// The color that becomes white, as weights of the densities.
  package let highlights: SIMD3<Double>
  /// The color that becomes black, as weights of the offset.
  package let shadows: SIMD3<Double>
  /// The offset of the densities: a correction of the scanner's exposure.
  package let offset: Double
  /// The offset of the print's linear values: a correction of the paper's black.
  package let black: Double
  /// The exposure of the print.
  package let exposure: Double
  /// The contrast of the paper.
  package let grade: Double
  /// The value above which highlights roll off.
  package let shoulder: Double

  /// Creates a print, by default of color film as in darktable.
  public init(
    base: SIMD3<Double> = [1, 0.45, 0.25], range: Double = 2.046,
    highlights: SIMD3<Double> = .one, shadows: SIMD3<Double> = .one, offset: Double = 0,
    black: Double = 0.0755, exposure: Double = 1, grade: Double = 4, shoulder: Double = 0.9
  ) throws(RecipeError) {
    (self.base, self.range) = (base, range)
    (self.highlights, self.shadows, self.offset) = (highlights, shadows, offset)
    (self.black, self.exposure) = (black, exposure)
    (self.grade, self.shoulder) = (grade, shoulder)
    try Self.declaration.check(self)
    for channel in 0..<3 where !scale(of: channel).isFinite {
      throw .other(
        "exposure · 10^(highlights · offset · shadows) · base^(−highlights / range) of density-print "
          + "must be finite in each channel; got base \(base[channel]), highlights "
          + "\(highlights[channel]), range \(range). Raise base or range, or lower highlights.")
    }
  }

  /// The factor of the power of the transmittance in a channel's curve.
  private func scale(of channel: Int) -> Double {
    -exposure * power(10, highlights[channel] * offset * shadows[channel])
      * power(base[channel], -highlights[channel] / range)
  }

  /// Linear light: densities are logarithms of linear transmittances.
  public var domain: PixelDomain { .linear }

  /// 10^d is a power of the transmittance, so three curves implement the print.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let least = 0x1p-32
    let curves = (0..<3).map { channel -> Curve in
      let exponent = highlights[channel] / range
      let white = exposure * (1 + black)
      let scale = scale(of: channel)
      // Where the power shows on no transmittance up to 65,536, it would be 0 times infinity, NaN, far above that.
      guard -scale * power(0x1p16, exponent) >= 0x1p-25 else {
        return .segmented(SegmentedCurve([.constant(white)]))
      }
      return .power(
        PowerCurve(
          scale: scale, exponent: exponent, offset: white,
          intercept: scale * power(least, exponent) + white, threshold: least,
          belowZero: .continued))
    }
    program.append(.curves("print of densities", curves[0], curves[1], curves[2]))
    program.curve("paper", .power(PowerCurve(exponent: grade, belowZero: .clamped)))
    let rest = 1 - shoulder
    program.curve(
      "shoulder",
      .segmented(
        SegmentedCurve([
          .line(slope: 1),
          .exponential(
            base: 2, from: shoulder, slope: -1 / (rest * naturalLogarithm(2)),
            shift: shoulder / (rest * naturalLogarithm(2)), scale: -rest, offset: 1),
        ])))
  }
}

extension DensityPrint: RecipeFilter {
  /// The declaration of `density-print`.
  public static let declaration = Declaration<DensityPrint>(
    "density-print", "Prints a scan of a negative by densities of film and paper (negadoctor).",
    swift: "try picture.developed(by: DensityPrint())",
    Parameter(
      "base", \.base, "the transmittance of unexposed film, by channel", unit: "linear light",
      default: [1, 0.45, 0.25], in: 1e-5...100),
    Parameter(
      "range", \.range, "the density of the densest part above the base", unit: "density",
      default: 2.046, in: 0.1...6),
    Parameter(
      "highlights", \.highlights, "the weights of densities that make highlights white, by channel",
      default: .one, in: 0.1...10),
    Parameter(
      "shadows", \.shadows, "the weights of the offset that make shadows black, by channel",
      default: .one, in: 0.1...10),
    Parameter(
      "offset", \.offset, "what is added to densities to correct the scanner's exposure",
      unit: "density", default: 0, in: -1...1),
    Parameter(
      "black", \.black, "what is added to the print to correct the paper's black",
      unit: "linear light", default: 0.0755, in: -0.5...0.5),
    Parameter(
      "exposure", \.exposure, "the factor of the enlarger's light", default: 1, in: 0.01...100),
    Parameter("grade", \.grade, "the contrast of the paper", default: 4, in: 0.5...8),
    Parameter(
      "shoulder", \.shoulder, "where the roll-off of highlights begins", unit: "linear light",
      default: 0.9, in: 0...0.9999)
  ) {
    base, range, highlights, shadows, offset, black, exposure, grade, shoulder throws(RecipeError)
    in
    try DensityPrint(
      base: base, range: range, highlights: highlights, shadows: shadows, offset: offset,
      black: black, exposure: exposure, grade: grade, shoulder: shoulder)
  }.keepingGray { $0.base.isEqual && $0.highlights.isEqual && $0.shadows.isEqual }.with(
    .develops, .mapsTones
  )
  .computing(
    "x = (exposure · (1 + black − 10^d))^grade for each transmittance T, with d = highlights · "
      + "(log₁₀(T / base) / range + offset · shadows); above the shoulder s, s + (1 − s) · "
      + "(1 − e^(−(x − s) / (1 − s)))."
  )
  .clamping(
    "Transmittances below 2⁻³² count as that, negative values before the power as 0, and the shoulder "
      + "approaches 1.")
}

extension Picture {
  /// Returns this scan of a negative as a print, by densities of film and paper.
  public func developed(by densityPrint: DensityPrint) -> Picture { applying(densityPrint) }
}
