// The slopes at the points of a curve, by the method of interpolation: `widths` and `chords` are the lengths and the slopes of the
// lines from point to point.

// MARK: Splines

/// An equation of a spline's system: `lower · m[i − 1] + diagonal · m[i] + upper · m[i + 1] = right` for slopes m.
struct SlopeEquation {
  var lower = 0.0
  var diagonal, upper, right: Double

  /// A slope of 0.
  static let level = SlopeEquation(diagonal: 1, upper: 0, right: 0)
}

/// The slopes of the curve whose second derivative is continuous, with an equation for each end.
func splineSlopes(
  _ widths: [Double], _ chords: [Double], ends: [SlopeEquation]
) -> [Double] {
  let inner = chords.indices.dropFirst().map { i in
    let (before, after) = (1 / widths[i - 1], 1 / widths[i])
    return SlopeEquation(
      lower: before, diagonal: 2 * (before + after), upper: after,
      right: 3 * (before * chords[i - 1] + after * chords[i]))
  }
  // Elimination from the front, substitution from the back.
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

/// A second derivative of zero at both ends.
func naturalEnds(_ widths: [Double], _ chords: [Double]) -> [SlopeEquation] {
  let last = chords.count - 1
  let (first, end) = (1 / widths[0], 1 / widths[last])
  return [
    SlopeEquation(diagonal: 2 * first, upper: first, right: 3 * (first * chords[0])),
    SlopeEquation(lower: end, diagonal: 2 * end, upper: 0, right: 3 * (end * chords[last])),
  ]
}

/// The slopes of a spline whose third derivative has no step at the second and the last but one point.
func notAKnotSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  // Relative to the first chord, so that points on a line give exactly that line.
  let relative = chords.map { $0 - chords[0] }
  return splineSlopes(widths, relative, ends: notAKnotEnds(widths, relative))
    .map { $0 + chords[0] }
}

/// The equations of such ends. Through three points the curve is a parabola, through two a line.
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
  /// The coefficients of the end's slope and of its neighbor's, and what they sum to (de Boor, “A Practical Guide to Splines”, IV).
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

/// Inside, the slope from the point before to the point after; at the ends that of the chord.
func catmullRomSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  let inner = chords.indices.dropLast().map { i in
    (widths[i] * chords[i] + widths[i + 1] * chords[i + 1]) / (widths[i] + widths[i + 1])
  }
  return [chords[0]] + inner + [chords[chords.count - 1]]
}

/// Means of the neighbouring chords, each weighted by how much the other two on the far side differ (Akima 1970). Beyond the ends
/// chords go on as on a parabola.
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

/// Slopes that keep each piece between its end points (Fritsch and Butland 1984, weighted harmonic mean).
func monotoneSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  guard chords.count > 1 else { return [chords[0], chords[0]] }
  let inner = chords.indices.dropLast().map { i -> Double in
    let (a, b) = (chords[i], chords[i + 1])
    guard a * b > 0 else { return 0 }
    let (wa, wb) = (2 * widths[i + 1] + widths[i], widths[i + 1] + 2 * widths[i])
    return (wa + wb) / (wa / a + wb / b)
  }
  /// The slope at an end of the parabola through three points, held to the same bounds.
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

/// Means of the neighbouring chords, 0 at turning points; the two slopes of a piece shrink together until the point of their ratios to
/// its chord lies in a circle of radius 3 (Fritsch and Carlson 1980).
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
