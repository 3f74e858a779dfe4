package import ColorSpaces

/// The tonal grade of OpenColorIO: midtones, highlights, whites, shadows and blacks by channel, and an S-shaped contrast.
package struct GradingTone: PointFilter {
  /// The kind of values. Light is graded in stops from middle gray.
  package let style: GradingStyle
  /// The darkest tones, which are bent below their start.
  package let blacks: ToneZone
  /// The tones below their start, which keep it and the value at the other end.
  package let shadows: ToneZone
  /// The tones around their middle.
  package let midtones: ToneZone
  /// The tones above their start, which keep it and the value at the other end.
  package let highlights: ToneZone
  /// The brightest tones, which are bent above their start.
  package let whites: ToneZone
  /// The S-shaped contrast.
  package let sContrast: Double

  /// Creates a grade; the default is the identity.
  package init(
    style: GradingStyle = .logarithmic, blacks: ToneZone = .neutral, shadows: ToneZone = .neutral,
    midtones: ToneZone = .neutral, highlights: ToneZone = .neutral, whites: ToneZone = .neutral,
    sContrast: Double = 1
  ) throws(RecipeError) {
    (self.style, self.sContrast) = (style, sContrast)
    (self.blacks, self.shadows, self.midtones) = (blacks, shadows, midtones)
    (self.highlights, self.whites) = (highlights, whites)
    try Self.declaration.check(self)
    let zones: [(name: String, zone: ToneZone, range: ClosedRange<Double>)] = [
      ("blacks", blacks, Self.outer), ("shadows", shadows, Self.inner),
      ("midtones", midtones, Self.outer), ("highlights", highlights, Self.inner),
      ("whites", whites, Self.outer),
    ]
    for (name, zone, range) in zones {
      for value in zone.values.parameterNumbers {
        try checked("A change of the \(name) of a grade", value, in: range)
      }
      for place in [zone.start, zone.width].compactMap(\.self) {
        try checked("A place of the \(name) of a grade", place, in: -1000...1000)
      }
    }
    let curves = ToneCurvesOfGrade(self)
    try checked("The width of the blacks of a grade", curves.blacks.width, in: 0.01...1000)
    try checked("The width of the midtones of a grade", curves.midtones.width, in: 0.01...1000)
    try checked("The width of the whites of a grade", curves.whites.width, in: 0.01...1000)
    try checked(
      "The start of the shadows of a grade above their other end",
      curves.shadows.start - curves.shadows.width, in: 0.01 - 1e-6...2000)
    try checked(
      "The other end of the highlights of a grade above their start",
      curves.highlights.width - curves.highlights.start, in: 0.01 - 1e-6...2000)
  }

  /// The changes of blacks, midtones and whites that OpenColorIO allows.
  private static let outer = 0.1...1.9
  /// Those of shadows and highlights.
  private static let inner = 0.2...1.8

  /// Linear light, or encoded values.
  package var domain: PixelDomain { style.domain }

  /// Appends curves for each change, in the linear style between a logarithm and its inverse.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let stages = ToneCurvesOfGrade(self).stages(sContrast: sContrast)
    if stages.isEmpty { return }
    if style == .linear {
      program.curve("grading logarithm", GradingStyle.logarithm(isInverse: false))
    }
    for stage in stages { program.append(stage) }
    if style == .linear {
      program.curve("from grading logarithm", GradingStyle.logarithm(isInverse: true))
    }
    // The largest half float.
    program.append(.clamp(-.infinity...65_504))
  }
}

extension GradingTone: RecipeFilter {
  /// The declaration of `grading-tone`.
  package static let declaration = Declaration<GradingTone>(
    "grading-tone",
    "Grades blacks, shadows, midtones, highlights and whites as OpenColorIO does.",
    swift: "picture.gradingTone(style: .video, shadows: ToneZone(1.3), midtones: ToneZone(0.9))",
    Parameter(
      "style", \.style,
      GradingStyle.meaning + " and graded in stops",
      default: .logarithmic, sample: .video),
    Parameter("blacks", \.blacks, "the darkest tones, \(outer.words)", default: .neutral),
    Parameter(
      "shadows", \.shadows, "the dark tones, \(inner.words)", default: .neutral,
      sample: ToneZone(1.3)),
    Parameter(
      "midtones", \.midtones, "the middle tones, \(outer.words)", default: .neutral,
      sample: ToneZone(0.9)),
    Parameter("highlights", \.highlights, "the bright tones, \(inner.words)", default: .neutral),
    Parameter("whites", \.whites, "the brightest tones, \(outer.words)", default: .neutral),
    Parameter(
      "s-contrast", \.sContrast, "the S-shaped contrast", default: 1, in: 0.01...1.99)
  ) { style, blacks, shadows, midtones, highlights, whites, contrast throws(RecipeError) in
    try GradingTone(
      style: style, blacks: blacks, shadows: shadows, midtones: midtones, highlights: highlights,
      whites: whites, sContrast: contrast)
  }.keepingGray { grade in
    [grade.blacks, grade.shadows, grade.midtones, grade.highlights, grade.whites]
      .allSatisfy(\.values.hasEqualColors)
  }
  .working(GradingStyle.domainsFromLogarithmic)
  .computing("With style=linear, \(GradingStyle.logarithmText).")
  .clamping("Results above 65,504, the largest half float, become that.") { _ in
    // That is above the values of the law.
    false
  }
}

extension Picture {
  /// Returns this picture with the tonal grade of OpenColorIO.
  public func gradingTone(
    style: GradingStyle = .logarithmic, blacks: ToneZone = .neutral, shadows: ToneZone = .neutral,
    midtones: ToneZone = .neutral, highlights: ToneZone = .neutral, whites: ToneZone = .neutral,
    sContrast: Double = 1
  ) -> Picture {
    applying { () throws(RecipeError) in
      try GradingTone(
        style: style, blacks: blacks, shadows: shadows, midtones: midtones,
        highlights: highlights, whites: whites, sContrast: sContrast)
    }
  }
}
