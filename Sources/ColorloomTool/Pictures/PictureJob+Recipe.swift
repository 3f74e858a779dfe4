import Colorloom
import ImageFiles

extension PictureJob {
  /// `--save-recipe`: a file for the steps as a recipe. Options for reading that `run` does not have are excluded.
  static var recipeArgument: Argument<PictureJob> {
    .option(
      "--save-recipe", .path.named("FILE"),
      "also write the steps as a recipe for “run”, without the options for reading and writing",
      \.recipePath
    ).excluding("--out", "--as-stored", "--ink", "--gain-maps", "--salvage")
  }

  /// Throws where the recipe cannot be written, which is known before the picture is read.
  func checkRecipePath(in session: Session) throws {
    guard let recipePath else { return }
    if steps.areNone {
      throw Misuse(
        "“--save-recipe” writes the steps of the command, and there are none. Add steps, such as --fit 2048."
      )
    }
    try check("--save-recipe", recipePath)
    try session.reserveOutput(for: recipePath, hasReport: printsJSON)
    try checkWriting(to: recipePath)
  }

  /// Returns the recipe that leads from the source to its picture after the steps, as JSON; nil where none is to be saved.
  func recipe(
    of picture: Picture, from source: Picture, in file: OpenedImageFile, _ session: Session
  ) throws -> String? {
    guard let recipePath else { return nil }
    let recipe: Recipe
    do { recipe = try Recipe(picture, inputs: ["photo": source]) } catch {
      throw Failure("“\(recipePath)” cannot hold the steps: \(error)")
    }
    if recipe.inputs.count > 1 {
      // “run” would align the pictures once more than the recipe.
      if DataWindow(of: file.info, at: input) != nil {
        throw Failure(
          "“\(recipePath)” cannot hold the steps: “\(input)” is an OpenEXR file, and “run” aligns further pictures to its data window "
            + "by itself. Leave out --save-recipe, or the steps with further pictures.")
      }
      session.note(
        "“\(recipePath)” takes \(recipe.inputs.count) pictures: pass “run” the photo, then the further pictures in the order of the steps."
      )
    } else if recipe.inputs.isEmpty {
      session.note("“\(recipePath)” takes no picture, because the steps replace “\(input)”.")
    }
    if steps.makeGrays(of: picture), !file.info.channels.isGray {
      session.note(
        "“run” writes the grays of “\(recipePath)” as three equal channels, unless it has a --to of the gray space, too."
      )
    }
    return recipe.json
  }

  /// Refuses to save the conversion to ink channels.
  func refuseRecipeOfInks() throws {
    guard recipePath != nil else { return }
    throw Misuse(
      "“--save-recipe” cannot hold a conversion to ink channels. Leave it out, and give “run” the --to of the profile."
    )
  }

  /// Writes the recipe, if there is one, after the picture at a path.
  func save(recipe: String?, of picture: String, in session: Session) throws {
    guard let recipe, let recipePath else { return }
    try session.write(recipe, to: recipePath, about: [picture])
    Tool.resultsWritten?.add(recipePath)
  }
}
