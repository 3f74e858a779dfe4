import Colorloom

final class TriangleVerb: Verb {
  static let name = "triangle"
  static let summary = "paints a triangle of three colors that run into each other"
  static let discussion = """
    Mixed as light, the middle is as bright as the corners together; mixed as stored numbers it is dark. \(PictureSteps.order)
    """
  static let example = "colorloom triangle light.png --interpolate linear --space p3"
  static var arguments: [Argument<TriangleVerb>] {
    [
      .positional(.path.named("OUT"), "the picture to write", \.output),
      .option(
        "--interpolate", .choice(["linear": .light, "encoded": .storedNumbers]),
        "what is mixed; linear if not given", \.mixing),
      .option("--space", .space, "the space to paint in; sRGB if not given", \.space),
      .option(
        "--corners", .space,
        "the space whose purest colors are the corners; that of --space if not given",
        \.corners),
      .option("--size", .size, "the size of the picture; 512x444 if not given", \.size),
    ] + PictureSteps.arguments.map { $0.within(\.steps) }
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
      throw Misuse("\(space) has no lights to mix. A space of three lights is needed.")
    }
    let picture = Picture.triangle(
      top: ColorPoint(1, 0, 0, in: corners), left: ColorPoint(0, 1, 0, in: corners),
      right: ColorPoint(0, 0, 1, in: corners), mixing: mixing, in: space, size: size)
    let changed = try steps.applied(to: picture, in: session)
    try writing.write(changed, to: output, in: session, progress: session.progressLine())
  }
}
