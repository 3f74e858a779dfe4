import Colorloom

struct ColorVerb: Verb {
  static let name = "color"
  static let summary = "converts colors from one space to another, one a row"
  static let discussion = """
    A row is three numbers between blanks or commas, or a CSS color, which names its own space. Without rows, or with “-” in their \
    place, they are read from standard input. Numbers are printed with every digit that matters; a hue that means nothing is “none”. \
    Nothing is clamped unless --gamut says so. A row that cannot be read gives a line on standard error, and the others go on.
    """
  static let example = "colorloom color --from p3 --to oklch \"1 0 0\" rebeccapurple"
  static var arguments: [Argument<ColorVerb>] {
    [
      .option("--from", .space, "what the numbers mean", isRequired: true, \.source),
      .option("--to", .space, "the space to convert to", isRequired: true, \.target),
      .option(
        "--gamut", .gamutMapping, "how colors that the space cannot hold are brought in", \.gamut),
      .flag("--clamp", "the same as --gamut clip") { $0.gamut = .clipped },
      .rest(.text.named("ROW"), "a color", \.rows),
    ]
  }

  var source = ColorSpace.sRGB
  var target = ColorSpace.sRGB
  var gamut: GamutMapping?
  var rows: [String] = []

  func run(in session: Session) throws {
    if gamut != nil, target.primaries == .xyz(white: target.primaries.white) {
      throw Misuse("\(target) has no gamut of its own. “--gamut” needs a space of three lights.")
    }
    session.convertRows(rows) { row in
      let color = try colors(of: row, count: 1, in: source)[0]
      return text((gamut?.map(color, into: target) ?? color.converted(to: target)).numbersOrNone)
    }
  }
}
