import Colorloom
import ImageFiles

struct RunVerb: Verb {
  static let name = "run"
  static let summary = "runs a recipe"
  static let discussion = """
    A recipe is JSON: steps by the names of filters, with their parameters. First come the pictures that it takes, in the order of its \
    inputs, then those to write, in the alphabetical order of its results. All are written in one pass.
    """
  static let example = "colorloom run grade.json photo.png print.png"
  static var arguments: [Argument<RunVerb>] {
    [
      .positional(.path.named("RECIPE"), "the recipe", \.recipe),
      .rest(.path.named("FILE"), "the pictures to read, and then those to write", \.files),
      .option("--assume", .space, "what untagged files mean", \.assumed),
      .flag("--json", "what was written, as a JSON object", \.printsJSON),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var recipe = ""
  var files: [String] = []
  var assumed: ColorSpace?
  var printsJSON = false
  var writing = PictureOutput()

  private struct Report: Encodable {
    /// The hash of what the recipe does.
    let recipe: String
    let files: [File]

    struct File: Encodable {
      let file: String
      let name: String?
      let width, height: Int
      let space: String
    }
  }

  func run(in session: Session) throws {
    let file = RecipeFile(recipe)
    let recipe = try file.recipe()
    let outputs = recipe.outputs.isEmpty ? ["the result"] : recipe.outputs
    guard files.count == recipe.inputs.count + outputs.count else {
      throw Misuse(
        "“\(self.recipe)” needs \(recipe.inputs.count + outputs.count) files: "
          + (recipe.inputs + ["and to write \(outputs.joined(separator: ", "))"])
          .joined(separator: ", ") + "; got \(files.count).")
    }
    let progress = session.progressLine()
    let inputs = try files.prefix(recipe.inputs.count).map {
      try session.picture(at: $0, assuming: assumed)
    }
    let results = try file.pictures(of: inputs)
    let written = zip(results, files.dropFirst(inputs.count)).map { result, path in
      (name: result.name, file: writing.file(result.picture, at: path))
    }
    try writing.write(written.map(\.file), in: session, progress: progress)
    guard printsJSON else { return }
    session.print(
      json: Report(
        recipe: recipe.contentHash.digits,
        files: written.map { name, file in
          Report.File(
            file: file.path, name: name, width: file.picture.size.width,
            height: file.picture.size.height, space: file.picture.space.name)
        }))
  }
}
