import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// Errors of rendering name the step of the recipe that cannot be rendered, as errors of its text do.
@Suite struct RecipeStepErrorTests {
  private let photo = Picture(Bitmap<UInt8>(PixelSize(61, 37), in: .sRGB))

  /// What rendering the result of a recipe's steps throws.
  private func sentence(steps: String, of picture: Picture? = nil) throws -> String {
    let recipe = try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": [\#(steps)]}"#)
    let result = try recipe.picture(["photo": picture ?? photo])
    let error = #expect(throws: RenderError.self) { try result.render(as: UInt8.self) }
    return error.map { "\($0)" } ?? ""
  }

  private static let small = #"{"crop": {"to": [0, 0, 20, 20]}}"#
  private static let outside = #"{"crop": {"to": [30, 30, 5, 5]}}"#
  private static let words =
    "The region 5 × 5 at (30, 30) to crop to lies outside of the picture, which is 20 × 20 at (0, 0)."

  @Test func errorsOfStepsSayWhichOne() throws {
    let steps = "\(Self.small), \"invert\", \(Self.outside), {\"rotate\": {\"degrees\": 90}}"
    #expect(try sentence(steps: steps) == "steps[2].crop: \(Self.words)")
    let recipe = try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": [\#(steps)]}"#)
    let cause = RecipeError.regionOutside(
      Region(x: 30, y: 30, width: 5, height: 5), picture: Region(PixelSize(20, 20)))
    let result = try recipe.picture(["photo": photo])
    #expect(throws: RenderError.recipe(.step(at: "steps[2].crop", cause))) {
      try result.render(as: UInt8.self)
    }
    #expect(result.plan == "cannot run: steps[2].crop: \(Self.words)")
  }

  /// The first error wins, also where a later step reads a picture with an error and a sound one.
  @Test func laterStepsKeepTheFirstError() throws {
    let steps = """
      {"name": "a", "crop": {"to": [0, 0, 20, 20]}}, {"name": "b", "crop": {"to": [30, 30, 5, 5]}},
      {"from": ["a", "b"], "layer": {}}, {"crop": {"to": [90, 90, 1, 1]}}
      """
    #expect(try sentence(steps: steps) == "steps[1].crop: \(Self.words)")
  }

  @Test func errorsOfThePicturesAreNotThoseOfSteps() throws {
    let wrong = photo.cropped(to: Region(PixelSize(20, 20)))
      .cropped(to: Region(x: 30, y: 30, width: 5, height: 5))
    #expect(try sentence(steps: "\"invert\", \(Self.outside)", of: wrong) == Self.words)
  }

  /// Recipes of pictures have no text; their steps are counted as the text would have them.
  @Test func recipesOfPicturesCountTheirSteps() throws {
    let part = Region(x: 40, y: 5, width: 9, height: 9)
    let recipe = try Recipe(photo.exposure(1).cropped(to: part), inputs: ["photo": photo])
    let smaller = Picture(Bitmap<UInt8>(PixelSize(8, 8), in: .sRGB))
    let cause = RecipeError.regionOutside(part, picture: Region(PixelSize(8, 8)))
    let result = try recipe.picture(["photo": smaller])
    #expect(throws: RenderError.recipe(.step(at: "steps[1].crop", cause))) {
      try result.render(as: UInt8.self)
    }
  }

  /// Core Image filters that become several steps are named by their own places in the text.
  @Test func stepsOfCoreImageFiltersAreNamedByTheirText() throws {
    let filters = """
      {"CIColorInvert": {}}, {"CICrop": {"inputRectangle": [0, 0, 20, 20]}},
      {"CICrop": {"inputRectangle": [30, 30, 5, 5]}}
      """
    let recipe = try Recipe(json: #"{"version": 1, "coreImage": [\#(filters)]}"#)
    let result = try recipe.picture(["image": photo])
    #expect(result.plan.hasPrefix("cannot run: coreImage[2].CICrop."), "\(result.plan)")
  }

  private static let mirrored = #"{"extend": {"by": "mirrored"}}"#

  /// A picture without an end is found when it is rendered; the step that made it so is to blame, not those after it.
  @Test func infiniteExtentIsTheErrorOfItsStep() throws {
    let steps = "\"invert\", \(Self.mirrored), \"invert\""
    #expect(try sentence(steps: steps) == "steps[1].extend: \(RecipeError.endless)")
    let recipe = try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": [\#(steps)]}"#)
    let located = RenderError.recipe(.step(at: "steps[1].extend", .endless))
    let result = try recipe.picture(["photo": photo])
    #expect(throws: located) { try ReferenceEvaluator().render(result) }
    // A step outside of the recipe is none of its steps.
    let sound = try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": ["invert"]}"#)
    let extended = try sound.picture(["photo": photo]).extended(by: .mirrored)
    #expect(throws: RenderError.recipe(.endless)) { try extended.render(as: UInt8.self) }
    #expect(throws: RenderError.recipe(.endless)) {
      try sound.picture(["photo": photo.extended(by: .mirrored)]).render(as: UInt8.self)
    }
  }

  /// Also where a later step makes the picture small again.
  @Test(arguments: ["\"invert\"", "{\"crop\": {\"to\": [0, 0, 9, 9]}}"])
  func tooManyPixelsAreTheErrorOfTheirStep(last: String) throws {
    let steps =
      "\"invert\", {\"resize\": {\"to\": {\"fill\": [200, 200]}}}, {\"gaussian-blur\": {\"sigma\": 2}}, \(last)"
    let recipe = try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": [\#(steps)]}"#)
    let square = Picture(Bitmap<UInt8>(PixelSize(50, 50), in: .sRGB))
    var options = RenderOptions()
    options.pixelLimit = 2500
    let cause = RecipeError.tooManyPixels(width: 200, height: 200, limit: 2500)
    #expect(throws: RenderError.recipe(.step(at: "steps[1].resize", cause))) {
      try recipe.picture(["photo": square]).render(as: UInt8.self, options: options)
    }
    // A picture that is too large before the recipe is no fault of a step.
    options.pixelLimit = 2499
    let whole = RecipeError.tooManyPixels(width: 50, height: 50, limit: 2499)
    let sound = try Recipe(json: #"{"version": 1, "inputs": ["photo"], "steps": ["invert"]}"#)
    #expect(throws: RenderError.recipe(whole)) {
      try sound.picture(["photo": square]).render(as: UInt8.self, options: options)
    }
  }

  /// Scans that show no film.
  @Test(arguments: [(UInt8(0), NoFilm.onlyBlack), (255, .onlyLamp)])
  func missingFilmIsTheErrorOfItsStep(code: UInt8, reason: NoFilm) throws {
    let scan = Bitmap<UInt8>(PixelSize(16, 12), in: .sRGB, channels: .rgb) { _, _ in
      [code, code, code]
    }
    let sentence = try sentence(steps: #"{"exposure": {"stops": 0}}, "develop""#, of: Picture(scan))
    #expect(sentence == "steps[1].develop: \(reason)")
  }

  /// Tones that are measured when the picture is rendered.
  @Test func errorsOfMeasurementsNameTheStep() throws {
    let scan = Bitmap<UInt8>(PixelSize(8, 8), in: .sRGB, channels: .rgb) { x, _ in
      [200, 150, 100 + UInt8(x)]
    }
    let sentence = try sentence(
      steps: #""invert", {"develop": {"offset": [0, 0, -400]}}"#, of: Picture(scan))
    #expect(sentence.hasPrefix("steps[1].develop: "), "\(sentence)")
  }
}
