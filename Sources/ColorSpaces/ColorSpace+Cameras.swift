// Cameras' spaces: the gamut and the curve that their makers publish together. Their linear forms are what grading works in.
extension ColorSpace {
  /// Sony S-Gamut3 with S-Log3.
  public static let sGamut3 = ColorSpace(
    "S-Gamut3",
    primaries: Primaries(
      red: .init(0.730, 0.280), green: .init(0.140, 0.855), blue: .init(0.100, -0.050)),
    transfer: .sLog3)

  /// Sony S-Gamut3.Cine with S-Log3.
  public static let sGamut3Cine = ColorSpace(
    "S-Gamut3.Cine",
    primaries: Primaries(
      red: .init(0.766, 0.275), green: .init(0.225, 0.800), blue: .init(0.089, -0.087)),
    transfer: .sLog3)

  /// ARRI Wide Gamut 3 with LogC3 at EI 800.
  public static let arriWideGamut3 = ColorSpace(
    "ARRI Wide Gamut 3",
    primaries: Primaries(
      red: .init(0.684, 0.313), green: .init(0.221, 0.848), blue: .init(0.0861, -0.102)),
    transfer: .logC3)

  /// ARRI Wide Gamut 4 with LogC4.
  public static let arriWideGamut4 = ColorSpace(
    "ARRI Wide Gamut 4",
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1424, 0.8576), blue: .init(0.0991, -0.0308)),
    transfer: .logC4)

  /// Panasonic V-Gamut with V-Log.
  public static let vGamut = ColorSpace(
    "V-Gamut",
    primaries: Primaries(
      red: .init(0.730, 0.280), green: .init(0.165, 0.840), blue: .init(0.100, -0.030)),
    transfer: .vLog)

  /// REDWideGamutRGB with Log3G10.
  public static let redWideGamutRGB = ColorSpace(
    "REDWideGamutRGB", aliases: ["red-wide-gamut-rgb"],
    primaries: Primaries(
      red: .init(0.780308, 0.304253), green: .init(0.121595, 1.493994),
      blue: .init(0.095612, -0.084589)),
    transfer: .log3G10)

  /// DaVinci Wide Gamut with DaVinci Intermediate.
  public static let daVinciWideGamut = ColorSpace(
    "DaVinci Wide Gamut",
    primaries: Primaries(
      red: .init(0.8000, 0.3130), green: .init(0.1682, 0.9877), blue: .init(0.0790, -0.1155)),
    transfer: .daVinciIntermediate)

  /// Canon Cinema Gamut with Canon Log 3.
  public static let cinemaGamut = ColorSpace(
    "Cinema Gamut", aliases: ["canon-cinema-gamut"],
    primaries: Primaries(
      red: .init(0.740, 0.270), green: .init(0.170, 1.140), blue: .init(0.080, -0.100)),
    transfer: .canonLog3)

  /// Fujifilm F-Gamut, the lights of Rec. 2020, with F-Log.
  public static let fGamut = ColorSpace("F-Gamut", primaries: .rec2020, transfer: .fLog)

  /// Nikon N-Gamut, the lights of Rec. 2020, with N-Log.
  public static let nGamut = ColorSpace("N-Gamut", primaries: .rec2020, transfer: .nLog)

  /// Blackmagic Wide Gamut with Blackmagic Film Generation 5; its white is its own.
  public static let blackmagicWideGamut = ColorSpace(
    "Blackmagic Wide Gamut",
    primaries: Primaries(
      red: .init(0.7177215, 0.3171181), green: .init(0.2280410, 0.8615690),
      blue: .init(0.1005841, -0.0820452), white: .init(0.3127170, 0.3290312)),
    transfer: .blackmagicFilmGeneration5)

  /// Apple Log over the lights of Rec. 2020.
  public static let appleLog = ColorSpace("Apple Log", primaries: .rec2020, transfer: .appleLog)

  /// ACEScc: ACEScg's lights in logarithms, for grading.
  public static let acescc = ColorSpace("ACEScc", primaries: .acesAP1, transfer: .acescc)

  /// ACEScct: ACEScc with a line at its foot.
  public static let acescct = ColorSpace("ACEScct", primaries: .acesAP1, transfer: .acescct)

  /// All spaces of this file.
  static let cameras: [ColorSpace] = [
    .sGamut3, .sGamut3Cine, .arriWideGamut3, .arriWideGamut4, .vGamut, .redWideGamutRGB,
    .daVinciWideGamut, .cinemaGamut, .fGamut, .nGamut, .blackmagicWideGamut, .appleLog, .acescc,
    .acescct,
  ]
}
