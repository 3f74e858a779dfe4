import ICCProfiles
import _TestSupport

extension Fixtures {
  /// Reads a profile of `Fixtures/Profiles` by its name without the ending.
  static func profile(_ name: String) throws -> ICCProfile {
    try ICCProfile(bytes: bytes("Profiles/\(name).icc"))
  }
}
