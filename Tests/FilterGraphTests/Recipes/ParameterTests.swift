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
