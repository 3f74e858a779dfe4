import Colorloom

struct SpacesVerb: Verb {
  static let name = "spaces"
  static let summary = "lists the named color spaces"
  static let discussion = """
    Every space goes by its aliases too; letter case, blanks and punctuation do not matter. Any space of three lights has a linear \
    form, such as “p3-linear”.
    """
  static let example = "colorloom spaces --json"
  static var arguments: [Argument<SpacesVerb>] {
    [
      .flag(
        "--json", "aliases, primaries, white, curve and code points, as a JSON array",
        \.printsJSON)
    ]
  }

  var printsJSON = false

  private struct Report: Encodable {
    let name: String
    let aliases: [String]
    let transfer: String
    /// The chromaticities x and y of the primaries and the white point.
    let red, green, blue, white: [Double]
    /// The code points of H.273; missing where it has none for the space.
    let cicp: [UInt8]?

    init(_ space: ColorSpace) {
      (name, aliases, transfer) = (space.name, space.aliases, space.transfer.name)
      cicp = space.cicp.map { [$0.primaries, $0.transfer, $0.matrix, $0.range] }
      let primaries = space.primaries
      (red, green) = (primaries.red.xy, primaries.green.xy)
      (blue, white) = (primaries.blue.xy, primaries.white.xy)
    }
  }

  func run(in session: Session) throws {
    if printsJSON { return session.print(json: ColorSpace.all.map(Report.init)) }
    for space in ColorSpace.all { session.print(space.name) }
  }
}

extension Chromaticity {
  fileprivate var xy: [Double] { [x, y] }
}
