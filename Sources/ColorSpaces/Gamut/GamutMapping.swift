/// A method of mapping out-of-gamut colors into a gamut.
@nonexhaustive
public enum GamutMapping: Hashable, Sendable {
  /// Clips each channel to 0…1: fast, but shifts hue and lightness.
  case clipped
  /// Reduces chroma at constant lightness and hue in OkLCh, with clipping where the difference is not visible (CSS Color 4, 13.2).
  case reducedChroma
  /// Reduces chroma at constant lightness and hue in OkLCh to the gamut boundary, which is found by four steps of ray tracing (CSS Color
  /// 4, 13.2; Coloraide's `raytrace`): near to what a search finds, without the hue shift of clipping.
  case rayTraced
  /// Compresses chroma in Oklab at constant lightness and hue. Up to `threshold` of the largest in-gamut chroma M nothing changes; above
  /// it, chroma approaches M asymptotically, so that different colors stay different.
  ///
  /// With T = threshold · M and x = (C − T) / (M − T), a chroma C > T becomes T + (M − T) · x / √(1 + x²): value and slope are continuous at
  /// T. So colors in the gamut change as well, by less than a third of what lies above T.
  ///
  /// `threshold` is from 0 to below 1. ``map(_:into:)`` and ``stage(into:)`` clamp it; filters refuse another one.
  case softKnee(threshold: Double = 0.8)
  /// Gamut compression as in ACES, computed in ACEScg for any target, then clipping to the target.
  ///
  /// It brings colors of cameras and lamps toward the gamut of ACEScg with all their luminance. A space of less saturated primaries, such as
  /// sRGB, cannot hold all that ACEScg can, and none holds what is brighter than its white: the rest is clipped.
  case compressed(by: GamutCompression = .aces13)

  /// The allowed thresholds of ``softKnee(threshold:)``.
  package static let softKneeThresholds = 0...1.0.nextDown

  /// Returns the in-gamut color to which this method maps `color`, in `target`.
  ///
  /// The gamut of a space with a curve for each channel is 0…1. That of other coordinates is the gamut of its primaries; spaces based on XYZ
  /// have no limit.
  public func map(_ color: ColorPoint, into target: ColorSpace) -> ColorPoint {
    let light = color.converted(to: target.linear).components
    let mapped = GamutStage(self, into: target)(light)
    if mapped == light { return color.converted(to: target) }
    let stored = target.transfer.encode(mapped)
    if target.transfer.curves == nil { return ColorPoint(stored, in: target) }
    // The gamut's surface is stored as exactly 0 and 1, however the curve rounds.
    return ColorPoint(
      stored.replacing(with: 0, where: mapped .== target.transfer.decode(0))
        .replacing(with: 1, where: mapped .== target.transfer.decode(1)), in: target)
  }

  /// The mapping as a stage that changes the linear light of `target`.
  public func stage(into target: ColorSpace) -> PointProgram.Stage {
    .gamut(GamutStage(self, into: target))
  }
}

extension GamutMapping: CustomStringConvertible {
  /// The method as plans show it, such as “chroma reduced”.
  public var description: String {
    switch self {
    case .clipped: "clipped"
    case .reducedChroma: "chroma reduced"
    case .rayTraced: "ray traced"
    case .softKnee(let threshold): "soft from \(threshold) of chroma"
    case .compressed: "compressed in ACEScg"
    }
  }
}

extension ColorSpace {
  /// Whether the space holds a color that it stores as `components`: each of them in 0…1, up to rounding, and none NaN. For
  /// RGB spaces.
  public func holds(_ components: SIMD3<Double>, tolerance: Double = 1e-9) -> Bool {
    Swift.all((components .>= -tolerance) .& (components .<= 1 + tolerance))
  }
}
