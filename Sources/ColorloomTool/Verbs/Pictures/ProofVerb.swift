import Colorloom
import ICCProfiles
import ImageFiles

final class ProofVerb: Verb {
  static let name = "proof"
  static let summary = "shows a picture as a printer will"
  static let discussion = """
    Colors go through the printer's profile to amounts of ink and back. \(PictureSteps.order) The proof comes first.
    """
  static let example = "colorloom proof photo.png print.png --on printer.icc --warn magenta"
  static var arguments: [Argument<ProofVerb>] {
    PictureJob.arguments.map { $0.within(\.job) } + [
      .option(
        "--on", .path.named("PROFILE"), "the printer's ICC profile", isRequired: true, \.profile),
      .option(
        "--print-intent", .intent, "how colors are brought to the printer; relative if not given",
        \.intent),
      .flag("--print-bpc", "black becomes the printer's black", \.compensatesBlack),
      .flag("--show-paper", "paper as gray and as yellow as it is, not as white", \.showsPaper),
      .option(
        "--warn", .color, "paints what the printer misses in this color"
      ) { $0.warning = $1 },
      .option(
        "--tolerance", .number, "by how much that is missed, by CIEDE2000; 5 if not given",
        \.tolerance),
    ]
  }

  var job = PictureJob()
  var profile = ""
  var intent = RenderingIntent.relativeColorimetric
  var compensatesBlack = false
  var showsPaper = false
  var warning: ColorPoint?
  var tolerance = 5.0

  func run(in session: Session) throws {
    guard tolerance >= 0, tolerance <= 100 else {
      throw Misuse("A tolerance lies in 0…100, not \(tolerance).")
    }
    let profile = try ICCProfile(contentsOf: profile)
    try job.run(in: session) { picture, _, _ in (try self.proof(of: picture, on: profile), nil) }
  }

  private func proof(of picture: Picture, on profile: ICCProfile) throws -> Picture {
    try picture.softProof(
      on: profile, intent: intent, blackPointCompensation: compensatesBlack,
      appearance: showsPaper ? .paper : .adapted, warning: warning, tolerance: tolerance)
  }
}
