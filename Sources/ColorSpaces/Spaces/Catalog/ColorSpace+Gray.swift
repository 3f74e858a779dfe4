// Gray spaces. An image of one channel may also be in any RGB space; it then holds that space's grays.
extension ColorSpace {
  /// Gray with sRGB's curve.
  public static let sGray = gray("sGray", transfer: .sRGB)

  /// Gray with gamma 2.2.
  public static let grayGamma22 = gray(
    "Gray gamma 2.2",
    aliases: ["kCGColorSpaceGenericGrayGamma2_2", "kCGColorSpaceExtendedGray"],
    transfer: .gamma(2.2).citing(.coreGraphics("kCGColorSpaceGenericGrayGamma2_2")))

  /// Gray with gamma 1.8, as the first Macintoshes showed it.
  public static let grayGamma18 = gray(
    "Gray gamma 1.8", aliases: ["kCGColorSpaceGenericGray"],
    transfer: .gamma(1.8).citing(.coreGraphics("kCGColorSpaceGenericGray")))

  /// Linear gray.
  public static let linearGray = gray(
    "linear gray", aliases: ["kCGColorSpaceLinearGray", "kCGColorSpaceExtendedLinearGray"],
    transfer: .linear)

  /// The gray spaces: sGray, and grays with a gamma of 2.2, 1.8 and 1.
  static let grays: [ColorSpace] = [.sGray, .grayGamma22, .grayGamma18, .linearGray]

  private static func gray(
    _ name: String, aliases: [String] = [], transfer: TransferFunction
  ) -> ColorSpace {
    ColorSpace(name, aliases: aliases, primaries: .rec709, transfer: transfer, isGray: true)
  }
}
