public import ColorSpaces

/// A print of a scanned negative, by densities of film and of paper: the formula of darktable's negadoctor, after Kodak's Cineon
/// densitometry.
///
/// A channel's density is `D = −log₁₀(base / T)`. It is weighed, `d = highlights · (D / range + offset · shadows)`, and printed:
/// `x = (exposure · (1 + black − 10^d))^grade`. What is brighter than the shoulder s rolls off to 1:
/// `s + (1 − s) · (1 − e^(−(x − s) / (1 − s)))`. The result is a picture of light on a display, inverted and printed at once; where the
/// light of the scene is wanted, see ``NegativeDevelopment`` and ``PaperCurve``.
public struct DensityPrint: PointFilter {
  /// What part of the light passes unexposed film: D_min of negadoctor.
  public var base: SIMD3<Double>
  /// The density of the densest part above the base: D_max.
  public var range: Double
  /// The color of what should be white, as weights of the densities.
  public var highlights: SIMD3<Double>
  /// The color of what should be black, as weights of the offset.
  public var shadows: SIMD3<Double>
  /// What is added to the densities: a correction of the scanner's exposure.
  public var offset: Double
  /// What is added to the print's light: a correction of the paper's black.
  public var black: Double
  /// The light of the enlarger.
  public var exposure: Double
  /// The contrast of the paper.
  public var grade: Double
  /// Where the roll-off of highlights begins.
  public var shoulder: Double

  /// A print; of color film as darktable prints it if nothing else is said.
  public init(
    base: SIMD3<Double> = [1, 0.45, 0.25], range: Double = 2.046,
    highlights: SIMD3<Double> = .one, shadows: SIMD3<Double> = .one, offset: Double = 0,
    black: Double = 0.0755, exposure: Double = 1, grade: Double = 4, shoulder: Double = 0.9
  ) throws(RecipeError) {
    for channel in 0..<3 {
      try checked("The base of a film", base[channel], in: 1e-5...100)
      try checked("A weight of highlights", highlights[channel], in: 0.1...10)
      try checked("A weight of shadows", shadows[channel], in: 0.1...10)
    }
    (self.base, self.highlights, self.shadows) = (base, highlights, shadows)
    self.range = try checked("The density of a film", range, in: 0.1...6)
    self.offset = try checked("The offset of densities", offset, in: -1...1)
    self.black = try checked("The black of a print", black, in: -0.5...0.5)
    self.exposure = try checked("The exposure of a print", exposure, in: 0.01...100)
    self.grade = try checked("The grade of paper", grade, in: 0.5...8)
    self.shoulder = try checked("The shoulder of a print", shoulder, in: 0...0.9999)
  }

  /// Linear light.
  public var domain: PixelDomain { .linear }

  /// 10^d is a power of what passes the film, so three curves print it.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    let least = 0x1p-32
    let print = (0..<3).map { channel -> Curve in
      let exponent = highlights[channel] / range
      let scale =
        -exposure * power(10, highlights[channel] * offset * shadows[channel])
        * power(base[channel], -exponent)
      let white = exposure * (1 + black)
      return .power(
        PowerCurve(
          scale: scale, exponent: exponent, offset: white,
          intercept: scale * power(least, exponent) + white, threshold: least,
          belowZero: .continued))
    }
    program.append(.curves("print of densities", print[0], print[1], print[2]))
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
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<DensityPrint>(
    "density-print", RecipeField("base", \.base, default: [1, 0.45, 0.25]),
    RecipeField("range", \.range, default: 2.046),
    RecipeField("highlights", \.highlights, default: .one),
    RecipeField("shadows", \.shadows, default: .one), RecipeField("offset", \.offset, default: 0),
    RecipeField("black", \.black, default: 0.0755),
    RecipeField("exposure", \.exposure, default: 1), RecipeField("grade", \.grade, default: 4),
    RecipeField("shoulder", \.shoulder, default: 0.9)
  ) {
    base, range, highlights, shadows, offset, black, exposure, grade, shoulder throws(RecipeError)
    in
    try DensityPrint(
      base: base, range: range, highlights: highlights, shadows: shadows, offset: offset,
      black: black, exposure: exposure, grade: grade, shoulder: shoulder)
  }
}

extension Picture {
  /// This scan of a negative as a print, by densities of film and of paper.
  public func developed(by print: DensityPrint) -> Picture { applying(print) }
}
