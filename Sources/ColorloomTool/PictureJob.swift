import Colorloom

/// One picture from a file through steps to a file: what the verbs for pictures have in common.
struct PictureJob {
  private var input = ""
  private var output: String?
  private var steps: [(Picture, PictureJob) -> Picture] = []
  private var gamut: GamutMapping?
  private var assumed: ColorSpace?
  private var writing = PictureOutput()
  private var showsPlanOnly = false

  static let orderOfSteps = """
    Steps happen in the order in which they are given, and may be repeated. Options hold for the whole command, wherever they stand.
    """

  static var arguments: [Argument<PictureJob>] {
    [
      .positional(.path.named("IN"), "the picture to read", \.input),
      .positional(.path.named("OUT"), "the picture to write; not needed with --plan", \.output),
    ] + Argument.under("Steps, in the order given", stepArguments) + [
      .option(
        "--gamut", .gamutMapping,
        "how --to brings in colors that the space cannot hold; not at all if not given", \.gamut),
      .option("--assume", .space, "what an untagged file means", \.assumed),
      .flag("--plan", "only show what would run", \.showsPlanOnly),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  private static var stepArguments: [Argument<PictureJob>] {
    [
      .flag("--invert", "the negative, as stored") { $0.add { $0.inverted() } },
      .option("--exposure", .number.named("STOPS"), "more light; each stop doubles it") {
        job, stops in
        job.add { $0.exposure(stops) }
      },
      .option("--curve", .points, "a tone curve: “0,0 .25,.2 .75,.8 1,1”") { job, curve in
        job.add { $0.toneCurve(curve) }
      },
      .option("--curves", .pointsOfChannels, "a tone curve for each channel") { job, curves in
        job.add { $0.toneCurves(red: curves[0], green: curves[1], blue: curves[2]) }
      },
      .option("--fit", .box, "as large as fits inside, Lanczos 3 in linear light") { job, box in
        job.add { $0.resized(to: .fit(box.width, box.height)) }
      },
      .option("--resize", .size, "exactly this size") { job, size in
        job.add { $0.resized(to: .exact(size.width, size.height)) }
      },
      .option("--to", .space, "converted to this color space") { job, space in
        job.steps.append { picture, job in
          job.gamut.map { picture.fitted(into: space, by: $0) } ?? picture.converted(to: space)
        }
      },
    ]
  }

  private mutating func add(_ step: @escaping (Picture) -> Picture) {
    steps.append { picture, _ in step(picture) }
  }

  /// Reads, does what `beginning` does and then the steps, and writes.
  func run(in session: Session, beginning: (Picture) -> Picture = { $0 }) throws {
    if output == nil, !showsPlanOnly {
      throw Misuse("A second file is needed, to write to; only --plan does without.")
    }
    let progress = session.progressLine()
    let source = try session.picture(at: input, assuming: assumed)
    let picture = steps.reduce(beginning(source)) { picture, step in step(picture, self) }
    guard let output, !showsPlanOnly else {
      session.print("\(picture.plan)")
      return
    }
    try writing.write(picture, to: output, in: session, progress: progress)
  }
}
