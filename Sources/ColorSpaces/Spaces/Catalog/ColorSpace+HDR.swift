// High-dynamic-range spaces. Linear 1 is reference white of Report ITU-R BT.2408: 203 cd/m² with PQ, the signal 0.75
// with HLG. Grays of both therefore agree, and so does white with standard dynamic range.
extension ColorSpace {
  /// Rec. ITU-R BT.2100 with the perceptual quantizer; CSS Color HDR's `rec2100-pq`.
  public static let rec2100PQ = ColorSpace(
    "Rec. 2100 PQ",
    aliases: [
      "kCGColorSpaceITUR_2100_PQ", "kCGColorSpaceITUR_2020_PQ", "kCGColorSpaceITUR_2020_PQ_EOTF",
      "pq_rec2020_display", "Rec.2100-PQ - Display",
    ],
    primaries: .rec2020, transfer: .pq(white: .graphicsWhite))

  /// Rec. ITU-R BT.2100 with the perceptual quantizer, with linear 1 at the luminance `white`.
  ///
  /// - Precondition: `white` is above 0.
  public static func rec2100PQ(white: Luminance) -> ColorSpace {
    ColorSpace("Rec. 2100 PQ, white \(white)", primaries: .rec2020, transfer: .pq(white: white))
  }

  /// Rec. ITU-R BT.2100 with hybrid log-gamma, scene-linear; CSS Color HDR's `rec2100-hlg`.
  public static let rec2100HLG = ColorSpace(
    "Rec. 2100 HLG",
    aliases: ["kCGColorSpaceITUR_2100_HLG", "kCGColorSpaceITUR_2020_HLG"],
    primaries: .rec2020, transfer: .hlg(whiteSignal: 0.75))

  /// Rec. ITU-R BT.2100 with hybrid log-gamma, display-linear for a display of 1000 cd/m²; see
  /// ``rec2100HLG(on:white:)``.
  public static let rec2100HLGDisplay = ColorSpace(
    "Rec. 2100 HLG display", aliases: ["hlg_rec2020_display", "Rec.2100-HLG - Display"],
    primaries: .rec2020, transfer: .hlg(on: .reference, white: .graphicsWhite))

  /// Display P3's primaries with the perceptual quantizer.
  public static let displayP3PQ = ColorSpace(
    "Display P3 PQ",
    aliases: [
      "kCGColorSpaceDisplayP3_PQ", "kCGColorSpaceDisplayP3_PQ_EOTF", "pq_p3d65_display",
      "ST2084-P3-D65 - Display",
    ],
    primaries: .p3, transfer: rec2100PQ.transfer)

  /// Display P3's primaries with hybrid log-gamma, scene-linear.
  public static let displayP3HLG = ColorSpace(
    "Display P3 HLG", aliases: ["kCGColorSpaceDisplayP3_HLG"],
    primaries: .p3, transfer: rec2100HLG.transfer)

  /// Rec. 709's primaries with the perceptual quantizer.
  public static let rec709PQ = ColorSpace(
    "Rec. 709 PQ", aliases: ["kCGColorSpaceITUR_709_PQ"],
    primaries: .rec709, transfer: rec2100PQ.transfer)

  /// Rec. 709's primaries with hybrid log-gamma, scene-linear.
  public static let rec709HLG = ColorSpace(
    "Rec. 709 HLG", aliases: ["kCGColorSpaceITUR_709_HLG"],
    primaries: .rec709, transfer: rec2100HLG.transfer)

  /// The spaces of high dynamic range, with PQ and HLG.
  static let highDynamicRange: [ColorSpace] = [
    .rec2100PQ, .rec2100HLG, .rec2100HLGDisplay, .displayP3PQ, .displayP3HLG, .rec709PQ, .rec709HLG,
  ]
}
