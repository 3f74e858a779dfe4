// Spaces of television before it was high definition, of printing, and of computers before sRGB: pictures in them still come.
extension ColorSpace {
  /// Television of 625 lines (Rec. ITU-R BT.601).
  public static let rec601With625Lines = ColorSpace(
    "Rec. 601 625",
    primaries: Primaries(
      red: .init(0.640, 0.330), green: .init(0.290, 0.600), blue: .init(0.150, 0.060)),
    transfer: .rec709)

  /// Television of 525 lines (Rec. ITU-R BT.601), with the lights of SMPTE C.
  public static let rec601With525Lines = ColorSpace(
    "Rec. 601 525", aliases: ["smpte-c"],
    primaries: Primaries(
      red: .init(0.630, 0.340), green: .init(0.310, 0.595), blue: .init(0.155, 0.070)),
    transfer: .rec709)

  /// The first color television (47 CFR 73.682), with illuminant C.
  public static let ntsc1953 = ColorSpace(
    "NTSC 1953",
    primaries: Primaries(
      red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08),
      white: .illuminantC),
    transfer: .gamma(2.2))

  /// The displays of the first color Macintosh.
  public static let appleRGB = ColorSpace(
    "Apple RGB",
    primaries: Primaries(
      red: .init(0.625, 0.340), green: .init(0.280, 0.595), blue: .init(0.155, 0.070)),
    transfer: .gamma(1.8))

  /// Adobe's Wide Gamut RGB.
  public static let wideGamutRGB = ColorSpace(
    "Wide Gamut RGB",
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1152, 0.8264), blue: .init(0.1566, 0.0177),
      white: .d50),
    transfer: .gamma(563.0 / 256))

  /// The working space of European printers (eciRGB_v2, ISO 22028-4): equal steps of lightness.
  public static let eciRGB = ColorSpace(
    "eciRGB v2",
    primaries: Primaries(
      red: .init(0.67, 0.33), green: .init(0.21, 0.71), blue: .init(0.14, 0.08), white: .d50),
    transfer: .lStar)

  /// Digital cinema's lights with the white of ACES, as theatres grade them.
  public static let p3D60 = ColorSpace(
    "P3-D60",
    primaries: Primaries(
      red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060),
      white: .aces),
    transfer: .gamma(2.6))

  /// ROMM RGB with its lights rounded to four digits, as many profiles have them.
  public static let proPhoto4Digit = ColorSpace(
    "ProPhoto RGB 4-digit", aliases: ["prophoto-4digit"],
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1596, 0.8404), blue: .init(0.0366, 0.0001),
      white: .d50),
    transfer: .proPhoto)

  /// All spaces of this file.
  static let historic: [ColorSpace] = [
    .rec601With625Lines, .rec601With525Lines, .ntsc1953, .appleRGB, .wideGamutRGB, .eciRGB, .p3D60,
    .proPhoto4Digit,
  ]
}
