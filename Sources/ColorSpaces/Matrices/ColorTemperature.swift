/// A white point as a correlated color temperature (CCT) and the distance Duv from the Planckian locus.
///
/// ```swift
/// ColorTemperature(of: .d65)                             // 6504 K, Duv 0.0032
/// try ColorTemperature(kelvin: 3200).chromaticity        // a tungsten lamp
/// ```
public struct ColorTemperature: Hashable, Sendable {
  /// The correlated color temperature in kelvin.
  public let kelvin: Double
  /// The distance from the Planckian locus in the CIE 1960 diagram: positive towards green, negative towards magenta
  /// (ANSI C78.377).
  public let duv: Double

  /// The allowed color temperatures in kelvin.
  public static let kelvins = 1000.0...100_000
  /// The range of ``duv``. Beyond it, color temperature is not defined (CIE 15:2018, 9.4).
  public static let duvs = -0.05...0.05

  /// Creates a color temperature from 1000 to 100,000 K, at a distance of up to 0.05.
  public init(kelvin: Double, duv: Double = 0) throws(ColorError) {
    try check("A color temperature", kelvin, in: Self.kelvins)
    try check("Duv", duv, in: Self.duvs)
    (self.kelvin, self.duv) = (kelvin, duv)
  }

  /// Measures the color temperature of a chromaticity. Nil where that is no white: more than 0.05 from the Planckian
  /// locus, or closest to a temperature below 1000 or above 100,000 K.
  ///
  /// It inverts ``chromaticity`` within 10⁻¹¹ of the temperature and 10⁻¹⁴ of Duv.
  public init?(of color: Chromaticity) {
    let scale = 3 - 2 * color.x + 12 * color.y
    let uv = SIMD2(4 * color.x, 6 * color.y) / scale
    guard scale > 0, let mireds = PlanckianLocus.nearest(to: uv) else { return nil }
    let kelvin = 1e6 / mireds
    let point = PlanckianLocus.point(mireds: mireds)
    let duv = ((uv - point.uv) * point.normal).sum()
    // Rounding must not push the ends of both ranges outside.
    let confined = min(max(kelvin, Self.kelvins.lowerBound), Self.kelvins.upperBound)
    guard abs(confined - kelvin) <= 1e-10 * kelvin, abs(duv) <= 0.05 + 1e-12 else { return nil }
    (self.kelvin, self.duv) = (confined, min(max(duv, -0.05), 0.05))
  }

  /// The chromaticity at this temperature and distance.
  public var chromaticity: Chromaticity {
    let point = PlanckianLocus.point(mireds: 1e6 / kelvin)
    let uv = point.uv + duv * point.normal
    let scale = 2 * uv.x - 8 * uv.y + 4
    return Chromaticity(3 * uv.x / scale, 2 * uv.y / scale)
  }
}

extension ColorTemperature: CustomStringConvertible {
  /// The temperature and the distance.
  public var description: String { "\(kelvin) K, Duv \(duv)" }
}

extension PlanckianLocus.Point {
  /// The unit normal of the Planckian locus, towards green.
  fileprivate var normal: SIMD2<Double> {
    // With falling temperature the locus runs towards red, to the right: its left normal points up.
    let normal = SIMD2(-derivative.y, derivative.x)
    return normal / (normal * normal).sum().squareRoot()
  }
}
