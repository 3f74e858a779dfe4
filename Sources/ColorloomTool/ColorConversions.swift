import Colorloom
import ICCProfiles
import ImageFiles

/// The conversion options: --gamut, --intent, --bpc, --tone-map and --hdr-peak, which together say how --to converts.
struct ColorConversions {
  private var gamut: GamutMapping?
  private var intent: RenderingIntent?
  private var blackPointCompensation = false
  private var toneMapping: ToneMapping?
  private var peak: Double?
  private static let peaks = Luminance.graphicsWhite.candelas...10_000
  private static var peakWords: String {
    "from \(Int(peaks.lowerBound)) to \(Int(peaks.upperBound)) cd/m²"
  }
  /// Whether the file's ink channels were already converted to colors with --intent and --bpc, so that conversions between spaces need not.
  var inksAreRendered = false
  /// The greatest luminance that the file states of its picture, in cd/m²; nil where it states none.
  var contentPeak: Double?

  static var arguments: [Argument<ColorConversions>] {
    [
      .option(
        "--gamut", .gamutMapping,
        "gamut mapping of --to for out-of-gamut colors; default: none", \.gamut),
      .option(
        "--intent", .intent,
        "rendering intent for LUT profiles; default: relative for CMYK and with --bpc, the profile's own otherwise",
        \.intent),
      .flag("--bpc", "apply black point compensation (ISO 18619)", \.blackPointCompensation),
    ] + toneMappingArguments(of: "--to")
  }

  /// --tone-map and --hdr-peak; help says that they are for `conversions`.
  static func toneMappingArguments(of conversions: String) -> [Argument<ColorConversions>] {
    [
      .option(
        "--tone-map",
        .choice([
          "bt2390": .bt2390, "bt2446a": .bt2446a, "bt2446c": .bt2446c, "clip": .clip,
        ]),
        "tone mapping of \(conversions) to spaces of standard dynamic range, for light above white: ITU-R BT.2390, method A or C of "
          + "ITU-R BT.2446, or clip for none, where integers clip above reference white; default: bt2390 from PQ and HLG, "
          + "but clip to linear spaces, to coordinates such as Oklab, and after a step that maps tones or converts; clip from other spaces. "
          + "Integers in spaces without light above white stay as they are. PQ and HLG are mapped from --hdr-peak whatever they show, which "
          + "darkens white, too, unless a PQ file states a peak (cLLI, mDCV) of at most \(Int(peaks.lowerBound)) cd/m²; clip keeps white",
        \.toneMapping),
      .option(
        "--hdr-peak", .number(in: peaks, of: "cd/m²").named("NITS"),
        "peak luminance that --tone-map bt2390 and bt2446a map to white, \(peakWords); default: 1000",
        \.peak),
    ]
  }

  var rendering: ProfileRendering {
    ProfileRendering(
      intent: intent ?? .relativeColorimetric, blackPointCompensation: blackPointCompensation)
  }

  /// Throws where an option has no effect on any picture, or where nothing is converted, neither by --to nor from ink channels.
  func check(converts: Bool, readsInks: Bool) throws {
    try Self.check(intent, blackPointCompensation)
    if let toneMapping, !toneMapping.hasPeak, peak != nil {
      throw Misuse(
        "“--hdr-peak” is the luminance that --tone-map bt2390 and bt2446a map to white, and “--tone-map \(toneMapping)” "
          + (toneMapping == .clip ? "maps nothing." : "is the same for any peak.")
          + " Leave one of them out.")
    }
    let unused = gamut != nil && !converts ? "--gamut" : option ?? rangeOption
    if let unused, !converts, unused == "--gamut" || !readsInks {
      throw Misuse(
        "“\(unused)” changes how --to converts, and there is no --to. Name a space or a profile with --to."
      )
    }
  }

  /// Throws where --intent and --bpc contradict each other.
  static func check(_ intent: RenderingIntent?, _ blackPointCompensation: Bool) throws {
    if blackPointCompensation, intent == .absoluteColorimetric {
      throw Misuse(
        "“--intent absolute” keeps black as it is, and “--bpc” does not. Leave one of them out.")
    }
  }

