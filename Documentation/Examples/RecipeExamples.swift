import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// What the guide of recipes shows.
@Suite struct RecipeExamples {
  private let photo = Picture(
    TestPictures.codes(as: UInt8.self, PixelSize(432, 288), in: .displayP3))
  private let logo = Picture(TestPictures.floats(PixelSize(400, 200), in: .sRGB))

  /// The guide's page, and the texts of its fences of JSON.
  private func guide() throws -> (text: String, recipes: [String]) {
    let url = Fixtures.url("../Documentation/Guides/Recipes.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let recipes = text.components(separatedBy: "```json\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    return (text, recipes)
  }

  @Test func fromTheGuide() throws {
    let text = try guide().recipes[0]
    let recipe = try Recipe(json: text)
    let graded = try recipe.picture(["photo": photo])
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.8], [1, 1]])
    let expected = photo.exposure(0.5).toneCurve(curve).resized(to: .fit(432, 288))
      .converted(to: .displayP3)
    #expect(graded.plan == expected.plan)
  }

  @Test func fromAPicture() throws {
    let folder = try TemporaryFolder()
    let file = URL(filePath: folder.path("recipe.json"))
    let anotherPhoto = logo
    let edited = photo.exposure(0.5).resized(to: .fit(2048, 2048))
    let recipe = try Recipe(edited, inputs: ["photo": photo])
    try recipe.json.write(to: file, atomically: true, encoding: .utf8)
    let other = try recipe.picture(["photo": anotherPhoto])
    #expect(other.size == PixelSize(2048, 1024))
    #expect(try Recipe(json: String(contentsOf: file, encoding: .utf8)) == recipe)
  }

  @Test func severalResults() throws {
    let recipe = try Recipe(json: guide().recipes[1])
    let pictures = try recipe.pictures(["photo": photo, "logo": logo])
    let soft = photo.blurred(sigma: 8)
    let poster = logo.resized(to: .fit(200, 200)).composited(onto: soft, by: .screen)
    #expect(pictures["wide"]?.plan == poster.converted(to: .displayP3).plan)
    #expect(pictures["narrow"]?.plan == poster.fitted(into: .sRGB).plan)
  }

  @Test func mistakes() {
    do {
      _ = try Recipe(json: #"{"version": 1, "steps": [{"exposure": {"stops": "two"}}]}"#)
    } catch {
      print(error)  // steps[0].exposure.stops: expected a number, found "two".
    }
    let expected = RecipeDecodingError.mismatch(
      at: "steps[0].exposure.stops", expected: "a number", found: "\"two\"")
    #expect(throws: expected) {
      try Recipe(json: #"{"version": 1, "steps": [{"exposure": {"stops": "two"}}]}"#)
    }
  }

  @Test func filtersFromElsewhere() throws {
    var decoder = RecipeDecoder()
    decoder.catalog.add(Duotone.self)
    let twoTones = try decoder.recipe(
      json:
        #"{"version": 1, "steps": [{"duotone": {"shadow": [0.1, 0, 0.2], "light": [1, 1, 0.6]}}]}"#
    )
    let expected = photo.duotone(shadow: [0.1, 0, 0.2], light: [1, 1, 0.6])
    #expect(try twoTones == Recipe(expected))
    #expect(try twoTones.picture(["input": photo]).plan == expected.plan)
  }

  @Test func coreImage() throws {
    let chain = try Recipe(coreImage: [
      CoreImageFilter("CIExposureAdjust", ["inputEV": .number(0.5)]),
      CoreImageFilter("CIVibrance", ["inputAmount": .number(0.4)]),
    ])
    let result = try chain.picture(["image": photo])
    let same = photo.converted(to: .sRGB).exposure(0.5).vibrance(0.4)
    #expect(result.plan == same.plan)
  }

  @Test func hashes() throws {
    let recipe = try Recipe(photo.exposure(0.5), inputs: ["photo": photo])
    let key = try photo.exposure(0.5).contentHash()
    let same = try recipe.contentHash(of: ["photo": photo])
    #expect(key == same)
  }
}
