import Colorloom
import ICCProfiles
import ImageFiles

final class ProofVerb: Verb {
  static let name = "proof"
  static let summary = "simulate a print (soft proof)"
  static let discussion = """
    Converts to the printer's ink channels and back. \(PictureSteps.order) The proof comes first.
    """
  static let example = "colorloom proof photo.png print.png --on printer.icc --warn magenta"
  static var arguments: [Argument<ProofVerb>] {
    PictureJob.arguments.map { $0.within(\.job) } + [
      .option(
        "--on", .profilePath, "the printer's ICC profile", isRequired: true,
        \.profile),
      .option(
        "--print-intent", .intent, "rendering intent to the printer; default: relative",
        \.intent),
      .flag("--no-print-bpc", "leave out black point compensation (ISO 18619)") {
        $0.compensatesBlack = false
      },
      .flag("--show-paper", "simulate the media white of the paper", \.showsPaper),
      .option("--warn", .color, "paint out-of-gamut colors in this color (gamut warning)") {
        $0.warning = $1
      },
      .option(
        "--tolerance", .number(in: 0...100),
        "CIEDE2000 above which --warn paints a color; default: 5",
        \.tolerance
      ).needing("--warn"),
    ]
  }

  var job = PictureJob()
  var profile = ""
  var intent = RenderingIntent.relativeColorimetric
  var compensatesBlack = true
  var showsPaper = false
  var warning: ColorPoint?
  var tolerance = 5.0
  var stepsAreOfFiles: Bool { job.stepsAreOfFiles }

  func run(in session: Session) throws {
    let profile = try ICCProfile(contentsOf: profile)
    job.beginningKeepsSamples = true
    try job.run(in: session) { picture, _, _ in (try self.proof(of: picture, on: profile), nil) }
  }

  private func proof(of picture: Picture, on profile: ICCProfile) throws -> Picture {
    try picture.softProof(
      on: profile, intent: intent, blackPointCompensation: compensatesBlack,
      appearance: showsPaper ? .paper : .adapted, warning: warning, tolerance: tolerance)
  }
}
