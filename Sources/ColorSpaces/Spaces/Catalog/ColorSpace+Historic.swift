// Spaces of standard-definition television, of printing, and of computers before sRGB. Archives still contain images in
// them.
extension ColorSpace {
  /// Television of 625 lines (Rec. ITU-R BT.601).
  public static let rec601With625Lines = ColorSpace(
    "Rec. 601 625",
    aliases: [
      "pal", "secam", "pal-secam", "BT.470 625", "ITU-R BT.470 - 625", "bt601-625",
      "EBU Tech. 3213-E",
    ],
    primaries: Primaries(
      red: .init(0.640, 0.330), green: .init(0.290, 0.600), blue: .init(0.150, 0.060)
    ).citing(Source("Rec. ITU-R BT.601-7", edition: "2011"), Source("EBU Tech. 3213-E")),
    transfer: .rec709)

  /// Television of 525 lines (Rec. ITU-R BT.601), with SMPTE C primaries.
  public static let rec601With525Lines = ColorSpace(
    "Rec. 601 525", aliases: ["smpte-c", "SMPTE 170M", "NTSC 1987", "ntsc", "bt601-525"],
    primaries: Primaries(
      red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070)
    ).citing(.smpteC),
    transfer: .rec709)

  /// The first color television (NTSC 1953, 47 CFR 73.682), with illuminant C.
  public static let ntsc1953 = ColorSpace(
    "NTSC 1953", aliases: ["BT.470 525", "ITU-R BT.470 - 525"],
    primaries: Primaries(
      red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08),
      white: .illuminantC
    ).citing(Source("47 CFR 73.682")),
    transfer: .gamma(2.2).citing(Source("Rec. ITU-R BT.470-6", edition: "1998")))

  /// The displays of the first color Macintosh.
  public static let appleRGB = ColorSpace(
    "Apple RGB",
    primaries: Primaries(
      red: .init(0.625, 0.340), green: .init(0.280, 0.595), blue: .init(0.155, 0.070)
    ).citing(.standardRGB),
    transfer: .gamma(1.8).citing(.standardRGB))

  /// Adobe's Wide Gamut RGB.
  public static let wideGamutRGB = ColorSpace(
    "Wide Gamut RGB", aliases: ["Adobe Wide Gamut RGB"],
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1152, 0.8264), blue: .init(0.1566, 0.0177),
      white: .d50
    ).citing(.wideGamutRGB),
    transfer: .gamma(563.0 / 256).citing(.wideGamutRGB))

  /// The working space of European printers (eciRGB_v2, ISO 22028-4), with an L* transfer curve.
  public static let eciRGB = ColorSpace(
    "eciRGB v2", aliases: ["ECI RGB v2", "eci-rgb"],
    primaries: Primaries(
      red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08), white: .d50
    ).citing(Source("European Color Initiative, “eciRGB v2”"), Source("ISO 22028-4")),
    transfer: .lStar)

  /// Generic film primaries through color filters, with illuminant C (Rec. ITU-T H.273, primaries 8), linear.
  public static let genericFilm = ColorSpace(
    "Generic Film", aliases: ["ITU-T H.273 - Generic Film"],
    primaries: Primaries(
      red: .init(0.681, 0.319), green: .init(0.243, 0.692), blue: .init(0.145, 0.049),
      white: .init(0.310, 0.316)
    ).citing(.h273("table 2, value 8")),
    transfer: .linear)

  /// The primaries that Rec. ITU-T H.273 lists without a name as value 22, linear.
  public static let h273Primaries22 = ColorSpace(
    "H.273 primaries 22", aliases: ["ITU-T H.273 - 22 Unspecified"],
    primaries: Primaries(
      red: .init(0.630, 0.340), green: .init(0.295, 0.605), blue: .init(0.155, 0.077)
    ).citing(.h273("table 2, value 22")),
    transfer: .linear)

  /// Digital cinema's primaries with the white point of ACES, as theaters grade them.
  public static let p3D60 = ColorSpace(
    "P3-D60", aliases: ["P3-D60 - Display"],
    primaries: Primaries(
      red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060),
      white: .aces
    ).citing(.rp431, .st2065),
    transfer: .gamma(2.6).citing(.rp431))

  /// ROMM RGB with its primaries rounded to four digits, as in many profiles.
  public static let proPhoto4Digit = ColorSpace(
    "ProPhoto RGB 4-digit", aliases: ["prophoto-4digit", "ROMM RGB 4-digit"],
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1596, 0.8404), blue: .init(0.0366, 0.0001),
      white: .d50
    ).citing(.romm),
    transfer: .proPhoto)

  /// High-definition television before Rec. 709 (SMPTE ST 240), with SMPTE C primaries.
  public static let smpte240M = ColorSpace(
    "SMPTE 240M",
    primaries: Primaries(
      red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070)
    ).citing(.smpteC),
    transfer: .smpte240M)

  /// The displays of later Macintoshes, with the P22 phosphor primaries of studio monitors.
  public static let genericRGB = ColorSpace(
    "Generic RGB", aliases: ["kCGColorSpaceGenericRGB"], primaries: h273Primaries22.primaries,
    transfer: .gamma(1.8).citing(.coreGraphics("kCGColorSpaceGenericRGB")))

  /// Radius ColorMatch RGB, for Pressview displays.
  public static let colorMatchRGB = ColorSpace(
    "ColorMatch RGB",
    primaries: Primaries(
      red: .init(0.630, 0.340), green: .init(0.295, 0.605), blue: .init(0.150, 0.075), white: .d50
    ).citing(.lindbloom),
    transfer: .gamma(1.8).citing(.lindbloom))

  /// Don Hutcheson's Best RGB: the colors of slide film and inks.
  public static let bestRGB = ColorSpace(
    "Best RGB",
    primaries: Primaries(
      red: .init(0.735191637630662, 0.264808362369338),
      green: .init(0.215336134453781, 0.774159663865546),
      blue: .init(0.130122950819672, 0.034836065573770), white: .d50
    ).citing(.hutchColor("BestRGB")),
    transfer: .gamma(2.2).citing(.hutchColor("BestRGB")))

  /// Bruce Lindbloom's Beta RGB.
  public static let betaRGB = ColorSpace(
    "Beta RGB",
    primaries: Primaries(
      red: .init(0.6888, 0.3112), green: .init(0.1986, 0.7551), blue: .init(0.1265, 0.0352),
      white: .d50
    ).citing(.lindbloom),
    transfer: .gamma(2.2).citing(.lindbloom))

  /// Bruce Fraser's RGB, between sRGB and Adobe RGB.
  public static let bruceRGB = ColorSpace(
    "Bruce RGB",
    primaries: Primaries(
      red: .init(0.640, 0.330), green: .init(0.280, 0.650), blue: .init(0.150, 0.060)
    ).citing(.lindbloom),
    transfer: .gamma(2.2).citing(.lindbloom))

  /// Don Hutcheson's DonRGB4: the colors of Ektachrome.
  public static let donRGB4 = ColorSpace(
    "Don RGB 4",
    primaries: Primaries(
      red: .init(0.696120689655172, 0.299568965517241),
      green: .init(0.214682981090100, 0.765294771968854),
      blue: .init(0.129937629937630, 0.035343035343035), white: .d50
    ).citing(.hutchColor("DonRGB4")),
    transfer: .gamma(2.2).citing(.hutchColor("DonRGB4")))

  /// Joseph Holmes's Ekta Space PS5: the colors of Ektachrome.
  public static let ektaSpacePS5 = ColorSpace(
    "Ekta Space PS5",
    primaries: Primaries(
      red: .init(0.694736842105263, 0.305263157894737), green: .init(0.260, 0.700),
      blue: .init(0.109728506787330, 0.004524886877828), white: .d50
    ).citing(.ektaSpace),
    transfer: .gamma(2.2).citing(.ektaSpace))

  /// Max RGB.
  public static let maxRGB = ColorSpace(
    "Max RGB",
    primaries: Primaries(
      red: .init(0.73413379, 0.26586621), green: .init(0.10039113, 0.89960887),
      blue: .init(0.03621495, 0), white: .d50
    ).citing(.hutchColor("MaxRGB")),
    transfer: .gamma(2.2).citing(.hutchColor("MaxRGB")))

  /// Russell Cottrell's RGB.
  public static let russellRGB = ColorSpace(
    "Russell RGB",
    primaries: Primaries(
      red: .init(0.69, 0.31), green: .init(0.18, 0.77), blue: .init(0.10, 0.02), white: .d55
    ).citing(.russellRGB),
    transfer: .gamma(2.2).citing(.russellRGB))

  /// Xtreme RGB, whose primaries are X, Y and Z.
  public static let xtremeRGB = ColorSpace(
    "Xtreme RGB",
    primaries: Primaries(
      red: .init(1, 0), green: .init(0, 1), blue: .init(0, 0), white: .d50
    ).citing(.hutchColor("XtremeRGB")),
    transfer: .gamma(2.2).citing(.hutchColor("XtremeRGB")))

  /// The CIE 1931 RGB primaries, of 700, 546.1 and 435.8 nm.
  public static let cieRGB = ColorSpace(
    "CIE RGB",
    primaries: Primaries(
      red: .init(0.734742840005998, 0.265257159994002),
      green: .init(0.273779033824958, 0.717477700256116),
      blue: .init(0.166555629580280, 0.008910726182545), white: .equalEnergy
    ).citing(.cieRGB),
    transfer: .gamma(2.2).citing(.cieRGB))

  /// Spectrally sharpened primaries (Finlayson et al. 1994).
  public static let sharpRGB = ColorSpace(
    "Sharp RGB",
    primaries: Primaries(
      red: .init(0.6898, 0.3206), green: .init(0.0736, 0.9003), blue: .init(0.1166, 0.0374),
      white: .equalEnergy
    ).citing(
      Source(
        "Süsstrunk, Holm and Finlayson, “Chromatic adaptation performance of different RGB sensors”",
        edition: "2000")),
    transfer: .linear)

  /// The primaries of stage lamps (PLASA ANSI E1.54), with an incandescent white point.
  public static let plasa = ColorSpace(
    "PLASA ANSI E1.54", aliases: ["plasa"],
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1596, 0.8404), blue: .init(0.0366, 0.0001),
      white: .init(0.4254, 0.4044)
    ).citing(Source("ANSI E1.54", edition: "2015")),
    transfer: .linear)

  /// The native primaries of xenon cinema projectors, a gamut that contains P3 (DCI-P3+).
  public static let dciP3Plus = ColorSpace(
    "DCI-P3 Plus", aliases: ["DCI-P3-P"],
    primaries: Primaries(
      red: .init(0.740, 0.270), green: .init(0.220, 0.780), blue: .init(0.090, -0.090), white: .dci
    ).citing(.canonC500),
    transfer: .gamma(2.6).citing(.rp431))

  /// RIMM RGB (ISO 22028-3): scene values up to twice white with the primaries of ROMM RGB.
  public static let rimm = ColorSpace(
    "RIMM RGB", primaries: proPhoto4Digit.primaries, transfer: .rimm)

  /// ERIMM RGB (ISO 22028-3): scene values up to 316 times white with the primaries of ROMM RGB.
  public static let erimm = ColorSpace(
    "ERIMM RGB", primaries: proPhoto4Digit.primaries, transfer: .erimm)

  /// The spaces of older standards and programs, such as NTSC 1953 and Apple RGB.
  static let historic: [ColorSpace] = [
    .rec601With625Lines, .rec601With525Lines, .ntsc1953, .genericFilm, .h273Primaries22, .smpte240M,
    .appleRGB, .genericRGB,
    .wideGamutRGB, .eciRGB, .p3D60, .dciP3Plus, .proPhoto4Digit, .rimm, .erimm, .colorMatchRGB,
    .bestRGB, .betaRGB, .bruceRGB, .donRGB4, .ektaSpacePS5, .maxRGB, .russellRGB, .xtremeRGB,
    .cieRGB, .sharpRGB, .plasa,
  ]
}
