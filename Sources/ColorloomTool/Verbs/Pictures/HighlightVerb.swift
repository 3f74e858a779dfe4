import Colorloom
import ImageFiles

final class HighlightVerb: Verb {
  static let name = "highlight"
  static let summary = "shows which colors a space cannot hold"
  static let discussion = """
    They keep their color and all others become gray, unless “--tint” or “--mask” says otherwise. \(PictureSteps.order) The \
    highlighting comes first.
    """
  static let example = "colorloom highlight photo.png wide.png --outside sRGB"
  static var arguments: [Argument<HighlightVerb>] {
    PictureJob.arguments.map { $0.within(\.job) } + [
      .option("--outside", .space, "the space that is looked at; sRGB if not given", \.gamut),
      .option(
        "--tolerance", .number,
        "how far outside a color must lie to count, in linear light or --metric's differences; by default farther than rounding explains",
        \.tolerance),
      .option("--metric", .formula, "the color difference that the tolerance is counted in") {
        $0.metric = .difference($1)
      },
      .option("--tint", .color, "paints colors outside in this one, and leaves all others") {
        $0.marking = .tintOutside($1)
      },
      .flag("--mask", "a mask: white outside, black inside") { $0.marking = .mask },
      .flag("--count", "print how many pixels lie outside, too", \.counts),
    ]
  }

  var job = PictureJob()
  var gamut = ColorSpace.sRGB
  var tolerance: Double?
  var metric = GamutMetric.light
  var marking = GamutMarking.grayInside
  var counts = false

  func run(in session: Session) throws {
    if let tolerance, !(tolerance >= 0 && tolerance.isFinite) {
      throw Misuse("A tolerance lies from 0 up, not \(tolerance).")
    }
    if job.isOfMany {
      if counts {
        throw Misuse("“--count” counts the pixels of one picture. Leave it out, or --out.")
      }
      return try job.run(in: session) { picture, _, _ in (self.masked(picture), nil) }
    }
    let coverage = GamutCoverage(of: [gamut], tolerance: tolerance, metric: metric)
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
    if case .difference(let formula) = metric { return "\(tolerance) of \(formula)" }
    return "\(tolerance) of linear light"
  }
}
