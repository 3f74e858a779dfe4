import Colorloom

struct DeltaEVerb: Verb {
  static let name = "deltae"
  static let summary = "tells how far colors look from each other, two a row"
  static let discussion = """
    A row is two colors, each three numbers or a CSS color, the standard first. Without rows, or with “-” in their place, they are \
    read from standard input. Formulas over Lab take it relative to D65, unless both colors are in another Lab.
    """
  static let example = "colorloom deltae --space lab \"50 2.6772 -79.7751 50 0 -82.7485\""
  static var arguments: [Argument<DeltaEVerb>] {
    [
      .option("--formula", .formula, "how colors are compared; 2000 if not given", \.formula),
      .option("--space", .space, "what the numbers mean; sRGB if not given", \.space),
      .rest(.text.named("ROW"), "two colors", \.rows),
    ]
  }

  var formula = ColorDifference.ciede2000()
  var space = ColorSpace.sRGB
  var rows: [String] = []

  func run(in session: Session) throws {
    session.convertRows(rows) { row in
      let pair = try colors(of: row, count: 2, in: space)
      return text([formula(pair[0], pair[1])])
    }
  }
}
