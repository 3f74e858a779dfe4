import Colorloom

/// The regions of one scan that are neutral in the scene, to which the contrasts of the film are fitted.
struct NeutralRegionOptions {
  private var regions: [Region] = []
  private var stops: [Double]?

  static var arguments: [Argument<NeutralRegionOptions>] {
    [
      .option(
        "--film-neutral-regions", .regions,
        "two or more regions that are gray in the scene, at different exposures; the contrasts of red and blue, and the color of white, "
          + "are fitted to them, on the scan of --film-from or the only scan"
      ) { $0.regions += $1 },
      .option(
        "--film-neutral-stops", Parser<Double>.number.separatedByCommas,
        "exposures of these regions in stops, such as 0,-2,-4; fits the contrast of green, too",
        \.stops
      ).needing("--film-neutral-regions").excluding("--film-contrast"),
    ]
  }

  /// Whether contrasts are fitted.
  var isGiven: Bool { !regions.isEmpty }

  /// Returns the film with the contrasts, base and white that are fitted to the regions. They lie on the scan of --film-from, or on the
  /// only one of the job.
  func fitted(
    _ film: NegativeFilm, from sources: [String], for job: PictureJob, in session: Session
  ) throws -> NegativeFilm {
    let listings = try sources.isEmpty ? job.listings() : PictureListing.at(sources)
    let files = listings.flatMap(\.files)
    guard files.count == 1, let path = files.first else {
      throw Misuse(
        "“--film-neutral-regions” lie on one scan, not on \(files.count). Name the scan that shows them after --film-from."
      )
    }
    guard !isPipe(path) else {
      throw Misuse(
        "“--film-neutral-regions” are measured before the scan is developed, and “\(path)” can be read only once. Write it to a file first."
      )
    }
    return try job.measuring(path, in: session) { scan in
      for region in regions { try scan.check(region, of: "--film-neutral-regions", at: path) }
      return try film.fittingContrasts(
        on: scan, neutral: regions, stops: stops, options: session.settings.renderOptions)
    }
  }
}
