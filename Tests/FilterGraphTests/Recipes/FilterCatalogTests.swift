import ColorSpaces
import ColorloomTesting
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The declarations of all filters, and what is derived from them.
@Suite struct FilterCatalogTests {
  private static let entries = FilterCatalog.builtIn.entries
  private static let names = entries.map(\.name)

  private func entry(_ name: String) throws -> FilterCatalog.Entry {
    try #require(FilterCatalog.builtIn[name])
  }

  @Test(arguments: names) func declarationsAreComplete(name: String) throws {
    let entry = try entry(name)
    #expect(entry.summary.count > 10 && entry.summary.count <= 90, "\(name): \(entry.summary)")
    #expect(entry.summary.hasSuffix("."), "\(name): \(entry.summary)")
    #expect(entry.summary.first?.isUppercase == true, "\(name): \(entry.summary)")
    for parameter in entry.parameters {
      #expect(
        !parameter.meaning.isEmpty && parameter.meaning.count <= 100, "\(name) \(parameter.name)")
      #expect(!parameter.meaning.hasSuffix("."), "\(name) \(parameter.name): \(parameter.meaning)")
      if let range = parameter.range, let fallback = parameter.defaultValue {
        #expect(fallback.numbers.allSatisfy(range.contains), "\(name) \(parameter.name)")
      }
    }
  }

  @Test(arguments: names) func samplesAreValidValues(name: String) throws {
    let entry = try entry(name)
    let sample = try #require(entry.sample, "\(name) has no sample.")
    let filter = try entry.filter(sample, at: name)
    let again = try entry.filter(filter.recipeValue(), at: name)
    #expect(try again.recipeValue() == filter.recipeValue())
    let recipe = try RecipeDecoder().recipe(
      json:
        #"{"version": 1, "steps": [{"\#(name)": \#(json(sample)), "from": \#(inputs(of: entry))}], "inputs": ["a", "b", "c", "d"]}"#
    )
    #expect(recipe.json.contains("\"\(name)\""))
  }

  private func inputs(of entry: FilterCatalog.Entry) -> String {
    "["
      + ["a", "b", "c", "d"].prefix(entry.inputs.lowerBound).map { "\"\($0)\"" }.joined(
        separator: ", ") + "]"
  }

  /// A sample changes pixels, or creates some.
  @Test(arguments: names) func samplesHaveAnEffect(name: String) throws {
    let entry = try entry(name)
    let sample = try #require(entry.sample)
    let photo = Picture(TestPictures.floats(PixelSize(41, 31), in: .displayP3, channels: .rgba))
    let inputs = (0..<entry.inputs.lowerBound).map { photo.exposure(-Double($0)) }
    var picture = try entry.filter(sample, at: name).picture(of: inputs)
    if picture.isEndless { picture = picture.cropped(to: photo.region) }
    let bitmap = try picture.render(as: Float.self)
    let original = try photo.render(as: Float.self)
    let isSame =
      picture.space == photo.space && picture.region == photo.region
      && bitmap.firstDifference(from: original) == nil
    // A source without a file cannot be read at a reduced size.
    #expect(!isSame || name == "reduce-source", "\(name) changes nothing.")
  }

  /// Where a declaration says that gray stays gray, the channels of a result differ by the rounding of a matrix's rows at most.
  @Test(arguments: names) func grayStaysGray(name: String) throws {
    let entry = try entry(name)
    let filter = try entry.filter(#require(entry.sample), at: name)
    guard filter.keepsGray else { return }
    let gray = Picture(
      Bitmap<Float>(PixelSize(41, 31), in: .displayP3, channels: .rgb) { x, y in
        let value = Float((x * 7 + y * 13) % 61) / 60
        return [value, value, value]
      })
    let picture = filter.picture(of: Array(repeating: gray, count: entry.inputs.lowerBound))
    let bitmap = try (picture.isEndless ? picture.cropped(to: gray.region) : picture)
      .render(as: Float.self)
    for y in 0..<bitmap.size.height {
      for x in 0..<bitmap.size.width {
        let color = SIMD3((0..<3).map { Double(bitmap[x, y, $0]) })
        #expect(color.spread <= 1e-6, "\(name) makes \(color) of gray at \(x), \(y).")
      }
    }
  }

  /// Assigning a space keeps gray where the space has its grays in equal channels.
  @Test func tagKeepsGrayByItsSpace() throws {
    let entry = try entry("tag")
    for (space, keepsGray) in [(ColorSpace.adobeRGB, true), (.sGray, true), (.lab, false)] {
      let name = RecipeValue.Member("as", try space.recipeValue())
      #expect(try entry.filter(.object([name]), at: "tag").keepsGray == keepsGray, "\(space)")
    }
  }

  /// A conversion keeps gray as the assignment of a space does.
  @Test func conversionKeepsGrayByItsSpace() throws {
    let entry = try entry("convert")
    for (space, keepsGray) in [(ColorSpace.adobeRGB, true), (.sGray, true), (.oklab, false)] {
      let name = RecipeValue.Member("to", try space.recipeValue())
      #expect(
        try entry.filter(.object([name]), at: "convert").keepsGray == keepsGray, "\(space)")
    }
  }

  @Test func traitsAreThoseOfTheFilters() throws {
    func names(_ trait: FilterTrait) -> Set<String> {
      Set(Self.entries.filter { $0.traits.contains(trait) }.map(\.name))
    }
    #expect(names(.moves) == Set(Self.entries.filter { $0.subject == "Geometry" }.map(\.name)))
    #expect(names(.converts) == ["convert"])
    #expect(
      names(.mapsTones) == [
        "reinhard", "sigmoid-view", "display-mapping", "bt2446a", "bt2446c", "aces-output",
        "paper-curve", "density-print", "develop-by-curves",
      ])
    #expect(
      names(.develops) == [
        "develop", "negative-development", "power-negative", "density-print", "develop-by-curves",
      ])
  }

  @Test func recipesHaveTheTraitsOfTheirSteps() throws {
    func recipe(_ steps: String) throws -> Recipe {
      try RecipeDecoder().recipe(json: #"{"version": 1, "steps": [\#(steps)]}"#)
    }
    let print = try recipe(#"{"exposure": {"stops": 1}}, "density-print""#)
    #expect(print.traits == [.develops, .mapsTones] && print.keepsPlace)
    let moved = try recipe(#"{"move": {"by": [1, 2]}}"#)
    #expect(moved.traits == [.moves] && !moved.keepsPlace)
    let framed = try recipe(
      #"{"move": {"by": [1, 2]}}, {"frame": {"to": [0, 0, 9, 9], "color": "white"}}"#)
    let converted = try recipe(#"{"convert": {"to": "rec2020"}}, {"move": {"by": [1, 2]}}"#)
    #expect(moved.keepsLight && !framed.keepsLight && !print.keepsLight && converted.keepsLight)
    let painted = try recipe(
      #"{"checker": {"first": "white", "second": "black", "side": 8}}"#)
    #expect(!painted.keepsPlace)
  }

  /// The word of each value parses as that value.
  @Test(arguments: names) func samplesRoundTripThroughWords(name: String) throws {
    for parameter in try entry(name).parameters {
      for value in [parameter.sample, parameter.defaultValue].compactMap(\.self)
      where value != .null {
        let word = try #require(
          parameter.textForm.word(for: value), "\(name) \(parameter.name) \(value)")
        #expect(parameter.textForm.value(of: word) == value, "\(name) \(parameter.name) \(word)")
      }
    }
  }

  /// The word of a region has the form that help states.
  @Test(arguments: [("crop", "6,4,24x18"), ("pad", "-4,-3,48x36"), ("frame", "-4,-3,48x36")])
  func regionsAreWrittenWithTheirSize(name: String, word: String) throws {
    let target = try #require(try entry(name).parameters.first { $0.name == "to" })
    #expect(target.textForm.word(for: try #require(target.sample)) == word)
  }

  /// Any white space separates points, as where the shell reads them from a file.
  @Test func pointsAreReadFromLines() throws {
    let points: [SIMD2<Double>] = [[0, 0], [0.5, 0.4], [1, 1]]
    #expect(try GradingCurve(word: "0,0\n0.5,0.4 \t1,1") == GradingCurve(through: points))
    #expect(
      try CubicCurve(word: "makima 0,0\n0.5,0.4 \t1,1")
        == CubicCurve(through: points, interpolation: .makima))
    #expect(throws: RecipeDecodingError.self) { try GradingCurve(word: "0,0 x") }
  }

  /// A value out of range is refused with a message that states the range.
  @Test(arguments: names) func rangesAreEnforced(name: String) throws {
    let entry = try entry(name)
    guard case .object(let members)? = entry.sample else { return }
    for parameter in entry.parameters {
      guard let range = parameter.range else { continue }
      let text = try #require(parameter.rangeText)
      for outside in [range.lowerBound.nextDown - 1, range.upperBound.nextUp + 1]
      where outside.isFinite {
        var good = members.first { $0.name == parameter.name }?.value ?? parameter.defaultValue
        if good == .null, parameter.textForm.placeholder == "X,Y" { good = .array([.null, .null]) }
        guard let bad = good?.replacingNumbers(by: outside.rounded()), bad != good else { continue }
        let changed =
          members.filter { $0.name != parameter.name }
          + [RecipeValue.Member(parameter.name, bad)]
        #expect(throws: RecipeDecodingError.self, "\(name) \(parameter.name) \(outside)") {
          try entry.filter(.object(changed), at: name)
        }
        do {
          _ = try entry.filter(.object(changed), at: name)
        } catch {
          #expect("\(error)".contains(text), "\(error)")
        }
      }
    }
  }

  /// The law that a filter violates by design. That of the range of values is not among them: declarations say what filters clamp.
  private static let exceptions: [String: FilterLaw] = [
    // Storing quantizes: straight values differ from premultiplied ones.
    "store": .storage,
    // A part of 41 × 31 pixels does not fit pictures of 5 × 3, and gray noise is no negative.
    "crop": .renders, "develop": .renders,
  ]

  /// Every filter as declared violates the laws of its exceptions, and no other; it clamps where its declaration says so, and only there.
  /// The tolerance is the loosest for which a filter's own test states a reason.
  @Test(arguments: names) func lawsHold(name: String) throws {
    let violations = FilterLaws.violations(of: try entry(name), tolerance: 4e-4)
    #expect(violations.map(\.law) == Self.exceptions[name].map { [$0] } ?? [], "\(violations)")
  }

  @Test func exceptionsNameFilters() {
    #expect(Set(Self.exceptions.keys).isSubset(of: Self.names))
  }

  /// In release builds, too, the message names both filters.
  @Test func namesThatAreTakenEndTheProgram() async throws {
    let taken = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var catalog = FilterCatalog.builtIn
      catalog.add(SecondExposure.self)
    }
    let message = String(decoding: try #require(taken).standardErrorContent, as: UTF8.self)
    #expect(
      message.contains("Two filters are called “exposure”: Exposure and SecondExposure."),
      "\(message)")
    await #expect(processExitsWith: .failure) {
      var catalog = FilterCatalog()
      catalog.add(ReservedName.self)
    }
    var catalog = FilterCatalog.builtIn
    catalog.add(try #require(catalog["exposure"]).type)
    #expect(catalog.entries.count == FilterCatalog.builtIn.entries.count)
  }

  @Test func namesAndAliasesAreUnique() {
    var seen: Set<String> = []
    for entry in Self.entries {
      for name in [entry.name] + entry.aliases.map(\.name) {
        #expect(seen.insert(name).inserted, "\(name)")
        #expect(name.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }, "\(name)")
      }
    }
  }

  private func json(_ value: RecipeValue) -> String { TextForm.json.word(for: value) ?? "{}" }
}

extension RecipeValue {
  fileprivate var numbers: [Double] {
    switch self {
    case .integer(let value): [Double(value)]
    case .number(let value): [value]
    case .array(let values): values.flatMap(\.numbers)
    default: []
    }
  }

  fileprivate func replacingNumbers(by number: Double) -> RecipeValue {
    switch self {
    case .null, .integer: Int(exactly: number).map { .integer($0) } ?? .number(number)
    case .number: .number(number)
    case .array(let values): .array(values.map { $0.replacingNumbers(by: number) })
    default: self
    }
  }
}

/// A filter with the name of a built-in one.
private struct SecondExposure: PointFilter, RecipeFilter {
  var domain: PixelDomain { .linear }
  func describe(to program: inout PointProgram, in space: ColorSpace) {}
  static let declaration = Declaration<SecondExposure>("exposure", "Does nothing.") {
    SecondExposure()
  }
}

/// A filter with the name of a key of recipes.
private struct ReservedName: PointFilter, RecipeFilter {
  var domain: PixelDomain { .linear }
  func describe(to program: inout PointProgram, in space: ColorSpace) {}
  static let declaration = Declaration<ReservedName>("from", "Does nothing.") { ReservedName() }
}
