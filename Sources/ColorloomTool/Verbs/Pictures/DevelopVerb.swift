import Colorloom
import ImageFiles

final class DevelopVerb: Verb {
  static let name = "develop"
  static let summary = "develop a scan of a negative to a positive"
  static let discussion = """
    \(PictureSteps.order) The development comes first. Development by density, as color or gray film, returns scene-linear values; \
    add --paper for a print. Scans of one channel are gray film unless --film says otherwise. Development by curves, the published \
    ones or those of a file, returns the print itself. Many frames with --out and --roll or --film-from share one film base and one white.
    """
  static let example = "colorloom develop negative.png print.png --exposure 0.5 --paper 1.6"
  static var arguments: [Argument<DevelopVerb>] {
    PictureJob.arguments.map { $0.within(\.job) }
      + Argument.under("The film", FilmOptions.arguments.map { $0.within(\.film) })
      + Argument.under(
        "A roll",
        [
          .option(
            "--frames", .regions,
            "the frames on each strip, which become “{name}-1”, “{name}-2” …; may be repeated"
          ) { $0.job.frames += $1 },
          .option(
            "--contact-sheet", .path, "also write a contact sheet of the results",
            \.job.sheetPath),
        ]
          + ContactSheet.arguments.map { $0.needing("--contact-sheet").within(\.job.sheet) })
  }

  var job = PictureJob()
  var film = FilmOptions()
  var stepsAreOfFiles: Bool { job.stepsAreOfFiles }

  func run(in session: Session) throws {
    try film.recordSources()
    try job.checkArguments(in: session)
    if let curves = try film.curves() {
      job.beginningKeepsGray = curves.keepsGray
      return try job.run(in: session) { picture, _, _ in (picture.developed(by: curves), nil) }
    }
    // Before scans are measured and the film is saved.
    try job.checkResults(in: session)
    let roll = try film.roll(of: job, in: session)
    job.beginningKeepsGray = try film.film(of: roll, forGray: true).isGray
    try job.run(in: session, roll: roll.frames.isEmpty ? nil : RollReport(roll)) {
      [options = film] picture, file, session in
      let film = try options.film(of: roll, forGray: file.isGray)
      try options.check(film, on: picture, at: file.path)
      let own = try film.measured(
        file.path, on: picture, options: session.settings.renderOptions)
      for note in FilmNotes(own, measuredAs: film).onScans { session.note(note) }
      return (picture.developed(own.film), FilmReport(own.film))
    }
  }
}
