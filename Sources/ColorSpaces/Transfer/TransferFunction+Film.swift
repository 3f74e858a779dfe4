// Curves of film: of its scans, and of photographs before they are rendered for paper.
extension TransferFunction {
  /// Scanned film as Kodak's Cineon stores it: black at code 95, white at 685, steps of 0.002 of density, gamma 0.6.
  public static let cineon = film("Cineon", white: 685, tenfold: 300, black: 95)

  /// RED's curve that looks like a scan of film: Cineon's.
  public static let redLogFilm = film("REDLogFilm", white: 685, tenfold: 300, black: 95)

  /// RED's first curve, of all codes.
  public static let redLog = film("REDLog", white: 1023, tenfold: 511, black: 0)

  /// Panavision's Panalog.
  public static let panalog = film("Panalog", white: 681, tenfold: 444, black: 64)

  /// Thomson's ViperLog, a plain logarithm.
  public static let viperLog = film("ViperLog", white: 1023, tenfold: 500)

  /// Josh Pines's pivoted logarithm: gray of 18 % at code 445, steps of 0.002 of density, gamma 0.6.
  public static let pLog = film(
    "PLog", white: 445 - 300 * log2(0.18) / log2(10), tenfold: 300)

  /// White and black as codes of 10 bits, and how many codes there are to ten times the light.
  ///
  /// Light so far below black that film has no density for it is stored as a code far below all others.
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
        ])))
  }

  /// RIMM RGB (ISO 22028-3): Rec. 709's curve with three digits, for light up to twice white.
  public static let rimm: TransferFunction = {
    let largest = 1.099 * power(2, 0.45) - 0.099
    return TransferFunction(
      "RIMM",
      encoding: SegmentedCurve(
        [
          .line(slope: 4.5 / largest),
          .power(0.45, from: 0.018, scale: 1.099 / largest, offset: -0.099 / largest),
        ], belowZero: .mirrored))
  }()

  /// ERIMM RGB (ISO 22028-3): a logarithm of light from 0.001 to 316.2 times white, with a line at its foot.
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
  }()
}
