import Colorloom
import Foundation
import ICCProfiles
import ImageFiles
import Testing
import _TestSupport

/// Recipes and content hashes of pictures that are converted by ICC profiles.
@Suite struct ProfileRecipeTests {
  private let decoder = RecipeDecoder(catalog: .withProfiles)
  private let photo = Picture(TestPictures.codes(as: UInt8.self, in: .displayP3, channels: .rgb))

  private func tableProfile(_ space: String = "RGB ") throws -> ICCProfile {
    try ICCProfile(
      bytes: TableProfile.profile(
        .mft2, space: space, channels: space == "GRAY" ? 1 : 3, version: 2
      ).bytes)
  }

  /// The curves of its channels differ, as those of calibrated displays do: no curve of a recipe describes it.
  private func curvesProfile() throws -> ICCProfile {
    var profile = ParsedProfile(try ICCProfile(describing: .adobeRGB).bytes)
    profile.tags["gTRC"] =
      Array("para".utf8) + [0, 0, 0, 0, 0, 0, 0, 0] + ParsedProfile.bytes(78_643)
    return try ICCProfile(bytes: profile.bytes)
  }

  /// Expects that a picture's recipe reads as the same recipe, makes the same pixels and has a hash.
  private func expectRoundTrip(_ picture: Picture, _ step: String) throws {
    let recipe = try Recipe(picture, inputs: ["photo": photo])
    #expect(recipe.json.contains("\"\(step)\""), "\(recipe.json.prefix(400))")
    let read = try decoder.recipe(json: recipe.json)
    #expect(read == recipe)
    let again = try read.picture(["photo": photo])
    #expect(again.space == picture.space)
    #expect(try again.render(as: Float.self) == picture.render(as: Float.self))
    #expect(try picture.contentHash() == again.contentHash())
    #expect(try recipe.contentHash(of: ["photo": photo]) == picture.contentHash())
  }

  @Test(arguments: RenderingIntent.allCases)
  func conversionsThroughLookupTablesHaveRecipes(intent: RenderingIntent) throws {
    let profile = try tableProfile()
    let rendering = ProfileRendering(
      intent: intent, blackPointCompensation: intent == .relativeColorimetric)
    let stored = try photo.converted(to: .profile(profile), by: rendering)
    try expectRoundTrip(stored, "convert-by-profile")
    // From the tables to a space, by the same intent.
    try expectRoundTrip(
      try stored.converted(to: .space(.sRGB), by: rendering), "convert-by-profile")
    try expectRoundTrip(
      photo.converted(to: try profile.colorSpace(intent: intent)).exposure(0.5), "convert")
  }

  /// Without lookup tables, only the absolute intent differs from a conversion between spaces, whose recipe stays as it was.
  @Test func absoluteConversionsOfSpacesHaveRecipes() throws {
    let absolute = ProfileRendering(intent: .absoluteColorimetric)
    try expectRoundTrip(
      try photo.converted(to: .space(.proPhoto), by: absolute), "convert-by-profile")
    let relative = try photo.converted(to: .space(.proPhoto), by: ProfileRendering())
    #expect(try Recipe(relative) == Recipe(photo.converted(to: .proPhoto)))
  }

  @Test func spacesOfProfilesHaveRecipes() throws {
    for profile in [try tableProfile(), try tableProfile("GRAY"), try curvesProfile()] {
      let space = try profile.colorSpace()
      try expectRoundTrip(photo.tagged(as: space), "tag")
      try expectRoundTrip(photo.converted(to: space), "convert")
      try expectRoundTrip(photo.converted(to: space.withColors), "convert")
    }
  }

