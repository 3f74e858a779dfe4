import Colorloom
import ImageFiles

/// A picture that is read from a file, passed through steps and inspected: shared by the verbs that inspect pipelines.
struct PictureInput {
  private(set) var path = ""
  private var steps = PictureSteps()
  private var page: Int?

  var assumed: Assumption? { steps.assumed }

  static var arguments: [Argument<PictureInput>] {
    [.positional(.path.named("IN"), "the picture to read", \.path)]
      + PictureSteps.arguments.map { $0.within(\.steps) } + [
        .assume(\.steps.assumed),
        .page(\.page),
      ]
  }

  /// Returns the file, and the picture after each step, by name; the first one is the source. Where neither the file nor --assume states a
  /// color space, `fallback` is assumed.
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
    let stages = try steps.pictures(
      from: source, at: path, ofInks: file.info.holdsInks, in: session)
    return (file, stages.map { ($0.name, $0.picture) })
  }
}

extension Argument {
  /// `--assume`: the color space of files that state none.
  static func assume(_ path: WritableKeyPath<Target, Assumption?>) -> Argument {
    .option("--assume", .assumption, "color space of files that state none", path)
  }

  /// `--page`: the page of a file.
  static func page(
    _ path: WritableKeyPath<Target, Int?>,
    _ meaning: String = "the page to read; default: the first"
  ) -> Argument {
    .option("--page", .wholeNumber(from: 1), meaning, path)
  }
}
