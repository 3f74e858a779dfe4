/// The file data, such as the bytes of an ICC profile, that a color space was derived from and that its definition does
/// not cover.
///
/// `ColorSpaces` compares origins without interpreting them: only the module that created an origin knows its format.
package struct SpaceOrigin: Hashable, Sendable {
  /// The bytes, for writers that embed them in files.
  package let bytes: [UInt8]
  /// The name of the data in recipes, such as `profile`, by which a reader finds the module that knows their format.
  package let format: String
  /// What was chosen where the data define several spaces, by its names in recipes, such as the intent of a profile's tables.
  package let choices: [String: String]

  /// Creates the origin of spaces that are derived from `bytes`.
  package init(_ bytes: [UInt8], as format: String, choices: [String: String] = [:]) {
    (self.bytes, self.format, self.choices) = (bytes, format, choices)
  }

  /// Hashes the number of bytes alone: profiles have up to megabytes, and spaces are hashed often.
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes.count) }
}

extension TransferFunction {
  /// The data that the coordinates were derived from; nil for curves and for coordinates with a complete definition.
  package var origin: SpaceOrigin? {
    if case .coordinates(let coordinates) = form { coordinates.origin } else { nil }
  }
}
