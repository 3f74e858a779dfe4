// Film curves: of film scans, and of scene-referred photographs.
extension TransferFunction {
  /// Cineon, Kodak's printing-density encoding: black at code 95, white at 685, 0.002 density per code, gamma 0.6.
  public static let cineon = film("Cineon", white: 685, tenfold: 300, black: 95)

  /// REDLogFilm, RED's curve with the constants of Cineon.
  public static let redLogFilm = film("REDLogFilm", white: 685, tenfold: 300, black: 95)

  /// REDLog, RED's first curve, which uses all codes.
  public static let redLog = film("REDLog", white: 1023, tenfold: 511, black: 0)

  /// Panavision's Panalog.
  public static let panalog = film("Panalog", white: 681, tenfold: 444, black: 64)

  /// Thomson's ViperLog, a pure logarithm.
  public static let viperLog = film("ViperLog", white: 1023, tenfold: 500)

  /// Josh Pines's pivoted logarithm: 18 % gray at code 445, 0.002 density per code, gamma 0.6.
  public static let pLog = film(
    "PLog", white: 445 - 300 * log2(0.18) / log2(10), tenfold: 300)

  /// Creates a film curve from the 10-bit codes of white and black and the number of codes per factor of ten.
  ///
  /// Linear values below the range of film densities encode to a code far below all others.
  private static func film(
    _ name: String, white: Double, tenfold: Double, black: Double? = nil
  ) -> TransferFunction {
    let least = black.map { exp2(($0 - white) / tenfold * log2(10)) } ?? 0
    return TransferFunction(
      name,
      decoding: .segmented(
        SegmentedCurve([
          .exponential(
            base: 10, slope: 1023 / tenfold, shift: -white / tenfold, scale: 1 / (1 - least),
            offset: -least / (1 - least))
        ])),
      encoding: .segmented(
        SegmentedCurve([
          .constant((white - 300 * tenfold) / 1023),
          .log(
            base: 10, from: -least / (1 - least), slope: 1 - least, shift: least,
            scale: tenfold / 1023, offset: white / 1023),
        ]))
    ).citing(.nukeDefault)
  }

  /// RIMM RGB (ISO 22028-3): Rec. 709's curve with three-digit constants, for linear values up to 2.
  public static let rimm: TransferFunction = {
    let largest = 1.099 * power(2, 0.45) - 0.099
    return TransferFunction(
      "RIMM",
      encoding: SegmentedCurve(
        [
          .line(slope: 4.5 / largest),
          .power(0.45, from: 0.018, scale: 1.099 / largest, offset: -0.099 / largest),
        ], belowZero: .mirrored))
  }().citing(Source("ISO 22028-3"), .rommPaper)

  /// ERIMM RGB (ISO 22028-3): a logarithm from 0.001 to 316.2 times white, with a linear toe.
  public static let erimm: TransferFunction = {
    let (least, largest) = (0.001, 316.2)
    let span = naturalLogarithm(largest / least)
    let join = eulersNumber * least
    return TransferFunction(
      "ERIMM",
      encoding: SegmentedCurve(
        [
          .line(slope: 1 / (span * join)),
          .log(
            base: eulersNumber, from: join, scale: 1 / span,
            offset: -naturalLogarithm(least) / span),
        ], belowZero: .mirrored))
  }().citing(Source("ISO 22028-3"), .rommPaper)
}
