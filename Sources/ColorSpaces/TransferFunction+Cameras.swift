// Logarithmic curves of cameras, of film scans and of the rooms where both are graded. Each is one declaration of its maker's
// numbers. Where a maker writes of 10-bit codes, they are divided by 1023; gray of 18 % is light of 0.18.
extension TransferFunction {
  // MARK: Grading

  /// ACEScc (Academy S-2014-003). Light from 65 504 on, the largest half, decodes to that.
  public static let acescc = TransferFunction(
    "ACEScc",
    decoding: .segmented(
      SegmentedCurve([
        .exponential(base: 2, slope: 17.52, shift: -9.72 + 1, offset: -0x1p-15),
        .exponential(base: 2, from: (9.72 - 15) / 17.52, slope: 17.52, shift: -9.72),
        .constant(65504, from: (log2(65504) + 9.72) / 17.52),
      ])),
    encoding: .segmented(
      SegmentedCurve([
        .constant((9.72 - 16) / 17.52),
        .log(
          base: 2, from: 0, slope: 0.5, shift: 0x1p-16, scale: 1 / 17.52, offset: 9.72 / 17.52),
        .log(base: 2, from: 0x1p-15, scale: 1 / 17.52, offset: 9.72 / 17.52),
      ])))

  /// ACEScct (Academy S-2016-001): ACEScc with a line at its foot.
  public static let acescct = TransferFunction(
    "ACEScct",
    encoding: SegmentedCurve([
      .line(slope: 10.540_237_741_654_5, intercept: 0.072_905_534_195_835_5),
      .log(base: 2, from: 0.007_812_5, scale: 1 / 17.52, offset: 9.72 / 17.52),
    ]))

  /// ACESproxy of 10 bits (Academy S-2013-001), before its rounding to whole codes: light ends where codes 64 and 940 do.
  public static let acesProxy10 = TransferFunction(
    "ACESproxy",
    decoding: .segmented(
      SegmentedCurve([
        .exponential(base: 2, slope: 1023.0 / 50, shift: -425.0 / 50 - 2.5)
      ])),
    encoding: .segmented(
      SegmentedCurve([
        .constant(64.0 / 1023),
        .log(
          base: 2, from: exp2(-9.72), scale: 50.0 / 1023, offset: (425 + 2.5 * 50) / 1023),
        .constant(940.0 / 1023, from: exp2((940 - 425) / 50 - 2.5)),
      ])))

  /// DaVinci Intermediate (Blackmagic Design, “DaVinci Resolve 17 Wide Gamut Intermediate”, 2021).
  public static let daVinciIntermediate = TransferFunction(
    "DaVinci Intermediate",
    encoding: SegmentedCurve([
      .line(slope: 10.444_268_55),
      .log(
        base: 2, from: 0.002_624_09, shift: 0.0075, scale: 0.073_292_48,
        offset: 7 * 0.073_292_48),
    ]))

  /// Scanned film as Kodak's Cineon stores it: black at code 95, white at 685, steps of 0.002 of density, gamma 0.6.
  ///
  /// Light so far below black that film has no density for it is stored as a code far below all others.
  public static let cineon = TransferFunction(
    "Cineon",
    decoding: .segmented(
      SegmentedCurve([
        .exponential(
          base: 10, slope: 1023.0 / 300, shift: -685.0 / 300, scale: 1 / (1 - cineonBlack),
          offset: -cineonBlack / (1 - cineonBlack))
      ])),
    encoding: .segmented(
      SegmentedCurve([
        .constant((685 - 300 * 300) / 1023),
        .log(
          base: 10, from: -cineonBlack / (1 - cineonBlack), slope: 1 - cineonBlack,
          shift: cineonBlack, scale: 300.0 / 1023, offset: 685.0 / 1023),
      ])))

  private static let cineonBlack = exp2((95 - 685) / 300 * log2(10))

  // MARK: Sony

  /// S-Log2 (Sony, “S-Log2 Technical Paper”): S-Log of light that is scaled by 155/219, in legal range.
  public static let sLog2 = TransferFunction(
    "S-Log2",
    encoding: SegmentedCurve([
      .line(
        slope: 5 * 155.0 / 219 / 0.9 * legalSpan,
        intercept: 0.030_001_222_851_889_303 * legalSpan + legalBlack),
      .log(
        base: 10, from: 0, slope: 155.0 / 219 / 0.9, shift: 0.037584,
        scale: 0.432699 * legalSpan, offset: (0.616596 + 0.03) * legalSpan + legalBlack),
    ]))

  private static let legalBlack = 64.0 / 1023
  private static let legalSpan = (940.0 - 64) / 1023

  /// S-Log3 (Sony, “Technical Summary for S-Gamut3.Cine/S-Log3 and S-Gamut3/S-Log3”, appendix).
  public static let sLog3 = TransferFunction(
    "S-Log3",
    encoding: SegmentedCurve([
      .line(slope: (171.210_294_692_9 - 95) / 0.01125 / 1023, intercept: 95.0 / 1023),
      .log(
        base: 10, from: 0.01125, slope: 1 / 0.19, shift: 0.01 / 0.19, scale: 261.5 / 1023,
        offset: 420.0 / 1023),
    ]))

  // MARK: ARRI

  /// LogC3 at exposure index 800 (ARRI, “ALEXA Log C Curve: Usage in VFX”, 2017, scene linear, firmware 3.x).
  public static let logC3 = TransferFunction(
    "LogC3",
    encoding: SegmentedCurve([
      .line(slope: 5.367655, intercept: 0.092809),
      .log(
        base: 10, from: 0.010591, slope: 5.555556, shift: 0.052272, scale: 0.247190,
        offset: 0.385537),
    ]))