  /// Refuses --gamut for a profile of ink channels, whose tables define the gamut mapping.
  func checkSeparation(by profile: ICCProfile) throws {
    guard gamut != nil else { return }
    throw Misuse(
      "“--gamut” does not apply to “\(profile)”, whose LUTs map colors into its gamut. Choose a LUT with "
        + "--intent.")
  }

  /// Returns the picture in another space. Its tones are mapped before, by
  /// ``toneMapped(_:for:mappingTones:keepsLight:isFirst:refusesPeak:)``.
  func convert(_ picture: Picture, to end: ICCTransform.Link) throws -> Picture {
    let end = try end.definedByCodePoints
    let hasTables = end.hasTables || ICCTransform.Link(picture.space).hasTables
    guard let option, hasTables || intent == .absoluteColorimetric && !inksAreRendered else {
      if !inksAreRendered {
        try Self.checkNeed(of: intent, blackPointCompensation, from: "\(picture.space)", to: end)
      }
      let space = try end.space
      return gamut.map { picture.fitted(into: space, by: $0) } ?? picture.converted(to: space)
    }
    if gamut != nil {
      throw Misuse(
        "“--gamut” and “\(option)” both choose the gamut mapping to \(end). Leave one of them out.")
    }
    return try picture.converted(to: end, by: rendering)
  }

  /// Returns the picture in its own space, with high dynamic range mapped to standard dynamic range: by --tone-map, or if `mappingTones`
  /// says so, the target clips highlights, and the file does not state that there are none. Pictures that are neither PQ nor HLG are mapped
  /// on request, by the first conversion, where they may have light above white. Returns nil where nothing is mapped.
  ///
  /// - Parameters:
  ///   - keepsLight: Whether no step before changes linear light, so that light above white is that of the source.
  ///   - refusesPeak: Whether --hdr-peak is refused where nothing is mapped.
  func toneMapped(
    _ picture: Picture, for end: ICCTransform.Link, mappingTones: Bool, keepsLight: Bool,
    isFirst: Bool = true, refusesPeak: Bool = true
  ) throws -> Picture? {
    let isOfHighRange = picture.space.transfer.isOfHighRange
    let isAsked = rangeOption != nil && isFirst
    guard toneMapping != .clip,
      isOfHighRange || isAsked && mayHoldHighlights(picture, keepsLight: keepsLight)
    else { return nil }
    if end.isOfHighRange {
      guard let rangeOption else { return nil }
      throw Misuse(
        "“\(rangeOption)” is for mapping to standard dynamic range, and \(end) has "
          + "high dynamic range. Leave it out.")
    }
    let mapsByDefault =
      isOfHighRange && mappingTones && end.clipsHighlights
      && !(keepsLight && peak == nil && statesNoHighlights(picture.space))
    guard let method = toneMapping ?? (mapsByDefault ? ToneMapping.bt2390 : nil) else {
      guard peak != nil, refusesPeak else { return nil }
      throw Misuse(
        "“--hdr-peak” is the luminance that tone mapping maps to white, and this conversion to \(end) maps no tones by "
          + "default. Add --tone-map bt2390, or leave out --hdr-peak.")
    }
    var picture = picture
    // The same signal as display light: scene light has no luminance.
    if [ColorSpace.rec2100HLG, .displayP3HLG, .rec709HLG].contains(picture.space) {
      picture = picture.converted(to: .rec2100HLG).tagged(as: .rec2100HLGDisplay)
    }
    let white = Luminance.graphicsWhite.candelas
    switch method {
    case .bt2390: return picture.displayMapping(from: peak ?? 1000, to: white, unit: white)
    case .bt2446a: return picture.bt2446A(from: peak ?? 1000, unit: white)
    case .bt2446c: return picture.bt2446C(unit: white)
    case .clip: return nil
    }
  }

