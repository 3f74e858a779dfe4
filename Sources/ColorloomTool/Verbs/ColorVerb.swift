import Colorloom
import ICCProfiles

struct ColorVerb: Verb {
  static let name = "color"
  static let summary = "converts colors from one space to another, one a row"
  static let discussion = """
    A row is three numbers between blanks or commas, or a CSS color, which names its own space. Without rows, or with “-” in their \
    place, they are read from standard input. Numbers are printed with every digit that matters; a hue that means nothing is “none”. \
    Nothing is clamped unless --gamut says so. A row that cannot be read gives a line on standard error, and the others go on.

    The path of an ICC profile is a space too. Its rows have as many numbers as it has channels: lights and inks from 0 to 1, L* from 0 \
    to 100 with a* and b*, XYZ with white at Y = 1. A device link needs no --to.
    """
  static let example = "colorloom color --from p3 --to oklch \"1 0 0\" rebeccapurple"
  static var arguments: [Argument<ColorVerb>] {
    [
      .option(
        "--from", .spaceOrProfile, "what the numbers mean", isRequired: true, \.source),
      .option("--to", .spaceOrProfile, "the space to convert to", \.target),
      .option(
        "--gamut", .gamutMapping, "how colors that the space cannot hold are brought in", \.gamut),
      .flag("--clamp", "the same as --gamut clip") { $0.gamut = .clipped },
      .option(
        "--intent", .intent, "what is kept through a profile; relative if not said", \.intent),
      .flag("--bpc", "black becomes black through a profile", \.blackPointCompensation),
      .rest(.text.named("ROW"), "a color", \.rows),
    ]
  }

  var source = ICCTransform.Link.space(.sRGB)
  var target: ICCTransform.Link?
  var gamut: GamutMapping?
  var intent = RenderingIntent.relativeColorimetric
  var blackPointCompensation = false
  var rows: [String] = []

  func run(in session: Session) throws {
    if gamut != nil { try checkGamut() }
    if case (.space(let source), .space(let target)) = (source, target) {
      session.convertRows(rows) { row in
        result(try colors(of: row, count: 1, in: source)[0], in: target)
      }
      return
    }
    // Made once before the rows, so that what is wrong with the profile is said once.
    let transform = try transform(from: source)
    session.convertRows(rows) { row in
      let parts = try parts(of: row)
      switch parts.first {
      case .numbers(let numbers) where parts.count == 1 && numbers.count == transform.inputCount:
        return result(transform(numbers.map { $0 ?? 0 }))
      case .color(let css) where parts.count == 1:
        let color = ColorPoint(css)
        let fromColor = try self.transform(from: .space(color.space))
        return result(fromColor((0..<3).map { color.components[$0] }))
      default:
        throw Misuse(
          "“\(source)” needs \(transform.inputCount) numbers or a CSS color; here is “\(row)”.")
      }
    }
  }

  private func checkGamut() throws {
    guard case .space(let space)? = target, space.primaries != .xyz(white: space.primaries.white)
    else {
      let name = target.map { "\($0)" } ?? "A device link"
      throw Misuse("\(name) has no gamut of its own. “--gamut” needs a space of three lights.")
    }
  }

  private func transform(from source: ICCTransform.Link) throws -> ICCTransform {
    if target == nil {
      guard case .profile(let profile) = source, profile.isDeviceLink else {
        throw Misuse("“color” needs --to SPACE. For example: \(Self.example)")
      }
    }
    return try ICCTransform(
      [source] + (target.map { [$0] } ?? []), intent: intent,
      blackPointCompensation: blackPointCompensation)
  }

  private func result(_ numbers: [Double]) -> String {
    guard case .space(let space)? = target else { return text(numbers) }
    return result(ColorPoint(numbers[0], numbers[1], numbers[2], in: space), in: space)
  }

  private func result(_ color: ColorPoint, in space: ColorSpace) -> String {
    text((gamut?.map(color, into: space) ?? color.converted(to: space)).numbersOrNone)
  }
}
