import Colorloom
import ImageFiles

/// A picture that is read from a file, passed through steps and written: shared by the verbs for pictures.
struct PictureJob {
  private(set) var input = ""
  private(set) var output: String?
  private var steps = PictureSteps()
  private var assumed: Assumption?
  private(set) var writing = PictureOutput()
  private(set) var showsPlanOnly = false
  private(set) var isAsStored = false
  private var page: Int?
  private var salvages = false
  /// Further input paths, and the options for several outputs.
  private var more: [String] = []
  private var many = ManyPictures()

  var printsJSON: Bool { writing.printsJSON }

  static var arguments: [Argument<PictureJob>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .positional(.path.named("OUT"), "the picture to write; not needed with --plan", \.output),
      .rest(.path.named("MORE"), "with --out: all names are pictures to read, or folders", \.more),
    ] + PictureSteps.arguments.map { $0.within(\.steps) } + [
      .option("--assume", .assumption, "what an untagged file means", \.assumed),
      .option(
        "--page", .wholeNumber(from: 1),
        "the page of a TIFF, or picture of a HEIF, to read; the first or primary one if not given",
        \.page),
      .flag(
        "--as-stored",
        "leave pixels as the file holds them, and keep the orientation tag; CMYK and n-color channels keep their values",
        \.isAsStored),
      .flag(
        "--salvage", "read what is there of a truncated or damaged file, and say how much that is",
        \.salvages),
      .flag("--plan", "only show what would run", \.showsPlanOnly),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
      + ManyPictures.arguments.map { $0.within(\.many) }
  }

  /// Reads the picture, applies `beginning` and the steps, writes the result, and reports it.
  func run(in session: Session, beginning: ((Picture) throws -> Picture)? = nil) throws {
    if isOfMany { return try runMany(in: session, beginning: beginning) }
    if let written = try write(in: session, beginning: beginning), printsJSON {
      session.print(json: written)
    }
  }

  /// Whether there may be several inputs.
  var isOfMany: Bool { many.pattern != nil || !more.isEmpty }

  private func runMany(
    in session: Session, beginning: ((Picture) throws -> Picture)?
  ) throws {
    guard many.pattern != nil else {
      throw Misuse(
        "There are \(2 + more.count) names, and one picture is written to one file. Where many pictures go, --out "
          + "says, such as --out “small/{name}.png”.")
    }
    let paths = [input] + (output.map { [$0] } ?? []) + more
    try many.run(paths, in: session, showingPlans: showsPlanOnly, printingJSON: printsJSON) {
      input, output, session in
      var one = self
      (one.input, one.output) = (input, output)
      return try one.write(in: session, beginning: beginning)
    }
  }

  /// Runs the job without the report; returns what was written, nil where only the plan was shown.
  func write(
    in session: Session, beginning: ((Picture) throws -> Picture)? = nil,
    writingBy pass: PictureOutput.Pass = { try Picture.write($0, options: $1) }
  ) throws -> WrittenFile? {
    if output == nil, !showsPlanOnly {
      throw Misuse("A second file is needed, to write to; only --plan does without.")
    }
    if let output { try many.checkFolders(of: [output], onlyPlanned: showsPlanOnly) }
    let progress = session.progressLine()
    let file = try session.open(
      input, page: page, inks: steps.inks, assuming: assumed, salvaging: salvages)
    defer { if let salvage = file.salvage { session.console.complain("\(salvage)") } }
    if isAsStored, beginning == nil, let inks = try file.inkPicture(isUpright: false) {
      session.tellAssumption(assumed, of: file, at: input)
      return try write(
        steps.changed(inks, at: input, in: session), of: file, progress, in: session)
    }
    let source = try session.picture(
      in: file, at: input, assuming: assumed, isUpright: !isAsStored, page: page)
    let begun = try beginning?(source) ?? source
    let (picture, separation) = try steps.separated(
      begun, ofInks: file.info.holdsInks, in: session)
    if let separation {
      return try write(picture, by: separation, of: file, progress, in: session)
    }
    guard let output else {
      try showPlan(of: picture, in: session)
      try session.check([picture])
      return nil
    }
    let hasSameSpace = beginning == nil && picture.space == source.space
    let metadata = writing.framed(
      writing.metadata(
        of: file.info, at: input, hasSameLight: hasSameSpace && steps.keepLight, in: session),
      for: picture, at: output, of: input, resizedBy: steps.onlyResize ? steps : nil, in: session)
    let isGray = hasSameSpace && steps.keepGray && file.info.holdsGray
    let written = try writing.file(
      picture, at: output, keeping: metadata,
      orientation: isAsStored ? file.info.orientation : .upright, isGray: isGray,
      // A beginning such as a film development needs more levels than the source had.
      sourceSamples: beginning == nil ? file.info.samples : nil)
    if showsPlanOnly {
      try showPlan(of: picture, in: session)
      try writing.check([written], in: session)
      return nil
    }
    let reports = try writing.write([written], in: session, progress: progress, by: pass)
    return WrittenFile(written, reports[0])
  }

  func showPlan(of picture: Picture, in session: Session) throws {
    if printsJSON {
      try session.print(json: session.planReport(of: picture))
    } else {
      session.print(picture.plan)
    }
  }
}
