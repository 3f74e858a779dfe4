import Colorloom
import ICCProfiles
import ImageFiles

/// What is done to a picture, in the order in which it was said, and how: for every verb that changes pictures.
struct PictureSteps {
  private var steps: [(Picture, PictureSteps) throws -> Picture] = []
  private var conversions = ColorConversions()
  private var kernel = ResamplingKernel.lanczos(3)
  private var shrinksOnLoad = false
  private var converts = false
  /// Whether no step but conversions makes another light.
  private(set) var keepLight = true
  /// Whether no step but conversions makes colors of gray.
  private(set) var keepGray = true

  /// Whether a step may change the proportions of the picture, as ``--resize`` does.
  private(set) var stretches = false
  /// Whether no step changes the size but by resizing.
  private(set) var onlyResize = true

  /// How a file's inks become light.
  var inks: ProfileRendering { conversions.rendering }

  static let order = """
    Steps happen in the order in which they are given, and may be repeated. Options hold for the whole command, wherever they stand.
    """

  static var arguments: [Argument<PictureSteps>] {
    Argument.under("Steps, in the order given", stepArguments)
      + ColorConversions.arguments.map { $0.within(\.conversions) } + [
        .option(
          "--kernel", .kernel, "how --fit and --resize weigh pixels; lanczos3 if not given",
          \.kernel),
        .flag(
          "--shrink-on-load",
          "let JPEG files be read in fewer pixels, at least twice those of the first resize: quicker, "
            + "and not quite the same", \.shrinksOnLoad),
      ]
  }

  private static var stepArguments: [Argument<PictureSteps>] {
    [
      .flag("--invert", "the negative, as stored") { $0.add { $0.inverted() } },
      .option("--exposure", .number.named("STOPS"), "more light; each stop doubles it") {
        steps, stops in
        steps.add { $0.exposure(stops) }
      },
      .option(
        "--curve", .points,
        "a tone curve, such as “0,0 .25,.2 .75,.8 1,1”; a natural spline, or as “makima 0,0 1,1” says"
      ) { steps, curve in
        steps.add { $0.toneCurve(curve) }
      },
      .option("--curves", .pointsOfChannels, "a tone curve for each channel") { steps, curves in
        steps.addColoring { $0.toneCurves(red: curves[0], green: curves[1], blue: curves[2]) }
      },
      .option("--paper", .number.named("CONTRAST"), "a print's curve; normal paper has 1.6") {
        steps, contrast in
        steps.add { $0.printed(contrast: contrast) }
      },
      .option("--fit", .box, "as large as fits inside, in linear light") { steps, box in
        steps.addResize(to: .fit(box.width, box.height))
      },
      .option("--resize", .size, "exactly this size") { steps, size in
        steps.addResize(to: .exact(size.width, size.height))
        steps.stretches = true
      },
      .option("--highlight", .space, "color only where this space cannot hold it") { steps, space in
        steps.addColoring { $0.gamutMask(outside: space) }
      },
      .option("--to", .spaceOrProfile, "converted to this space, or a profile's") {
        steps, end in
        steps.converts = true
        steps.steps.append { try $1.conversions.convert($0, to: end) }
      },
      .option("--recipe", .path, "the steps of a recipe that takes one picture and makes one") {
        steps, path in
        let file = RecipeFile(path)
        steps.addColoring { try file.picture(of: $0) }
        steps.onlyResize = false
      },
    ]
  }

  private mutating func add(_ step: @escaping (Picture) throws -> Picture) {
    steps.append { picture, _ in try step(picture) }
    keepLight = false
  }

  /// Adds a step that may make colors of gray.
  private mutating func addColoring(_ step: @escaping (Picture) throws -> Picture) {
    add(step)
    keepGray = false
  }

  private mutating func addResize(to target: Resize.Target) {
    steps.append { picture, all in
      guard all.shrinksOnLoad, let size = try? Resize(to: target).outputSize(for: picture.size)
      else { return picture.resized(to: target, by: all.kernel) }
      return picture.reduced(toAtLeast: PixelSize(2 * size.width, 2 * size.height))
        .resized(to: .exact(size.width, size.height), by: all.kernel)
    }
  }

  /// The picture after all steps. Where its file held inks, those have become light already, as ``inks`` says.
  func applied(to picture: Picture, ofInks: Bool = false) throws -> Picture {
    var all = self
    all.conversions.inksAreRendered = ofInks
    try all.conversions.check(isUsed: converts || ofInks)
    return try steps.reduce(picture) { picture, step in try step(picture, all) }
  }
}
