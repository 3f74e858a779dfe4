import ColorSpaces
import Testing
import _TestSupport

/// Color spaces by their names.
@Suite struct NamedSpaceTests {
  @Test func letterCaseAndPunctuationDoNotMatter() {
    let separators = ["", " ", "-", "_", ". "]
    checkProperty(
      "lenient names", .element(of: ColorSpace.named), .element(of: separators),
      .element(of: [true, false])
    ) { space, separator, uppercase in
      let name = space.name.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
        .joined(separator: separator)
      return try ColorSpace(named: uppercase ? name.uppercased() : name.lowercased()) == space
    }
  }

  @Test(arguments: [("display-p3", ColorSpace.displayP3), ("srgb", .sRGB), ("rec2020", .rec2020)])
  func theNamesOfTheWeb(_ name: String, _ space: ColorSpace) throws {
    #expect(try ColorSpace(named: name) == space)
  }

  @Test(arguments: [
    ("Dispaly P3", "Display P3"), ("sRBG", "sRGB"), ("AdobeRGB98", "Adobe RGB"),
    ("ACES2065", "ACES2065-1"), ("pro foto rgb", "ProPhoto RGB"), ("REC 702", "Rec. 709"),
  ])
  func anUnknownNameSuggestsTheNearest(_ name: String, _ nearest: String) throws {
    let error = try #require(throws: ColorError.self) { try ColorSpace(named: name) }
    guard case .unknownColorSpace(name, let suggestions) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(suggestions.first == nearest)
    #expect("\(error)".hasPrefix("No color space is called “\(name)”. Did you mean “\(nearest)”?"))
    for suggestion in suggestions { #expect("\(error)".contains("“\(suggestion)”")) }
  }

  @Test(arguments: ["nope", "cmyk", "foo", "💡"])
  func namesUnlikeAllOthersSuggestNone(name: String) throws {
    let error = try #require(throws: ColorError.self) { try ColorSpace(named: name) }
    #expect(error == .unknownColorSpace(name, nearest: []))
    #expect("\(error)" == "No color space is called “\(name)”. ColorSpace.all has all names.")
  }

  @Test(arguments: [
    "-1", "1", "", String(repeating: "é", count: 1000), String(repeating: "sRGB", count: 300),
  ])
  func wordsThatAreTooShortOrTooLongSuggestNone(name: String) throws {
    let error = try #require(throws: ColorError.self) { try ColorSpace(named: name) }
    #expect(error == .unknownColorSpace(name, nearest: []))
  }

  @Test(arguments: [("sRBG", "sRGB", 1), ("1", "L*", nil), ("x", "y", nil), ("uv", "u", nil)])
  func nothingIsNearIfNothingIsLeft(word: String, name: String, distance: Int?) {
    #expect(misspellingDistance(of: word, from: name) == distance)
  }

  @Test func exchangedLettersAreOneEdit() {
    #expect(editDistance("sRBG", "srgb") == 1)
    #expect(editDistance("ca", "abc") == 3)
    #expect(editDistance("", "abc") == 3 && editDistance("kitten", "sitting") == 3)
  }

  @Test func theLinearFormOfASpace() {
    #expect(ColorSpace.sRGB.linear.primaries == .rec709)
    #expect(ColorSpace.sRGB.linear.transfer.isLinear)
    #expect(ColorSpace.sRGB.linear == .linearSRGB)
    #expect(ColorSpace.acescg.linear == .acescg)
    #expect(!ColorSpace.sRGB.transfer.isLinear)
    #expect("\(ColorSpace.dciP3)" == "DCI-P3")
  }
}
