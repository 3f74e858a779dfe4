// Curves of high dynamic range. What the display itself does to HLG is in HLGDisplay.swift.
extension TransferFunction {
  /// The perceptual quantizer of SMPTE ST 2084 and Rec. ITU-R BT.2100 (table 4), where light of 1 is 10 000 cd/m².
  ///
  /// Negative light counts as none.
  public static let pq = TransferFunction("PQ", encoding: perceptualQuantizer())

  /// The perceptual quantizer where light of 1 is as bright as `white`, mirrored below zero.
  public static func pq(white: Luminance) -> TransferFunction {
    precondition(white > 0, "White is brighter than 0; got \(white).")
    // A scale of the light is one of its power, which both polynomials have as a factor.
    var curve = perceptualQuantizer(belowZero: .mirrored)
    let scale = power(white.candelas / Luminance.quantizerPeak.candelas, curve.inner)
    curve.b *= scale
    curve.d *= scale
    return TransferFunction("PQ, white \(white)", encoding: curve)
  }

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
    "HLG", encoding: hybridLogGamma(light: 1, belowZero: .clamped))

  /// The camera curve of hybrid log-gamma where light of 1 is what the signal `whiteSignal` stands for, mirrored below zero.
  ///
  /// White paper and white letters are at 0.75 (Report ITU-R BT.2408).
  public static func hlg(whiteSignal: Double) -> TransferFunction {
    precondition(whiteSignal > 0, "White is a signal above 0; got \(whiteSignal).")
    return TransferFunction(
      "HLG, white \(whiteSignal)",
      encoding: hybridLogGamma(light: hlg.decode(whiteSignal), belowZero: .mirrored))
  }

  /// The camera curve for light in units of `light`, of which the standard's signal reaches 1 at 1.
  private static func hybridLogGamma(light: Double, belowZero: NegativePolicy) -> SegmentedCurve {
    SegmentedCurve(
      [
        .power(0.5, slope: 3 * light),
        .log(
          base: eulersNumber, from: 1 / 12 / light, slope: 12 * light, shift: -hlgB, scale: hlgA,
          offset: hlgC),
      ], belowZero: belowZero)
  }

  // The standard's a, b and c.
  private static let hlgA = 0.178_832_77
  private static let hlgB = 1 - 4 * hlgA
  private static let hlgC = 0.5 - hlgA * log2(4 * hlgA) / log2(eulersNumber)
}

/// Euler's number, which some logarithms have for a base.
package let eulersNumber = 2.718_281_828_459_045
