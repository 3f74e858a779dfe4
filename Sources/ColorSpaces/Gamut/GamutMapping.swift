/// How out-of-gamut colors become in-gamut colors.
@nonexhaustive
public enum GamutMapping: Hashable, Sendable {
  /// Each channel by itself is held in 0…1: quick, and hues turn.
  case clipped
  /// Lightness and hue stay, chroma gives way: CSS Color 4, 13.2, in OkLCh with clipping where it is not seen.
  case reducedChroma
  /// Lightness and hue in OkLCh stay, chroma gives way as far as the gamut's surface, found by rays of light (CSS Color 4,
  /// 13.2, and Coloraide's `raytrace`): near to what a search finds, in four steps, and without clipping's turn of hue.
  case rayTraced
  /// Lightness and hue in Oklab stay. Chroma gives way softly: up to `threshold` of the most that the space holds of this lightness
  /// and hue it stays, too; from there it comes ever closer to that most, and nothing that differed becomes the same.
  ///
  /// With the most M, T = threshold · M and x = (C − T) / (M − T), a chroma C > T becomes T + (M − T) · x / √(1 + x²): without a
  /// step or a bend at T. So colors inside change as well, by less than a third of what lies above T.
  case softKnee(threshold: Double = 0.8)
  /// The compression of ACES or one like it, run in ACEScg whatever the target, and then clipped.
  ///
  /// It brings colors of cameras and lamps into the gamut of ACEScg with all their luminance. A space of less saturated primaries, such as
  /// sRGB, cannot hold all that ACEScg can, and none holds what is brighter than its white: the rest is clipped.
  case compressed(by: GamutCompression = .aces13)

  /// The allowed thresholds of ``softKnee(threshold:)``.
  package static let softKneeThresholds = 0...1.0.nextDown

  /// The nearest color to `color` that `target` can hold, by this method, in `target`.
  ///
  /// A space with a curve for each channel holds what it stores as 0…1. One of other coordinates holds what its primaries mix up to
  /// white, and every color where these primaries are X, Y and Z.
  public func map(_ color: ColorPoint, into target: ColorSpace) -> ColorPoint {
    let light = color.converted(to: target.linear).components
    let stage = GamutStage(self, into: target)
    let (gamut, mapped) = (stage.gamut, stage(light))
    if mapped == light { return color.converted(to: target) }
    let stored = target.transfer.encode(mapped)
    if target.transfer.curves == nil { return ColorPoint(stored, in: target) }
    // The gamut's surface is stored as exactly 0 and 1, however the curve rounds.
    return ColorPoint(
      stored.replacing(with: 0, where: mapped .== gamut.low)
        .replacing(with: 1, where: mapped .== gamut.high), in: target)
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
  /// Whether the space holds a color that it stores as `components`: each of them in 0…1, up to rounding. For RGB spaces.
  public func holds(_ components: SIMD3<Double>, tolerance: Double = 1e-9) -> Bool {
    components.min() >= -tolerance && components.max() <= 1 + tolerance
  }
}
