/// What a color space was derived from, such as the bytes of an ICC profile, where its definition alone does not tell.
///
/// `ColorSpaces` compares origins and never reads them: only the module that made an origin knows what its bytes mean.
package struct SpaceOrigin: Hashable, Sendable {
  /// The bytes, for files that must carry them along.
  package let bytes: [UInt8]

  /// Creates the origin of spaces that are derived from `bytes`.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Hashes the number of bytes alone: profiles have up to megabytes, and spaces are hashed often.
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes.count) }
}

extension TransferFunction {
  /// What the coordinates were read from; nil for transfer functions that are curves or coordinates by their own definition.
  package var origin: SpaceOrigin? {
    if case .coordinates(let coordinates) = form { coordinates.origin } else { nil }
  }
}
