// Curves of television and of displays, beyond those of the most usual spaces.
extension TransferFunction {
  /// The camera curve of Rec. ITU-R BT.709 with the constants as it prints them, of three digits: its pieces are 4·10⁻⁵ apart.
  public static let rec709Rounded = TransferFunction(
    "Rec. 709, rounded",
    decoding: .power(
      PowerCurve(
        scale: 1 / power(1.099, 1 / 0.45), shift: 0.099, exponent: 1 / 0.45, slope: 1 / 4.5,
        threshold: 4.5 * 0.018)),
    encoding: .power(
      PowerCurve(
        // The standard gives 0.018 itself to the power.
        scale: 1.099, exponent: 0.45, offset: -0.099, slope: 4.5, threshold: 0.018.nextDown)))

  /// The reference display of Rec. ITU-R BT.1886 (annex 1): white is 1, and the screen's black shines with `black` of it.
  ///
  /// Stored numbers below the one that would be without any light decode to none.
  public static func bt1886(black: Double = 0) -> TransferFunction {
    precondition(black >= 0 && black < 1, "Black is from 0 up and below white; got \(black).")
    guard black > 0 else {
      return TransferFunction("BT.1886", decoding: PowerCurve(exponent: 2.4))
    }
    let foot = power(black, 1 / 2.4)
    let lift = foot / (1 - foot)
    return TransferFunction(
      "BT.1886, black \(black)",
      encoding: SegmentedCurve([
        .constant(-lift),
        .power(1 / 2.4, from: 0, scale: 1 / (1 - foot), offset: -lift),
      ]))
  }

  /// Lightness as stored numbers, CIE L* / 100 (CIE 15:2018, with the exact fractions 24389/27 and 216/24389).
  public static let lStar = TransferFunction(
    "L*",
    decoding: PowerCurve(
      scale: 1 / power(1.16, 3), shift: 0.16, exponent: 3, slope: 2700.0 / 24389, threshold: 0.08))

  /// The perceptual quantizer of SMPTE ST 2084 and Rec. ITU-R BT.2100 (table 4), where light of 1 is 10 000 cd/m².
  ///
  /// Negative light counts as none.
  public static let pq = TransferFunction("PQ", encoding: perceptualQuantizer())

  /// The quantizer's curve; some color models put another exponent last, or mirror it.
  static func perceptualQuantizer(
    outer: Double = 2523.0 / 32, belowZero: NegativePolicy = .clamped
  ) -> RationalPowerCurve {
    RationalPowerCurve(
      a: 3424.0 / 4096, b: 2413.0 / 128, c: 1, d: 2392.0 / 128, inner: 2610.0 / 16384,
      outer: outer, belowZero: belowZero)
  }

  /// The camera curve of hybrid log-gamma (Rec. ITU-R BT.2100, table 5): light of the scene 0…1 to a signal 0…1.
  ///
  /// The display's own rendering, the OOTF, is not part of it. Negative light counts as none.
  public static let hlg = TransferFunction(
    "HLG",
    encoding: SegmentedCurve(
      [
        .power(0.5, slope: 3),
        .log(
          base: eulersNumber, from: 1.0 / 12, slope: 12, shift: -hlgB, scale: hlgA, offset: hlgC),
      ], belowZero: .clamped))

  private static let hlgA = 0.178_832_77
  private static let hlgB = 1 - 4 * hlgA
  private static let hlgC = 0.5 - hlgA * log2(4 * hlgA) / log2(eulersNumber)
}

/// Euler's number, which some logarithms have for a base.
package let eulersNumber = 2.718_281_828_459_045
