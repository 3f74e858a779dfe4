import Colorloom

final class TriangleVerb: Verb {
  static let name = "triangle"
  static let summary = "paint a triangle interpolated in linear light or in encoded values"
  static let discussion = """
    Interpolated in linear light, the luminance of the middle is the mean of the corners' luminances; interpolated in encoded values it is darker. \(PictureSteps.order)
    """
  static let example = "colorloom triangle light.png --interpolate linear --space p3"
  static var arguments: [Argument<TriangleVerb>] {
    [
      .positional(.path.named("OUT"), "the picture to write", \.output),
      .option(
        "--interpolate", .choice(["linear": .light, "encoded": .encoded]),
        "values to interpolate; default: linear", \.mixing),
      .option("--space", .space, "color space of the picture; default: sRGB", \.space),
      .option(
        "--corners", .space,
        "space whose primaries are the corners; default: that of --space",
        \.corners),
      .option("--size", .size, "the size of the picture; default: 512x444", \.size),
    ] + PictureSteps.argumentsWithoutReading.map { $0.within(\.steps) }
      + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  var output = ""
  var mixing = TriangleMixing.light
  var space = ColorSpace.sRGB
  var corners: ColorSpace?
  var size = PixelSize(512, 444)
  var steps = PictureSteps()
  var writing = PictureOutput()

  func run(in session: Session) throws {
    let corners = corners ?? space
    for space in [space, corners] where space.transfer.curves == nil {
      throw Misuse("\(space) has no RGB primaries. Pass an RGB space.")
    }
    let picture = Picture.triangle(
      top: ColorPoint(1, 0, 0, in: corners), left: ColorPoint(0, 1, 0, in: corners),
      right: ColorPoint(0, 0, 1, in: corners), mixing: mixing, in: space, size: size)
    let changed = try steps.applied(to: picture, in: session)
    try writing.write(
      changed, to: output, isGray: steps.makeGrays(of: changed), in: session,
      progress: session.progressLine())
  }
}
