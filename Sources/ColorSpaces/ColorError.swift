/// An error about a name, a curve, a table or a parameter of colors. Its description names the invalid value and the
/// allowed ones.
@nonexhaustive
public indirect enum ColorError: Error, Hashable, Sendable {
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
  /// Between a curve's point and the one before it, the curve is too steep or too large for single precision.
  case curveTooSteep(index: Int, point: SIMD2<Double>, previous: SIMD2<Double>)
  /// A parameter is out of range.
  case parameter(String, value: Double, allowed: ClosedRange<Double>)
}

/// Throws if the value of the parameter `name` is not in `range`.
func check(
  _ name: String, _ value: Double, in range: ClosedRange<Double>
) throws(ColorError) {
  if !range.contains(value) { throw .parameter(name, value: value, allowed: range) }
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
      return "Curve points must be finite numbers: point \(index + 1) is "
        + "(\(inWords(x)), \(inWords(y)))."
    case .curveTooSteep(let index, let point, let previous):
      return "The curve from point \(index), (\(previous.x), \(previous.y)), to point "
        + "\(index + 1), (\(point.x), \(point.y)), is too steep or too large for single "
        + "precision. Move the points apart in x, or closer together in y."
    case .parameter(let name, let value, let allowed):
      return "\(name) must \(condition(allowed)); got \(value.plainText)."
    }
  }
}

extension ColorError {
  /// Returns the error for a curve whose coefficients overflow single precision. It names the interval of a point that does, or the
  /// steepest one; narrow intervals overflow even without a rise.
  package static func tooSteepCurve(through points: [SIMD2<Double>]) -> ColorError {
    let steepness = zip(points, points.dropFirst()).map { (abs($1.y - $0.y) + 1) / ($1.x - $0.x) }
    let large = points.firstIndex { !Float($0.x).isFinite || !Float($0.y).isFinite }
    let steepest = steepness.indices.max { steepness[$0] < steepness[$1] }
    let interval = large.map { max($0 - 1, 0) } ?? steepest ?? 0
    return .curveTooSteep(
      index: interval + 1, point: points[interval + 1], previous: points[interval])
  }
}

private func unknown(_ kind: String, _ name: String, _ nearest: [String]) -> String {
  let quoted = nearest.map { "“\($0)”" }
  let others = quoted.dropFirst().joined(separator: " and ")
  return "No \(kind) is called “\(beginning(of: name))”."
    + (quoted.first.map { " Did you mean \($0)?" } ?? "")
    + (others.isEmpty ? "" : " Near it \(quoted.count > 2 ? "are" : "is") \(others).")
}

/// The range in words, without the limits of number formats.
private func condition(_ allowed: ClosedRange<Double>) -> String {
  let (low, high) = (allowed.plainLowerBound, allowed.plainUpperBound)
  if allowed.lowerBound == allowed.upperBound { return "be \(low.text)" }
  if -allowed.lowerBound == .greatestFiniteMagnitude, allowed.isUnlimited {
    return "be a finite number"
  }
  let least = low.isExcluded ? "above \(low.text)" : "\(low.text) or more"
  if allowed.isUnlimited { return "be \(least)" }
  if !low.isExcluded, !high.isExcluded { return "lie in \(low.text)…\(high.text)" }
  return "be \(least) and \(high.isExcluded ? "below" : "at most") \(high.text)"
}

extension ClosedRange<Double> {
  /// The lower bound as texts name it. A range that begins beside a whole number, or at the least positive number, excludes that number
  /// or 0: `1.0.nextUp...2` is “above 1”.
  package var plainLowerBound: (text: String, isExcluded: Bool) {
    let before = lowerBound == .leastNormalMagnitude ? 0 : lowerBound.nextDown
    let isExcluded = before.isWhole && !lowerBound.isWhole
    return ((isExcluded ? before : lowerBound).plainText, isExcluded)
  }

  /// The upper bound as texts name it. A range that ends beside a whole number excludes that number: `0...1.0.nextDown` is “below 1”.
  package var plainUpperBound: (text: String, isExcluded: Bool) {
    let after = upperBound.nextUp
    let isExcluded = after.isWhole && !upperBound.isWhole
    return ((isExcluded ? after : upperBound).plainText, isExcluded)
  }

  /// Whether it ends at the greatest finite number.
  package var isUnlimited: Bool { upperBound == .greatestFiniteMagnitude }
}

extension Double {
  /// The number as text: whole numbers without “.0”, NaN and infinity as words.
  package var plainText: String { Int(exactly: self).map(String.init) ?? inWords(self) }

  fileprivate var isWhole: Bool { self == rounded() }
}

/// Returns a text as errors quote it: whole, or the first 60 characters and an ellipsis.
package func beginning(of text: String) -> String {
  let limit = 60
  return text.count > limit ? "\(text.prefix(limit))…" : text
}

/// The number, with NaN and infinity as words, which ``Double`` reads, too.
package func inWords(_ number: Double) -> String {
  number.isNaN ? "NaN" : number.isFinite ? "\(number)" : number < 0 ? "-infinity" : "infinity"
}
