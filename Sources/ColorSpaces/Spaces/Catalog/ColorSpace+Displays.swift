// Further combinations of primaries and curves: for displays, cinema, and textures of computer graphics.
extension ColorSpace {
  /// High-definition television as displays show it: Rec. 709's primaries, BT.1886 with a black of zero.
  public static let rec709Display = ColorSpace(
    "Rec. 709 display",
    aliases: [
      "g24_rec709_display", "Rec.1886 Rec.709 - Display", "Gamma 2.4 Encoded Rec.709",
      "g24_encoded_rec709", "g24_rec709", "g24_rec709_scene", "Gamma 2.4 Rec.709 - Texture",
      "g24_rec709_tx",
    ],
    primaries: .rec709, transfer: .gamma(2.4).citing(.bt1886))

  /// These primaries on the reference display of Rec. ITU-R BT.1886, whose black level is `black`, relative to white.
  ///
  /// - Precondition: `black` lies in 0…0.999.
  public func onReferenceDisplay(black: Double) -> ColorSpace {
    let transfer = TransferFunction.bt1886(black: black)
    return ColorSpace(
      "\(name) on \(transfer)", primaries: primaries, transfer: transfer, isGray: isGray)
  }

  /// Rec. 709 as Apple's video frameworks interpret it: a gamma of 1.961.
  public static let coreMedia709 = ColorSpace(
    "Core Media 709", aliases: ["kCGColorSpaceCoreMedia709"],
    primaries: .rec709, transfer: .gamma(1.961).citing(.coreGraphics("kCGColorSpaceCoreMedia709")))

  /// Rec. 709's primaries with gamma 2.2, as most office displays have it.
  public static let rec709Gamma22 = ColorSpace(
    "Rec. 709 gamma 2.2",
    aliases: [
      "g22_rec709_scene", "g22_rec709_display", "Gamma 2.2 Encoded Rec.709",
      "Gamma 2.2 Rec.709 - Display", "g22_encoded_rec709", "g22_rec709",
      "Gamma 2.2 Rec.709 - Texture", "g22_rec709_tx",
    ],
    primaries: .rec709, transfer: .gamma(2.2).citing(.colorInterop))

  /// Rec. 709's primaries with gamma 1.8.
  public static let rec709Gamma18 = ColorSpace(
    "Rec. 709 gamma 1.8",
    aliases: [
      "g18_rec709_scene", "Gamma 1.8 Encoded Rec.709", "g18_encoded_rec709", "g18_rec709",
      "Gamma 1.8 Rec.709 - Texture", "g18_rec709_tx",
    ],
    primaries: .rec709, transfer: .gamma(1.8).citing(.colorInterop))

  /// Rec. 2020's primaries with sRGB's curve.
  public static let rec2020SRGB = ColorSpace(
    "Rec. 2020 sRGB gamma", aliases: ["kCGColorSpaceITUR_2020_sRGBGamma"],
    primaries: .rec2020, transfer: .sRGB)

  /// Digital cinema's primaries and curve with a white point of D65.
  public static let p3D65 = ColorSpace(
    "P3-D65",
    aliases: ["g26_p3d65_display", "P3-D65 - Display", "Gamma 2.6 P3-D65 - Display"],
    primaries: .p3, transfer: .gamma(2.6).citing(.rp431))

  /// Digital cinema distribution masters (SMPTE ST 428-1): X′Y′Z′, white point E.
  public static let dcdm = ColorSpace(
    "DCDM X′Y′Z′", aliases: ["DCDM XYZ", "dcdm"],
    primaries: .xyz(white: .equalEnergy), transfer: .st428)

  /// ACEScg's primaries with sRGB's curve, for textures.
  public static let acescgSRGB = ColorSpace(
    "ACEScg sRGB gamma",
    aliases: [
      "srgb_ap1_scene", "sRGB Encoded AP1", "srgb_ap1", "sRGB Encoded AP1 - Texture",
      "srgb_encoded_ap1_tx",
    ],
    primaries: .acesAP1, transfer: .sRGB)

  /// ACEScg's primaries with gamma 2.2, for textures.
  public static let acescgGamma22 = ColorSpace(
    "ACEScg gamma 2.2",
    aliases: [
      "g22_ap1_scene", "Gamma 2.2 Encoded AP1", "g22_encoded_ap1", "g22_ap1",
      "Gamma 2.2 AP1 - Texture", "g22_ap1_tx",
    ],
    primaries: .acesAP1, transfer: .gamma(2.2).citing(.colorInterop))

  /// Adobe RGB's primaries with a gamma of exactly 2.2, as Android defines it.
  public static let adobeRGBGamma22 = ColorSpace(
    "Adobe RGB gamma 2.2",
    primaries: .adobeRGB, transfer: .gamma(2.2).citing(.android("ADOBE_RGB")))

  /// Adobe RGB's primaries, linear.
  public static let linearAdobeRGB = ColorSpace(
    "linear Adobe RGB", aliases: ["lin_adobergb_scene"], primaries: .adobeRGB, transfer: .linear)

  /// Spaces of displays, cinema and textures, most of them known primaries with another transfer function.
  static let displays: [ColorSpace] = [
    .rec709Display, .coreMedia709, .rec709Gamma22, .rec709Gamma18, .rec2020SRGB, .p3D65, .dcdm,
    .acescgSRGB, .acescgGamma22, .adobeRGBGamma22, .linearAdobeRGB,
  ]
}
