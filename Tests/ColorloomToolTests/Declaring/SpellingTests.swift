import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Words for values are spelled as in Swift or with hyphens, wherever they are read.
@Suite struct SpellingTests {
  private let folder: TemporaryFolder
  private let input: String

  init() throws {
    folder = try TemporaryFolder()
    input = folder.path("photo.png")
    let photo = TestPictures.codes(as: UInt16.self, PixelSize(24, 16), in: .displayP3)
    try ImageFile.write(.uint16(photo), to: input)
  }

  private static func camelCased(_ word: String) -> String {
    let parts = word.split(separator: "-").map(String.init)
    return parts[0]
      + parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The filter with the sample's parameters, but another value of one.
  private func recipe(
    of entry: FilterCatalog.Entry, _ parameter: ParameterDescription, _ value: RecipeValue
  ) throws -> RecipeValue {
    guard case .object(let members)? = entry.sample else { return .null }
    let others = members.filter { $0.name != parameter.name }
    return try entry.filter(
      .object(others + [RecipeValue.Member(parameter.name, value)]), at: entry.name
    ).recipeValue()
  }

  /// Each choice of each filter, in steps and in recipes.
  @Test func choicesOfFiltersHaveBothSpellings() throws {
    var count = 0
    for entry in FilterCatalog.withProfiles.entries {
      for parameter in entry.parameters {
        for name in parameter.textForm.names where !name.hasSuffix(":") {
          guard let kebab = parameter.textForm.value(of: name),
            let expected = try? recipe(of: entry, parameter, kebab)
          else { continue }
          let word = Self.camelCased(name)
          let camel = try #require(parameter.textForm.value(of: word), "\(entry.name) \(word)")
          #expect(try recipe(of: entry, parameter, camel) == expected)
          #expect(try recipe(of: entry, parameter, .string(word)) == expected)
          count += word == name ? 0 : 1
        }
      }
    }
    #expect(count > 30)
  }

  @Test(arguments: [
    (["--samples", "u8", "--dither"], "blue-noise"),
    (["--samples", "u8", "--dither"], "error-diffusion"),
    (["--samples", "u8", "--dither"], "triangular-noise"),
    (["--to", "sRGB", "--gamut"], "reduced-chroma"), (["--to", "sRGB", "--gamut"], "ray-traced"),
    (["--to", "sRGB", "--gamut"], "soft-knee"),
  ])
  func optionsHaveBothSpellings(words: [String], value: String) throws {
    let outputs = try [value, Self.camelCased(value)].map { value in
      let output = folder.path("\(value).png")
      let result = run(["convert", input, output] + words + [value])
      #expect(result.status == .done, "\(result.complaint)")
      return try Data(contentsOf: URL(filePath: output))
    }
    #expect(outputs[0] == outputs[1])
  }

  @Test(arguments: ["not-a-knot", "catmull-rom", "fritsch-carlson"])
  func interpolationsOfCurvesHaveBothSpellings(name: String) throws {
    let points = "0,0 0.3,0.5 0.6,0.55 1,1"
    let outputs = try [name, Self.camelCased(name)].flatMap { name in
      try [["--curve", "\(name) \(points)"], ["--tone-curves", "all=\(name) \(points)"]].map {
        let output = folder.path("curve.png")
        let result = run(["convert", input, output] + $0)
        #expect(result.status == .done, "\(result.complaint)")
        return try Data(contentsOf: URL(filePath: output))
      }
    }
    #expect(Set(outputs).count == 1)
  }

  @Test(arguments: [
    (["deltae", "1 0 0 0 1 0", "--formula"], ["hyab", "hyAB", "hy-ab"]),
    (["color", "--from", "p3", "--to", "sRGB", "1 0 0", "--gamut"], ["soft-knee", "softKnee"]),
    (
      ["color", "--from", "p3", "--to", "sRGB", "1 0 0", "--intent"],
      ["relative", "relative-colorimetric", "relativeColorimetric"]
    ),
    (
      ["color", "--from", "p3", "--to", "prophoto", "1 0 0", "--intent"],
      ["absolute", "absolute-colorimetric", "absoluteColorimetric"]
    ),
  ])
  func optionsOfColorsHaveEverySpelling(words: [String], values: [String]) {
    let results = values.map { run(words + [$0]) }
    for result in results {
      #expect(result.status == .done, "\(result.complaint)")
      #expect(result.output == results[0].output)
    }
  }

  @Test func planOfACompositeHasTheWordsOfItsOptions() throws {
    let result = run(
      "convert", input, "--plan", "--composite", "\(input),operator=sourceAtop,mode=colorDodge")
    #expect(result.text.contains("composite source-atop by color-dodge"), "\(result.text)")
  }

  /// Numbers are decimal, as whole numbers are.
  @Test(arguments: [
    ["convert", "IN", "OUT", "--exposure", "0x10"], ["convert", "IN", "OUT", "--paper", "0x1"],
    ["convert", "IN", "OUT", "--curve", "0,0 0x1,1"],
    ["develop", "IN", "OUT", "--film-contrast", "0x1,1,1"],
    ["convert", "IN", "OUT", "--hdr-peak", "0x3E8", "--to", "sRGB"],
  ])
  func hexadecimalNumbersAreRefused(words: [String]) {
    let paths = ["IN": input, "OUT": folder.path("out.png")]
    let result = run(words.map { paths[$0] ?? $0 })
    #expect(result.status == .misused)
    #expect(result.complaint.contains("0x"), "\(result.complaint)")
    #expect(run("curve", "slog3", "encode", "0x1").output.isEmpty)
    #expect(run("color", "--from", "p3", "--to", "sRGB", "0x1 0 0").output.isEmpty)
  }
}
