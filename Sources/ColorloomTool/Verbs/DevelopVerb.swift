import Colorloom

struct DevelopVerb: Verb {
  static let name = "develop"
  static let summary = "makes a positive of a scanned color negative"
  static let discussion = PictureSteps.order + " The development comes first."
  static let example = "colorloom develop negative.png print.png --exposure 0.5"
  static var arguments: [Argument<DevelopVerb>] {
    PictureJob.arguments.map { $0.within(\.job) } + [
      .option("--film-base", .tone, "light that passes unexposed film; measured if not given") {
        $0.film.base = .transmittance($1)
      },
      .option("--film-white", .tone, "light that passes what shall be white; measured if not given")
      {
        $0.film.white = .transmittance($1)
      },
      .option("--film-contrast", .tone, "gamma of the film's layers", \.film.contrast),
    ]
  }

  var job = PictureJob()
  var film = NegativeFilm.colorNegative()

  func run(in session: Session) throws {
    try job.run(in: session) { $0.developed(film) }
  }
}
