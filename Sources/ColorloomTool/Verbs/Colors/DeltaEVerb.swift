import Colorloom
import ICCProfiles

final class DeltaEVerb: Verb {
  static let name = "deltae"
  static let summary = "measure color differences, one pair per row"
  static let discussion = """
    A row is two colors, each three numbers or a CSS color, the standard first. Without rows, or with “-” in their place, they are \
    read from standard input. Formulas over Lab take it relative to D65, unless both colors are in another Lab, as those of ICC profiles \
    are. Rows of profiles and of gray spaces have as many numbers as those of “color”.
    """
  static let example = "colorloom deltae --space lab \"50 2.6772 -79.7751 50 0 -82.7485\""
  static var arguments: [Argument<DeltaEVerb>] {
    [
      .option(
        "--formula", .formula,
        "color difference formula; \(Parser<ColorDifference>.formulaHelp); default: ciede2000",
        \.formula),
      .option("--space", .spaceOrProfile, "color space of the numbers; default: sRGB", \.space),
      .option(
        "--against", .spaceOrProfile, "color space of the second color, if it is another one",
        \.second),
      .flag("--json", "print the numbers as a JSON object", \.printsJSON),
      .rest(.text.named("ROW"), "two colors", \.rows),
    ]
  }

  var formula = ColorDifference.ciede2000()
  var space = ICCTransform.Link.space(.sRGB)
  var second: ICCTransform.Link?
  var printsJSON = false
  var rows: [String] = []

  func run(in session: Session) throws {
    let ends = try [space, second ?? space].map { try $0.definedByCodePoints }
    // Profiles are compared by what their colors look like on their own medium.
    let toLab = try ends.map { try ICCTransform(from: $0, to: .space(.lab)) }
    try session.convertRows(rows, toJSON: printsJSON) { row in
      let pair = try zip(colors(of: row, in: ends), toLab).map { color, toLab in
        switch color {
        case .point(let color): color
        case .numbers(let numbers): ColorPoint(SIMD3(toLab(numbers)), in: .lab)
        }
      }
      return [formula(pair[0], pair[1])]
    }
  }
}
