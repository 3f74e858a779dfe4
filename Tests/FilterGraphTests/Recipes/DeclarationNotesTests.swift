import ColorSpaces
import ColorloomTesting
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Declared formulas, clamping and domains are compared with rendered pixels. `FilterCatalogTests.lawsHold` compares the
/// declared clamping with the law of the range of values.
@Suite struct DeclarationNotesTests {
  private static let entries = FilterCatalog.builtIn.entries
  private static let names = entries.map(\.name)

  private func entry(_ name: String) throws -> FilterCatalog.Entry {
    try #require(FilterCatalog.builtIn[name])
  }

  @Test(arguments: names) func notesAreSentences(name: String) throws {
    let notes = try entry(name).notes
    for text in [notes.formula, notes.clamping] where !text.isEmpty {
      #expect(text.hasSuffix("."), "\(text)")
      // The reference is Markdown, and lines of text.
      #expect(!text.contains { "*_`<[\n".contains($0) }, "\(text)")
    }
    #expect(notes.domains.isEmpty || notes.domains.hasPrefix("in "))
    #expect(!notes.domains.hasSuffix("."))
  }

  // MARK: Clamping

  /// A filter that clamps with its sample has a text on it.
  @Test(arguments: names) func clampingHasAText(name: String) throws {
    let entry = try entry(name)
    let filter = try entry.filter(#require(entry.sample), at: name)
    #expect(!filter.clamps || !entry.notes.clamping.isEmpty)
  }

  /// The law does not look at values far from 0…1, at parameters other than the samples, and at filters that cannot be rendered for any
  /// picture.
  @Test(arguments: ["composite", "layer", "develop", "store", "grading-tone", "grading-primary"])
  func clampingBeyondTheLawHasAText(name: String) throws {
    #expect(!(try entry(name).notes.clamping.isEmpty))
  }

  /// Parameters by which a filter clamps, and others by which it does not, agree with the law.
  @Test(arguments: [
    ("invert", #"{"meaning": {"density": 2}}"#, true), ("invert", #"{"meaning": "light"}"#, false),
    ("color-decisions", #"{"style": "unclamped", "power": [1.1, 1, 0.9]}"#, false),
    ("exposure-contrast", #"{"exposure": 1}"#, false),
    ("exposure-contrast", #"{"contrast": 1.2}"#, true),
    ("exposure-contrast", #"{"contrast": 1.2, "style": "logarithmic"}"#, false),
    ("display-mapping", #"{"from": 100, "to": 1000}"#, false),
    ("grading-primary", #"{"clamp-black": 0}"#, true), ("log-curve", "{}", true),
    ("look", #"{"steps": [{"affine": {"scale": [1.1, 1, 1], "offset": [0, 0, 0]}}]}"#, false),
  ])
  func clampingFollowsParameters(name: String, parameters: String, clamps: Bool) throws {
    let value = try #require(TextForm.json.value(of: parameters))
    let filter = try entry(name).filter(value, at: name)
    #expect(filter.clamps == clamps)
    let point = try #require(filter as? any PointFilter)
    #expect(violations(of: point).isEmpty)
  }

  private func violations(of filter: some PointFilter) -> [FilterViolation] {
    FilterLaws.violations(of: filter, tolerance: 4e-4).filter { $0.law == .range }
  }

  /// A base above 1 gives a map that does not lead back, as the text says.
  @Test func gainMapsOfBrightBasesDoNotLeadBack() throws {
    func restored(_ value: Double) throws -> Double {
      func even(_ value: Double) -> Picture {
        .constant(ColorPoint(value, value, value, in: .linearSRGB), in: .linearSRGB)
          .cropped(to: Region(PixelSize(2, 2)))
      }
      let (base, other) = (even(value), even(1.4 * value))
      let map = base.computingGainMap(to: other)
      let gain = try GainMap(greatest: .one, alternateHeadroom: 1, displayHeadroom: 1)
      return Double(try base.gainMapped(gain, map: map).render(as: Float.self)[0, 0, 0])
    }
    #expect(abs(try restored(0.9) - 1.26) < 1e-5)
    #expect(abs(try restored(1.9) - 2.66) > 0.5)
  }

  /// Where a formula does not hold for all values, the text says for which.
  @Test(arguments: [
    ("reinhard", "where the luminance Y is above 0"),
    ("four-channel-mix", "a pixel with alpha 0 counts as 0, 0, 0, 0"),
    ("blend-by-mask", "m is not clamped"), ("blend-by-linear-mask", "m is not clamped"),
    ("alpha-mask", "It is not clamped"), ("linear-alpha-mask", "It is not clamped"),
  ])
  func formulasNameTheirLimits(name: String, text: String) throws {
    #expect(try entry(name).notes.formula.contains(text))
  }

  /// Formulas hold at their limits, as their texts say.
  @Test func limitsAreAsStated() throws {
    func even(_ value: Float, alpha: Float = 1) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(2, 2), in: .linearSRGB) { _, _ in [value, value, value, alpha] })
    }
    let dark = try even(-0.5).reinhard(white: 4).render(as: Float.self)
    #expect(abs(dark[0, 0, 0] + 0.5) < 1e-6)
    let hidden = try even(0.7, alpha: 0).channelMix(alpha: .zero, offset: [0, 0, 0, 1])
      .render(as: Float.self)
    #expect(hidden.row(0) == [0, 0, 0, 1, 0, 0, 0, 1])
    for mask: Float in [-0.25, 1.5] {
      let alpha = try even(0.5).alphaMasked(by: even(mask)).render(as: Float.self)
      #expect(abs(alpha[0, 0, 3] - mask) < 1e-6)
      let blend = try even(0.5).blended(with: even(0.5, alpha: 0), mask: even(mask))
        .render(as: Float.self)
      #expect(abs(blend[0, 0, 3] - (1 - mask)) < 1e-6)
    }
  }

  // MARK: Domains

  /// The text of domains names those that parameters choose, and there is one only where they choose.
  @Test(arguments: names) func domainsOfParametersAreNamed(name: String) throws {
    let (entry, text) = (try entry(name), try entry(name).notes.domains)
    let usual = try #require(try entry.domain(with: nil))
    var isChosen = false
    for parameter in entry.parameters {
      let form = parameter.textForm
      for word in form.names + ["sRGB"] {
        let values = form.sampleValues(of: word).filter { $0 != parameter.defaultValue }
        let domains = values.compactMap { value in
          try? entry.domain(with: RecipeValue.Member(parameter.name, value))
        }
        guard let domain = domains.first(where: { $0 != usual }) else { continue }
        isChosen = true
        if text.contains("\(parameter.name)=…") { continue }
        #expect(text.contains("in \(domain)"), "\(name): \(text)")
        let choice = form.names.isEmpty ? form.placeholder : word.filter { $0 != ":" }
        #expect(text.contains("\(parameter.name)=\(choice)"), "\(name): \(text)")
      }
    }
    #expect(isChosen == !text.isEmpty, "\(name): \(text)")
    #expect(!isChosen || text.hasPrefix("in \(usual),"), "\(name): \(text)")
  }

  @Test func gradesNameBothDomains() throws {
    #expect(
      try entry("exposure-contrast").notes.domains
        == "in linear light, or in encoded values with style=video and style=logarithmic")
    for name in ["grading-primary", "grading-tone", "grading-curves"] {
      #expect(
        try entry(name).notes.domains
          == "in encoded values, or in linear light with style=linear")
    }
  }

  // MARK: Formulas

  @Test(arguments: [
    "vibrance", "sigmoid-view", "paper-curve", "mix-blurs", "blur-by-mask", "unsharp-mask",
    "sharpen",
    "display-mapping", "guided-filter", "lift-gamma-gain", "grading-primary", "exposure-contrast",
    "gain-map", "compute-gain-map", "chroma-key",
  ])
  func formulasOfFiltersWithHiddenConstantsAreStated(name: String) throws {
    #expect(!(try entry(name).notes.formula.isEmpty))
  }

  /// Black and white become what the formula says, not the lift and the gain.
  @Test func liftAndGainFollowTheFormula() throws {
    func graded(_ x: Double, lift: Double, gamma: Double = 1, gain: Double) throws -> Double {
      let filter = try entry("lift-gamma-gain").filter(
        try #require(
          TextForm.json.value(
            of: """
              {"lift": [\(lift), \(lift), \(lift)], "gamma": [\(gamma), \(gamma), \(gamma)], \
              "gain": [\(gain), \(gain), \(gain)]}
              """)), at: "lift-gamma-gain")
      var program = PointProgram()
      try #require(filter as? any PointFilter).describe(to: &program, in: .sRGB)
      return program([x, x, x]).x
    }
    #expect(abs(try graded(0, lift: 0.2, gain: 1) - 0.2 / 1.2) < 1e-12)
    #expect(abs(try graded(1, lift: 0.2, gain: 1.5) - 1.2 / (1 / 1.5 + 0.2)) < 1e-12)
    #expect(abs(try graded(1, lift: 0, gamma: 2, gain: 1.5) - 1.5.squareRoot()) < 1e-12)
    for name in ["lift", "gain"] {
      let meaning = try #require(entry("lift-gamma-gain").parameters.first { $0.name == name })
        .meaning
      #expect(meaning.contains("where g"), "\(meaning)")
    }
    #expect(
      try entry("lift-gamma-gain").notes.formula.contains("1 / gain + lift must lie in 0.01…11"))
  }

  // MARK: Masks

  /// Masks count premultiplied, and the parameter says so.
  @Test(arguments: ["alpha-mask", "linear-alpha-mask", "blend-by-mask", "blend-by-linear-mask"])
  func masksCountTimesTheirAlpha(name: String) throws {
    let entry = try entry(name)
    let channel = try #require(entry.parameters.first { $0.name == "channel" })
    #expect(channel.meaning.contains("times the mask's alpha"))
    func even(_ value: Double, alpha: Double = 1) -> Picture {
      let color = ColorPoint(value, value, value, in: .linearSRGB)
      return Picture.constant(color, in: .linearSRGB).cropped(to: Region(PixelSize(2, 2)))
        .channelMix(alpha: [0, 0, 0, 0], offset: [0, 0, 0, alpha])
    }
    let pictures = entry.inputs.lowerBound == 3 ? [even(0), even(1)] : [even(1)]
    let filter = try entry.filter(.object([]), at: name)
    let result = try filter.picture(of: pictures + [even(1, alpha: 0.5)]).render(as: Float.self)
    #expect(abs(result[0, 0, entry.inputs.lowerBound == 3 ? 0 : 3] - 0.5) < 1e-6)
  }
}

extension FilterCatalog.Entry {
  /// The domain with the required parameters and one more; throws where they make no filter.
  fileprivate func domain(with member: RecipeValue.Member?) throws -> PixelDomain? {
    guard case .object(let sample)? = sample else { return nil }
    let required = sample.filter { member in
      parameters.contains { $0.isRequired && $0.name == member.name }
    }
    let others = required.filter { $0.name != member?.name }
    func filter(_ members: [RecipeValue.Member]) throws -> any RecipeFilter {
      try self.filter(.object(members + [member].compactMap(\.self)), at: name)
    }
    if let made = try? filter(others) { return made.statedDomain }
    return try filter(sample.filter { $0.name != member?.name }).statedDomain
  }
}

extension TextForm {
  /// The values of one of the ``names``, with several behind a colon for one that needs a value; some may make no filter.
  fileprivate func sampleValues(of word: String) -> [RecipeValue] {
    (word.hasSuffix(":") ? ["2", "0.5", "sRGB", "{}"] : [""]).compactMap { value(of: word + $0) }
  }
}
