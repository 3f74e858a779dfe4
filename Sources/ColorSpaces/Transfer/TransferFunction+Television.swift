// Curves of television, cinema and displays, besides those of the common spaces.
extension TransferFunction {
  /// The OETF of Rec. ITU-R BT.709 with its printed three-digit constants: its pieces are 4·10⁻⁵ apart.
  public static let rec709Rounded = TransferFunction(
    "Rec. 709, rounded",
    decoding: .power(
      PowerCurve(
        scale: 1 / power(1.099, 1 / 0.45), shift: 0.099, exponent: 1 / 0.45, slope: 1 / 4.5,
        threshold: 4.5 * 0.018)),
    encoding: .power(
      PowerCurve(
        // The standard assigns 0.018 itself to the power.
        scale: 1.099, exponent: 0.45, offset: -0.099, slope: 4.5, threshold: 0.018.nextDown))
  ).citing(.bt709("item 1.2"))

  /// The EOTF of Rec. ITU-R BT.1886 (annex 1), with white at 1 and the display's black level at `black`, relative to
  /// white.
  ///
  /// Encoded values below the one that would decode to 0 decode to 0.
  ///
  /// - Precondition: `black` lies in 0…0.999.
  public static func bt1886(black: Double = 0) -> TransferFunction {
    precondition(blackLevels.contains(black), "Black lies in 0…0.999 of white; got \(black).")
    guard black > 0 else {
      return TransferFunction("BT.1886", decoding: PowerCurve(exponent: 2.4)).citing(.bt1886)
    }
    let foot = power(black, 1 / 2.4)
    let lift = foot / (1 - foot)
    return TransferFunction(
      "BT.1886, black \(black)",
      encoding: SegmentedCurve([
        .constant(-lift),
        .power(1 / 2.4, from: 0, scale: 1 / (1 - foot), offset: -lift),
      ])
    ).citing(.bt1886)
  }

  /// The allowed black levels of BT.1886: nearer to white, the curve's scale would overflow.
  static let blackLevels = 0...0.999

  /// CIE L* / 100 as the encoded value (CIE 15:2018, with the exact fractions 24389/27 and 216/24389).
  public static let lStar = TransferFunction(
    "L*",
    decoding: PowerCurve(
      scale: 1 / power(1.16, 3), shift: 0.16, exponent: 3, slope: 2700.0 / 24389, threshold: 0.08)
  ).citing(Source("CIE 15", edition: "2018"))

  /// The OETF of SMPTE ST 240, of early high definition, with the constants that make it continuous.
  public static let smpte240M = TransferFunction(
    "SMPTE 240M",
    decoding: PowerCurve(
      scale: 1 / power(1.111_572_195_921_731, 1 / 0.45), shift: 0.111_572_195_921_731,
      exponent: 1 / 0.45, slope: 0.25, threshold: 4 * 0.022_821_585_529_445)
  ).citing(Source("SMPTE ST 240"))

  /// The OETF of Rec. ITU-R BT.1361 for an extended gamut: linear values down to −0.25, encoded at a quarter of their
  /// scale.
  public static let bt1361 = TransferFunction(
    "BT.1361",
    encoding: SegmentedCurve([
      .power(
        0.45, slope: -4, scale: -1.099_296_826_809_44 / 4, offset: 0.099_296_826_809_44 / 4),
      .line(from: -0.018_053_968_510_807 / 4, slope: 4.5),
      .power(
        0.45, from: 0.018_053_968_510_807, scale: 1.099_296_826_809_44,
        offset: -0.099_296_826_809_44),
    ])
  ).citing(Source("Rec. ITU-R BT.1361", edition: "1998"))

  /// Digital cinema distribution masters (SMPTE ST 428-1): gamma 2.6, with linear 1 at 48 of 52.37 cd/m².
  public static let st428 = TransferFunction(
    "ST 428-1", decoding: PowerCurve(scale: 52.37 / 48, exponent: 2.6)
  ).citing(Source("SMPTE ST 428-1"))

  /// Medical displays (DICOM PS3.14, Grayscale Standard Display Function): from an encoded value 0…1, a 10-bit code, to
  /// cd/m², in just noticeable differences. The standard fits each direction separately; they agree within 10⁻⁴ of the
  /// encoded value.
  public static let dicom: TransferFunction = {
    let above = [-1.301_187_7, 8.024_263_6e-2, 1.364_669_9e-1, -2.546_840_4e-2, 1.363_533_4e-3]
    let below = [
      1, -2.584_019_1e-2, -1.032_022_9e-1, 2.874_562_0e-2, -3.197_897_7e-3, 1.299_263_4e-4,
    ]
    let back = [
      71.498_068, 94.593_053, 41.912_053, 9.824_700_4, 0.281_754_07, -1.187_845_5, -0.180_143_49,
      0.147_108_99, -0.017_046_845,
    ]
    @Sendable func polynomial(_ factors: [Double], _ x: Double) -> Double {
      factors.reversed().reduce(0) { $0 * x + $1 }
    }
    @Sendable func luminance(index: Double) -> Double {
      let x = naturalLogarithm(index)
      return power(10, polynomial(above, x) / polynomial(below, x))
    }
    let range = luminance(index: 1)...luminance(index: 1023)
    return TransferFunction("DICOM GSDF") { stored in
      stored.isNaN ? stored : luminance(index: min(max(stored * 1023, 1), 1023))
    } encoding: { light in
      if light.isNaN { return light }
      let x = naturalLogarithm(min(max(light, range.lowerBound), range.upperBound))
      return polynomial(back, x / naturalLogarithm(10)) / 1023
    }
  }().citing(Source("DICOM PS3.14, “Grayscale Standard Display Function”"))

  /// Logarithmic over two decades of linear values (Rec. ITU-T H.273, transfer characteristics 9).
  public static let logarithmic100 = logarithmic("logarithmic 100:1", decades: 2).citing(
    .h273("table 3, value 9"))

  /// Logarithmic over two and a half decades of linear values (Rec. ITU-T H.273, transfer characteristics 10).
  public static let logarithmic316 = logarithmic("logarithmic 316:1", decades: 2.5).citing(
    .h273("table 3, value 10"))

  /// Linear values below the last decade encode to 0, which decodes to where that decade begins.
  private static func logarithmic(_ name: String, decades: Double) -> TransferFunction {
    let least = power(10, -decades)
    return TransferFunction(
      name,
      encoding: SegmentedCurve([
        .constant(0), .log(base: 10, from: least, scale: 1 / decades, offset: 1),
      ]))
  }
}