  /// A picture of a file with such a profile has a content hash, which depends on the intent of the tables.
  @Test func sourcesInSpacesOfProfilesHaveHashes() throws {
    let profile = try tableProfile()
    func hash(_ space: ColorSpace) throws -> ContentHash {
      try Picture(Bitmap<UInt8>(PixelSize(2, 2), in: space, channels: .rgb)).contentHash()
    }
    let relative = try hash(profile.colorSpace(intent: .relativeColorimetric))
    #expect(try relative == hash(profile.colorSpace(intent: .relativeColorimetric)))
    #expect(try relative != hash(profile.colorSpace(intent: .perceptual)))
    #expect(try relative != hash(.sRGB))
  }

  @Test func valuesOfProfilesMayBeShort() throws {
    let profile = try tableProfile()
    let text = Data(profile.bytes).base64EncodedString()
    let recipe = try decoder.recipe(
      json: #"{"version": 1, "steps": [{"convert": {"to": {"profile": "\#(text)"}}}]}"#)
    #expect(try recipe.picture(["input": photo]).space == profile.colorSpace())
    let short = try decoder.recipe(
      json: #"{"version": 1, "steps": [{"convert-by-profile": {"to": {"profile": "\#(text)"}}}]}"#)
    let expected = try photo.converted(to: .profile(profile), by: ProfileRendering())
    #expect(
      try short.picture(["input": photo]).render(as: Float.self) == expected.render(as: Float.self))
  }

  @Test func unusableProfilesAreErrors() throws {
    let ink = Data(
      TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2).bytes
    ).base64EncodedString()
    let rgb = Data(try tableProfile().bytes).base64EncodedString()
    for value in [
      #"{"profile": "AAAA"}"#, #"{"profile": 1}"#, #"{"profile": "\#(ink)"}"#,
      #"{"profile": "\#(rgb)", "gray": true}"#,
      #"{"profile": "\#(ink)", "intent": "none"}"#,
    ] {
      #expect(throws: RecipeDecodingError.self) {
        try decoder.recipe(json: #"{"version": 1, "steps": [{"tag": {"as": \#(value)}}]}"#)
      }
    }
    // The profile is read as what it is, and the conversion to ink channels is an error of rendering.
    let recipe = try decoder.recipe(
      json: #"{"version": 1, "steps": [{"convert-by-profile": {"to": {"profile": "\#(ink)"}}}]}"#)
    let picture = try recipe.picture(["input": photo])
    #expect(throws: RenderError.self) { try picture.render(as: UInt8.self) }
  }

  /// The default catalog names the one that reads a filter or a space of profiles.
  @Test func otherCatalogsNameTheOneWithProfiles() throws {
    let words = "RecipeDecoder(catalog: .withProfiles)"
    let converted = try photo.converted(
      to: .profile(tableProfile()), by: ProfileRendering())
    for picture in [
      converted, photo.tagged(as: try tableProfile().colorSpace()),
      try photo.softProof(on: ICCProfile(describing: .adobeRGB)),
    ] {
      let json = try picture.recipe().recipe.json
      let error = #expect(throws: RecipeDecodingError.self) { try Recipe(json: json) }
      #expect(error.map { "\($0)".contains(words) } == true, "\(error as Any)")
      let coded = #expect(throws: RecipeDecodingError.self) {
        try JSONDecoder().decode(Recipe.self, from: Data(json.utf8))
      }
      #expect(coded.map { "\($0)".contains(words) } == true, "\(coded as Any)")
      let coder = JSONDecoder()
      coder.userInfo[try #require(CodingUserInfoKey.recipeDecoder)] = decoder
      #expect(try coder.decode(Recipe.self, from: Data(json.utf8)) == decoder.recipe(json: json))
    }
  }

  /// The filters that errors look for in the catalog with profiles are those that it has beyond the built-in ones.
  @Test func listOfFiltersElsewhereIsComplete() {
    let (all, known) = (FilterCatalog.withProfiles, FilterCatalog.builtIn)
    #expect(FilterCatalog.Elsewhere.filters == Set(all.names).subtracting(known.names))
    #expect(known.spaceReaders.isEmpty)
    #expect(FilterCatalog.Elsewhere.spaces == Set(all.spaceReaders.keys))
  }
}
