import Colorloom
import ImageFiles

/// A picture from a file through steps, which is looked at and not written: what the verbs that inspect pipelines have in common.
struct PictureInput {
  private(set) var path = ""
  private(set) var assumed: Assumption?
  private var steps = PictureSteps()
  private var page: Int?

  static var arguments: [Argument<PictureInput>] {
    [.positional(.path.named("IN"), "the picture to read", \.path)]
      + PictureSteps.arguments.map { $0.within(\.steps) } + [
        .option("--assume", .assumption, "what an untagged file means", \.assumed),
        .option(
          "--page", .wholeNumber(from: 1), "the page to read; the first if not given", \.page),
      ]
  }

  /// The file, and the picture after each step, by name; the first one is the source. Where neither the file nor --assume says what its
  /// values mean, they are taken for those of `fallback`.
  func opened(
    in session: Session, untaggedAs fallback: ColorSpace? = nil
  ) throws -> (file: OpenedImageFile, steps: [(name: String, picture: Picture)]) {
    let file = try session.open(path, page: page, inks: steps.inks, assuming: assumed)
    let source =
      if let fallback, assumed == nil, !file.info.color.isUsable {
        try file.picture(assuming: fallback)
      } else {
        try session.picture(in: file, at: path, assuming: assumed, page: page)
      }
    return (file, try steps.pictures(from: source, ofInks: file.info.holdsInks, in: session))
  }
}
