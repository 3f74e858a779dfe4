/// A color without its brightness: a point of the CIE 1931 x, y diagram.
public struct Chromaticity: Hashable, Sendable {
  /// The coordinates on the diagram.
  public var x, y: Double

  /// The point (x, y).
  public init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

  /// The XYZ color of this chromaticity with luminance 1.
  public var xyz: SIMD3<Double> { SIMD3(x / y, 1, (1 - x - y) / y) }

  /// The point on the CIE 1976 uniform chromaticity diagram: u′ and v′ (CIE 15:2004, 8.1).
  public var uv: SIMD2<Double> { SIMD2(4 * x, 9 * y) / (12 * y - 2 * x + 3) }
}

extension Chromaticity {
  /// Daylight at 6504 K, the white point of most displays (Rec. ITU-R BT.709, IEC 61966-2-1).
  public static let d65 = Chromaticity(0.3127, 0.3290)

  /// Horizon light at 5003 K, the white point of print and of the ICC profile connection space (ISO 3664).
  public static let d50 = Chromaticity(0.3457, 0.3585)

  /// The white point of ACES (SMPTE ST 2065-1).
  public static let aces = Chromaticity(0.32168, 0.33767)

  /// The white point of digital cinema projectors (SMPTE RP 431-2).
  public static let dci = Chromaticity(0.314, 0.351)
}

extension Chromaticity: CustomStringConvertible {
  /// The coordinates.
  public var description: String { "(\(x), \(y))" }
}
