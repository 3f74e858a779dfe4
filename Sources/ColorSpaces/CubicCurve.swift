/// A chain of cubics through given points.
public struct CubicCurve: Hashable, Sendable {
  /// How the curve runs from point to point.
  @nonexhaustive
  public enum Interpolation: Hashable, Sendable {
    /// The natural spline: the smoothest curve through the points; it may overshoot.
    case natural
    /// Catmull and Rom's spline: at each point as steep as the line between its neighbours. It may overshoot, but a point moves the
    /// curve no farther than two points away.
    case catmullRom
    /// Akima's spline (1970): the slope of a point leans towards the side where the points go straighter, so that a lonely corner
    /// makes no waves.
    case akima
    /// Monotone cubics (Fritsch and Butland 1984, with the ends of PCHIP): never beyond the neighbouring points.
    case monotone
    /// Straight lines.
    case linear
  }

  /// What lies beyond the first and the last point.
  @nonexhaustive
  public enum Extrapolation: Hashable, Sendable {
    /// Straight lines, as steep as the curve at its ends: bright light stays bright.
    case straight
    /// The value of the nearest point.
    case held
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

  /// The pieces in order; the first and the last one are what lies beyond the points.
  package let pieces: [Piece]

  /// The most points a curve may have.
  public static let maximumPointCount = 64

  /// A curve through `points`, two to sixty-four of them, with x rising strictly.
  public init(
    through points: [SIMD2<Double>], interpolation: Interpolation = .natural,
    extrapolation: Extrapolation = .straight
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
    let widths = zip(points, points.dropFirst()).map { $1.x - $0.x }
    let chords = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
    let slopes =
      switch interpolation {
      case .natural: naturalSlopes(widths, chords)
      case .catmullRom: catmullRomSlopes(widths, chords)
      case .akima: akimaSlopes(chords)
      case .monotone: monotoneSlopes(widths, chords)
      case .linear: [Double]()
      }
    self.init(
      points,
      slopes: interpolation == .linear
        ? chords.map { SIMD2($0, $0) } : zip(slopes, slopes.dropFirst()).map { SIMD2($0, $1) },
      extrapolation: extrapolation)
  }

  /// A curve through points with the slopes of each piece at its start and its end.
  package init(
    _ points: [SIMD2<Double>], slopes: [SIMD2<Double>], extrapolation: Extrapolation = .straight
  ) {
    let inner = slopes.indices.map { index -> Piece in
      let (a, b, slope) = (points[index], points[index + 1], slopes[index])
      let (width, chord) = (b.x - a.x, (b.y - a.y) / (b.x - a.x))
      let c2 = (3 * chord - 2 * slope.x - slope.y) / width
      let c3 = (slope.x + slope.y - 2 * chord) / (width * width)
      return Piece(start: a.x, origin: a.x, coefficients: [a.y, slope.x, c2, c3])
    }
    func beyond(_ point: SIMD2<Double>, from start: Double, _ end: Piece) -> Piece {
      let slope = extrapolation == .held ? 0 : end.slope(at: point.x)
      return Piece(start: start, origin: point.x, coefficients: [point.y, slope, 0, 0])
    }
    let (first, last) = (points[0], points[points.count - 1])
    pieces =
      [beyond(first, from: -.infinity, inner[0])] + inner
      + [beyond(last, from: last.x, inner[inner.count - 1])]
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
private func naturalSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  // Rows of the tridiagonal system for the slopes m: m[i−1]/h[i−1] + 2(1/h[i−1] + 1/h[i]) m[i] + m[i+1]/h[i] = 3(…),
  // solved by elimination from the front and substitution from the back.
  let last = chords.count
  var diagonal: [Double] = []
  var right: [Double] = []
  for i in 0...last {
    let before = i > 0 ? 1 / widths[i - 1] : 0
    let after = i < last ? 1 / widths[i] : 0
    var pivot = 2 * (before + after)
    var value = 3 * ((i > 0 ? before * chords[i - 1] : 0) + (i < last ? after * chords[i] : 0))
    if i > 0 {
      let factor = before / diagonal[i - 1]
      pivot -= factor * before
      value -= factor * right[i - 1]
    }
    diagonal.append(pivot)
    right.append(value)
  }
  var slopes = [Double](repeating: 0, count: last + 1)
  for i in stride(from: last, through: 0, by: -1) {
    let next = i < last ? slopes[i + 1] / widths[i] : 0
    slopes[i] = (right[i] - next) / diagonal[i]
  }
  return slopes
}

/// Inside, the slope from the point before to the point after; at the ends that of the chord.
private func catmullRomSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
  let inner = chords.indices.dropLast().map { i in
    (widths[i] * chords[i] + widths[i + 1] * chords[i + 1]) / (widths[i] + widths[i + 1])
  }
  return [chords[0]] + inner + [chords[chords.count - 1]]
}

/// Means of the neighbouring chords, each weighted by how much the other two on the far side differ (Akima 1970). Beyond the ends
/// chords go on as on a parabola.
private func akimaSlopes(_ chords: [Double]) -> [Double] {
  guard chords.count > 1 else { return [chords[0], chords[0]] }
  let (first, last) = (
    2 * chords[0] - chords[1], 2 * chords[chords.count - 1] - chords[chords.count - 2]
  )
  let all =
    [2 * first - chords[0], first] + chords + [last, 2 * last - chords[chords.count - 1]]
  return (0...chords.count).map { i in
    let (before, after) = (abs(all[i + 1] - all[i]), abs(all[i + 3] - all[i + 2]))
    let (a, b) = (all[i + 1], all[i + 2])
    return before + after == 0 ? (a + b) / 2 : (after * a + before * b) / (before + after)
  }
}

/// Slopes that keep each piece between its end points (Fritsch and Butland 1984, weighted harmonic mean).
private func monotoneSlopes(_ widths: [Double], _ chords: [Double]) -> [Double] {
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
