/// One color, with the space that gives its numbers a meaning.
public struct ColorPoint: Hashable, Sendable {
  /// The stored numbers: red, green and blue as the space encodes them.
  public var components: SIMD3<Double>
  /// What the numbers mean.
  public let space: ColorSpace

  /// The color that `space` stores as these numbers.
  public init(_ red: Double, _ green: Double, _ blue: Double, in space: ColorSpace) {
    self.init([red, green, blue], in: space)
  }

  /// The color that `space` stores as these numbers.
  public init(_ components: SIMD3<Double>, in space: ColorSpace) {
    (self.components, self.space) = (components, space)
  }

  /// The color of three components, nil for those that are missing.
  ///
  /// They are 0, except for a missing hue, which is that of the space's white: models that see grays as slightly colored, such as
  /// CAM16, need it to get them back.
  public init(withMissing components: [Double?], in space: ColorSpace) {
    precondition(components.count == 3, "A color has three components; got \(components.count).")
    self.init(components[0] ?? 0, components[1] ?? 0, components[2] ?? 0, in: space)
    if let hue = space.hueChannel, components[hue] == nil, let white = space.transfer.encodedWhite {
      self.components[hue] = white[hue]
    }
  }

  /// The same color as another space stores it. Nothing is clamped: a color that the space cannot mix has numbers below 0 or
  /// above 1.
  public func converted(to target: ColorSpace) -> ColorPoint {
    ColorPoint(PointProgram(converting: space, to: target)(components), in: target)
  }

  /// The color whose light is the same, as another space stores it: with another white than this space's, white becomes another color.
  public func convertedAbsolutely(to target: ColorSpace) -> ColorPoint {
    let colors = target.withColors
    let conversion = colors.primaries.toXYZ.inverse * space.primaries.toXYZ
    let numbers = target.transfer.encode(colors.matrix(to: target) * (conversion * light))
    return ColorPoint(numbers, in: target)
  }

  /// The channel whose angle means nothing because the color is gray, if there is one.
  public var powerlessChannel: Int? {
    guard case .coordinates(let coordinates) = space.transfer.form, let hue = coordinates.hue else {
      return nil
    }
    return hue.isPowerless(in: components) ? hue.channel : nil
  }

  /// Whether `space` can hold the color: whether each of its lights is between the darkest and the brightest that the space stores,
  /// up to a `tolerance` in amounts of white's.
  ///
  /// Spaces with a curve for each channel store 0…1. Those of other coordinates hold what their lights mix up to white, as HSL
  /// does, and every color where these lights are X, Y and Z.
  public func isInside(_ space: ColorSpace, tolerance: Double = 1e-9) -> Bool {
    let (light, gamut) = (converted(to: space.linear).components, Gamut(of: space))
    return light.min() >= gamut.low - tolerance && light.max() <= gamut.high + tolerance
  }

  /// The amount of light, 1 for the space's white.
  public var luminance: Double { (light * space.luminanceWeights).sum() }

  private var light: SIMD3<Double> { space.transfer.decode(components) }
}

extension PointProgram {
  /// From the numbers of one space to those of another, for straight alpha.
  public init(converting source: ColorSpace, to target: ColorSpace) {
    self.init()
    if source == target { return }
    if !source.transfer.isLinear { append(.decode(source.transfer)) }
    let matrix = source.matrix(to: target)
    if matrix != .identity { append(.matrix(matrix)) }
    if !target.transfer.isLinear { append(.encode(target.transfer)) }
  }
}
