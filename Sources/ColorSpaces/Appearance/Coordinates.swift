/// A way to write colors down in which the three channels belong together: Lab, hue and chroma, and the like.
///
/// A color space with coordinates mixes lights as every other one does; only what it stores of them is another thing than a curve
/// of each. Two coordinates of one name are the same, unless they have different origins.
public struct Coordinates: Sendable {
  /// What people call it.
  public let name: String
  /// From coordinates to amounts of light.
  public let decoding: PointProgram
  /// From amounts of light to coordinates.
  public let encoding: PointProgram
  /// Which of the coordinates is an angle, if one is, and up to which distance from gray it means nothing.
  public let hue: Hue?
  /// How video stores the lights, if that is what the coordinates are.
  public let video: VideoEncoding?
  /// Tells coordinates of one name apart that were read from different profiles.
  let origin: SpaceOrigin?

  /// An angle among coordinates.
  public struct Hue: Sendable {
    /// The coordinate that is an angle in degrees.
    public let channel: Int
    private let isGray: @Sendable (SIMD3<Double>) -> Bool
    private let hasNoWeight: @Sendable (SIMD3<Double>) -> Bool

    /// An angle that means nothing for the colors that `isGray` says.
    public init(channel: Int, isGray: @escaping @Sendable (SIMD3<Double>) -> Bool) {
      (self.channel, self.isGray, hasNoWeight) = (channel, isGray, isGray)
    }

    /// An angle beside a distance from gray, up to which it means nothing.
    public init(channel: Int, distanceChannel: Int, powerlessUpTo gray: Double) {
      self.init(channel: channel) { abs($0[distanceChannel]) <= gray }
    }

    /// An angle of a model that sees grays as slightly colored, such as CAM16 without full adaptation.
    ///
    /// - Parameters:
    ///   - gray: The colorfulness up to which the angle means nothing.
    ///   - light: The linear light of coordinates, relative to white. Equal channels are gray, however colorful the model sees them.
    init(
      channel: Int, distanceChannel: Int, powerlessUpTo gray: Double,
      light: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
    ) {
      self.channel = channel
      hasNoWeight = { abs($0[distanceChannel]) <= gray }
      isGray = { [hasNoWeight] color in
        if hasNoWeight(color) { return true }
        let light = light(color)
        // About as far from gray as the chroma of 0.0015 up to which CSS ignores the hue of LCh.
        return light.max() - light.min() <= 1e-5 * max(abs(light.max()), abs(light.min()))
      }
    }

    /// Whether a color is so near to gray that its hue means nothing (CSS Color 4, 4.4).
    public func isPowerless(in components: SIMD3<Double>) -> Bool { isGray(components) }

    /// Whether any other hue would give the same color. Some models see grays as slightly colored: their hue is powerless and
    /// yet needed to get the gray back.
    public func isNegligible(in components: SIMD3<Double>) -> Bool { hasNoWeight(components) }
  }

  /// Coordinates from both directions.
  public init(
    _ name: String, decoding: [PointProgram.Stage], encoding: [PointProgram.Stage],
    hue: Hue? = nil
  ) {
    (self.name, self.hue, video, origin) = (name, hue, nil, nil)
    self.decoding = PointProgram(decoding.map(\.keepingNaN))
    self.encoding = PointProgram(encoding.map(\.keepingNaN))
  }

  /// Coordinates that were read from `origin`.
  package init(
    _ name: String, origin: SpaceOrigin, decoding: [PointProgram.Stage],
    encoding: [PointProgram.Stage]
  ) {
    (self.name, hue, video, self.origin) = (name, nil, nil, origin)
    self.decoding = PointProgram(decoding.map(\.keepingNaN))
    self.encoding = PointProgram(encoding.map(\.keepingNaN))
  }

  /// Coordinates as `video` stores them.
  init(
    _ name: String, video: VideoEncoding, decoding: [PointProgram.Stage],
    encoding: [PointProgram.Stage]
  ) {
    (self.name, hue, self.video, origin) = (name, nil, video, nil)
    self.decoding = PointProgram(decoding.map(\.keepingNaN))
    self.encoding = PointProgram(encoding.map(\.keepingNaN))
  }

  /// The same coordinates with the second and the third one as a distance from gray and an angle in degrees.
  ///
  /// Nearer to gray than `gray`, the angle means nothing.
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
  /// The same stage, where a NaN in one channel makes all three NaN: code that compares numbers would take it for black or gray.
  fileprivate var keepingNaN: PointProgram.Stage {
    guard case .map(let name, let change) = self else { return self }
    return .map(name) { v in v.hasNaN ? SIMD3(repeating: .nan) : change(v) }
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

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
