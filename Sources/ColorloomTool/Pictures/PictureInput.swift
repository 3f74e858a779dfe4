import Colorloom
import ImageFiles

/// A picture that is read from a file, passed through steps and inspected: shared by the verbs that inspect pipelines.
struct PictureInput {
  private(set) var path = ""
  @Boxed private var steps = PictureSteps()
  private var page: Int?
  private var layer: String?

  var assumed: Assumption? { steps.assumed }
  var stepsAreOfFiles: Bool { steps.areOfFiles }

  static var arguments: [Argument<PictureInput>] {
    [.positional(.path.named("IN"), "the picture to read", \.path)]
      + PictureSteps.arguments.map { $0.within(\.steps) } + [
        .assume(\.steps.assumed),
        .page(\.page),
        .layerName(\.layer),
      ]
  }

  /// Returns the file, and the picture after each step, by name; the first one is the source. Where neither the file nor --assume states a
  /// color space, `fallback` is assumed.
  func opened(
    in session: Session, untaggedAs fallback: ColorSpace? = nil
  ) throws -> (file: OpenedImageFile, steps: [(name: String, picture: Picture)]) {
    let file = try session.open(
      path, page: page, layer: layer, inks: steps.inks, assuming: assumed)
    let source =
      if let fallback, assumed == nil, !file.info.color.isUsable {
        try file.picture(assuming: fallback)
      } else {
        try session.picture(in: file, at: path, assuming: assumed, page: page)
      }
    let window = DataWindow(of: file.info, at: path)
    let stages = try steps.reading(file.info).beside(window).pictures(
      from: source, at: path, ofInks: file.info.holdsInks, in: session)
    return (file, stages.map { ($0.name, $0.picture) })
  }
}

extension Argument {
  /// `--assume`: the color space of files that state none.
  static func assume(
    _ path: WritableKeyPath<Target, Assumption?>,
    _ meaning: String = "color space of files that state none"
  ) -> Argument {
    .option("--assume", .assumption, meaning, path)
  }

  /// `--assume` of a verb that reads no picture, but for those that steps name.
  static func assumeOfSteps(_ path: WritableKeyPath<Target, Assumption?>) -> Argument {
    .assume(path, "color space of further pictures of steps that state none")
  }

  /// `--page`: the page of a file.
  static func page(
    _ path: WritableKeyPath<Target, Int?>,
    _ meaning: String = "the page to read; default: the first"
  ) -> Argument {
    .option("--page", .wholeNumber(from: 1), meaning, path)
  }

  /// `--layer-name`: the layer or the channel of an OpenEXR file, or the extra sample of a TIFF file. `--layer` is the step that
  /// composites.
  static func layerName(_ path: WritableKeyPath<Target, String?>) -> Argument {
    .option(
      "--layer-name", .text.named("NAME"),
      "the layer or part of an OpenEXR file, or a channel of it or an extra sample of a TIFF file as gray; default: the unnamed colors",
      path)
  }
}
