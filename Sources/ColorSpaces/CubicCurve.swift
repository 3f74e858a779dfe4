/// A chain of cubics through given points, continued by straight lines at both ends.
public struct CubicCurve: Hashable, Sendable {
  /// How the curve runs from point to point.
  @nonexhaustive
  public enum Interpolation: Hashable, Sendable {
    /// The natural spline: the smoothest curve through the points; it may overshoot.
    case natural
    /// Monotone cubics (Fritsch and Butland 1984): never beyond the neighbouring points.
    case monotone
    /// Straight lines.
    case linear
  }

  /// One cubic: `c₀ + c₁t + c₂t² + c₃t³` with `t = x − origin`, from `start` on.
  package struct Piece: Hashable, Sendable {
    package var start, origin: Double
    package var coefficients: SIMD4<Double>

    package static let identity = Piece(start: 0, origin: 0, coefficients: [0, 1, 0, 0])

    func callAsFunction(_ x: Double) -> Double {
      // Zero times infinity would be no number; the straight lines at the ends have such zeros.
      let largest = Double.greatestFiniteMagnitude
      let t = x.isInfinite ? (x < 0 ? -largest : largest) : x - origin
      return ((coefficients[3] * t + coefficients[2]) * t + coefficients[1]) * t + coefficients[0]
    }

    func slope(at x: Double) -> Double {
      let t = x - origin
      return (3 * coefficients[3] * t + 2 * coefficients[2]) * t + coefficients[1]
    }
  }

  /// The pieces in order; the first and the last one are the straight lines beyond the points.
  package let pieces: [Piece]

  /// The most points a curve may have.
  public static let maximumPointCount = 17

  /// A curve through `points`, two to seventeen of them, with x rising strictly.
  public init(
    through points: [SIMD2<Double>], interpolation: Interpolation = .natural
  ) throws(RecipeError) {
    guard (2...Self.maximumPointCount).contains(points.count) else {
      throw .curvePointCount(points.count, allowed: 2...Self.maximumPointCount)
    }
    for (index, point) in points.enumerated() {
      guard point.x.isFinite, point.y.isFinite else {
        throw .curvePointNotFinite(index: index, x: point.x, y: point.y)
      }
      if index > 0, point.x <= points[index - 1].x {
        throw .curvePointsOutOfOrder(index: index, x: point.x, previous: points[index - 1].x)
      }
    }
    let slopes =
      switch interpolation {
      case .natural: naturalSlopes(points)
      case .monotone: monotoneSlopes(points)
      case .linear: [Double](repeating: 0, count: points.count)
      }
    var inner: [Piece] = []
    for (index, (a, b)) in zip(points, points.dropFirst()).enumerated() {
      let (width, chord) = (b.x - a.x, (b.y - a.y) / (b.x - a.x))
      let (m0, m1) = interpolation == .linear ? (chord, chord) : (slopes[index], slopes[index + 1])
      let c2 = (3 * chord - 2 * m0 - m1) / width
      let c3 = (m0 + m1 - 2 * chord) / (width * width)
      inner.append(Piece(start: a.x, origin: a.x, coefficients: [a.y, m0, c2, c3]))
    }
    let (first, last) = (points[0], points[points.count - 1])
    let before = Piece(
      start: -.infinity, origin: first.x,
      coefficients: [first.y, inner[0].slope(at: first.x), 0, 0])
    let after = Piece(
      start: last.x, origin: last.x,
      coefficients: [last.y, inner[inner.count - 1].slope(at: last.x), 0, 0])
    pieces = [before] + inner + [after]
  }

  /// Whether the curve is the diagonal, which changes nothing.
  package var isIdentity: Bool {
    pieces.allSatisfy { $0.coefficients == [$0.origin, 1, 0, 0] }
  }

  /// The curve's value at `x`.
  public func callAsFunction(_ x: Double) -> Double {
    (pieces.last { $0.start <= x } ?? pieces[0])(x)
  }
}

/// The slopes of the curve whose second derivative is continuous, and zero at both ends.
private func naturalSlopes(_ points: [SIMD2<Double>]) -> [Double] {
  // Rows of the tridiagonal system for the slopes m: m[i−1]/h[i−1] + 2(1/h[i−1] + 1/h[i]) m[i] + m[i+1]/h[i] = 3(…),
  // solved by elimination from the front and substitution from the back.
  let count = points.count
  let inverseWidths = (1..<count).map { 1 / (points[$0].x - points[$0 - 1].x) }
  let chords = (1..<count).map { (points[$0].y - points[$0 - 1].y) * inverseWidths[$0 - 1] }
  var diagonal: [Double] = []
  var right: [Double] = []
  for i in 0..<count {
    let before = i > 0 ? inverseWidths[i - 1] : 0
    let after = i < count - 1 ? inverseWidths[i] : 0
    var pivot = 2 * (before + after)
    var value =
      3 * ((i > 0 ? before * chords[i - 1] : 0) + (i < count - 1 ? after * chords[i] : 0))
    if i > 0 {
      let factor = before / diagonal[i - 1]
      pivot -= factor * before
      value -= factor * right[i - 1]
    }
    diagonal.append(pivot)
    right.append(value)
  }
  var slopes = [Double](repeating: 0, count: count)
  for i in stride(from: count - 1, through: 0, by: -1) {
    let next = i < count - 1 ? inverseWidths[i] * slopes[i + 1] : 0
    slopes[i] = (right[i] - next) / diagonal[i]
  }
  return slopes
}

/// Slopes that keep each piece between its end points (Fritsch and Butland 1984, weighted harmonic mean).
private func monotoneSlopes(_ points: [SIMD2<Double>]) -> [Double] {
  let widths = (1..<points.count).map { points[$0].x - points[$0 - 1].x }
  let chords = (1..<points.count).map { (points[$0].y - points[$0 - 1].y) / widths[$0 - 1] }
  return points.indices.map { i in
    if i == 0 { return chords[0] }
    if i == points.count - 1 { return chords[i - 1] }
    let (a, b) = (chords[i - 1], chords[i])
    guard a * b > 0 else { return 0 }
    let (wa, wb) = (2 * widths[i] + widths[i - 1], widths[i] + 2 * widths[i - 1])
    return (wa + wb) / (wa / a + wb / b)
  }
}
