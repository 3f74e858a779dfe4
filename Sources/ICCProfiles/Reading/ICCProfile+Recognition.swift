public import ColorSpaces

extension ICCProfile {
  /// A named color space that agrees with a profile, and the difference between the two.
  public struct Recognition: Hashable, Sendable {
    /// The named space.
    public let space: ColorSpace
    /// The largest color difference (CIEDE2000) that was found on a grid of 9 device values 0…1 per channel: 1 is just
    /// noticeable. A measurement, not a bound: between the grid's colors the difference may be larger.
    public let distance: Double
  }

  /// The named spaces that profiles can agree with: those with a curve per channel.
  static let knownSpaces = ColorSpace.all.filter { $0.transfer.curves != nil }

  /// Returns a named space for which `isSame` returns true: of several, the one with the profile's own name, or else
  /// the most common one.
  static func known(
    _ space: ColorSpace, where isSame: (ColorSpace) -> Bool
  ) -> ColorSpace? {
    let matches = knownSpaces.filter(isSame)
    return matches.first { $0.name == space.name } ?? matches.first
  }

  /// The name of a profile of the grays of a space.
  static func name(ofGraysOf space: ColorSpace) -> String {
    space.isGray ? space.name : "\(space.name) gray"
  }

  /// The named space that ``colorSpace(intent:)`` returns for the profile; nil for a profile that agrees with none.
  public var recognized: Recognition? {
    guard let space = try? colorSpace(), Self.knownSpaces.contains(space),
      let profileToLab = try? ICCTransform(from: .profile(self), to: .space(.lab), intent: intent),
      let spaceToLab = try? ICCTransform(from: .space(space), to: .space(.lab))
    else { return nil }
    let steps = 8
    let numbers = (0...steps).map { Double($0) / Double(steps) }
    let colors =
      isGray
      ? numbers.map { [$0, $0, $0] }
      : numbers.flatMap { red in numbers.flatMap { green in numbers.map { [red, green, $0] } } }
    let distance = colors.reduce(0) { largest, color in
      let (a, b) = (
        profileToLab(Array(color.prefix(profileToLab.inputCount))), spaceToLab(color)
      )
      return max(
        largest, ColorDifference.ciede2000()(SIMD3(a[0], a[1], a[2]), SIMD3(b[0], b[1], b[2])))
    }
    return Recognition(space: space, distance: distance)
  }
}
