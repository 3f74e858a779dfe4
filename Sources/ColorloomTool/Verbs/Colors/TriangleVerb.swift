import Colorloom
import ICCProfiles

final class TriangleVerb: Verb {
  static let name = "triangle"
  static let summary = "paint a triangle interpolated in linear light or in encoded values"
  static let discussion = """
    Interpolated in linear light, the luminance of the middle is the mean of the corners' luminances; interpolated in encoded values it \
    is darker. \(PictureSteps.order)
    """
  static let example = "colorloom triangle light.png --interpolate linear --space p3"
  static var arguments: [Argument<TriangleVerb>] {
    [
      .positional(.path.named("OUT"), "the picture to write", \.output),
      .option(
        "--interpolate", .choice(["linear": .light, "encoded": .encoded]),
        "values to interpolate; default: linear", \.mixing),
      .option(
        "--space", .rgbSpace, "color space of the picture, or a profile of one; default: sRGB",
        \.space),
      .option(
        "--corners", .rgbSpace,
        "space or profile whose primaries are the corners; default: that of --space",
        \.corners),
      .option("--size", .size, "the size of the picture; default: 512x444", \.size),
    ] + PictureSteps.argumentsWithoutReading.map { $0.within(\.steps) }
      + [.assumeOfSteps(\.steps.assumed)]
      + PictureOutput.argumentsWithoutSource.map { $0.within(\.writing) }
  }

  var output = ""
  var mixing = TriangleMixing.light
  var space = ColorSpace.sRGB
  var corners: ColorSpace?
  var size = PixelSize(512, 444)
  var steps = PictureSteps()
  var stepsAreOfFiles: Bool { steps.areOfFiles }
  var writing = PictureOutput()

  func run(in session: Session) throws {
    var uses = FileUses()
    try uses.add(output, at: output)
    let corners = corners ?? space
    let picture = Picture.triangle(
      top: ColorPoint(1, 0, 0, in: corners), left: ColorPoint(0, 1, 0, in: corners),
      right: ColorPoint(0, 0, 1, in: corners), mixing: mixing, in: space, size: size)
    let changed = try steps.applied(to: picture, in: session)
    try writing.write(
      changed, to: output, isGray: steps.makeGrays(of: changed), in: session,
      progress: session.progressLine())
  }
}

extension Parser<ColorSpace> {
  /// Parses the name of a space that has RGB primaries, or the path of a profile that has them.
  fileprivate static var rgbSpace: Parser {
    let end = Parser<ICCTransform.Link>.spaceOrProfile
    return Parser("SPACE", needed: end.needed, completion: end.completion) { word in
      switch try end.read([word]) {
      case nil: return nil
      case .space(let space):
        guard space.transfer.curves != nil else {
          throw Misuse("\(space) has no RGB primaries. Pass an RGB space.")
        }
        return space
      case .profile(let profile):
        guard let space = try profile.spaceOfPrimaries else {
          throw Misuse(
            "“\(word)” is a profile of kind “\(profile.kind)” without RGB primaries. Pass a profile of primaries and "
              + "curves, or an RGB space.")
        }
        return space
      }
    }
  }
}

extension ICCProfile {
  /// The space of the profile; nil for one of tables, grays or ink channels, which has no primaries.
  fileprivate var spaceOfPrimaries: ColorSpace? {
    get throws {
      guard modelName == "RGB", !isDeviceLink else { return nil }
      let space = try colorSpace()
      // The space of tables has the imaginary primaries X, Y and Z.
      return space.primaries == .xyz(white: space.primaries.white) ? nil : space
    }
  }
}
