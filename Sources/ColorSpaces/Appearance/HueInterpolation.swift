/// The direction in which hues are interpolated (CSS Color 4, 12.4).
@nonexhaustive
public enum HueInterpolation: String, CaseIterable, Hashable, Sendable {
  /// The shorter arc: at most half a turn.
  case shorter
  /// The longer arc: at least half a turn, and a whole turn between equal hues.
  case longer
  /// Increasing angles.
  case increasing
  /// Decreasing angles.
  case decreasing

  /// Returns the degrees by which the hue turns from `start` to `end`.
  public func turn(from start: Double, to end: Double) -> Double {
    let turn = degreesInOneTurn(end) - degreesInOneTurn(start)
    return switch self {
    case .shorter: turn > 180 ? turn - 360 : turn < -180 ? turn + 360 : turn
    case .longer: turn > 0 && turn < 180 ? turn - 360 : turn > -180 && turn <= 0 ? turn + 360 : turn
    case .increasing: turn < 0 ? turn + 360 : turn
    case .decreasing: turn > 0 ? turn - 360 : turn
    }
  }
}
