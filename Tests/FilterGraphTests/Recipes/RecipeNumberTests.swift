import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

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

  /// Their linear light is infinite, which conversions would make NaN.
  @Test(arguments: [
    #""color(srgb 1e38 0 0)""#, #"{"space": "sRGB", "components": [0, -1e38, 0]}"#,
  ])
  func colorsOfInfiniteLightAreRefused(_ color: String) throws {
    let problem = try problem(#"{"solid-color": {"color": \#(color), "in": "sRGB"}}"#)
    #expect(
      problem.hasPrefix("steps[0].solid-color.color: expected a color of finite"), "\(problem)")
  }

  /// The range of a parameter says more than the limit of all numbers.
  @Test(arguments: [
    (
      #"{"exposure": {"stops": 3.5e38}}"#,
      "steps[0].exposure.stops: expected a number in -100…100, found 3.5e+38."
    ),
    (
      #"{"negative-development": {"base": [1e38, 1, 1], "white": [0.1, 0.1, 0.1], "contrast": [1, 1, 1]}}"#,
      "steps[0].negative-development.base: expected a number in 1e-09…1000000, found 1e+38."
    ),
  ])
  func rangesComeFirst(step: String, sentence: String) throws {
    #expect(try problem(step) == sentence)
  }

  /// `Double.init` ignores NUL and what follows.
  @Test(arguments: ["1\0junk", "1\0", "\u{0}1", "0x1", "1 ", ""])
  func wordsOfOtherSignsAreNoNumbers(word: String) {
    #expect(decimalNumber(word) == nil && decimalNumber(word[...]) == nil)
  }

  private static let greatest = Double(Float.greatestFiniteMagnitude)

  /// Written numbers can be read; writing refuses numbers that recipes cannot hold.
  @Test(arguments: [1e37, greatest, -greatest, 3.5e38, 1e39, -1e300])
  func writtenNumbersAreRead(number: Double) throws {
    let photo = RecipeSamples.photo
    let look = Look(steps: [.affine(scale: SIMD3(repeating: number), offset: .zero)])
    for picture in [
      photo.saturation(number), photo.threshold(level: number), photo.applying(look),
    ] {
      let recipe = try? picture.recipe().recipe
      #expect((recipe != nil) == (abs(number) <= Self.greatest))
      if let recipe { #expect(try Recipe(json: recipe.json) == recipe) }
    }
  }

  @Test func numbersThatAreTooLargeAreNotWritten() {
    let photo = RecipeSamples.photo
    let look = Look(steps: [.affine(scale: .one, offset: [0, 1e39, 0])])
    let error = #expect(throws: RecipeEncodingError.self) { try photo.applying(look).recipe() }
    #expect(
      error.map { "\($0)" } == "Recipes hold numbers of at most 3.4e38; a parameter is 1e+39.")
    // The picture itself is rendered.
    let dark = photo.threshold(level: 1e39)
    #expect(dark.failure == nil)
    let refusal = #expect(throws: RecipeEncodingError.self) { try dark.recipe() }
    #expect(refusal == error)
  }

  /// The greatest `Float` has decimal digits that are beyond it as a `Double`.
  @Test(arguments: [Float.greatestFiniteMagnitude, -.greatestFiniteMagnitude])
  func greatestFloatsAreRead(number: Float) throws {
    #expect(try Float(word: "\(number)") == number)
    #expect(try number.recipeValue() == .number(try #require(Double("\(number)"))))
  }

  /// Crops to all that lies beyond a column are written, since pictures have an end.
  @Test(arguments: [
    Region(x: 10, y: 0, width: .max, height: 5), Region(x: 0, y: 0, width: 1 << 40, height: 10),
    Region(x: .min, y: -5, width: .max, height: .max),
  ])
  func cropsToFarRegionsAreRead(region: Region) throws {
    let picture = RecipeSamples.photo.extended(by: .repeated).cropped(to: region)
    let (recipe, inputs) = try picture.recipe()
    let read = try Recipe(json: recipe.json)
    #expect(read == recipe)
    #expect(try read.picture(inputs).region == picture.region)
    #expect(read.contentHash == recipe.contentHash)
  }

  @Test func farOffsetsAndSizesAreNotWritten() {
    func sentence(_ value: some RecipeCodable) -> String {
      do throws(RecipeEncodingError) { return "\(try value.recipeValue())" } catch {
        return "\(error)"
      }
    }
    #expect(
      sentence(Offset(1 << 40, 0))
        == "Recipes hold places and sizes of at most 2³¹ pixels; a parameter is 1099511627776.")
    #expect(sentence(Region(x: 0, y: .min, width: 1, height: 1)).hasPrefix("Recipes hold places"))
    #expect(
      sentence(PixelSize(1 << 31, 7))
        == "Recipes hold widths and heights of at most 1073741824; a parameter is 2147483648 × 7.")
  }

  private static func noise(seed: String) -> String {
    #"""
    {"version": 1, "inputs": [], "steps": [{"noise": {"seed": \#(seed), "in": "sRGB"}}, {"crop": {"to": [0, 0, 8, 8]}}]}
    """#
  }

  /// Seeds from 2⁶³ on are the texts of their digits. Recipes of earlier versions have negative numbers for them, and the same hash.
  @Test func seedsAreWrittenAsGiven() throws {
    let written = try Recipe(json: Self.noise(seed: #""18446744073709551610""#))
    let earlier = try Recipe(json: Self.noise(seed: "-6"))
    let picture = Picture.noise(seed: .max - 5, in: .sRGB)
      .cropped(to: Region(x: 0, y: 0, width: 8, height: 8))
    let made = try picture.recipe().recipe
    for recipe in [written, earlier, made] {
      #expect(recipe.json.contains(#""seed": "18446744073709551610""#), "\(recipe.json)")
      #expect(try Recipe(json: recipe.json) == recipe)
      #expect(
        recipe.contentHash.digits
          == "e7d15b5d54f4f61fb228316f736d1e9a18322ba037e7c44397dc115f101707f7")
    }
    let signed = try Recipe(json: Self.noise(seed: "9223372036854775807"))
    #expect(signed.json.contains(#""seed": 9223372036854775807"#), "\(signed.json)")
    #expect(try UInt64(word: "18446744073709551610") == .max - 5)
    #expect(try UInt64(word: "-6") == .max - 5)
  }

  @Test(arguments: [
    ("18446744073709551610", "the digits of a greater one as a text"),
    (#""18446744073709551616""#, "a whole number up to 18446744073709551615"), (#""x""#, "a whole"),
  ])
  func seedsThatAreNoneAreRefused(seed: String, expected: String) throws {
    let problem = try problem(#"{"noise": {"seed": \#(seed), "in": "sRGB"}}"#)
    #expect(
      problem.hasPrefix("steps[0].noise.seed") && problem.contains("\(expected)"), "\(problem)")
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

  @Test func exponentsOutOfRangeNameTheNumberThatTheRangeExcludes() throws {
    let curve =
      #"{"rational-power": {"a": 0, "b": 1, "c": 1, "d": 0, "inner": 0, "outer": 1}}"#
    let problem = try problem(Self.conversion(decoding: curve))
    #expect(problem.hasSuffix("expected a number above 0, to 1000000, found 0."), "\(problem)")
  }

  @Test func decodingsThatRiseAreRead() throws {
    let step = Self.conversion(decoding: #"{"sampled": {"values": [0, 0.2, 0.7, 1]}}"#)
    #expect(throws: Never.self) { try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#) }
  }
}
