import Colorloom
import ImageFiles

struct InfoVerb: Verb {
  static let name = "info"
  static let summary = "tells size, samples and color space of a file in a line"
  static let example = "colorloom info photo.png"
  static var arguments: [Argument<InfoVerb>] {
    [.positional(.path, "the picture; only its head is read", \.path)]
  }

  var path = ""

  func run(in session: Session) throws {
    let info = try session.info(of: path)
    session.print(
      "\(path): \(info.size) pixels, \(info.channels), \(info.samples), \(info.color.summary)")
  }
}

extension StatedColor {
  /// Whether the numbers have a meaning without any assumption.
  var isUsable: Bool {
    if case .space = self { true } else { false }
  }

  /// A few words, such as “Display P3 by its ICC profile”.
  var summary: String {
    switch self {
    case .space(let space, let statement): "\(space) \(statement)"
    case .unusable(let error): "a color space that cannot be used (\(error))"
    case .unstated: "no color space"
    @unknown default: "\(self)"
    }
  }
}
