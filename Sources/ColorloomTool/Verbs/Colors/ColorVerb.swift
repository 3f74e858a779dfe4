import Colorloom
import ICCProfiles

final class ColorVerb: Verb {
  static let name = "color"
  static let summary = "convert colors from one space to another, one per row"
  static let discussion = """
    A row is three numbers between blanks or commas, one in gray spaces, or a CSS color, which names its own space. Without rows, or with \
    “-” in their place, they are read from standard input. Numbers are printed with every digit that matters; a hue that means nothing is \
    “none”. Nothing is clamped unless --gamut or --clamp says so; “--gamut compressed” does not clip what remains out of gamut; add --clamp \
    for that. A row that cannot be read gives a line on standard error, and the others go on.

    White becomes white. “--intent absolute” instead keeps the chromaticity of white between spaces with different white points.

    The path of an ICC profile is a space too. Its rows have as many numbers as it has channels: RGB and ink channels from 0 to 1, L* from \
    0 to 100 with a* and b*, XYZ with white at Y = 1. A device link needs no --to.
    """
  static let example = "colorloom color --from p3 --to oklch \"1 0 0\" rebeccapurple"
  static var arguments: [Argument<ColorVerb>] {
    [
      .option(
        "--from", .spaceOrProfile,
        "color space or profile of rows of values; CSS colors name their own; default: sRGB",
        \.source),
      .option("--to", .spaceOrProfile, "the space to convert to", \.target),
      .option(
        "--gamut", .gamutMapping, "gamut mapping of out-of-gamut colors", \.gamut),
      .flag("--clamp", "clamp to the encodable range", \.clamps),
      .option("--intent", .intent, "rendering intent; default: relative", \.intent),
      .flag("--bpc", "apply black point compensation (ISO 18619)", \.blackPointCompensation),
      .flag("--json", "print the numbers as a JSON object", \.printsJSON),
      .rest(.text.named("ROW"), "a color", \.rows),
    ]
  }

  var source = ICCTransform.Link.space(.sRGB)
  var target: ICCTransform.Link?
  var gamut: GamutMapping?
  var clamps = false
  var intent: RenderingIntent?
  var blackPointCompensation = false
  var printsJSON = false
  var rows: [String] = []

  func run(in session: Session) throws {
    // Colors are those that pictures of the same profiles have.
    source = try source.definedByCodePoints
    target = try target?.definedByCodePoints
    try checkGamut()
    try checkIntent()
    // Created once before the rows, so that an error of a profile is reported once.
    let transform = try transform(from: source)
    try session.convertRows(rows, toJSON: printsJSON) { row in
      switch (try colors(of: row, in: [source])[0], target) {
      case (.point(let color), .space(let space)): return fitted(color, into: space)
      case (.point, nil):
        let count = source.channelCount
        throw Misuse(
          "A row of \(source), a device link, is \(count) number\(count == 1 ? "" : "s"), not a CSS color; here "
            + "is “\(row)”.")
      case (.point(let color), _):
        return result(try self.transform(from: .space(color.space))(color.components.array))
      case (.numbers(let numbers), _): return result(transform(numbers))
      }
    }
  }

  private func checkGamut() throws {
    guard gamut != nil || clamps else { return }
    switch target {
    case .space(let space)
    where space.transfer.curves != nil || space.primaries != .xyz(white: space.primaries.white):
      return
    case .profile(let profile) where gamut == nil || gamut == .clipped:
      if profile.modelName != "Lab" && profile.modelName != "XYZ" { return }
    default: break
    }
    let name = target.map { "\($0)" } ?? "A device link"
    throw Misuse(
      "\(name) has no gamut that colors could be mapped into. “--gamut” needs a space with a curve for each channel or with RGB "
        + "primaries, “--clamp” that or the profile of a device.")
  }

  /// Throws where --intent or --bpc has no effect, as “convert” does.
  private func checkIntent() throws {
    try ColorConversions.check(intent, blackPointCompensation)
    if let target, !source.hasTables, !target.hasTables {
      try ColorConversions.checkNeed(
        of: intent, blackPointCompensation, from: "\(source)", to: target)
    }
  }

  private func transform(from source: ICCTransform.Link) throws -> ICCTransform {
    if target == nil {
      guard case .profile(let profile) = source, profile.isDeviceLink else {
        throw Misuse("“color” needs --to SPACE. For example: \(Self.example)")
      }
    }
    return try ICCTransform(
      [source] + (target.map { [$0] } ?? []),
      intent: intent ?? .relativeColorimetric, blackPointCompensation: blackPointCompensation)
  }

  /// What came out of a transform.
  private func result(_ numbers: [Double]) -> [Double?] {
    // Rows without a finite result are refused; clamping would make numbers of them.
    guard numbers.allSatisfy(\.isFinite) else { return numbers }
    if case .space(let space)? = target {
      return fitted(ColorPoint(SIMD3(numbers), in: space), into: space)
    }
    return clamps || gamut != nil ? numbers.map { min(max($0, 0), 1) } : numbers
  }

  private func fitted(_ color: ColorPoint, into space: ColorSpace) -> [Double?] {
    let color =
      intent == .absoluteColorimetric && color.space != space
      ? color.convertedAbsolutely(to: space) : color
    let fitted: ColorPoint
    switch (gamut, clamps) {
    case (nil, false): fitted = color.converted(to: space)
    case (nil, true): fitted = GamutMapping.clipped.map(color, into: space)
    case (.compressed(let compression), false):
      let light = compression(color.converted(to: .acescg).components)
      fitted = ColorPoint(light, in: .acescg).converted(to: space)
    case (let gamut?, _): fitted = gamut.map(color, into: space)
    }
    return fitted.numbersOrNone
  }
}
