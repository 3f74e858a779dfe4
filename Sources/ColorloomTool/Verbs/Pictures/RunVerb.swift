import Colorloom
import ImageFiles

final class RunVerb: Verb {
  static let name = "run"
  static let summary = "run a recipe"
  static let discussion = """
    A recipe is JSON: steps by the names of filters, with their parameters. Name the pictures to read first, in the order of the \
    recipe's inputs, then those to write, in the alphabetical order of its results. All are written in one pass, with the metadata and \
    sample format of the first picture. --layer-name is for each picture to read. \
    \(PictureSteps.order) Steps on the command line are applied to each result of the recipe.
    """
  static let example = "colorloom run grade.json photo.png print.png"
  static var arguments: [Argument<RunVerb>] {
    [
      .positional(.path.named("RECIPE"), "the recipe", \.recipe),
      .rest(.path.named("FILE"), "the pictures to read, then those to write", \.files),
      .assume(\.steps.assumed),
      .layerName(\.layer),
      .existing(\.existing),
    ] + PictureSteps.arguments.map { $0.within(\.steps) }
      + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var recipe = ""
  var files: [String] = []
  var steps = PictureSteps()
  var layer: String?
  var existing = ExistingResults.replace
  var writing = PictureOutput()
  var stepsAreOfFiles: Bool { steps.areNone || steps.areOfFiles }
  private var assumed: Assumption? { steps.assumed }

  private struct Report: Encodable {
    /// The hash of the recipe.
    let recipe: String
    let files: [WrittenFile]
  }

  func run(in session: Session) throws {
    let file = RecipeFile(recipe, limits: session.settings.fileLimits)
    let recipe = try file.recipe()
    session.noteChoices()
    let outputs = recipe.outputs.isEmpty ? ["the result"] : recipe.outputs
    guard files.count == recipe.inputs.count + outputs.count else {
      let count = recipe.inputs.count + outputs.count
      let names = recipe.inputs.joined(separator: ", ") + (recipe.inputs.isEmpty ? "" : ", and ")
      throw Misuse(
        "“\(self.recipe)” needs \(count == 1 ? "1 file" : "\(count) files"): \(names)to write "
          + "\(outputs.joined(separator: ", ")); got \(files.count).\(session.settings.hintOnSteps)"
      )
    }
    try checkUses(of: Array(files.prefix(recipe.inputs.count)), for: outputs)
    let paths = Array(files.dropFirst(recipe.inputs.count))
    try existing.check(paths)
    if existing.keeps(paths) {
      return existing.report(paths, asJSON: writing.printsJSON, in: session)
    }
    let progress = session.progressLine()
    let sources = try files.prefix(recipe.inputs.count).map { path in
      (
        path: path,
        file: try session.open(path, layer: layer, inks: steps.inks, assuming: assumed)
      )
    }
    let inputs = try sources.map {
      try session.picture(in: $0.file, at: $0.path, assuming: assumed)
    }
    for source in sources where source.file.info.gainMap != nil {
      session.noteOmittedGainMap(of: source.path, because: "“run” reads the base picture only")
    }
    // As of steps with several pictures, the first one is the source.
    let metadata =
      sources.first.map {
        writing.metadata(of: $0.file.info, at: $0.path, hasSameLight: false, in: session)
      } ?? ImageMetadata()
    let results = try file.pictures(of: inputs)
    var later = steps.following(recipe)
    if sources.count == 1 { later = later.reading(sources[0].file.info) }
    let source = sources.count == 1 ? sources[0].path : nil
    let samples = later.develop ? nil : sources.first?.file.info.storedSamples
    let staysGray =
      !inputs.isEmpty && recipe.keepsGray && sources.allSatisfy { $0.file.info.channels.isGray }
    let readsInks = sources.contains { $0.file.info.holdsInks }
    let written = try zip(results, files.dropFirst(inputs.count)).map { result, path in
      let changed = try later.changed(
        result.picture, at: source, ofInks: readsInks, in: session)
      let picture = changed.picture
      let isOnlyResized =
        changed.isOnlyResized && file.keepsPlace && result.picture.region == inputs.first?.region
      let framed = writing.framed(
        metadata, for: picture, at: path, of: files[0],
        resizedBy: isOnlyResized ? later : nil, in: session)
      let isGray =
        staysGray && later.keepGray(of: inputs, in: picture) || later.makeGrays(of: picture)
      let file = try writing.file(
        picture, at: path, keeping: framed, madeFrom: inputs.first, isGray: isGray,
        sourceSamples: samples)
      return (name: result.name, file: file)
    }
    let reports = try writing.write(written.map(\.file), in: session, progress: progress)
    guard writing.printsJSON else { return }
    session.print(
      json: Report(
        recipe: recipe.contentHash.digits,
        files: zip(written, reports).map { written, report in
          var file = WrittenFile(written.file, report)
          file.name = written.name
          return file
        }))
  }

  /// Throws where a result would replace a file that is read, or another result. A single one may replace a single input.
  private func checkUses(of inputs: [String], for outputs: [String]) throws {
    let paths = files.dropFirst(inputs.count)
    if inputs.count == 1, outputs.count == 1 {
      var uses = FileUses()
      return try uses.add(files[1], inPlaceOf: files[0])
    }
    var uses = FileUses(reading: inputs)
    for (output, path) in zip(outputs, paths) {
      try uses.add(outputs.count == 1 ? path : "\(output): \(path)", at: path)
    }
  }
}
