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

  static var arguments: [Argument<PictureJob>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .positional(.path.named("OUT"), "the picture to write; not needed with --plan", \.output),
    ] + PictureSteps.arguments.map { $0.within(\.steps) } + [
      .option("--assume", .space, "what an untagged file means", \.assumed),
      .flag("--plan", "only show what would run", \.showsPlanOnly),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  /// Reads, does what `beginning` does and then the steps, and writes.
  func run(
    in session: Session, beginning: (Picture) throws -> Picture = { $0 },
    writingBy pass: PictureOutput.Pass = { try Picture.write($0, options: $1) }
  ) throws {
    if output == nil, !showsPlanOnly {
      throw Misuse("A second file is needed, to write to; only --plan does without.")
    }
    let progress = session.progressLine()
    let file = try OpenedImageFile(session.streamOrFile(input), inks: steps.inks)
    let source = try session.picture(in: file, at: input, assuming: assumed)
    let picture = try steps.applied(to: beginning(source), ofInks: file.info.holdsInks)
    guard let output, !showsPlanOnly else {
      session.print("\(picture.plan)")
      return
    }
    try writing.write(picture, to: output, in: session, progress: progress, by: pass)
  }
}
