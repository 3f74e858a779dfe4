import Colorloom
import ImageFiles

struct DevelopVerb: Verb {
  static let name = "develop"
  static let summary = "makes a positive of a scanned negative"
  static let discussion = """
    \(PictureSteps.order) The development comes first. By density, as color or gray film, it gives the light of the scene, for which \
    “--paper” is the step to a print. By curves, the published ones or those of a file, it gives the print.
    """
  static let example = "colorloom develop negative.png print.png --exposure 0.5 --paper 1.6"
  static var arguments: [Argument<DevelopVerb>] {
    PictureJob.arguments.map { $0.within(\.job) }
      + Argument.under("The film", filmArguments)
  }

  private static var filmArguments: [Argument<DevelopVerb>] {
    [
      .option(
        "--film", .choice(["color": .color, "gray": .gray, "published": .published]),
        "color and gray by density, published by curves; color if not given", \.film),
      .option(
        "--film-curves", .path, "a file of curves, in the place of “--film”", \.curveFile),
      .option("--film-base", .tone, "light that passes unexposed film; measured if not given") {
        $0.base = .transmittance($1)
      },
      .option("--film-base-region", .region, "a part of the border, to measure the base on") {
        $0.base = .region($1)
      },
      .option("--film-white", .tone, "light that passes what shall be white; measured if not given")
      {
        $0.white = .transmittance($1)
      },
      .option("--film-contrast", .tone, "gamma of the film's layers", \.contrast),
      .option(
        "--film-offset", .tone, "density of each layer that counts as none", \.offset),
    ]
  }

  /// How film is developed.
  enum Film { case color, gray, published }

  var job = PictureJob()
  var film = Film.color
  var curveFile: String?
  var base = NegativeFilm.Tone.automatic
  var white = NegativeFilm.Tone.automatic
  var contrast: SIMD3<Double>?
  var offset: SIMD3<Double>?

  func run(in session: Session) throws {
    let development = try development()
    try job.run(in: session, beginning: development)
  }

  private func development() throws -> (Picture) -> Picture {
    let curves = try curveFile.map { try CurveDevelopment(contentsOf: $0) }
    if let curves = curves ?? (film == .published ? .published() : nil) {
      guard base == .automatic, white == .automatic, contrast == nil, offset == nil else {
        throw Misuse(
          "Curves know no base, white, contrast or offset. Leave these options away, or develop by "
            + "density.")
      }
      return { $0.developed(by: curves) }
    }
    var film: NegativeFilm =
      film == .gray
      ? .blackAndWhite(base: base, white: white) : .colorNegative(base: base, white: white)
    film.contrast = contrast ?? film.contrast
    film.offset = offset ?? film.offset
    return { $0.developed(film) }
  }
}
