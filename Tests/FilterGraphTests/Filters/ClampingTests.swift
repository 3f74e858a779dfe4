import ColorSpaces
import ColorloomTesting
import FilterGraph
import Testing

/// The law of the range of values and the declarations of filters that clamp.
@Suite struct ClampingTests {
  private func laws(_ filter: some PointFilter) -> [FilterLaw] {
    FilterLaws.violations(of: filter).map(\.law)
  }

  @Test func declaredClampingIsExempt() {
    #expect(laws(Held(limit: 1)) == [])
    #expect(Held(limit: 1).clamps && !Held(limit: nil).clamps)
  }

  @Test func filtersThatDoNotClampAreNoExemption() {
    #expect(laws(Held(limit: nil)) == [])
    #expect(laws(Undeclared()) == [.range])
  }

  @Test func declaredClampingThatIsNotThereIsFound() throws {
    let violations = FilterLaws.violations(of: Held(limit: 100))
    #expect(violations.map(\.law) == [.range], "\(violations)")
    #expect(
      violations.allSatisfy { $0.description.contains("its declaration says that it clamps") })
    #expect(FilterLaws.violations(of: Held(limit: 100), except: [.range]).isEmpty)
  }

  @Test func filtersOfSeveralPicturesAreCompared() {
    func laws(limit: Double?) -> [FilterLaw] {
      FilterLaws.violations(of: HeldMean(limit: limit)).map(\.law)
    }
    #expect(laws(limit: 1) == [])
    #expect(laws(limit: nil) == [])
    #expect(laws(limit: 100) == [.range])
  }

  /// Filters that are made of others are compared as entries of a catalog.
  @Test func compoundsAreCompared() throws {
    var catalog = FilterCatalog()
    catalog.add(Compound<DeclaredClamp>.self)
    catalog.add(Compound<UndeclaredClamp>.self)
    catalog.add(Compound<DeclaredMean>.self)
    func laws(_ name: String) throws -> [FilterLaw] {
      FilterLaws.violations(of: try #require(catalog[name])).map(\.law)
    }
    #expect(try laws(DeclaredClamp.name) == [])
    #expect(try laws(UndeclaredClamp.name) == [.range])
    #expect(try laws(DeclaredMean.name) == [.range])
  }

  /// Blend modes that hold a channel at one value for all bright or dark backdrops say so; the law is checked by
  /// `FilterLawTests.blendMode`.
  @Test(arguments: ["composite", "layer"]) func blendModesThatClampSaySo(name: String) throws {
    let entry = try #require(FilterCatalog.builtIn[name])
    let clamping: Set<String> = ["color-dodge", "color-burn", "vivid-light", "luminosity"]
    for mode in ["normal", "multiply", "hard-mix", "hue", "linear-dodge"] + clamping.sorted() {
      let filter = try entry.filter(.object([.init("mode", .string(mode))]), at: name)
      #expect(filter.clamps == clamping.contains(mode), "\(mode)")
      #expect(!clamping.contains(mode) || entry.notes.clamping.contains(mode))
    }
  }

  /// The entry of a catalog is compared as the filter is.
  @Test func entriesAreCompared() throws {
    var catalog = FilterCatalog()
    catalog.add(Held.self)
    let entry = try #require(catalog["held"])
    #expect(FilterLaws.violations(of: entry).isEmpty)
    #expect(entry.notes.clamping == "Values beyond the limit become the limit.")
  }
}

/// A filter that clamps to a limit on both sides, where it has one, and says so.
private struct Held: PointFilter, RecipeFilter {
  var limit: Double?

  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.affine(scale: 0.5)
    if let limit { program.append(.clamp(-limit...limit)) }
  }

  static let declaration = Declaration<Held>(
    "held", "Halves values and holds them in a range.",
    Parameter("limit", \.limit, "the limit on both sides", sample: 1)
  ) { Held(limit: $0) }
  .clamping("Values beyond the limit become the limit.") { $0.limit != nil }
}

/// The mean of two pictures, held in a range.
private struct HeldMean: BlendFilter, RecipeFilter {
  var limit: Double?

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let mean = (inputs[0] + inputs[1]) / 2
    let limit = limit ?? .infinity
    return mean.clamped(
      lowerBound: SIMD4(repeating: -limit), upperBound: SIMD4(repeating: limit))
  }

  static let declaration = Declaration<HeldMean>(
    "held-mean", "Holds the mean of two pictures in a range.",
    Parameter("limit", \.limit, "the limit on both sides", sample: 1)
  ) { HeldMean(limit: $0) }
  .clamping("Values beyond the limit become the limit.") { $0.limit != nil }
}

/// What a compound of ``HeldMean`` does, and what it says.
private protocol CompoundKind: Sendable, Hashable {
  static var name: String { get }
  static var limit: Double? { get }
  static var isDeclared: Bool { get }
}

private enum DeclaredClamp: CompoundKind {
  static let (name, limit, isDeclared) = ("declared-clamp", Double?(1), true)
}

private enum UndeclaredClamp: CompoundKind {
  static let (name, limit, isDeclared) = ("undeclared-clamp", Double?(1), false)
}

private enum DeclaredMean: CompoundKind {
  static let (name, limit, isDeclared) = ("declared-mean", Double?.none, true)
}

private struct Compound<Kind: CompoundKind>: CompoundFilter, RecipeFilter {
  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(HeldMean(limit: Kind.limit), with: others)
  }

  static var declaration: Declaration<Compound> {
    let plain = Declaration<Compound>(Kind.name, "Holds a mean.", swift: "picture.held()") {
      Compound()
    }
    return Kind.isDeclared ? plain.clamping("Bright values become 1.") : plain
  }

  static var recipeInputs: ClosedRange<Int> { 2...2 }
}

/// A filter that clamps and does not say so.
private struct Undeclared: PointFilter, RecipeFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.clamp(0...1))
  }

  static let declaration = Declaration<Undeclared>("undeclared", "Clamps.") { Undeclared() }
}
