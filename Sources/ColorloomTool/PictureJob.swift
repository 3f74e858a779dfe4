import Colorloom
import ImageFiles

/// One picture from a file through steps to a file: what the verbs for pictures have in common.
struct PictureJob {
  private var input = ""
  private var output: String?
  private var steps = PictureSteps()
  private var assumed: ColorSpace?
  private var writing = PictureOutput()
  private var showsPlanOnly = false
  private var isAsStored = false

  var printsJSON: Bool { writing.printsJSON }

  static var arguments: [Argument<PictureJob>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .positional(.path.named("OUT"), "the picture to write; not needed with --plan", \.output),
    ] + PictureSteps.arguments.map { $0.within(\.steps) } + [
      .option("--assume", .space, "what an untagged file means", \.assumed),
      .flag("--as-stored", "leave the picture as the file holds it, not upright", \.isAsStored),
      .flag("--plan", "only show what would run", \.showsPlanOnly),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  /// Reads, does what `beginning` does and then the steps, writes, and reports what was written.
  func run(in session: Session, beginning: ((Picture) throws -> Picture)? = nil) throws {
    if let file = try write(in: session, beginning: beginning), printsJSON {
      session.print(json: WrittenFile(file))
    }
  }

  /// The same without the report; returns what was written, nil where only the plan was shown.
  func write(
    in session: Session, beginning: ((Picture) throws -> Picture)? = nil,
    writingBy pass: PictureOutput.Pass = { try Picture.write($0, options: $1) }
  ) throws -> PictureFile? {
    if output == nil, !showsPlanOnly {
      throw Misuse("A second file is needed, to write to; only --plan does without.")
    }
    let progress = session.progressLine()
    let file = try session.open(input, inks: steps.inks)
    let source = try session.picture(
      in: file, at: input, assuming: assumed, isUpright: !isAsStored)
    let begun = try beginning?(source) ?? source
    let picture = try steps.applied(to: begun, ofInks: file.info.holdsInks)
    guard let output, !showsPlanOnly else {
      if printsJSON {
        try session.print(json: session.planReport(of: picture))
      } else {
        session.print(picture.plan)
      }
      return nil
    }
    let hasSameSpace = beginning == nil && picture.space == source.space
    let metadata = writing.metadata(
      of: file.info, at: input, hasSameLight: hasSameSpace && steps.keepLight, in: session)
    let isGray = hasSameSpace && steps.keepGray && file.info.holdsGray
    let written = writing.file(picture, at: output, keeping: metadata, isGray: isGray)
    try writing.write([written], in: session, progress: progress, by: pass)
    return written
  }
}
