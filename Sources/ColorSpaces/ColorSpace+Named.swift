// A new space is one declaration here and one entry in `named`.
extension ColorSpace {
  /// IEC 61966-2-1: the web's default, and most photographs'.
  public static let sRGB = ColorSpace("sRGB", primaries: .rec709, transfer: .sRGB)

  /// The default working space: sRGB's lights as plain amounts, below 0 and above 1 too.
  public static let linearSRGB = ColorSpace(
    "linear sRGB", primaries: .rec709, transfer: .linear)

  /// The wide space of today's phones and displays: cinema's lights, sRGB's curve and white.
  public static let displayP3 = ColorSpace("Display P3", primaries: .p3, transfer: .sRGB)

  /// Display P3's lights as plain amounts.
  public static let linearDisplayP3 = ColorSpace(
    "linear Display P3", primaries: .p3, transfer: .linear)

  /// Digital cinema (SMPTE RP 431-2): projector white, gamma 2.6.
  public static let dciP3 = ColorSpace("DCI-P3", primaries: .dciP3, transfer: .gamma(2.6))

  /// Adobe RGB (1998); its gamma is 2 + 51/256.
  public static let adobeRGB = ColorSpace(
    "Adobe RGB", primaries: .adobeRGB, transfer: .gamma(563.0 / 256))

  /// ROMM RGB (ISO 22028-2): wider than sight, for prints and raw developers.
  public static let proPhoto = ColorSpace(
    "ProPhoto RGB", primaries: .proPhoto, transfer: .proPhoto)

  /// High-definition television as cameras encode it (Rec. ITU-R BT.709).
  public static let rec709 = ColorSpace("Rec. 709", primaries: .rec709, transfer: .rec709)

  /// Ultra-high-definition television as cameras encode it (Rec. ITU-R BT.2020).
  public static let rec2020 = ColorSpace("Rec. 2020", primaries: .rec2020, transfer: .rec709)

  /// Rec. 2020's lights as plain amounts.
  public static let linearRec2020 = ColorSpace(
    "linear Rec. 2020", primaries: .rec2020, transfer: .linear)

  /// The archive space of film (SMPTE ST 2065-1).
  public static let aces2065 = ColorSpace(
    "ACES2065-1", primaries: .acesAP0, transfer: .linear)

  /// The rendering space of film (S-2014-004).
  public static let acescg = ColorSpace("ACEScg", primaries: .acesAP1, transfer: .linear)

  /// All named spaces.
  public static let named: [ColorSpace] = [
    .sRGB, .linearSRGB, .displayP3, .linearDisplayP3, .dciP3, .adobeRGB, .proPhoto, .rec709,
    .rec2020, .linearRec2020, .aces2065, .acescg,
  ]

  /// The named space called `name`; letter case, spaces and punctuation do not matter.
  public init(named name: String) throws(RecipeError) {
    func key(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
    guard let space = Self.named.first(where: { key($0.name) == key(name) }) else {
      throw .unknownColorSpace(name, known: Self.named.map(\.name))
    }
    self = space
  }
}