  /// LogC4 (ARRI, “LogC4 Logarithmic Color Space Specification”, 2022).
  public static let logC4 = TransferFunction(
    "LogC4",
    encoding: SegmentedCurve([
      .line(slope: 1 / logC4Slope, intercept: -logC4Start / logC4Slope),
      .log(
        base: 2, from: logC4Start, slope: logC4A, shift: 64, scale: logC4B / 14,
        offset: logC4C - 6 * logC4B / 14),
    ]))

  // The specification's a, b, c, s and t.
  private static let logC4A = (0x1p18 - 16) / 117.45
  private static let logC4B = (1023.0 - 95) / 1023
  private static let logC4C = 95.0 / 1023
  private static let logC4Slope =
    7 * exp2(7 - 14 * logC4C / logC4B) / (log2(eulersNumber) * logC4A * logC4B)
  private static let logC4Start = (exp2(14 * (-logC4C / logC4B) + 6) - 64) / logC4A

  // MARK: Other makers

  /// V-Log (Panasonic, “V-Log/V-Gamut Reference Manual”, 2014).
  public static let vLog = TransferFunction(
    "V-Log",
    encoding: SegmentedCurve([
      .line(slope: 5.6, intercept: 0.125),
      .log(base: 10, from: 0.01, shift: 0.00873, scale: 0.241514, offset: 0.598206),
    ]))

  /// Canon Log 2 (Canon, “Canon Log Gamma Curves”, version 1.2): a logarithm to both sides of black.
  public static let canonLog2 = TransferFunction(
    "Canon Log 2",
    encoding: SegmentedCurve([
      .log(
        base: 10, slope: -87.099_375_46 / 0.9, shift: 1, scale: -0.241_360_77,
        offset: 0.092_864_125),
      .log(
        base: 10, from: 0, slope: 87.099_375_46 / 0.9, shift: 1, scale: 0.241_360_77,
        offset: 0.092_864_125),
    ]))

  /// Canon Log 3 (Canon, “Canon Log Gamma Curves”, version 1.2): logarithms to both sides, a line through black.
  public static let canonLog3 = TransferFunction(
    "Canon Log 3",
    encoding: SegmentedCurve([
      .log(
        base: 10, slope: -14.98325 / 0.9, shift: 1, scale: -0.367_268_45, offset: 0.127_839_01),
      .line(from: -0.014 * 0.9, slope: 1.975_479_8 / 0.9, intercept: 0.125_122_19),
      .log(
        base: 10, from: 0.014 * 0.9, slope: 14.98325 / 0.9, shift: 1, scale: 0.367_268_45,
        offset: 0.122_405_37),
    ]))

  /// Log3G10 (RED, “White Paper on REDWideGamutRGB and Log3G10”, 915-0187, version 3).
  public static let log3G10 = TransferFunction(
    "Log3G10",
    encoding: SegmentedCurve([
      .line(slope: 15.1927, intercept: 15.1927 * 0.01),
      .log(
        base: 10, from: -0.01, slope: 155.975327, shift: 155.975327 * 0.01 + 1, scale: 0.224282),
    ]))

  /// F-Log (Fujifilm, “F-Log Data Sheet”, version 1.1).
  public static let fLog = TransferFunction(
    "F-Log",
    encoding: SegmentedCurve([
      .line(slope: 8.735631, intercept: 0.092864),
      .log(
        base: 10, from: 0.00089, slope: 0.555556, shift: 0.009468, scale: 0.344676,
        offset: 0.790453),
    ]))

  /// F-Log2 (Fujifilm, “F-Log2 Data Sheet”, version 1.0).
  public static let fLog2 = TransferFunction(
    "F-Log2",
    encoding: SegmentedCurve([
      .line(slope: 8.799461, intercept: 0.092864),
      .log(
        base: 10, from: 0.000889, slope: 5.555556, shift: 0.064829, scale: 0.245281,
        offset: 0.384316),
    ]))

  /// N-Log (Nikon, “N-Log Specification Document”, 2018): a cube root, mirrored where it has no base, then a logarithm.
  public static let nLog = TransferFunction(
    "N-Log",
    encoding: SegmentedCurve([
      .power(1.0 / 3, slope: -1, shift: -0.0075, scale: -650.0 / 1023),
      .power(1.0 / 3, from: -0.0075, shift: 0.0075, scale: 650.0 / 1023),
      .log(base: eulersNumber, from: 0.328, scale: 150.0 / 1023, offset: 619.0 / 1023),
    ]))

  /// Blackmagic Film, generation 5 (Blackmagic Design, “Blackmagic Generation 5 Color Science”, 2021).
  public static let blackmagicFilmGeneration5 = TransferFunction(
    "Blackmagic Film Gen 5",
    encoding: SegmentedCurve([
      .line(slope: 8.283_605_932_402_494, intercept: 0.092_465_753_424_657_53),
      .log(
        base: eulersNumber, from: 0.005, shift: 0.005_494_072_432_257_808,
        scale: 0.086_928_760_654_912_24,
        offset: 0.530_013_339_229_193_9),
    ]))

  /// Apple Log (Apple, “Apple Log Profile White Paper”, 2023): nothing, a square, then a logarithm.
  public static let appleLog = TransferFunction(
    "Apple Log",
    encoding: SegmentedCurve([
      .constant(0),
      .power(2, from: -0.056_410_88, shift: 0.056_410_88, scale: 47.287_112_36),
      .log(
        base: 2, from: 0.01, shift: 0.009_640_52, scale: 0.085_504_79, offset: 0.693_369_45),
    ]))
}
