// Log curves of cameras and of grading systems. Each is one declaration of its maker's constants. 10-bit codes of a
// maker's paper are divided by 1023; 18 % gray is linear 0.18.
extension TransferFunction {
  // MARK: Grading

  /// ACEScc (Academy S-2014-003). Codes decode to at most 65 504, the largest half.
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
      ]))
  ).citing(Source("Academy S-2014-003, “ACEScc”"))

  /// ACEScct (Academy S-2016-001): ACEScc with a linear toe.
  public static let acescct = TransferFunction(
    "ACEScct",
    encoding: SegmentedCurve([
      .line(slope: 10.540_237_741_654_5, intercept: 0.072_905_534_195_835_5),
      .log(base: 2, from: 0.007_812_5, scale: 1 / 17.52, offset: 9.72 / 17.52),
    ])
  ).citing(Source("Academy S-2016-001, “ACEScct”"))

  /// 10-bit ACESproxy (Academy S-2013-001) before rounding to codes; linear values are clamped to the codes 64…940.
  public static let acesProxy10 = acesProxy("ACESproxy", bits: 10)

  /// 12-bit ACESproxy (Academy S-2013-001) before rounding to codes; linear values are clamped to the codes 256…3760.
  public static let acesProxy12 = acesProxy("ACESproxy 12", bits: 12)

  private static func acesProxy(_ name: String, bits: Int) -> TransferFunction {
    // The constants are those of 10-bit codes; deeper codes subdivide them.
    let codes = (exp2(Double(bits)) - 1) / exp2(Double(bits - 10))
    return TransferFunction(
      name,
      decoding: .segmented(
        SegmentedCurve([
          .exponential(base: 2, slope: codes / 50, shift: -425.0 / 50 - 2.5)
        ])),
      encoding: .segmented(
        SegmentedCurve([
          .constant(64 / codes),
          .log(base: 2, from: exp2(-9.72), scale: 50 / codes, offset: (425 + 2.5 * 50) / codes),
          .constant(940 / codes, from: exp2((940 - 425) / 50 - 2.5)),
        ]))
    ).citing(Source("Academy S-2013-001, “ACESproxy”"))
  }

  /// DaVinci Intermediate (Blackmagic Design, “DaVinci Resolve 17 Wide Gamut Intermediate”, 2021).
  public static let daVinciIntermediate = TransferFunction(
    "DaVinci Intermediate",
    encoding: SegmentedCurve([
      .line(slope: 10.444_268_55),
      .log(
        base: 2, from: 0.002_624_09, shift: 0.0075, scale: 0.073_292_48,
        offset: 7 * 0.073_292_48),
    ])
  ).citing(.daVinci)

  /// Thirteen stops around 18 % gray, as OpenColorIO configurations use for shaper LUTs.
  public static let log2Shaper = TransferFunction(
    "Log2",
    encoding: SegmentedCurve([
      .log(base: 2, from: 0, slope: 1 / 0.18, scale: 1.0 / 13, offset: 6.5 / 13)
    ])
  ).citing(Source("Academy, “ACESutil.Lin_to_Log2_param.ctl”"))

  // MARK: Sony

  /// S-Log (Sony, “S-Log: A new LUT for digital production mastering and interchange applications”, 2009), in legal range.
  public static let sLog = TransferFunction("S-Log", encoding: sLog(scale: 1)).citing(
    Source(
      "Sony, “S-Log: A new LUT for digital production mastering and interchange applications”",
      edition: "2009"))

  /// S-Log2 (Sony, “S-Log2 Technical Paper”): S-Log with linear values scaled by 155/219, in legal range.
  public static let sLog2 = TransferFunction("S-Log2", encoding: sLog(scale: 155.0 / 219)).citing(
    Source("Sony, “S-Log2 Technical Paper”"))

  private static func sLog(scale: Double) -> SegmentedCurve {
    SegmentedCurve([
      .line(
        slope: 5 * scale / 0.9 * legalSpan,
        intercept: 0.030_001_222_851_889_303 * legalSpan + legalBlack),
      .log(
        base: 10, from: 0, slope: scale / 0.9, shift: 0.037584, scale: 0.432699 * legalSpan,
        offset: (0.616596 + 0.03) * legalSpan + legalBlack),
    ])
  }

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
    ])
  ).citing(.sonySGamut3)

  // MARK: ARRI

  /// LogC3 at exposure index 800 (ARRI, “ALEXA Log C Curve: Usage in VFX”, 2017, scene linear, firmware 3.x).
  public static let logC3 = logC3(800, 0.010591, 0.052272, 0.247190, 0.385537, 5.367655, 0.092809)

  /// LogC3 at all exposure indices for which ARRI publishes a curve.
  public static let logC3ByExposureIndex: [Int: TransferFunction] = [
    160: logC3(160, 0.005561, 0.080216, 0.269036, 0.381991, 5.842037, 0.092778),
    200: logC3(200, 0.006208, 0.076621, 0.266007, 0.382478, 5.776265, 0.092782),
    250: logC3(250, 0.006871, 0.072941, 0.262978, 0.382966, 5.710494, 0.092786),
    320: logC3(320, 0.007622, 0.068768, 0.259627, 0.383508, 5.637732, 0.092791),
    400: logC3(400, 0.008318, 0.064901, 0.256598, 0.383999, 5.571960, 0.092795),
    500: logC3(500, 0.009031, 0.060939, 0.253569, 0.384493, 5.506188, 0.092800),
    640: logC3(640, 0.009840, 0.056443, 0.250219, 0.385040, 5.433426, 0.092805),
    800: logC3,
    1000: logC3(1000, 0.011361, 0.047996, 0.244161, 0.386036, 5.301883, 0.092814),
    1280: logC3(1280, 0.012235, 0.043137, 0.240810, 0.386590, 5.229121, 0.092819),
    1600: logC3(1600, 0.013047, 0.038625, 0.237781, 0.387093, 5.163350, 0.092824),
  ]

  /// LogC3 from the cut, b, c, d, e and f of the paper, which has one a for all exposure indices.
  ///
  /// It is not inlined into each entry of the table above.
  @inline(never)
  private static func logC3(
    _ exposureIndex: Int, _ cut: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double,
    _ f: Double
  ) -> TransferFunction {
    TransferFunction(
      "LogC3" + (exposureIndex == 800 ? "" : " EI \(exposureIndex)"),
      encoding: SegmentedCurve([
        .line(slope: e, intercept: f),
        .log(base: 10, from: cut, slope: 5.555556, shift: b, scale: c, offset: d),
      ])
    ).citing(.logC3)
  }

  /// LogC4 (ARRI, “LogC4 Logarithmic Color Space Specification”, 2022).
  public static let logC4 = TransferFunction(
    "LogC4",
    encoding: SegmentedCurve([
      .line(slope: 1 / logC4Slope, intercept: -logC4Start / logC4Slope),
      .log(
        base: 2, from: logC4Start, slope: logC4A, shift: 64, scale: logC4B / 14,
        offset: logC4C - 6 * logC4B / 14),
    ])
  ).citing(.logC4)

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
    ])
  ).citing(.vLog)

  /// Canon Log (Canon, “Canon Log Gamma Curves”, version 1.2): a logarithm mirrored at black.
  public static let canonLog = TransferFunction(
    "Canon Log", encoding: canonLog(slope: 10.1596, scale: 0.453_101_79, black: 0.125_122_48)
  ).citing(.canonLog)

  /// Canon Log 2 (Canon, “Canon Log Gamma Curves”, version 1.2): a logarithm mirrored at black.
  public static let canonLog2 = TransferFunction(
    "Canon Log 2",
    encoding: canonLog(slope: 87.099_375_46, scale: 0.241_360_77, black: 0.092_864_125)
  ).citing(.canonLog)

  /// The first Canon Log (Canon, “Canon-Log Cine Optoelectronic Transfer Function”, 2012), in legal range.
  public static let canonLogVersion1 = TransferFunction(
    "Canon Log v1",
    encoding: canonLog(
      slope: 10.1596, scale: 0.529_136 * legalSpan, black: 0.073_059_7 * legalSpan + legalBlack)
  ).citing(Source("Canon, “Canon-Log Cine Optoelectronic Transfer Function”", edition: "2012"))

  /// The first Canon Log 2 (Canon, “Input Transform Version 201612 for EOS C300 Mark II”, 2016), in legal range.
  public static let canonLog2Version1 = TransferFunction(
    "Canon Log 2 v1",
    encoding: canonLog(
      slope: 87.099_375_46, scale: 0.281_863_093 * legalSpan,
      black: 0.035_388_128 * legalSpan + legalBlack)
  ).citing(.canonC300)

  private static func canonLog(slope: Double, scale: Double, black: Double) -> SegmentedCurve {
    SegmentedCurve([
      .log(base: 10, slope: -slope / 0.9, shift: 1, scale: -scale, offset: black),
      .log(base: 10, from: 0, slope: slope / 0.9, shift: 1, scale: scale, offset: black),
    ])
  }

  /// Canon Log 3 (Canon, “Canon Log Gamma Curves”, version 1.2): mirrored logarithms with a linear piece around black.
  public static let canonLog3 = TransferFunction(
    "Canon Log 3",
    encoding: canonLog3(
      scale: 0.367_268_45, below: 0.127_839_01, above: 0.122_405_37, slope: 1.975_479_8,
      black: 0.125_122_19)
  ).citing(.canonLog)

  /// The first Canon Log 3 (Canon, “Input Transform Version 201612 for EOS C300 Mark II”, 2016), in legal range.
  public static let canonLog3Version1 = TransferFunction(
    "Canon Log 3 v1",
    encoding: canonLog3(
      scale: 0.428_899_12 * legalSpan, below: 0.076_232_09 * legalSpan + legalBlack,
      above: 0.069_886_632 * legalSpan + legalBlack, slope: 2.306_981_5 * legalSpan,
      black: 0.073_059_361 * legalSpan + legalBlack)
  ).citing(.canonC300)

  private static func canonLog3(
    scale: Double, below: Double, above: Double, slope: Double, black: Double
  ) -> SegmentedCurve {
    SegmentedCurve([
      .log(base: 10, slope: -14.98325 / 0.9, shift: 1, scale: -scale, offset: below),
      .line(from: -0.014 * 0.9, slope: slope / 0.9, intercept: black),
      .log(
        base: 10, from: 0.014 * 0.9, slope: 14.98325 / 0.9, shift: 1, scale: scale,
        offset: above),
    ])
  }

  /// Log3G10 (RED, “White Paper on REDWideGamutRGB and Log3G10”, 915-0187, version 3).
  public static let log3G10 = TransferFunction(
    "Log3G10",
    encoding: SegmentedCurve([
      .line(slope: 15.1927, intercept: 15.1927 * 0.01),
      .log(
        base: 10, from: -0.01, slope: 155.975327, shift: 155.975327 * 0.01 + 1, scale: 0.224282),
    ])
  ).citing(.redWideGamut)

  /// The first Log3G10 (RED, 2016): a logarithm mirrored at black.
  public static let log3G10Version1 = TransferFunction(
    "Log3G10 v1",
    encoding: SegmentedCurve(
      [.log(base: 10, slope: 169.379333, shift: 1, scale: 0.222497)], belowZero: .mirrored)
  ).citing(.redLog3G10("2016"))

  /// The second Log3G10 (RED, 2017): a logarithm mirrored at the linear value −0.01.
  public static let log3G10Version2 = TransferFunction(
    "Log3G10 v2",
    encoding: SegmentedCurve([
      .log(
        base: 10, slope: -155.975327, shift: 1 - 155.975327 * 0.01, scale: -0.224282),
      .log(
        base: 10, from: -0.01, slope: 155.975327, shift: 155.975327 * 0.01 + 1, scale: 0.224282),
    ])
  ).citing(.redLog3G10("2017"))

  /// Log3G12 (RED, “White Paper on REDWideGamutRGB and Log3G10”): Log3G10's shape with two more stops.
  public static let log3G12 = TransferFunction(
    "Log3G12",
    encoding: SegmentedCurve(
      [.log(base: 10, slope: 347.189667, shift: 1, scale: 0.184904)], belowZero: .mirrored)
  ).citing(.redWideGamut)

  /// F-Log (Fujifilm, “F-Log Data Sheet”, version 1.1).
  public static let fLog = TransferFunction(
    "F-Log",
    encoding: SegmentedCurve([
      .line(slope: 8.735631, intercept: 0.092864),
      .log(
        base: 10, from: 0.00089, slope: 0.555556, shift: 0.009468, scale: 0.344676,
        offset: 0.790453),
    ])
  ).citing(Source("Fujifilm, “F-Log Data Sheet”", edition: "version 1.1"))

  /// F-Log2 (Fujifilm, “F-Log2 Data Sheet”, version 1.0).
  public static let fLog2 = TransferFunction(
    "F-Log2",
    encoding: SegmentedCurve([
      .line(slope: 8.799461, intercept: 0.092864),
      .log(
        base: 10, from: 0.000889, slope: 5.555556, shift: 0.064829, scale: 0.245281,
        offset: 0.384316),
    ])
  ).citing(Source("Fujifilm, “F-Log2 Data Sheet”", edition: "version 1.0"))

  /// N-Log (Nikon, “N-Log Specification Document”, 2018): a cube root, mirrored below its zero, then a logarithm.
  public static let nLog = TransferFunction(
    "N-Log",
    encoding: SegmentedCurve([
      .power(1.0 / 3, slope: -1, shift: -0.0075, scale: -650.0 / 1023),
      .power(1.0 / 3, from: -0.0075, shift: 0.0075, scale: 650.0 / 1023),
      .log(base: eulersNumber, from: 0.328, scale: 150.0 / 1023, offset: 619.0 / 1023),
    ])
  ).citing(Source("Nikon, “N-Log Specification Document”", edition: "2018"))

  /// Blackmagic Film, generation 5 (Blackmagic Design, “Blackmagic Generation 5 Color Science”, 2021).
  public static let blackmagicFilmGeneration5 = TransferFunction(
    "Blackmagic Film Gen 5",
    encoding: SegmentedCurve([
      .line(slope: 8.283_605_932_402_494, intercept: 0.092_465_753_424_657_53),
      .log(
        base: eulersNumber, from: 0.005, shift: 0.005_494_072_432_257_808,
        scale: 0.086_928_760_654_912_24,
        offset: 0.530_013_339_229_193_9),
    ])
  ).citing(.blackmagicGeneration5)

  /// Apple Log (Apple, “Apple Log Profile White Paper”, 2023): zero, then a square, then a logarithm.
  public static let appleLog = TransferFunction(
    "Apple Log",
    encoding: squareAndLog(
      foot: -0.056_410_88, square: 47.287_112_36, join: 0.01, shift: 0.009_640_52,
      scale: 0.085_504_79, offset: 0.693_369_45)
  ).citing(Source("Apple, “Apple Log Profile White Paper”", edition: "2023"))

  /// Mi-Log (Xiaomi, “Xiaomi Log Profile White Paper”, 2024): Apple Log's shape with other constants.
  public static let miLog = TransferFunction(
    "Mi-Log",
    encoding: squareAndLog(
      foot: -0.090_237_29, square: 18.105_319_98, join: 0.019_741_85, shift: 0.013_845_78,
      scale: 0.092_715_29, offset: 0.672_918_50)
  ).citing(Source("Xiaomi, “Xiaomi Log Profile White Paper”", edition: "2024"))

  private static func squareAndLog(
    foot: Double, square: Double, join: Double, shift: Double, scale: Double, offset: Double
  ) -> SegmentedCurve {
    SegmentedCurve([
      .constant(0),
      .power(2, from: foot, shift: -foot, scale: square),
      .log(base: 2, from: join, shift: shift, scale: scale, offset: offset),
    ])
  }

  /// FiLMiC Pro 6's log (FiLMiC Inc., “FiLMiC Pro User Manual v6”, 2017): a root plus a logarithm. Linear 0 encodes to
  /// a large negative value.
  ///
  /// The sum has no closed-form inverse, so decoding uses Newton's method.
  public static let filmicPro6: TransferFunction = {
    let (scale, share, black) = (0.371, 0.28257, 1.69542)
    return TransferFunction("FiLMiC Pro 6") { stored in
      let sum = stored / scale - black
      guard sum.isFinite else { return sum == -.infinity ? 0 : sum }
      // Newton's method on the logarithm of the linear value, from above, where its steps shrink and never overshoot.
      var logarithm = sum > 1 ? min(sum / share, 2 * naturalLogarithm(sum)) : sum / share
      for _ in 0..<100 {
        let root = exponential(logarithm / 2)
        let next = logarithm - (root + share * logarithm - sum) / (root / 2 + share)
        if next >= logarithm { break }
        logarithm = next
      }
      return exponential(logarithm)
    } encoding: { light in
      if light.isNaN || light == .infinity { return light }
      let light = max(light, 0x1p-126)
      return scale * (light.squareRoot() + share * naturalLogarithm(light) + black)
    }
  }().citing(Source("FiLMiC Inc., “FiLMiC Pro User Manual v6”", edition: "2017"))

  /// L-Log (Leica, “L-Log Reference Manual”, 2022).
  public static let lLog = TransferFunction(
    "L-Log",
    encoding: SegmentedCurve([
      .line(slope: 8, intercept: 0.09),
      .log(base: 10, from: 0.006, slope: 1.3, shift: 0.0115, scale: 0.27, offset: 0.6),
    ])
  ).citing(Source("Leica, “L-Log Reference Manual”", edition: "2022"))

  /// D-Log (DJI, “White Paper on D-Log and D-Gamut”, 2017).
  public static let dLog = TransferFunction(
    "D-Log",
    encoding: SegmentedCurve([
      .line(slope: 6.025, intercept: 0.0929),
      .log(
        base: 10, from: 0.0078, slope: 0.9892, shift: 0.0108, scale: 0.256663, offset: 0.584555),
    ])
  ).citing(.dLog)

  /// GoPro's Protune, mirrored below zero.
  public static let protune = TransferFunction(
    "Protune",
    encoding: SegmentedCurve(
      [.log(base: 113, slope: 112, shift: 1)], belowZero: .mirrored)
  ).citing(.goPro)

  /// FilmLight's T-Log: the white is 128, the slope at black 16, and black encodes to 0.075.
  public static let tLog: TransferFunction = {
    let (white, slope, black) = (128.0, 16.0, 0.075)
    let b = 1 / (0.7107 + 1.2359 * naturalLogarithm(white * slope))
    let shift = b * (1 - black) / slope
    let a = 1 - b * naturalLogarithm(white + shift)
    let scale = (1 - black) / (1 - (a + b * naturalLogarithm(shift)))
    return TransferFunction(
      "T-Log",
      encoding: SegmentedCurve([
        .line(slope: slope / (1 - black) * scale, intercept: black),
        .log(
          base: eulersNumber, from: 0, shift: shift, scale: b * scale,
          offset: 1 + (a - 1) * scale),
      ]))
  }().citing(.filmLight)
}
