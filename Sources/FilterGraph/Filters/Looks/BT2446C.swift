package import ColorSpaces

/// Maps a picture of high dynamic range to standard dynamic range by method C of Report ITU-R BT.2446-1, clause 6.1.
///
/// Luminance Y in cd/m² becomes k₁Y below the inflection point, which keeps skin tones, and k₂ ln(Y / inflection − k₃) + k₄ above it;
/// chromaticities are kept. Meanwhile `crosstalk` mixes the channels, so that bright saturated colors fade. The result's 1 is
/// 100 cd/m²; 1,000 cd/m² become 1.18, the headroom of video levels. With the report's numbers, which are rounded, the curve rises by
/// 0.035 cd/m² at the inflection point. The report's optional correction of chroma above reference white is left out.
package struct BT2446C: PointFilter {
  /// The part of each channel that the other two get: α.
  package let crosstalk: Double
  /// The constants k₁ to k₄ of the curve.
  package let k1, k2, k3, k4: Double
  /// The luminance from which the curve is logarithmic, in cd/m².
  package let inflection: Double
  /// The luminance of linear 1 of the picture, in cd/m².
  package let unit: Double

  /// The report's numbers. White is the luminance of linear 1 where that is reference white (ITU-R BT.2408).
  ///
  /// The default arguments of the public method repeat them, because these can refer to public declarations only; a test compares both.
  package enum Report {
    package static let (crosstalk, white) = (0.05, 203.0)
    package static let (k1, k2, k3, k4) = (0.83802, 15.09968, 0.74204, 78.99439)
    package static let inflection = 58.5 / k1
  }

  /// Creates a mapping, by default with the report's numbers.
  package init(
    crosstalk: Double = Report.crosstalk, k1: Double = Report.k1, k2: Double = Report.k2,
    k3: Double = Report.k3, k4: Double = Report.k4, inflection: Double = Report.inflection,
    unit: Double = Report.white
  ) throws(RecipeError) {
    self.crosstalk = crosstalk
    (self.k1, self.k2, self.k3, self.k4) = (k1, k2, k3, k4)
    (self.inflection, self.unit) = (inflection, unit)
    try Self.declaration.check(self)
  }

  /// Linear light: the curve is defined for luminances in cd/m².
  package var domain: PixelDomain { .linear }

  /// Appends the formula, in Rec. 2020.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(
      .formula(
        .bt2446C(
          crosstalk: crosstalk, k: [k1, k2, k3, k4], inflection: inflection, unit: unit,
          in: space)))
  }
}

extension BT2446C: RecipeFilter {
  /// The declaration of `bt2446c`.
  package static let declaration = Declaration<BT2446C>(
    "bt2446c", "Maps high to standard dynamic range by method C of ITU-R BT.2446.",
    keepsGray: true, swift: "picture.bt2446C()",
    Parameter(
      "crosstalk", \.crosstalk, "the crosstalk α between channels (BT.2446, method C)",
      default: Report.crosstalk, in: 0...0.33),
    Parameter(
      "k1", \.k1, "the slope below the inflection point", default: Report.k1, in: 0.01...10),
    Parameter(
      "k2", \.k2, "the factor of the logarithm above it", unit: "cd/m²", default: Report.k2,
      in: 0.01...1000),
    Parameter(
      "k3", \.k3, "what is subtracted under the logarithm", default: Report.k3, in: 0...0.999),
    Parameter(
      "k4", \.k4, "what is added to the logarithm", unit: "cd/m²", default: Report.k4,
      in: -10_000...10_000),
    Parameter(
      "inflection", \.inflection, "the luminance of the inflection point", unit: "cd/m²",
      default: Report.inflection, in: 1...10_000),
    Parameter(
      "unit", \.unit, "the luminance of the picture's linear light of 1", unit: "cd/m²",
      default: Report.white, in: 1...10_000)
  ) { crosstalk, k1, k2, k3, k4, inflection, unit throws(RecipeError) in
    try BT2446C(
      crosstalk: crosstalk, k1: k1, k2: k2, k3: k3, k4: k4, inflection: inflection, unit: unit)
  }.with(.mapsTones)
}

extension Picture {
  /// Returns this picture of high dynamic range in standard dynamic range by method C of Report ITU-R BT.2446-1.
  ///
  /// A luminance Y becomes k₁Y below the inflection point, and k₂ ln(Y / inflection − k₃) + k₄ above it. The default constants are the
  /// report's.
  ///
  /// - Parameters:
  ///   - crosstalk: The crosstalk α between channels (BT.2446, method C), 0 to 0.33.
  ///   - k1: The slope below the inflection point.
  ///   - k2: The factor of the logarithm, in cd/m².
  ///   - k3: What is subtracted under the logarithm.
  ///   - k4: What is added to the logarithm, in cd/m².
  ///   - inflection: The luminance of the inflection point, in cd/m².
  ///   - unit: The luminance of linear 1 of the picture, in cd/m².
  public func bt2446C(
    crosstalk: Double = 0.05, k1: Double = 0.83802, k2: Double = 15.09968, k3: Double = 0.74204,
    k4: Double = 78.99439, inflection: Double = 58.5 / 0.83802, unit: Double = 203
  ) -> Picture {
    applying { () throws(RecipeError) in
      try BT2446C(
        crosstalk: crosstalk, k1: k1, k2: k2, k3: k3, k4: k4, inflection: inflection, unit: unit)
    }
  }
}
