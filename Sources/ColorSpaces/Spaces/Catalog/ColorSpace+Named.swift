// A new space is one declaration here and one entry in `named`.
extension ColorSpace {
  /// IEC 61966-2-1: the default of the web and of most photographs.
  public static let sRGB = ColorSpace(
    "sRGB",
    aliases: [
      "kCGColorSpaceSRGB", "kCGColorSpaceExtendedSRGB", "srgb_rec709_scene",
      "srgb_rec709_display", "sRGB - Display", "sRGB Encoded Rec.709 (sRGB)", "sRGB - Texture",
      "srgb_tx", "IEC 61966-2-1", "scRGB-nl",
    ],
    primaries: .rec709, transfer: .sRGB)

  /// sRGB's primaries with linear, unbounded values: the working space of Core Image.
  public static let linearSRGB = ColorSpace(
    "linear sRGB",
    aliases: [
      "srgb-linear", "kCGColorSpaceLinearSRGB", "kCGColorSpaceExtendedLinearSRGB",
      "lin_rec709_scene", "Linear Rec.709 (sRGB)", "scRGB",
    ],
    primaries: .rec709, transfer: .linear)

  /// The wide-gamut space of today's phones and displays: P3 primaries, sRGB's curve and white point.
  ///
  /// OpenColorIO's `Display P3 HDR - Display` is the same space with values above 1 (its `Displays.cpp` defines both by
  /// one function).
  public static let displayP3 = ColorSpace(
    "Display P3",
    aliases: [
      "p3", "kCGColorSpaceDisplayP3", "kCGColorSpaceExtendedDisplayP3", "srgb_p3d65_scene",
      "srgb_p3d65_display", "srgbe_p3d65_display", "Display P3 - Display",
      "Display P3 HDR - Display", "sRGB Encoded P3-D65", "srgb_p3d65", "srgb_displayp3",
      "sRGB Encoded P3-D65 - Texture", "srgb_encoded_p3d65_tx",
    ],
    primaries: .p3, transfer: .sRGB)

  /// Display P3's primaries, linear.
  public static let linearDisplayP3 = ColorSpace(
    "linear Display P3",
    aliases: [
      "display-p3-linear", "kCGColorSpaceLinearDisplayP3", "kCGColorSpaceExtendedLinearDisplayP3",
      "lin_p3d65_scene", "Linear P3-D65",
    ],
    primaries: .p3, transfer: .linear)

  /// Digital cinema (SMPTE RP 431-2): projector white point, gamma 2.6.
  public static let dciP3 = ColorSpace(
    "DCI-P3",
    aliases: ["kCGColorSpaceDCIP3", "P3-DCI - Display", "dci"],
    primaries: .dciP3, transfer: .gamma(2.6).citing(.rp431))

  /// Adobe RGB (1998); its gamma is 2 + 51/256, also in OpenColorIO, OpenUSD and MaterialX, which call it 2.2.
  public static let adobeRGB = ColorSpace(
    "Adobe RGB",
    aliases: [
      "a98-rgb", "adobe-rgb-1998", "Adobe RGB (1998)", "adobe1998", "kCGColorSpaceAdobeRGB1998",
      "Gamma 2.2 Encoded AdobeRGB", "g22_encoded_adobergb", "g22_adobergb_scene",
      "g22_adobergb_display",
    ],
    primaries: .adobeRGB, transfer: .gamma(563.0 / 256).citing(.adobeRGB))

  /// ROMM RGB (ISO 22028-2): beyond the visible gamut, for prints and raw converters.
  public static let proPhoto = ColorSpace(
    "ProPhoto RGB",
    aliases: ["prophoto", "romm", "romm-rgb", "kCGColorSpaceROMMRGB"],
    primaries: .proPhoto, transfer: .proPhoto)

  /// High-definition television as cameras encode it (Rec. ITU-R BT.709).
  public static let rec709 = ColorSpace(
    "Rec. 709",
    aliases: [
      "bt709", "ITU-R BT.709", "rec709-oetf", "Camera Rec.709", "rec709_camera",
      "kCGColorSpaceITUR_709",
    ],
    primaries: .rec709, transfer: .rec709)

  /// Ultra-high-definition television as displays show it: Rec. ITU-R BT.2020's primaries, BT.1886 with a black of
  /// zero; CSS Color 4's `rec2020`.
  public static let rec2020 = ColorSpace(
    "Rec. 2020", aliases: ["Rec.1886 Rec.2020 - Display"], primaries: .rec2020,
    transfer: .gamma(2.4).citing(.bt1886))

  /// Ultra-high-definition television as cameras encode it (Rec. ITU-R BT.2020, table 4).
  public static let rec2020Camera = ColorSpace(
    "Rec. 2020 camera",
    aliases: [
      "bt2020", "ITU-R BT.2020", "rec2020-oetf", "kCGColorSpaceITUR_2020",
      "kCGColorSpaceExtendedITUR_2020",
    ],
    primaries: .rec2020,
    transfer: .rec709)

