/// The file data, such as the bytes of an ICC profile, that a color space was derived from and that its definition does
/// not cover.
///
/// `ColorSpaces` compares origins without interpreting them: only the module that created an origin knows its format.
package struct SpaceOrigin: Hashable, Sendable {
  /// The bytes, for writers that embed them in files.
  package let bytes: [UInt8]

  /// Creates the origin of spaces that are derived from `bytes`.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Hashes the number of bytes alone: profiles have up to megabytes, and spaces are hashed often.
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes.count) }
}

extension TransferFunction {
  /// The data that the coordinates were derived from; nil for curves and for coordinates with a complete definition.
  package var origin: SpaceOrigin? {
    if case .coordinates(let coordinates) = form { coordinates.origin } else { nil }
  }
}
