import ColorSpaces
import FilterGraph
import Testing

/// Numbers, and the curves and colors made of them, that recipes refuse.
@Suite struct RecipeNumberTests {
  /// The error of a recipe with one step.
  private func problem(_ step: String) throws -> String {
    let error = try #require(throws: RecipeDecodingError.self, "\(step)") {
      try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#)
    }
    return "\(error)"
  }

  @Test(arguments: ["1e400", "-1e400"])
  func numbersThatAreTooLargeAreNamed(_ number: String) throws {
    #expect(
      try problem(#"{"exposure": {"stops": \#(number)}}"#)
        == "Line 1, column 49: \"\(number)\" is too large; numbers are at most 3.4e38.")
  }

  /// Colors have the limit of other numbers, in both of their forms.
  @Test(arguments: [
    #""color(srgb-linear 1e39 0 0)""#, #""color(srgb 0 -1e300 0)""#,
    #"{"space": "linear sRGB", "components": [0, 1e39, 0]}"#,
  ])
  func colorsThatAreTooLargeAreRefused(_ color: String) throws {
    let problem = try problem(#"{"solid-color": {"color": \#(color), "in": "sRGB"}}"#)
    #expect(problem.hasPrefix("steps[0].solid-color.color"), "\(problem)")
    #expect(problem.contains("expected a number of at most 3.4e38, found "), "\(problem)")
  }

  private static func conversion(decoding: String) -> String {
    let primaries = #"{"red": [0.64, 0.33], "green": [0.3, 0.6], "blue": [0.15, 0.06]}"#
    return
      #"{"convert": {"to": {"name": "x", "primaries": \#(primaries), "transfer": {"name": "t", "decoding": \#(decoding)}}}}"#
  }

  /// Files could not be read with a profile of such a curve.
  @Test(arguments: [
    (#"{"sampled": {"values": [1, 0.7, 0.2, 0]}}"#, "0 to 1.0 and 1 to 0.0"),
    (#"{"sampled": {"values": [0.5, 0.5]}}"#, "0 to 0.5 and 1 to 0.5"),
    (
      #"{"rational-power": {"a": 1, "b": 0, "c": 0, "d": 1, "inner": 1, "outer": 1}}"#,
      "0 to infinity and 1 to 1.0"
    ),
    (#"{"segmented": {"segments": [{"shape": {"power": -1}, "scale": 0}]}}"#, "0 to NaN"),
  ])
  func decodingsThatDoNotRiseAreRefused(decoding: String, ends: String) throws {
    let problem = try problem(Self.conversion(decoding: decoding))
    #expect(
      problem.hasPrefix(
        "steps[0].convert.to.transfer: The decoding of “t” does not rise from 0 to 1: it takes "
          + ends),
      "\(problem)")
  }

  @Test func decodingsThatRiseAreRead() throws {
    let step = Self.conversion(decoding: #"{"sampled": {"values": [0, 0.2, 0.7, 1]}}"#)
    #expect(throws: Never.self) { try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#) }
  }
}
