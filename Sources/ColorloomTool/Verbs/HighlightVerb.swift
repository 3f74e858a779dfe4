import Colorloom

struct HighlightVerb: Verb {
  static let name = "highlight"
  static let summary = "leaves color only where a space cannot hold it"
  static let discussion = PictureSteps.order + " The highlighting comes first."
  static let example = "colorloom highlight photo.png wide.png --outside sRGB"
  static var arguments: [Argument<HighlightVerb>] {
    PictureJob.arguments.map { $0.within(\.job) } + [
      .option("--outside", .space, "the space that is looked at; sRGB if not given", \.gamut)
    ]
  }

  var job = PictureJob()
  var gamut = ColorSpace.sRGB

  func run(in session: Session) throws {
    try job.run(in: session) { $0.gamutMask(outside: gamut) }
  }
}
