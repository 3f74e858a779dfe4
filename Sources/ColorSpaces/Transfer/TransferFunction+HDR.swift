// Curves of high dynamic range. The OOTF of HLG displays is in HLGDisplay.swift.
extension TransferFunction {
  /// The perceptual quantizer (PQ) of SMPTE ST 2084 and Rec. ITU-R BT.2100 (table 4), with linear 1 at 10 000 cd/m².
  ///
  /// Negative linear values are clamped to 0.
  public static let pq = TransferFunction("PQ", encoding: perceptualQuantizer()).citing(
    .st2084, .bt2100("table 4"))

  /// The perceptual quantizer with linear 1 at the luminance `white`, mirrored below zero.
  ///
  /// - Precondition: `white` is above 0.
  public static func pq(white: Luminance) -> TransferFunction {
    precondition(white > 0, "White is brighter than 0; got \(white).")
    // A scale of the input becomes a factor of both polynomials in its power.
    let absolute = perceptualQuantizer(belowZero: .mirrored)
    let scale = power(white.candelas / Luminance.quantizerPeak.candelas, absolute.inner)
    let curve = RationalPowerCurve(
      a: absolute.a, b: absolute.b * scale, c: absolute.c, d: absolute.d * scale,
      inner: absolute.inner, outer: absolute.outer, belowZero: absolute.belowZero)
    return TransferFunction("PQ, white \(white)", encoding: curve)
      .citing(pq.sources + (white == .graphicsWhite ? [.bt2408] : []))
  }

  /// The quantizer's curve; some color models use another outer exponent or mirror it.
  static func perceptualQuantizer(
    outer: Double = 2523.0 / 32, belowZero: NegativePolicy = .clamped
  ) -> RationalPowerCurve {
    RationalPowerCurve(
      a: 3424.0 / 4096, b: 2413.0 / 128, c: 1, d: 2392.0 / 128, inner: 2610.0 / 16384,
      outer: outer, belowZero: belowZero)
  }

  /// The OETF of hybrid log-gamma (Rec. ITU-R BT.2100, table 5): scene-linear 0…1 to a signal 0…1.
  ///
  /// It does not include the OOTF of displays. Negative linear values are clamped to 0.
  public static let hlg = TransferFunction(
    "HLG", encoding: hybridLogGamma(light: 1, belowZero: .clamped)
  ).citing(.bt2100("table 5"))

  /// The OETF of hybrid log-gamma with linear 1 at the signal `whiteSignal`, mirrored below zero.
  ///
  /// Reference white is at the signal 0.75 (Report ITU-R BT.2408).
  ///
  /// - Precondition: `whiteSignal` is above 0.
  public static func hlg(whiteSignal: Double) -> TransferFunction {
    precondition(whiteSignal > 0, "White is a signal above 0; got \(whiteSignal).")
    return TransferFunction(
      "HLG, white \(whiteSignal)",
      encoding: hybridLogGamma(light: hlg.decode(whiteSignal), belowZero: .mirrored)
    ).citing(hlg.sources + (whiteSignal == 0.75 ? [.bt2408] : []))
  }

  /// The OETF of linear values in units of `light`: x stands for the scene-linear value x · light.
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

/// Euler's number, the base of some logarithms.
package let eulersNumber = 2.718_281_828_459_045
