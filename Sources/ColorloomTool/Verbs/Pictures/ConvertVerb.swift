import Colorloom

final class ConvertVerb: Verb {
  static let name = "convert"
  static let summary = "change a picture step by step"
  static let discussion = PictureSteps.order
  static let example = "colorloom convert photo.png small.png --fit 2048 --to sRGB"
  static var arguments: [Argument<ConvertVerb>] {
    (PictureJob.arguments
      + [PictureJob.inkArgument, PictureJob.layerFileArgument, PictureJob.recipeArgument])
      .map { $0.within(\.job) }
  }

  var job = PictureJob()
  var stepsAreOfFiles: Bool { job.stepsAreOfFiles }

  func run(in session: Session) throws {
    try job.checkArguments(in: session)
    try job.checkRecipePath(in: session)
    try job.run(in: session)
  }
}
