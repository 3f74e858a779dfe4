/// Which way round a hue goes from one color's to another's (CSS Color 4, 12.4).
@nonexhaustive
public enum HueInterpolation: String, CaseIterable, Hashable, Sendable {
  /// By half a turn at most.
  case shorter
  /// By half a turn at least; by a whole one between equal hues.
  case longer
  /// Through larger angles.
  case increasing
  /// Through smaller angles.
  case decreasing

  /// By how many degrees the hue turns from `start` to `end`.
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
