/// An error about a name, a curve, a table or a parameter of colors. Its description names the invalid value and the
/// allowed ones.
@nonexhaustive
public enum ColorError: Error, Hashable, Sendable {
  /// No color space has this name. Carries up to three similar names, the nearest first.
  case unknownColorSpace(String, nearest: [String])
  /// No transfer function has this name. Carries up to three similar names, the nearest first.
  case unknownTransferFunction(String, nearest: [String])
  /// The H.273 code points identify no color space that the package supports.
  case unusableCodePoints(CodePoints, reason: String)
  /// The primaries and the white point define no color space.
  case unusablePrimaries(Primaries, reason: String)
  /// A curve has too few or too many points.
  case curvePointCount(Int, allowed: ClosedRange<Int>)
  /// A curve's point lies left of, or on, the one before it.
  case curvePointsOutOfOrder(index: Int, x: Double, previous: Double)
  /// A curve's point is infinite or NaN.
  case curvePointNotFinite(index: Int, x: Double, y: Double)
  /// A parameter is out of range.
  case parameter(String, value: Double, allowed: ClosedRange<Double>)
}

extension ColorError: CustomStringConvertible {
  /// What is wrong, and what is allowed.
  public var description: String {
    switch self {
    case .unknownColorSpace: "\(finding) ColorSpace.all has all names."
    case .unknownTransferFunction: "\(finding) TransferFunction.named has all names."
    default: finding
    }
  }

  /// What is wrong, and what is allowed, without the names of Swift symbols.
  package var finding: String {
    switch self {
    case .unknownColorSpace(let name, let nearest): return unknown("color space", name, nearest)
    case .unknownTransferFunction(let name, let nearest):
      return unknown("transfer function", name, nearest)
    case .unusableCodePoints(let points, let reason):
      return "Code points \(points) name no color space: \(reason)."
    case .unusablePrimaries(let primaries, let reason):
      return "Primaries \(primaries.red), \(primaries.green) and \(primaries.blue) with white "
        + "point \(primaries.white) define no color space: \(reason)."
    case .curvePointCount(let count, let allowed):
      return "A curve takes \(allowed.lowerBound)"
        + (allowed.upperBound == .max ? " points or more" : " to \(allowed.upperBound) points")
        + "; got \(count)."
    case .curvePointsOutOfOrder(let index, let x, let previous):
      return "The x of curve points must rise from each to the next: point \(index + 1) has \(x), "
        + "the one before it \(previous). Sort the points by x, each x once."
    case .curvePointNotFinite(let index, let x, let y):
      return "Curve points must be finite numbers: point \(index + 1) is (\(x), \(y))."
    case .parameter(let name, let value, let allowed):
      return "\(name) must \(condition(allowed)); got \(plain(value))."
    }
  }
}

private func unknown(_ kind: String, _ name: String, _ nearest: [String]) -> String {
  let quoted = nearest.map { "“\($0)”" }
  let others = quoted.dropFirst().joined(separator: " and ")
  return "No \(kind) is called “\(name)”." + (quoted.first.map { " Did you mean \($0)?" } ?? "")
    + (others.isEmpty ? "" : " Near it \(quoted.count > 2 ? "are" : "is") \(others).")
}

/// The range in words, without the limits of number formats.
private func condition(_ allowed: ClosedRange<Double>) -> String {
  let (least, most) = (plain(allowed.lowerBound), plain(allowed.upperBound))
  if allowed.lowerBound == allowed.upperBound { return "be \(least)" }
  if -allowed.lowerBound == .greatestFiniteMagnitude,
    allowed.upperBound == .greatestFiniteMagnitude
  {
    return "be a finite number"
  }
  if allowed.upperBound == .greatestFiniteMagnitude { return "be \(least) or more" }
  return "lie in \(least)…\(most)"
}

/// The number without a trailing “.0”.
private func plain(_ number: Double) -> String {
  Int(exactly: number).map(String.init) ?? "\(number)"
}
