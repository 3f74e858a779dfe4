/// The chromaticities of an RGB space: three primaries and the white point.
public struct Primaries: Sendable {
  /// The chromaticity of each primary.
  public var red, green, blue: Chromaticity
  /// The white point: the chromaticity of equal linear values of all three.
  public var white: Chromaticity
  private var cited: Citation?

  /// The named constants and their documents. Other chromaticities come from elsewhere.
  private struct Citation: Sendable {
    let points: [Chromaticity]
    let sources: [Source]
  }

  /// Creates primaries with their white point.
  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity = .d65
  ) {
    (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
  }

  /// The documents of the chromaticities; empty for those of a caller or a file.
  public var sources: [Source] {
    cited?.points == points ? cited?.sources ?? [] : []
  }

  /// Returns the primaries with the documents that define them.
  func citing(_ sources: Source...) -> Primaries {
    var result = self
    result.cited = Citation(points: points, sources: sources)
    return result
  }

  private var points: [Chromaticity] { [red, green, blue, white] }

  /// The matrix from linear RGB to XYZ relative to the same white point; (1, 1, 1) becomes the white point's XYZ.
  ///
  /// Its entries are NaN for primaries on a line and for a white point on a line through two of them, which define no
  /// matrix. Rendering a picture in such a space throws ``ColorError/unusablePrimaries(_:reason:)``.
  public var toXYZ: ColorMatrix {
    let unscaled = unscaledXYZ
    guard let weights = unscaled.inverseIfRegular.map({ $0 * white.xyz }),
      (0..<3).allSatisfy({ weights[$0].isFinite && weights[$0] != 0 })
    else { return ColorMatrix(diagonal: SIMD3(repeating: .nan)) }
    return unscaled * ColorMatrix(diagonal: weights)
  }

  /// A multiple of each primary's XYZ; the white point decides the scale. Unlike x/y, it exists for primaries without
  /// luminance, such as X and Z.
  private var unscaledXYZ: ColorMatrix {
    func light(_ c: Chromaticity) -> SIMD3<Double> { [c.x, c.y, 1 - c.x - c.y] }
    return ColorMatrix(columns: light(red), light(green), light(blue))
  }

  /// The error of primaries from and to which no color can be converted; nil for all others.
  ///
  /// No device or encoding is beyond the limits: the coordinates of named spaces lie in -1…2.
  package var flaw: ColorError? {
    func unusable(_ reason: String) -> ColorError { .unusablePrimaries(self, reason: reason) }
    for point in points where !(abs(point.x) <= 1000 && abs(point.y) <= 1000) {
      return unusable("coordinates must lie in -1000…1000")
    }
    guard white.y >= 1e-6 else {
      return unusable("the y of the white point must be 0.000001 or more")
    }
    let unscaled = unscaledXYZ
    guard unscaled.isWellConditioned, let inverse = unscaled.inverseIfRegular else {
      return unusable("they lie on a line, and must be corners of a triangle")
    }
    let weights = inverse * white.xyz
    guard (0..<3).allSatisfy({ abs(weights[$0]) >= 1e-6 }) else {
      return unusable("the white point must not lie on a line through two of them")
    }
    return nil
  }

  /// Whether the two differ by less than the 16-bit fractions of profiles can tell.
  func isClose(to other: Primaries, within tolerance: Double) -> Bool {
    func isClose(_ a: Chromaticity, _ b: Chromaticity) -> Bool {
      abs(a.x - b.x) <= tolerance && abs(a.y - b.y) <= tolerance
    }
    return isClose(red, other.red) && isClose(green, other.green) && isClose(blue, other.blue)
      && isClose(white, other.white)
  }
}

extension Primaries: Hashable {
  /// Whether the chromaticities are equal, whatever documents they come from.
  public static func == (a: Primaries, b: Primaries) -> Bool {
    a.red == b.red && a.green == b.green && a.blue == b.blue && a.white == b.white
  }

  /// Hashes the chromaticities.
  public func hash(into hasher: inout Hasher) {
    for point in [red, green, blue, white] { hasher.combine(point) }
  }
}

extension Primaries {
  /// Rec. ITU-R BT.709, which sRGB shares.
  public static let rec709 = Primaries(
    red: .init(0.640, 0.330), green: .init(0.300, 0.600), blue: .init(0.150, 0.060)
  ).citing(.bt709("items 1.3 and 1.4"))

  /// SMPTE EG 432-1: digital cinema primaries with white point D65.
  public static let p3 = Primaries(
    red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060)
  ).citing(Source("SMPTE EG 432-1", edition: "2010"))

  /// SMPTE RP 431-2: digital cinema primaries and white point.
  public static let dciP3 = Primaries(
    red: .init(0.680, 0.320), green: .init(0.265, 0.690), blue: .init(0.150, 0.060), white: .dci
  ).citing(.rp431)

  /// Rec. ITU-R BT.2020.
  public static let rec2020 = Primaries(
    red: .init(0.708, 0.292), green: .init(0.170, 0.797), blue: .init(0.131, 0.046)
  ).citing(.bt2020("table 3"))

  /// Adobe RGB (1998).
  public static let adobeRGB = Primaries(
    red: .init(0.640, 0.330), green: .init(0.210, 0.710), blue: .init(0.150, 0.060)
  ).citing(.adobeRGB)

  /// ROMM RGB (ISO 22028-2), known as ProPhoto.
  public static let proPhoto = Primaries(
    red: .init(0.734699, 0.265301), green: .init(0.159597, 0.840403),
    blue: .init(0.036598, 0.000105), white: .d50
  ).citing(.romm, .cssColor4())

  /// ACES primaries 0 (SMPTE ST 2065-1), whose gamut contains every visible color.
  public static let acesAP0 = Primaries(
    red: .init(0.7347, 0.2653), green: .init(0.0, 1.0), blue: .init(0.0001, -0.0770), white: .aces
  ).citing(.st2065)

  /// ACES primaries 1 (S-2014-004), for rendering and grading.
  public static let acesAP1 = Primaries(
    red: .init(0.713, 0.293), green: .init(0.165, 0.830), blue: .init(0.128, 0.044), white: .aces
  ).citing(.acescg)
}
