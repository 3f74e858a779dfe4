/// A piecewise cubic curve through given points.
public struct CubicCurve: Hashable, Sendable {
  /// The interpolation method. The raw value is its name in recipes, in curve files and on the command line.
  @nonexhaustive
  public enum Interpolation: String, CaseIterable, Hashable, Sendable {
    /// The natural spline: C², with second derivatives of zero at its ends. It may overshoot.
    case natural
    /// The not-a-knot spline of `scipy.interpolate.CubicSpline`: C², exact for cubics. It may overshoot.
    case notAKnot = "not-a-knot"
    /// The C² spline with slopes of zero at both ends. It may overshoot.
    case clamped
    /// The Catmull–Rom spline: the slope at a point is that of the line between its neighbors. It may overshoot, but a
    /// point influences no more than two intervals on each side.
    case catmullRom = "catmull-rom"
    /// The Akima spline (1970): slopes follow the straighter side of a point, so that an outlier causes no ripples.
    case akima
    /// The Akima spline with MATLAB's `makima` weights: flat parts stay flat, and no slope is undefined.
    case makima
    /// Monotone cubics (Fritsch and Butland 1984, with the ends of PCHIP): no overshoot beyond neighboring points.
    case monotone
    /// Monotone cubics by Fritsch and Carlson (1980): means of chords, limited where the curve would overshoot.
    case fritschCarlson = "fritsch-carlson"
    /// Linear interpolation.
    case linear
  }

  /// The extrapolation beyond the first and the last point.
  @nonexhaustive
  public enum Extrapolation: Hashable, Sendable {
    /// Linear, with the curve's slope at its ends, so that highlights keep their contrast.
    case straight
    /// Constant, the value of the nearest point.
    case held
  }

  /// One cubic piece: `c₀ + c₁t + c₂t² + c₃t³` with `t = x − origin`, from `start` on.
  package struct Piece: Hashable, Sendable {
    package var start, origin: Double
    package var coefficients: SIMD4<Double>

    package static let identity = Piece(start: 0, origin: 0, coefficients: [0, 1, 0, 0])

    func callAsFunction(_ x: Double) -> Double {
      Self.value(at: x, from: origin) { coefficients[$0] }
    }

    fileprivate static func value<Number: FormulaNumber>(
      at x: Number, from origin: Number, _ coefficient: (Int) -> Number
    ) -> Number {
      // 0 · ∞ would be NaN; the linear ends have zero coefficients.
      let largest = Number(Double.greatestFiniteMagnitude).withSign(of: x)
      let t: Number = .select(x.magnitude .== Number(.infinity), largest, x - origin)
      return ((coefficient(3) * t + coefficient(2)) * t + coefficient(1)) * t + coefficient(0)
    }

    /// Whether all coefficients are finite in single precision, in which kernels compute pixels: 0 · ∞ would be NaN.
    fileprivate var fitsSinglePrecision: Bool {
      Float(origin).isFinite && (0..<4).allSatisfy { Float(coefficients[$0]).isFinite }
    }

    func slope(at x: Double) -> Double {
      let t = x - origin
      return (3 * coefficients[3] * t + 2 * coefficients[2]) * t + coefficients[1]
    }
  }

  /// The pieces in order, including those that extrapolate at both ends.
  package let pieces: [Piece]

  /// The maximum number of points.
  public static let maximumPointCount = 64

  /// Creates a curve through two to sixty-four `points` with strictly increasing x.
  ///
  /// - Throws: ``ColorError`` for another number of points, for points that are out of order or not finite, and for those whose curve is
  ///   too steep or too large for single precision.
  public init(
    through points: [SIMD2<Double>], interpolation: Interpolation = .natural,
    extrapolation: Extrapolation = .straight
  ) throws(ColorError) {
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
      case .natural: splineSlopes(widths, chords, ends: naturalEnds(widths, chords))
      case .notAKnot: notAKnotSlopes(widths, chords)
      case .clamped: splineSlopes(widths, chords, ends: [.level, .level])
      case .catmullRom: catmullRomSlopes(widths, chords)
      case .akima: akimaSlopes(chords) { abs($1 - $0) }
      case .makima: akimaSlopes(chords) { abs($1 - $0) + abs($1 + $0) / 2 }
      case .monotone: monotoneSlopes(widths, chords)
      case .fritschCarlson: fritschCarlsonSlopes(chords)
      case .linear: [Double]()
      }
    self.init(
      points,
      slopes: interpolation == .linear
        ? chords.map { SIMD2($0, $0) } : zip(slopes, slopes.dropFirst()).map { SIMD2($0, $1) },
      extrapolation: extrapolation)
    guard pieces.allSatisfy(\.fitsSinglePrecision) else { throw .tooSteepCurve(through: points) }
  }

  /// Creates a curve through points with the slopes of each piece at its start and its end.
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

  init(pieces: [Piece]) { self.pieces = pieces }

  /// Whether the curve is the identity.
  package var isIdentity: Bool {
    pieces.allSatisfy { $0.coefficients == [$0.origin, 1, 0, 0] }
  }

  /// Returns the value at `x`, by the piece that contains it.
  public func callAsFunction(_ x: Double) -> Double {
    (pieces.last { $0.start <= x } ?? pieces[0])(x)
  }

  /// The value at `x` as a part of a formula: a binary search among the pieces.
  func value<Number: FormulaNumber>(at x: Number) -> Number {
    // The search ends at the last piece: nothing is at or above NaN.
    let starts = pieces.map(\.start) + [.nan]
    let steps = sequence(first: 1) { 2 * $0 < pieces.count ? 2 * $0 : nil }
    let index = steps.reversed().reduce(0) { (index: Number, step: Int) in
      let next = index + Number(Double(step))
      return .select(next.element(of: starts) .<= x, next, index)
    }
    return Piece.value(at: x, from: index.element(of: pieces.map(\.origin))) { power in
      index.element(of: pieces.map { $0.coefficients[power] })
    }
  }
}