  /// Whether a file in PQ states that nothing is brighter than reference white, as those of screenshots do. The luminance of HLG depends on
  /// the display.
  private func statesNoHighlights(_ space: ColorSpace) -> Bool {
    guard let contentPeak, space.transfer.name.contains("PQ") else { return false }
    return contentPeak <= Luminance.graphicsWhite.candelas
  }

  /// Whether values can be above white: a step makes them brighter, or a source can hold such values. Integers have at most 1, which is
  /// white, or brighter in logarithmic spaces; in coordinates it may be either.
  func mayHoldHighlights(_ picture: Picture, keepsLight: Bool) -> Bool {
    !keepsLight
      || picture.sourcePrecisions.contains { source in
        let transfer = source.space.transfer
        return source.format == .float16 || source.format == .float32 || transfer.isOfHighRange
          || transfer.curves == nil || transfer.decode(1) > 1
      }
  }

  /// The option for tone mapping that was given, for messages.
  private var rangeOption: String? {
    toneMapping != nil ? "--tone-map" : peak != nil ? "--hdr-peak" : nil
  }

  /// The profile option that was given, for messages.
  private var option: String? {
    intent != nil ? "--intent" : blackPointCompensation ? "--bpc" : nil
  }

  /// Throws where an option has no effect between two spaces without lookup tables: the intents other than absolute then equal relative,
  /// and black is already preserved.
  static func checkNeed(
    of intent: RenderingIntent?, _ blackPointCompensation: Bool, from source: String,
    to end: ICCTransform.Link
  ) throws {
    let sameIntents: [RenderingIntent?] = [nil, .relativeColorimetric, .absoluteColorimetric]
    guard blackPointCompensation || !sameIntents.contains(intent) else { return }
    let asks = blackPointCompensation ? "--bpc" : "--intent"
    throw Misuse(
      "“\(asks)” applies to LUT profiles only; \(source) and \(end) have no lookup tables. Omit “\(asks)”, or choose a "
        + "gamut mapping with “--gamut”.")
  }
}

extension ImageMetadata {
  /// The greatest luminance of the picture, in cd/m²: of its pixels, or where that is unknown (0), of the display it was finished on.
  var contentPeak: Double? {
    if let contentLight, contentLight.maximum > 0 { return contentLight.maximum }
    return (masteringDisplay?.luminance.upperBound).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// How high dynamic range becomes standard dynamic range.
private enum ToneMapping {
  /// The EETF of Report ITU-R BT.2390, with reference white of Report ITU-R BT.2408 as the display's peak.
  case bt2390
  /// Method A of Report ITU-R BT.2446, for a display of 100 cd/m².
  case bt2446a
  /// Method C of Report ITU-R BT.2446. What it leaves above 100 cd/m² is clipped when it is stored.
  case bt2446c
  /// Values above reference white are clipped when they are stored.
  case clip

  /// Whether it depends on the peak luminance of the master.
  var hasPeak: Bool { self == .bt2390 || self == .bt2446a }
}

extension TransferFunction {
  /// Whether it is PQ or HLG.
  var isOfHighRange: Bool { ["PQ", "HLG"].contains { name.contains($0) } }
}

extension ICCTransform.Link {
  /// Whether it is a space in PQ or HLG. Ink channels are no space, and have standard dynamic range.
  fileprivate var isOfHighRange: Bool { (try? space)?.transfer.isOfHighRange == true }

  /// Whether light above white is clipped there: not in linear spaces, nor in coordinates such as Oklab.
  fileprivate var clipsHighlights: Bool {
    if case .space(let space) = self, space.transfer.curves == nil { return false }
    return (try? space)?.transfer.isLinear != true
  }

  /// Whether it has grays only.
  var isGray: Bool {
    // The space of another profile takes time.
    if case .profile(let profile) = self, profile.modelName != "GRAY" { return false }
    return (try? space)?.isGray == true
  }

  /// Whether its grays have equal channels, unlike those of Lab or of lookup tables.
  var graysHaveEqualChannels: Bool {
    isGray
      || (try? definedByCodePoints)?.hasTables == false
        && (try? space)?.graysHaveEqualChannels == true
  }

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
