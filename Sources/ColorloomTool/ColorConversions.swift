import Colorloom
import ICCProfiles
import ImageFiles

/// The conversion options: --gamut, --intent and --bpc, which together say how --to converts.
struct ColorConversions {
  private var gamut: GamutMapping?
  private var intent: RenderingIntent?
  private var blackPointCompensation = false
  /// Whether the file's ink channels were already converted to colors with --intent and --bpc, so that conversions between spaces need not.
  var inksAreRendered = false

  static var arguments: [Argument<ColorConversions>] {
    [
      .option(
        "--gamut", .gamutMapping,
        "gamut mapping of --to for out-of-gamut colors; none if not given", \.gamut),
      .option(
        "--intent", .intent,
        "rendering intent for LUT profiles; if not given, relative for CMYK and with --bpc, and the profile's own "
          + "otherwise", \.intent),
      .flag("--bpc", "apply black point compensation (ISO 18619)", \.blackPointCompensation),
    ]
  }

  var rendering: ProfileRendering {
    ProfileRendering(
      intent: intent ?? .relativeColorimetric, blackPointCompensation: blackPointCompensation)
  }

  /// Throws where an option has no effect on any picture, or where nothing is converted.
  func check(isUsed: Bool) throws {
    if blackPointCompensation, intent == .absoluteColorimetric {
      throw Misuse(
        "“--intent absolute” keeps black as it is, and “--bpc” does not. Leave one of them out.")
    }
    if let option, !isUsed {
      throw Misuse(
        "“\(option)” says how --to converts, and there is no --to. Name a space or a profile by it."
      )
    }
  }

  /// Refuses --gamut for a profile of ink channels, whose tables define the gamut mapping.
  func checkSeparation(by profile: ICCProfile) throws {
    guard gamut != nil else { return }
    throw Misuse(
      "“--gamut” has no meaning for “\(profile)”, whose tables bring colors into its gamut. Choose a table by "
        + "--intent.")
  }

  func convert(_ picture: Picture, to end: ICCTransform.Link) throws -> Picture {
    let hasTables = end.hasTables || ICCTransform.Link(picture.space).hasTables
    guard let option, hasTables || intent == .absoluteColorimetric && !inksAreRendered else {
      try checkNeed(of: picture, end)
      let space = try end.space
      return gamut.map { picture.fitted(into: space, by: $0) } ?? picture.converted(to: space)
    }
    if gamut != nil {
      throw Misuse(
        "“--gamut” and “\(option)” both say how \(end) brings colors in. Leave one of them out.")
    }
    return try picture.converted(to: end, by: rendering)
  }

  /// The profile option that was given, for messages.
  private var option: String? {
    intent != nil ? "--intent" : blackPointCompensation ? "--bpc" : nil
  }

  /// Throws where no profile has lookup tables: the intents other than absolute then equal relative, and black is already preserved.
  private func checkNeed(of picture: Picture, _ end: ICCTransform.Link) throws {
    guard !inksAreRendered else { return }
    let asks = blackPointCompensation ? "--bpc" : option
    guard let asks, blackPointCompensation || intent != .relativeColorimetric else { return }
    throw Misuse(
      "“\(asks)” says what tables of ICC profiles shall do, and neither \(picture.space) nor \(end) has any. "
        + "Leave it out; for colors that \(end) cannot hold there is “--gamut”.")
  }
}

extension ICCTransform.Link {
  /// The space, or that which the profile means.
  fileprivate var space: ColorSpace {
    get throws {
      switch self {
      case .space(let space): space
      case .profile(let profile): try profile.colorSpace()
      }
    }
  }
}