  /// Rec. 2020's primaries, linear.
  public static let linearRec2020 = ColorSpace(
    "linear Rec. 2020",
    aliases: [
      "rec2020-linear", "rec2100-linear", "kCGColorSpaceLinearITUR_2020",
      "kCGColorSpaceExtendedLinearITUR_2020",
      "lin_rec2020_scene",
    ],
    primaries: .rec2020, transfer: .linear)

  /// The interchange and archive space of film (ACES2065-1, SMPTE ST 2065-1).
  public static let aces2065 = ColorSpace(
    "ACES2065-1",
    aliases: ["ap0", "aces", "lin_ap0_scene"],
    primaries: .acesAP0, transfer: .linear)

  /// The rendering space of film (ACEScg, S-2014-004).
  public static let acescg = ColorSpace(
    "ACEScg",
    aliases: ["ap1", "kCGColorSpaceACESCGLinear", "lin_ap1_scene"],
    primaries: .acesAP1, transfer: .linear)

  /// The common RGB spaces.
  public static let named: [ColorSpace] = [
    .sRGB, .linearSRGB, .displayP3, .linearDisplayP3, .dciP3, .adobeRGB, .proPhoto, .rec709,
    .rec2020, .rec2020Camera, .linearRec2020, .aces2065, .acescg,
  ]

  /// Every named space, including high dynamic range, other coordinates, cameras and historic spaces.
  public static let all =
    named + displays + highDynamicRange + coordinates + cameras + filmScans + historic + grays

  /// Creates the space called `name`, or by one of its aliases; letter case, spaces and punctuation do not matter. A
  /// name with “linear” before or after it, or “lin” before it, is the linear form of its space.
  ///
  /// Names of Core Graphics may omit their prefix: `extendedSRGB` is `kCGColorSpaceExtendedSRGB`. Code points of Rec.
  /// ITU-T H.273 are names too: `12/13/0`, or `9/16/9/0` for narrow-range 8-bit video.
  ///
  /// A slash pairs the primaries of one space with a transfer function: `Cinema Gamut/Canon Log 2`. With PQ and HLG,
  /// linear 1 is reference white, as in ``rec2100PQ`` and ``rec2100HLG``. The first space must have a curve for each
  /// channel: an error is thrown for Lab and other coordinates.
  public init(named name: String) throws(ColorError) {
    if let points = CodePoints(name) {
      self = try ColorSpace(cicp: points)
      return
    }
    var key = NameTable<ColorSpace>.key(name)
    for prefix in [Self.appleKey, String(Self.appleKey.dropFirst())] where key.hasPrefix(prefix) {
      key = String(key.dropFirst(prefix.count))
    }
    // OpenColorIO's aliases shorten the word: `lin_srgb`.
    let isShort = key.hasPrefix("lin") && !key.hasPrefix("linear")
    let spelled = isShort ? "linear" + key.dropFirst(3) : key
    if let space = Self.withKey(key[...]) ?? Self.withKey(spelled[...]) {
      self = space
    } else if spelled.hasPrefix("linear"), let space = Self.withKey(spelled.dropFirst(6)) {
      self = space.linear
    } else if key.hasSuffix("linear"), let space = Self.withKey(key.dropLast(6)) {
      self = space.linear
    } else if let space = try Self.pair(named: name) {
      self = space
    } else {
      throw .unknownColorSpace(name, nearest: Self.names.suggestions(for: name))
    }
  }

  /// Returns the space of the primaries and the transfer function that a slash joins in `name`; nil without one slash.
  ///
  /// A space of ``all`` that is defined by the same two is returned under its own name.
  private static func pair(named name: String) throws(ColorError) -> ColorSpace? {
    let halves = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard halves.count == 2 else { return nil }
    let gamut = try ColorSpace(named: halves[0])
    guard gamut.transfer.curves != nil else {
      throw .unusablePrimaries(
        gamut.primaries,
        reason: "“\(gamut.name)” has coordinates that no curve replaces; put an RGB space before "
          + "the slash")
    }
    let curve = try TransferFunction(named: halves[1])
    let relative = [.pq: rec2100PQ, .hlg: rec2100HLG][curve]?.transfer ?? curve
    let space = ColorSpace(
      "\(gamut.name)/\(curve.name)", primaries: gamut.primaries, transfer: relative,
      isGray: gamut.isGray)
    return all.first {
      $0.primaries == space.primaries && $0.transfer == relative && $0.isGray == space.isGray
    } ?? space
  }

  /// The prefix of Core Graphics' constants, as a key.
  private static let appleKey = "kcgcolorspace"

  private static func withKey(_ key: Substring) -> ColorSpace? {
    names[String(key)] ?? names[appleKey + key]
  }

  private static let names = NameTable(
    all.map { space in (names: [space.name] + space.aliases, value: space) })
}
