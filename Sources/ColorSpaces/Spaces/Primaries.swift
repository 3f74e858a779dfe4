/// The chromaticities of an RGB space: three primaries and the white point.
public struct Primaries: Hashable, Sendable {
  /// The chromaticity of each primary.
  public var red, green, blue: Chromaticity
  /// The white point: the chromaticity of equal linear values of all three.
  public var white: Chromaticity

  /// Creates primaries with their white point.
  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity = .d65
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// The matrix from linear RGB to XYZ relative to the same white point; (1, 1, 1) becomes the white point's XYZ.
  public var toXYZ: ColorMatrix {
    // A multiple of the primary's XYZ; the white point decides the scale. Unlike x/y, it exists for primaries without
    // luminance, such as X and Z.
    func light(_ c: Chromaticity) -> SIMD3<Double> { [c.x, c.y, 1 - c.x - c.y] }
    let lights = ColorMatrix(columns: light(red), light(green), light(blue))
    return lights * ColorMatrix(diagonal: lights.inverse * white.xyz)
  }

  /// Whether the two differ by less than the 16-bit fractions of profiles can tell.
  func isClose(to other: Primaries, within tolerance: Double) -> Bool {
    zip([red, green, blue, white], [other.red, other.green, other.blue, other.white])
      .allSatisfy { abs($0.x - $1.x) <= tolerance && abs($0.y - $1.y) <= tolerance }
  }
}

extension Primaries {
  /// Rec. ITU-R BT.709, which sRGB shares.
  public static let rec709 = Primaries(
    red: .init(0.640, 0.330), green: .init(0.300, 0.600), blue: .init(0.150, 0.060))

  /// SMPTE EG 432-1: digital cinema primaries with white point D65.
  public static let p3 = Primaries(
    red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060))

  /// SMPTE RP 431-2: digital cinema primaries and white point.
  public static let dciP3 = Primaries(
    red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060), white: .dci)

  /// Rec. ITU-R BT.2020.
  public static let rec2020 = Primaries(
    red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046))

  /// Adobe RGB (1998).
  public static let adobeRGB = Primaries(
    red: .init(0.640, 0.330), green: .init(0.210, 0.710), blue: .init(0.150, 0.060))

  /// ROMM RGB (ISO 22028-2), known as ProPhoto.
  public static let proPhoto = Primaries(
    red: .init(0.734699, 0.265301), green: .init(0.159597, 0.840403),
    blue: .init(0.036598, 0.000105), white: .d50)

  /// ACES primaries 0 (SMPTE ST 2065-1), whose gamut contains every visible color.
  public static let acesAP0 = Primaries(
    red: .init(0.7347, 0.2653), green: .init(0.0, 1.0), blue: .init(0.0001, -0.0770), white: .aces)

  /// ACES primaries 1 (S-2014-004), for rendering and grading.
  public static let acesAP1 = Primaries(
    red: .init(0.713, 0.293), green: .init(0.165, 0.830), blue: .init(0.128, 0.044), white: .aces)
}
