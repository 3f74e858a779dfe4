/// How a color that a space cannot hold becomes one that it can.
@nonexhaustive
public enum GamutMapping: Hashable, Sendable {
  /// Each channel by itself is held in 0…1: quick, and hues turn.
  case clipped
  /// Lightness and hue stay, chroma gives way: CSS Color 4, 13.2, in OkLCh with clipping where it is not seen.
  case reducedChroma

  /// The nearest color to `color` that `target` can hold, by this method, in `target`.
  public func map(_ color: ColorPoint, into target: ColorSpace) -> ColorPoint {
    let converted = color.converted(to: target)
    if target.holds(converted.components) { return converted }
    return switch self {
    case .clipped: ColorPoint(heldInRange(converted.components), in: target)
    case .reducedChroma: reducingChroma(of: color, into: target)
    }
  }

  /// The search of CSS Color 4, 13.2.2: the most chroma that clipping changes by less than can be seen.
  private func reducingChroma(of color: ColorPoint, into target: ColorSpace) -> ColorPoint {
    let justNoticeable = 0.02
    let precision = 0.0001
    let origin = color.converted(to: .oklch)
    if origin.components.x >= 1 { return ColorPoint(.one, in: target) }
    if origin.components.x <= 0 { return ColorPoint(.zero, in: target) }

    func clipping(_ oklch: ColorPoint) -> (color: ColorPoint, difference: Double) {
      let clipped = ColorPoint(heldInRange(oklch.converted(to: target).components), in: target)
      let step =
        clipped.converted(to: .oklab).components - oklch.converted(to: .oklab).components
      return (clipped, (step * step).sum().squareRoot())
    }

    var best = clipping(origin)
    if best.difference < justNoticeable { return best.color }
    var (low, high) = (0.0, origin.components.y)
    var lowIsInside = true
    while high - low > precision {
      var current = origin
      current.components.y = (low + high) / 2
      if lowIsInside, target.holds(current.converted(to: target).components) {
        low = current.components.y
        continue
      }
      best = clipping(current)
      if best.difference >= justNoticeable {
        high = current.components.y
      } else if justNoticeable - best.difference < precision {
        return best.color
      } else {
        lowIsInside = false
        low = current.components.y
      }
    }
    return best.color
  }
}

extension ColorSpace {
  /// Whether the space holds a color that it stores as `components`: each of them in 0…1, up to rounding. For spaces of lights.
  public func holds(_ components: SIMD3<Double>, tolerance: Double = 1e-9) -> Bool {
    components.min() >= -tolerance && components.max() <= 1 + tolerance
  }
}

private func heldInRange(_ components: SIMD3<Double>) -> SIMD3<Double> {
  components.clamped(lowerBound: .zero, upperBound: .one)
}
