import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// `convert --save-recipe`: steps of a command line as a recipe.
@Suite struct SavedRecipeTests {
  private let folder: TemporaryFolder
  private let input, output, recipe, again: String

  init() throws {
    folder = try TemporaryFolder()
    (input, output) = (folder.path("in.png"), folder.path("out.png"))
    (recipe, again) = (folder.path("steps.json"), folder.path("again.png"))
    let photo = TestPictures.codes(
      as: UInt16.self, PixelSize(48, 36), in: .displayP3, channels: .rgb)
    try ImageFile.write(.uint16(photo), to: input)
  }

  private func data(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test(arguments: [
    ["--exposure", "0.5", "--fit", "20", "--to", "sRGB"],
    ["--to", "linear-srgb", "--gaussian-blur", "1.5", "--to", "rec2020", "--gamut", "clipped"],
    ["--curve", "0,0 .25,.2 1,1", "--crop", "2,3,20x10", "--thumbnail", "12"],
    ["--resize", "50%", "--kernel", "mitchell", "--invert"],
    ["--trim", "--auto-levels", "--rotate", "30"],
  ])
  func runGivesTheSameBytes(steps: [String]) throws {
    let converted = run(["convert", input, output, "--save-recipe", recipe] + steps)
    #expect(converted.status == .done, "\(converted.errors)")
    #expect(run("run", recipe, input, again).status == .done)
    #expect(try data(again) == data(output))
    // Options for writing are no part of it.
    let (photo, copy) = (folder.path("out.jpg"), folder.path("again.jpg"))
    let writing = ["--quality", "70", "--samples", "uint8", "--background", "white"]
    #expect(
      run(["convert", input, photo, "--save-recipe", recipe] + steps + writing).status == .done)
    #expect(run(["run", recipe, input, copy] + writing).status == .done)
    #expect(try data(copy) == data(photo))
  }

  @Test func furtherPicturesAreInputsInTheOrderOfTheSteps() throws {
    let marks = try ["first", "second"].enumerated().map { index, name in
      let mark = Bitmap<UInt8>(PixelSize(9, 7), in: .sRGB, channels: .rgba) { x, y in
        [UInt8(200 * index), UInt8(20 * x), UInt8(30 * y), 160]
      }
      try ImageFile.write(.uint8(mark), to: folder.path("\(name).png"))
      return folder.path("\(name).png")
    }
    let steps = ["--layer", marks[0], "--exposure", "1", "--layer", "\(marks[1]),at=[5,4]"]
    let converted = run(["convert", input, output, "--save-recipe", recipe] + steps)
    #expect(converted.status == .done, "\(converted.errors)")
    #expect(
      converted.errors.contains(
        "“\(recipe)” takes 3 pictures: pass “run” the photo, then the further pictures in the order of the steps."
      ))
    let repeated = run(["run", recipe, input] + marks + [again])
    #expect(repeated.status == .done, "\(repeated.errors)")
    #expect(try data(again) == data(output))
  }

  /// Nothing is written by a command that is refused, or that only shows its plan.
  @Test func recipesThatCannotBeSavedAreRefused() throws {
    try Data("kept".utf8).write(to: URL(filePath: recipe))
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    for (words, status, sentence) in [
      (["convert", input, output], Outcome.misused, "there are none. Add steps"),
      (["convert", input, recipe, "--format", "png", "--invert"], .misused, "name the same file"),
      (
        ["convert", input, "--out", folder.path("{name}-2.png"), "--invert"], .misused,
        "“--out”"
      ),
      (["convert", input, output, "--as-stored", "--invert"], .misused, "“--as-stored”"),
      (
        ["convert", input, folder.path("o.tif"), "--to", press], .misused,
        "cannot hold a conversion to ink channels"
      ),
      (
        ["convert", input, output, "--invert", "--existing", "refuse"], .failed, "exists"
      ),
    ] {
      let refused = run(words + ["--save-recipe", recipe])
      #expect(refused.status == status, "\(words): \(refused.status)")
      #expect(refused.complaint.contains(sentence), "\(words): \(refused.complaint)")
    }
    #expect(
      run("convert", input, output, "--invert", "--plan", "--save-recipe", recipe).status == .done)
    #expect(!exists(output) && !exists(folder.path("o.tif")))
    #expect(try data(recipe) == Data("kept".utf8))
    let replacing = run("convert", input, output, "--invert", "--save-recipe", input)
    #expect(replacing.status == .misused && replacing.complaint.contains("would replace"))
  }

  /// The picture is complete and of use without the recipe.
  @Test func aRecipeThatCannotBeWrittenLeavesThePicture() {
    let refused = run("convert", input, output, "--invert", "--save-recipe", "/dev/full")
    #expect(refused.status == .failed)
    #expect(
      refused.complaint.hasSuffix("The picture was written nevertheless: “\(output)”."),
      "\(refused.errors)")
    #expect(exists(output))
  }

  /// A recipe does not say that its result is gray.
  @Test func graysOfColorsNeedTheOptionAgain() throws {
    let words = ["convert", input, output, "--to", "sGray", "--save-recipe", recipe]
    let converted = run(words)
    #expect(converted.status == .done)
    #expect(converted.errors.count == 1 && converted.errors[0].contains("--to of the gray space"))
    #expect(run("run", recipe, input, again, "--to", "sGray").status == .done)
    #expect(try data(again) == data(output))
  }
}
