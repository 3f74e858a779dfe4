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

/// A filter that clamps and does not say so.
private struct Undeclared: PointFilter, RecipeFilter {
  var domain: PixelDomain { .linear }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(.clamp(0...1))
  }

  static let declaration = Declaration<Undeclared>("undeclared", "Clamps.") { Undeclared() }
}
