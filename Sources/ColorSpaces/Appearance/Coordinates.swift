/// Color coordinates whose three channels depend on each other: Lab, hue and chroma, and the like.
///
/// A color space with coordinates has primaries like any other; its encoded values are coordinates instead of a curve
/// of each channel. Coordinates of one name are equal, unless they have different origins.
public struct Coordinates: Sendable {
  /// What plans and messages call the coordinates, such as “CAM16”.
  public let name: String
  /// The program from coordinates to linear values.
  public let decoding: PointProgram
  /// The program from linear values to coordinates.
  public let encoding: PointProgram
  /// The coordinate that is a hue, if any, and the condition under which it is powerless.
  public let hue: Hue?
  /// The video encoding, if the coordinates are one.
  public let video: VideoEncoding?
  /// The linear value of the brightest gray, where it is not white; see ``TransferFunction/peak``.
  var peak = 1.0
  /// The profile that the coordinates were read from; distinguishes coordinates of one name.
  let origin: SpaceOrigin?

  /// The angle among the coordinates.
  public struct Hue: Sendable {
    /// The index of the coordinate that is an angle in degrees.
    public let channel: Int
    private let isGray: @Sendable (SIMD3<Double>) -> Bool
    private let hasNoWeight: @Sendable (SIMD3<Double>) -> Bool

    /// Creates a hue that is powerless for the colors for which `isGray` returns true.
    public init(channel: Int, isGray: @escaping @Sendable (SIMD3<Double>) -> Bool) {
      (self.channel, self.isGray, hasNoWeight) = (channel, isGray, isGray)
    }

    /// Creates a hue that is powerless where the coordinate `distanceChannel`, the distance from gray, is at most
    /// `gray`.
    public init(channel: Int, distanceChannel: Int, powerlessUpTo gray: Double) {
      self.init(channel: channel) { abs($0[distanceChannel]) <= gray }
    }

    /// Creates the hue of a model in which grays have a small chroma, such as CAM16 with incomplete adaptation.
    ///
    /// - Parameters:
    ///   - gray: The colorfulness up to which the hue is powerless.
    ///   - light: Returns the linear values of coordinates, relative to white. Equal channels are gray, whatever their
    ///     chroma in the model.
    init(
      channel: Int, distanceChannel: Int, powerlessUpTo gray: Double,
      light: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
    ) {
      self.channel = channel
      hasNoWeight = { abs($0[distanceChannel]) <= gray }
      isGray = { [hasNoWeight] color in
        if hasNoWeight(color) { return true }
        let light = light(color)
        // About the distance from gray of the chroma 0.0015, up to which CSS ignores the hue of LCh.
        return light.max() - light.min() <= 1e-5 * max(abs(light.max()), abs(light.min()))
      }
    }

    /// Returns whether a color is so close to gray that its hue is powerless (CSS Color 4, 4.4).
    public func isPowerless(in components: SIMD3<Double>) -> Bool { isGray(components) }

    /// Returns whether any other hue would give the same color. In models in which grays have a small chroma, a
    /// powerless hue is still needed to convert the gray back.
    public func isNegligible(in components: SIMD3<Double>) -> Bool { hasNoWeight(components) }
  }

  /// Creates coordinates from both directions.
  public init(
    _ name: String, decoding: [PointProgram.Stage], encoding: [PointProgram.Stage],
    hue: Hue? = nil
  ) {
    (self.name, self.hue, video, origin) = (name, hue, nil, nil)
    self.decoding = PointProgram(decoding.map(\.keepingNaN))
    self.encoding = PointProgram(encoding.map(\.keepingNaN))
  }

  /// Creates coordinates that were read from `origin`.
  package init(
    _ name: String, origin: SpaceOrigin, decoding: [PointProgram.Stage],
    encoding: [PointProgram.Stage]
  ) {
    (self.name, hue, video, self.origin) = (name, nil, nil, origin)
    self.decoding = PointProgram(decoding.map(\.keepingNaN))
    self.encoding = PointProgram(encoding.map(\.keepingNaN))
  }

  /// Creates the coordinates of a video encoding.
  init(
    _ name: String, video: VideoEncoding, decoding: [PointProgram.Stage],
    encoding: [PointProgram.Stage]
  ) {
    (self.name, hue, self.video, origin) = (name, nil, video, nil)
    self.decoding = PointProgram(decoding.map(\.keepingNaN))
    self.encoding = PointProgram(encoding.map(\.keepingNaN))
  }

  /// Returns the polar form: the second and third coordinate as a distance from gray and an angle in degrees.
  ///
  /// The angle is powerless up to the distance `gray`.
  public func polar(_ name: String, gray: Double) -> Coordinates {
    polar(name, gray: gray, isGrayByLight: false)
  }

  func polar(_ name: String, gray: Double, isGrayByLight: Bool) -> Coordinates {
    let stages: [PointProgram.Stage] = [.rectangular] + decoding.stages
    let light = PointProgram(stages)
    return Coordinates(
      name, decoding: stages, encoding: encoding.stages + [.polar],
      hue: isGrayByLight
        ? Hue(channel: 2, distanceChannel: 1, powerlessUpTo: gray) { light($0) }
        : Hue(channel: 2, distanceChannel: 1, powerlessUpTo: gray))
  }
}

extension PointProgram.Stage {
  /// The stage with a NaN in one channel spread to all three: comparisons in code would treat it as black or gray.
  fileprivate var keepingNaN: PointProgram.Stage {
    switch self {
    case .map(let name, let change):
      .map(name) { v in v.hasNaN ? SIMD3(repeating: .nan) : change(v) }
    case .formula(let formula): .formula(formula.keepingNaN)
    default: self
    }
  }
}

extension SIMD3<Double> {
  /// Whether a channel is NaN.
  var hasNaN: Bool { self != self }
}

extension Coordinates: Hashable {
  /// Whether the names and the origins are equal.
  public static func == (a: Coordinates, b: Coordinates) -> Bool {
    a.name == b.name && a.origin == b.origin
  }

  /// Hashes the name alone: coordinates of one name rarely differ in their origin.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
