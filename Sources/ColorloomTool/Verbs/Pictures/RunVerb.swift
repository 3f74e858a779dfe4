import Colorloom
import ImageFiles

final class RunVerb: Verb {
  static let name = "run"
  static let summary = "run a recipe"
  static let discussion = """
    A recipe is JSON: steps by the names of filters, with their parameters. Name the pictures to read first, in the order of the \
    recipe's inputs, then those to write, in the alphabetical order of its results. All are written in one pass, with the metadata and \
    sample format of the first picture. --page and --layer-name are for each picture to read. \
    OpenEXR files are aligned to the first one by their data windows. \
    \(PictureSteps.order) Steps on the command line are applied to each result of the recipe.
    """
  static let example = "colorloom run grade.json photo.png print.png"
  static var arguments: [Argument<RunVerb>] {
    [
      .positional(.path.named("RECIPE"), "the recipe", \.recipe),
      .rest(.path.named("FILE"), "the pictures to read, then those to write", \.files),
      .assume(\.steps.assumed),
      .page(\.page, "the page of each picture to read; default: the first"),
      .layerName(\.layer),
      .existing(\.existing),
    ] + PictureSteps.arguments.map { $0.within(\.steps) }
      + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var recipe = ""
  var files: [String] = []
  var steps = PictureSteps()
  var page: Int?
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
    try checkCount(for: recipe.inputs, outputs, in: session)
    try checkUses(of: Array(files.prefix(recipe.inputs.count)), for: outputs)
    let paths = Array(files.dropFirst(recipe.inputs.count))
    try existing.check(paths)
    if existing.keeps(paths) {
      return existing.report(paths, asJSON: writing.printsJSON, in: session)
    }
    let progress = session.progressLine()
    let written = try results(of: file, recipe, at: paths, in: session)
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

  /// The files that are read, and their pictures.
  private struct Inputs {
    let files: [(path: String, file: OpenedImageFile)]
    let pictures: [Picture]

    /// The only file; nil where there are none or several.
    var single: (path: String, file: OpenedImageFile)? { files.count == 1 ? files[0] : nil }
    var areGray: Bool {
      !files.isEmpty && files.allSatisfy { $0.file.info.channels.isGray }
    }
    var holdInks: Bool { files.contains { $0.file.info.holdsInks } }
  }

  private func inputs(_ count: Int, in session: Session) throws -> Inputs {
    let opened = try files.prefix(count).map { path in
      (
        path: path,
        file: try session.open(
          path, page: page, layer: layer, inks: steps.inks, assuming: assumed)
      )
    }
    let pictures = session.aligned(
      try opened.map {
        (
          try session.picture(in: $0.file, at: $0.path, assuming: assumed, page: page),
          DataWindow(of: $0.file.info, at: $0.path)
        )
      })
    for input in opened where input.file.info.gainMap != nil {
      session.noteOmittedGainMap(of: input.path, because: "“run” reads the base picture only")
    }
    return Inputs(files: opened, pictures: pictures)
  }

  /// Reads the inputs, and returns the files to write, each with the name of its result.
  private func results(
    of file: RecipeFile, _ recipe: Recipe, at paths: [String], in session: Session
  ) throws -> [(name: String?, file: PictureFile)] {
    let inputs = try inputs(recipe.inputs.count, in: session)
    let (first, single) = (inputs.files.first, inputs.single)
    // As of steps with several pictures, the first one is the source.
    let metadata =
      first.map {
        writing.metadata(of: $0.file.info, at: $0.path, hasSameLight: false, in: session)
      } ?? ImageMetadata()
    let results = try file.pictures(of: inputs.pictures)
    var window = first.flatMap { DataWindow(of: $0.file.info, at: $0.path) }
    window?.isInPlace = file.keepsPlace
    let following = steps.following(recipe).beside(window)
    let later = single.map { following.reading($0.file.info) } ?? following
    let staysGray = recipe.keepsGray && inputs.areGray
    return try zip(results, paths).map { result, path in
      let changed = try later.changed(
        result.picture, at: single?.path, ofInks: inputs.holdInks, in: session)
      let picture = changed.picture
      if let single {
        session.noteConvertedInks(
          of: single.file, at: single.path, from: inputs.pictures[0], to: picture, by: later,
          canKeep: false)
      }
      let isOnlyResized =
        changed.isOnlyResized && file.keepsPlace
        && result.picture.region == inputs.pictures.first?.region
      let framed = writing.framed(
        metadata, for: picture, at: path, of: files[0],
        resizedBy: isOnlyResized ? later : nil, in: session)
      let isGray =
        staysGray && later.keepGray(of: inputs.pictures, in: picture)
        || later.makeGrays(of: picture)
      let file = try writing.file(
        picture, at: path, keeping: framed, madeFrom: inputs.pictures.first, isGray: isGray,
        sourceSamples: later.develop ? nil : first?.file.info.storedSamples)
      return (name: result.name, file: file)
    }
  }

  /// Throws where there is not one file for each input and each result.
  private func checkCount(
    for inputs: [String], _ outputs: [String], in session: Session
  ) throws {
    let count = inputs.count + outputs.count
    guard files.count != count else { return }
    let names = inputs.joined(separator: ", ") + (inputs.isEmpty ? "" : ", and ")
    throw Misuse(
      "“\(recipe)” needs \(count == 1 ? "1 file" : "\(count) files"): \(names)to write "
        + "\(outputs.joined(separator: ", ")); got \(files.count).\(session.settings.hintOnSteps)")
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
