import FilterGraph
import Synchronization
import Testing

/// The descriptions of parameters.
@Suite struct ParameterTests {
  /// A value that counts how often it is written.
  private struct Counted: RecipeCodable {
    static let writes = Atomic(0)

    init() {}
    init(recipe source: RecipeSource) throws(RecipeDecodingError) {}

    func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
      Self.writes.add(1, ordering: .relaxed)
      return .string("counted")
    }
  }

  private struct Owner: Sendable {
    let value: Counted
  }

  private struct Number: Sendable {
    let value: Double
  }

  /// A range that excludes a whole number names it, not its neighbor among the numbers of the format.
  @Test(arguments: [
    (0...1.0.nextDown, "0 to below 1"), (1.0.nextUp...1e6, "above 1, to 1000000"),
    (Double.leastNormalMagnitude...1.0.nextDown, "above 0, to below 1"),
    (Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude, "above 0"),
    (0...Double.greatestFiniteMagnitude, "0 up"), (0.001...1000, "0.001…1000"),
  ])
  func rangesNameTheNumbersThatTheyExclude(range: ClosedRange<Double>, words: String) {
    let declaration = Declaration<Number>(
      of: "owner", Parameter("value", \.value, "a value", in: range)
    ) { value throws(RecipeError) in Number(value: value) }
    #expect(declaration.parameters[0].rangeText == words)
  }

  /// Every command describes the parameters of all filters.
  @Test func defaultsAndSamplesAreWrittenWhenAskedFor() {
    let declaration = Declaration<Owner>(
      of: "owner", Parameter("value", \.value, "a value", default: Counted())
    ) { value throws(RecipeError) in Owner(value: value) }
    let parameter = declaration.parameters[0]
    #expect(!parameter.isRequired && parameter.name == "value")
    #expect(Counted.writes.load(ordering: .relaxed) == 0)
    #expect(parameter.defaultValue == .string("counted"))
    #expect(parameter.sample == .string("counted"))
    #expect(Counted.writes.load(ordering: .relaxed) == 2)
  }
}
