// The derivative of the curve at each point, by interpolation method: `widths` and `chords` are the lengths and slopes
// of the intervals between points.

// MARK: Splines

/// One row of a spline's tridiagonal system: `lower · m[i − 1] + diagonal · m[i] + upper · m[i + 1] = right` for slopes
/// m.
struct SlopeEquation {
  var lower = 0.0
  var diagonal, upper, right: Double

  /// A slope of 0: the clamped end condition.
  static let level = SlopeEquation(diagonal: 1, upper: 0, right: 0)
}

/// The slopes of a C² spline with the given end conditions.
func splineSlopes(
  _ widths: [Double], _ chords: [Double], ends: [SlopeEquation]
) -> [Double] {
  let inner = chords.indices.dropFirst().map { i in
    let (before, after) = (1 / widths[i - 1], 1 / widths[i])
    return SlopeEquation(
      lower: before, diagonal: 2 * (before + after), upper: after,
      right: 3 * (before * chords[i - 1] + after * chords[i]))
  }
  // The Thomas algorithm: forward elimination, back substitution.
  var rows = [ends[0]] + inner + [ends[1]]
  for i in rows.indices.dropFirst() {
    let factor = rows[i].lower / rows[i - 1].diagonal
    rows[i].diagonal -= factor * rows[i - 1].upper
    rows[i].right -= factor * rows[i - 1].right
  }
  var slopes = [Double](repeating: 0, count: rows.count)
  for (i, row) in rows.enumerated().reversed() {
    let next = i + 1 < rows.count ? row.upper * slopes[i + 1] : 0
    slopes[i] = (row.right - next) / row.diagonal
  }
  return slopes
}

/// The natural end conditions: a second derivative of zero.
func naturalEnds(_ widths: [Double], _ chords: [Double]) -> [SlopeEquation] {
  let last = chords.count - 1
  let (first, end) = (1 / widths[0], 1 / widths[last])
  return [
    SlopeEquation(diagonal: 2 * first, upper: first, right: 3 * (first * chords[0])),
    SlopeEquation(lower: end, diagonal: 2 * end, upper: 0, right: 3 * (end * chords[last])),
  ]
}

/// The slopes of the not-a-knot spline, whose third derivative is continuous at the second and the last but one point.
func notAKnotSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  // Relative to the first chord, so that collinear points give exactly a line.
  let relative = chords.map { $0 - chords[0] }
  return splineSlopes(widths, relative, ends: notAKnotEnds(widths, relative))
    .map { $0 + chords[0] }
}

/// The not-a-knot end conditions. Through three points the curve is a parabola, through two a line.
private func notAKnotEnds(_ widths: [Double], _ chords: [Double]) -> [SlopeEquation] {
  guard chords.count > 1 else {
    let slope = SlopeEquation(diagonal: 1, upper: 0, right: chords[0])
    return [slope, slope]
  }
  if chords.count == 2 {
    return [
      SlopeEquation(diagonal: 1, upper: 1, right: 2 * chords[0]),
      SlopeEquation(lower: 1, diagonal: 1, upper: 0, right: 2 * chords[1]),
    ]
  }
  /// The coefficients of an end's slope and its neighbor's, and their right-hand side (de Boor, “A Practical Guide to
  /// Splines”, IV).
  func end(_ near: Int, _ far: Int) -> (own: Double, neighbor: Double, right: Double) {
    let both = widths[near] + widths[far]
    let right =
      ((widths[near] + 2 * both) * widths[far] * chords[near]
        + widths[near] * widths[near] * chords[far]) / both
    return (widths[far], both, right)
  }
  let (first, last) = (end(0, 1), end(chords.count - 1, chords.count - 2))
  return [
    SlopeEquation(diagonal: first.own, upper: first.neighbor, right: first.right),
    SlopeEquation(lower: last.neighbor, diagonal: last.own, upper: 0, right: last.right),
  ]
}

// MARK: Local methods

/// Centered differences inside; the chord's slope at the ends.
func catmullRomSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  let inner = chords.indices.dropLast().map { i in
    (widths[i] * chords[i] + widths[i + 1] * chords[i + 1]) / (widths[i] + widths[i + 1])
  }
  return [chords[0]] + inner + [chords[chords.count - 1]]
}

/// Akima's means of the neighboring chords, each weighted by how much the two chords on the other side differ (1970).
/// The chords beyond the ends are extrapolated as on a parabola.
func akimaSlopes(_ chords: [Double], weight: (Double, Double) -> Double) -> [Double] {
  guard chords.count > 1 else { return [chords[0], chords[0]] }
  let (first, last) = (
    2 * chords[0] - chords[1], 2 * chords[chords.count - 1] - chords[chords.count - 2]
  )
  let all =
    [2 * first - chords[0], first] + chords + [last, 2 * last - chords[chords.count - 1]]
  return (0...chords.count).map { i in
    let (before, after) = (weight(all[i], all[i + 1]), weight(all[i + 2], all[i + 3]))
    let (a, b) = (all[i + 1], all[i + 2])
    return before + after == 0 ? (a + b) / 2 : (after * a + before * b) / (before + after)
  }
}

// MARK: Monotone methods

/// Slopes that keep each interval monotone (Fritsch and Butland 1984, weighted harmonic mean).
func monotoneSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  guard chords.count > 1 else { return [chords[0], chords[0]] }
  let inner = chords.indices.dropLast().map { i -> Double in
    let (a, b) = (chords[i], chords[i + 1])
    guard a * b > 0 else { return 0 }
    let (wa, wb) = (2 * widths[i + 1] + widths[i], widths[i + 1] + 2 * widths[i])
    return (wa + wb) / (wa / a + wb / b)
  }
  /// The slope at an end, of the parabola through three points, limited for monotonicity.
  func end(_ near: Int, _ far: Int) -> Double {
    let slope =
      ((2 * widths[near] + widths[far]) * chords[near] - widths[near] * chords[far])
      / (widths[near] + widths[far])
    if slope * chords[near] <= 0 { return 0 }
    return chords[near] * chords[far] <= 0 && abs(slope) > 3 * abs(chords[near])
      ? 3 * chords[near] : slope
  }
  return [end(0, 1)] + inner + [end(chords.count - 1, chords.count - 2)]
}

/// Means of the neighboring chords, 0 at extrema; both slopes of an interval are scaled down until their ratios to the
/// chord lie in a circle of radius 3 (Fritsch and Carlson 1980).
func fritschCarlsonSlopes(_ chords: [Double]) -> [Double] {
  let inner = zip(chords, chords.dropFirst()).map { $0 * $1 <= 0 ? 0 : ($0 + $1) / 2 }
  var slopes = [chords[0]] + inner + [chords[chords.count - 1]]
  for (i, chord) in chords.enumerated() {
    if chord == 0 {
      (slopes[i], slopes[i + 1]) = (0, 0)
      continue
    }
    let (a, b) = (slopes[i] / chord, slopes[i + 1] / chord)
    let length = (a * a + b * b).squareRoot()
    guard length > 3 else { continue }
    (slopes[i], slopes[i + 1]) = (3 / length * a * chord, 3 / length * b * chord)
  }
  return slopes
}
