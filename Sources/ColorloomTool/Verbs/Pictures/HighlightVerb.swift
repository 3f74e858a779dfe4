import Colorloom
import ImageFiles

final class HighlightVerb: Verb {
  static let name = "highlight"
  static let summary = "show out-of-gamut pixels in color and everything else in gray"
  static let discussion = """
    “--tint” and “--mask” mark out-of-gamut pixels in other ways. \(PictureSteps.order) The \
    highlighting comes first.
    """
  static let example = "colorloom highlight photo.png wide.png --outside sRGB"
  static var arguments: [Argument<HighlightVerb>] {
    PictureJob.arguments.map { $0.within(\.job) } + [
      .option("--outside", .space, "the space whose gamut is checked; default: sRGB", \.gamut),
      .option(
        "--tolerance", .number,
        "distance from the gamut above which a pixel counts, in linear light or in the unit of --metric; default: what rounding explains",
        \.tolerance),
      .option(
        "--metric", .formula,
        "color difference formula of --tolerance; \(Parser<ColorDifference>.formulaHelp); default: linear light"
      ) {
        $0.metric = .difference($1)
      }.needing("--tolerance"),
      .option(
        "--tint", .color, "paint out-of-gamut pixels in this color and leave all others unchanged"
      ) {
        $0.marking = .tintOutside($1)
      }.excluding("--mask"),
      .flag("--mask", "write a mask: white out of gamut, black in gamut") { $0.marking = .mask },
      .flag("--count", "also print the number of out-of-gamut pixels", \.counts)
        .excluding("--plan"),
    ]
  }

  var job = PictureJob()
  var stepsAreOfFiles: Bool { job.stepsAreOfFiles }
  var gamut = ColorSpace.sRGB
  var tolerance: Double?
  var metric = GamutMetric.light
  var marking = GamutMarking.grayInside
  var counts = false

  func run(in session: Session) throws {
    let coverage: GamutCoverage
    do throws(RecipeError) {
      coverage = try GamutCoverage(of: [gamut], tolerance: tolerance, metric: metric)
    } catch {
      throw Misuse("\(error)")
    }
    job.beginningKeepsSamples = true
    if job.isOfMany {
      if counts {
        throw Misuse("“--count” counts the pixels of one picture. Leave it out, or --out.")
      }
      return try job.run(in: session) { picture, _, _ in (self.masked(picture), nil) }
    }
    try job.checkArguments(in: session)
    if try job.keepsResult(in: session) { return }
    if counts, !job.showsPlanOnly {
      try session.reserveOutput(for: job.output, hasReport: job.printsJSON)
    }
    var source: Picture?
    var found: GamutCoverage.Counts?
    let written = try job.write(in: session) { picture, _, _ in
      source = picture
      return (self.masked(picture), nil)
    } writingBy: { files, options in
      guard counts, let source else { return try Picture.write(files, options: options) }
      let result = try Picture.write(files, measuring: source, by: coverage, options: options)
      found = result.value
      return result.reports
    }
    if var report = written, job.printsJSON {
      report.pixelsOutside = found?.outside[0]
      report.tolerance = source.flatMap { found == nil ? nil : toleranceInWords(of: $0) }
      session.print(json: report)
    } else if let found, let source {
      session.print(
        "\(found.outside[0]) of \(found.pixelCount) pixels outside of \(gamut.name), "
          + "tolerance: \(toleranceInWords(of: source))")
    }
  }

  private func masked(_ picture: Picture) -> Picture {
    picture.gamutMask(outside: gamut, tolerance: tolerance, metric: metric, marking: marking)
  }

  private func toleranceInWords(of source: Picture) -> String {
    guard let tolerance else { return source.precisionInWords }
    if case .difference(let formula) = metric { return "ΔE \(tolerance) by \(formula.word)" }
    return "\(tolerance) of linear light"
  }
}

extension ColorDifference {
  /// The word by which --metric takes the formula: a name alone where it stands for the weights, too.
  fileprivate var word: String {
    let form = Self.textForm
    return form.names.first { (try? Self(word: $0)) == self }
      ?? (try? recipeValue()).flatMap(form.word) ?? "\(self)"
  }
}
