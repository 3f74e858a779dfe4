/// A named color of a profile.
public struct NamedProfileColor: Hashable, Sendable {
  /// The name, including the prefix and suffix that all names of the profile share.
  public let name: String
  /// The color in the profile connection space: Lab or XYZ, by ``ICCProfile/connectionName``.
  public let connection: SIMD3<Double>
  /// The device values of the color, 0…1; empty if the profile has none.
  public let device: [Double]
}
