// Camera spaces: a gamut and a log curve that a maker publishes together. Their linear forms are the working spaces of
// grading.
extension ColorSpace {
  /// Sony S-Gamut3 with S-Log3.
  public static let sGamut3 = ColorSpace(
    "S-Gamut3", aliases: ["S-Log3 S-Gamut3"],
    primaries: Primaries(
      red: .init(0.730, 0.280), green: .init(0.140, 0.855), blue: .init(0.100, -0.050)
    ).citing(.sonySGamut3),
    transfer: .sLog3)

  /// Sony S-Gamut3.Cine with S-Log3.
  public static let sGamut3Cine = ColorSpace(
    "S-Gamut3.Cine", aliases: ["S-Log3 S-Gamut3.Cine", "slog3_sgamutcine"],
    primaries: Primaries(
      red: .init(0.766, 0.275), green: .init(0.225, 0.800), blue: .init(0.089, -0.087)
    ).citing(.sonySGamut3),
    transfer: .sLog3)

  /// ARRI Wide Gamut 3 with LogC3 at EI 800.
  public static let arriWideGamut3 = ColorSpace(
    "ARRI Wide Gamut 3",
    aliases: ["AWG3", "ARRI LogC3 (EI800)", "logc3ei800_alexawide", "AlexaWide"],
    primaries: Primaries(
      red: .init(0.684, 0.313), green: .init(0.221, 0.848), blue: .init(0.0861, -0.102)
    ).citing(.logC3),
    transfer: .logC3)

