import Colorloom

struct CanaryVerb: Verb {
  static let name = "canary"
  static let summary = "makes or checks a picture that shows if wide color survives"
  static let discussion = """
    The canary has three fields of Display P3's purest colors, each with a diamond of sRGB's purest that can only be seen where wide \
    color is kept. Make one, send it through whatever handles pictures, and check what comes out. A check that finds anything but an \
    intact canary ends with 1, and says what happened.
    """
  static let example = "colorloom canary make canary.png"
  static var arguments: [Argument<CanaryVerb>] {
    [
      .positional(.choice(["make": .make, "check": .check]), "what to do", \.act),
      .positional(.path, "the picture to write or to read", \.path),
      .option("--size", .size, "the size to make; 384x128 if not given", \.size),
      .option("--assume", .space, "what an untagged file means", \.assumed),
      .flag("--json", "the finding as a JSON object", \.printsJSON),
    ] + PictureOutput.arguments.map { $0.within(\.writing) }
  }

  enum Act { case make, check }

  var act = Act.make
  var path = ""
  var size = PixelSize(384, 128)
  var writing = PictureOutput()
  var assumed: ColorSpace?
  var printsJSON = false

  private struct Report: Encodable {
    let fate: String
    let contrasts, paintedContrasts: [Double]
    let space: String
  }

  func run(in session: Session) throws {
    let progress = session.progressLine()
    switch act {
    case .make:
      let picture = Picture(Canary(size: size), in: .displayP3)
      try writing.write(picture, to: path, in: session, progress: progress)
    case .check:
      let picture = try session.picture(at: path, assuming: assumed)
      let verdict = try Canary.check(picture, options: session.settings.renderOptions)
      if printsJSON {
        session.print(
          json: Report(
            fate: verdict.fate.rawValue, contrasts: verdict.contrasts.array,
            paintedContrasts: verdict.paintedContrasts.array, space: picture.space.name))
      } else {
        session.print("\(path): \(verdict.fate.explanation)")
      }
      if verdict.fate != .intact { session.fail() }
    }
  }
}

extension SIMD3<Double> {
  fileprivate var array: [Double] { [x, y, z] }
}

extension Canary.Fate {
  fileprivate var explanation: String {
    switch self {
    case .intact: "intact, wide color survived"
    case .clipped: "clipped, something on the way held the picture in sRGB"
    case .mistagged: "mistagged, the numbers of Display P3 were taken for those of another space"
    case .convertedTwice: "converted twice"
    case .channelsSwapped: "the channels are in another order"
    case .changed: "changed, the marks can be seen but the colors are others"
    @unknown default: rawValue
    }
  }
}
