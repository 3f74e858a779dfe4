/// A color that a profile lists by name.
public struct NamedProfileColor: Hashable, Sendable {
  /// The name, with the prefix and suffix that all names of the profile share.
  public let name: String
  /// The color in the profile connection space: Lab or XYZ, as ``ICCProfile/connectionName`` says.
  public let connection: SIMD3<Double>
  /// The device values that print or show the color, from 0 to 1; empty where the profile states none.
  public let device: [Double]
}