  /// ARRI Wide Gamut 4 with LogC4.
  public static let arriWideGamut4 = ColorSpace(
    "ARRI Wide Gamut 4", aliases: ["AWG4", "ARRI LogC4"],
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.1424, 0.8576), blue: .init(0.0991, -0.0308)
    ).citing(.logC4),
    transfer: .logC4)

  /// Panasonic V-Gamut with V-Log.
  public static let vGamut = ColorSpace(
    "V-Gamut", aliases: ["V-Log V-Gamut"],
    primaries: Primaries(
      red: .init(0.730, 0.280), green: .init(0.165, 0.840), blue: .init(0.100, -0.030)
    ).citing(.vLog),
    transfer: .vLog)

  /// REDWideGamutRGB with Log3G10.
  public static let redWideGamutRGB = ColorSpace(
    "REDWideGamutRGB",
    aliases: [
      "RED Wide Gamut", "RED Wide Gamut RGB", "Log3G10 REDWideGamutRGB", "rl3g10_rwg", "RWG",
    ],
    primaries: Primaries(
      red: .init(0.780308, 0.304253), green: .init(0.121595, 1.493994),
      blue: .init(0.095612, -0.084589)
    ).citing(.redWideGamut),
    transfer: .log3G10)

  /// DaVinci Wide Gamut with DaVinci Intermediate.
  public static let daVinciWideGamut = ColorSpace(
    "DaVinci Wide Gamut",
    aliases: ["DaVinci WideGamut", "DaVinci Intermediate WideGamut"],
    primaries: Primaries(
      red: .init(0.8000, 0.3130), green: .init(0.1682, 0.9877), blue: .init(0.0790, -0.1155)
    ).citing(.daVinci),
    transfer: .daVinciIntermediate)

  /// Canon Cinema Gamut with Canon Log 3.
  public static let cinemaGamut = ColorSpace(
    "Cinema Gamut",
    aliases: [
      "canon-cinema-gamut", "CanonLog3 CinemaGamut D55", "CinemaGamut D55", "canonlog3_cgamutday",
      "canoncgamutday",
    ],
    primaries: Primaries(
      red: .init(0.740, 0.270), green: .init(0.170, 1.140), blue: .init(0.080, -0.100)
    ).citing(.canonC500),
    transfer: .canonLog3)

  /// Canon Cinema Gamut with Canon Log 2.
  public static let cinemaGamutLog2 = ColorSpace(
    "Cinema Gamut Canon Log 2", aliases: ["CanonLog2 CinemaGamut D55", "canonlog2_cgamutday"],
    primaries: cinemaGamut.primaries, transfer: .canonLog2)

  /// Fujifilm F-Gamut, the primaries of Rec. 2020, with F-Log.
  public static let fGamut = ColorSpace("F-Gamut", primaries: .rec2020, transfer: .fLog)

  /// Nikon N-Gamut, the primaries of Rec. 2020, with N-Log.
  public static let nGamut = ColorSpace("N-Gamut", primaries: .rec2020, transfer: .nLog)

  /// Blackmagic Wide Gamut with Blackmagic Film Generation 5; it has its own white point.
  public static let blackmagicWideGamut = ColorSpace(
    "Blackmagic Wide Gamut",
    aliases: ["BMD WideGamut Gen5", "BMDFilm WideGamut Gen5"],
    primaries: Primaries(
      red: .init(0.7177215, 0.3171181), green: .init(0.2280410, 0.8615690),
      blue: .init(0.1005841, -0.0820452), white: .init(0.3127170, 0.3290312)
    ).citing(.blackmagicGeneration5),
    transfer: .blackmagicFilmGeneration5)

  /// Apple Log over the primaries of Rec. 2020.
  public static let appleLog = ColorSpace("Apple Log", primaries: .rec2020, transfer: .appleLog)

  /// Apple Wide Gamut with Apple Log: what cameras call Apple Log 2 (Apple, “Apple Log 2 White Paper”, 2025).
  public static let appleWideGamut = ColorSpace(
    "Apple Wide Gamut", aliases: ["Apple Log 2"],
    primaries: Primaries(
      red: .init(0.725, 0.301), green: .init(0.221, 0.814), blue: .init(0.068, -0.076)
    ).citing(Source("Apple, “Apple Log 2 White Paper”", edition: "2025")),
    transfer: .appleLog)

  /// Sony S-Gamut, the primaries of S-Gamut3, with S-Log2.
  public static let sGamut = ColorSpace(
    "S-Gamut", aliases: ["S-Log2 S-Gamut"], primaries: sGamut3.primaries, transfer: .sLog2)

  /// S-Gamut3 of the Venice, with S-Log3.
  public static let veniceSGamut3 = ColorSpace(
    "Venice S-Gamut3", aliases: ["S-Log3 Venice S-Gamut3"],
    primaries: Primaries(
      red: .init(0.740464264304292, 0.279364374750660),
      green: .init(0.089241145423286, 0.893809528608105),
      blue: .init(0.110488236673827, -0.052579333080476)
    ).citing(Source("Sony, “IDT.Sony.Venice_SLog3_SGamut3.ctl”", edition: "2020")),
    transfer: .sLog3)

  /// S-Gamut3.Cine of the Venice, with S-Log3.
  public static let veniceSGamut3Cine = ColorSpace(
    "Venice S-Gamut3.Cine",
    aliases: ["S-Log3 Venice S-Gamut3.Cine", "slog3_venice_sgamutcine"],
    primaries: Primaries(
      red: .init(0.775901871567345, 0.274502392854799),
      green: .init(0.188682902773355, 0.828684937020288),
      blue: .init(0.101337382499301, -0.089187517306263)
    ).citing(Source("Sony, “IDT.Sony.Venice_SLog3_SGamut3Cine.ctl”", edition: "2020")),
    transfer: .sLog3)

  /// REDcolor with REDLogFilm.
  public static let redColor = ColorSpace(
    "REDcolor",
    primaries: Primaries(
      red: .init(0.701058563171395, 0.330180975940326),
      green: .init(0.298811317306316, 0.625169245953133),
      blue: .init(0.135038675201355, 0.035261776551191)
    ).citing(.redDerivation),
    transfer: .redLogFilm)

  /// REDcolor2 with REDLogFilm.
  public static let redColor2 = ColorSpace(
    "REDcolor2",
    primaries: Primaries(
      red: .init(0.897407221929776, 0.330776225980398),
      green: .init(0.296022094516625, 0.684635550900945),
      blue: .init(0.099799512883393, -0.023000513177992)
    ).citing(.redDerivation),
    transfer: .redLogFilm)

  /// REDcolor3 with REDLogFilm.
  public static let redColor3 = ColorSpace(
    "REDcolor3",
    primaries: Primaries(
      red: .init(0.702598658589917, 0.330185588938484),
      green: .init(0.295782235737268, 0.689748258397534),
      blue: .init(0.111090529079787, -0.004332320984771)
    ).citing(.redDerivation),
    transfer: .redLogFilm)

  /// REDcolor4 with REDLogFilm.
  public static let redColor4 = ColorSpace(
    "REDcolor4",
    primaries: Primaries(
      red: .init(0.702598154635438, 0.330185096210515),
      green: .init(0.295782328047083, 0.689748253964859),
      blue: .init(0.144459236489795, 0.050837720977386)
    ).citing(.redDerivation),
    transfer: .redLogFilm)

  /// DRAGONcolor with REDLogFilm.
  public static let dragonColor = ColorSpace(
    "DRAGONcolor",
    primaries: Primaries(
      red: .init(0.758655892599321, 0.330355348611293),
      green: .init(0.294923619810175, 0.708053242065117),
      blue: .init(0.085961601167585, -0.045879436983969)
    ).citing(.redDerivation),
    transfer: .redLogFilm)

  /// DRAGONcolor2 with REDLogFilm.
  public static let dragonColor2 = ColorSpace(
    "DRAGONcolor2",
    primaries: Primaries(
      red: .init(0.758656214177604, 0.330355835762678),
      green: .init(0.294923887732982, 0.708053363192126),
      blue: .init(0.144168726866337, 0.050357384587121)
    ).citing(.redDerivation),
    transfer: .redLogFilm)

  /// DJI D-Gamut with D-Log.
  public static let dGamut = ColorSpace(
    "D-Gamut", aliases: ["DJI D-Gamut", "D-Log D-Gamut"],
    primaries: Primaries(
      red: .init(0.71, 0.31), green: .init(0.21, 0.88), blue: .init(0.09, -0.08)
    ).citing(.dLog),
    transfer: .dLog)

  /// GoPro's Protune Native.
  public static let protuneNative = ColorSpace(
    "Protune Native",
    primaries: Primaries(
      red: .init(0.698480461493841, 0.193026445370121),
      green: .init(0.329555378387345, 1.024596624134644),
      blue: .init(0.108442631407675, -0.034678569754016)
    ).citing(.goPro),
    transfer: .protune)

  /// FilmLight E-Gamut with T-Log.
  public static let eGamut = ColorSpace(
    "E-Gamut", aliases: ["FilmLight E-Gamut"],
    primaries: Primaries(
      red: .init(0.8000, 0.3177), green: .init(0.1800, 0.9000), blue: .init(0.0650, -0.0805)
    ).citing(.filmLight),
    transfer: .tLog)

  /// FilmLight E-Gamut 2 with T-Log.
  public static let eGamut2 = ColorSpace(
    "E-Gamut 2", aliases: ["FilmLight E-Gamut 2"],
    primaries: Primaries(
      red: .init(0.8300, 0.3100), green: .init(0.1500, 0.9500), blue: .init(0.0650, -0.0805)
    ).citing(.filmLight),
    transfer: .tLog)

  /// Fujifilm F-Gamut C with F-Log2.
  public static let fGamutC = ColorSpace(
    "F-Gamut C",
    primaries: Primaries(
      red: .init(0.7347, 0.2653), green: .init(0.0263, 0.9737), blue: .init(0.1173, -0.0224)
    ).citing(Source("Fujifilm, “F-Log2 C Data Sheet”", edition: "version 1.0")),
    transfer: .fLog2)

  /// ACEScc: ACEScg's primaries with a logarithmic curve, for grading.
  public static let acescc = ColorSpace(
    "ACEScc", aliases: ["acescc_ap1"], primaries: .acesAP1, transfer: .acescc)

  /// ACEScct: ACEScc with a linear toe.
  public static let acescct = ColorSpace(
    "ACEScct", aliases: ["acescct_ap1"], primaries: .acesAP1, transfer: .acescct)

  /// ACESproxy: ACEScg's primaries with a logarithmic curve, in the narrow range of 10-bit video.
  public static let acesProxy = ColorSpace(
    "ACESproxy", aliases: ["ACESproxy10", "acesproxy10i"], primaries: .acesAP1,
    transfer: .acesProxy10)

  /// ACESproxy in the narrow range of 12-bit video.
  public static let acesProxy12 = ColorSpace(
    "ACESproxy 12", aliases: ["acesproxy12i"], primaries: .acesAP1, transfer: .acesProxy12)

  /// The spaces of cameras, and the logarithmic ones of ACES.
  static let cameras: [ColorSpace] = [
    .sGamut3, .sGamut3Cine, .sGamut, .veniceSGamut3, .veniceSGamut3Cine, .arriWideGamut3,
    .arriWideGamut4, .vGamut, .redWideGamutRGB, .redColor, .redColor2, .redColor3, .redColor4,
    .dragonColor, .dragonColor2, .daVinciWideGamut, .cinemaGamut, .cinemaGamutLog2, .fGamut,
    .fGamutC, .nGamut, .blackmagicWideGamut, .dGamut, .protuneNative, .eGamut, .eGamut2, .appleLog,
    .appleWideGamut, .acescc, .acescct, .acesProxy, .acesProxy12,
  ]
}
