import ColorSpaces
import Testing
import _TestSupport

/// Properties of cubic curves through points.
@Suite struct CubicCurveTests {
  /// Two to sixty-four points from x = 0 on, 0.02 to 1 apart.
  static let points = Generator<[(Double, Double)]>.array(
    of: .zip(.double(in: 0.02...1), .double(in: -1...2)), count: 2...64
  ).map { steps -> [SIMD2<Double>] in
    var x = 0.0
    return steps.map { width, y in
      defer { x += width }
      return [x, y]
    }
  }

  private static let all = CubicCurve.Interpolation.allCases

  /// The methods that reproduce lines; a clamped spline has slopes of zero at its ends.
  private static let straight = all.filter { $0 != .clamped }

  @Test func everyCurvePassesThroughItsPoints() {
    for kind in Self.all {
      checkProperty("\(kind): f(xᵢ) = yᵢ", Self.points) { points in
        let curve = try CubicCurve(through: points, interpolation: kind)
        return points.allSatisfy { curve($0.x) == $0.y }
      }
    }
  }

  @Test func everyCurveIsContinuous() {
    for kind in Self.all {
      checkProperty("\(kind): no jump", Self.points) { points in
        let curve = try CubicCurve(through: points, interpolation: kind)
        return try points.allSatisfy { point in
          // Slopes stay below 10⁴ at these distances of points, and an ulp of x is below 10⁻¹⁴.
          try requireClose(curve(point.x.nextDown), point.y, within: 1e-10)
        }
      }
    }
  }

  /// The definition of a natural spline: continuous first and second derivatives, and no curvature at the ends.
  @Test func naturalSplinesAreAsSmoothAsCubicsCanBe() {
    checkProperty("natural: f′ and f″ are continuous", Self.points) { points in
      let pieces = try CubicCurve(through: points).pieces.dropFirst().dropLast()
      let slope = pieces.map { abs($0.coefficients[1]) }.max() ?? 0
      // The rounding error of a well-conditioned system of up to 64 equations. Curvatures are differences of slopes
      // over widths of 0.02 or more.
      let tolerance = 1e-14 * max(1, slope) / 0.02
      for (piece, next) in zip(pieces, pieces.dropFirst()) {
        let (h, c) = (next.start - piece.start, piece.coefficients)
        _ = try requireClose(
          c[1] + h * (2 * c[2] + 3 * h * c[3]), next.coefficients[1], within: tolerance, "slope")
        _ = try requireClose(
          c[2] + 3 * h * c[3], next.coefficients[2], within: tolerance, "curvature")
      }
      guard let first = pieces.first, let last = pieces.last, let end = points.last else {
        return false
      }
      let h = end.x - last.start
      _ = try requireClose(first.coefficients[2], 0, within: tolerance, "curvature at the start")
      return try requireClose(
        last.coefficients[2] + 3 * h * last.coefficients[3], 0, within: tolerance,
        "curvature at the end")
    }
  }

  @Test func clampedSplinesHaveZeroSlopesAtBothEnds() {
    checkProperty("clamped: no slope at the ends", Self.points) { points in
      let curve = try CubicCurve(through: points, interpolation: .clamped)
      let largest = curve.pieces.map { abs($0.coefficients[1]) }.max() ?? 0
      guard let first = curve.pieces.first, let last = curve.pieces.last else { return false }
      // The last slope is recomputed from its cubic, whose coefficients are up to 10⁴ times as large.
      return first.coefficients[1] == 0
        && abs(last.coefficients[1]) <= 1e-11 * max(1, largest)
    }
  }

  /// The definition of not-a-knot: it reproduces cubics.
  @Test func cubicsAreTheirOwnNotAKnotSplines() {
    checkProperty("not-a-knot of x³ − x² + x/2", Self.points, .double(in: 0...1)) { points, part in
      guard points.count >= 4, let end = points.last?.x else { return true }
      func cubic(_ x: Double) -> Double { ((x - 1) * x + 0.5) * x }
      let curve = try CubicCurve(
        through: points.map { [$0.x, cubic($0.x)] }, interpolation: .notAKnot)
      // Chords of points 0.02 apart, with values up to 64³.
      return try requireClose(curve(part * end), cubic(part * end), within: 1e-8)
    }
  }

  /// Modified Akima keeps flat parts flat next to a step.
  @Test func modifiedAkimaKeepsFlatPartsFlat() throws {
    let steps: [SIMD2<Double>] = [[0, 0], [1, 0], [2, 0], [3, 1], [4, 1], [5, 1]]
    let curve = try CubicCurve(through: steps, interpolation: .makima)
    for step in 0...20 { #expect(curve(Double(step) / 10) == 0) }
    for step in 0...20 { #expect(curve(3 + Double(step) / 10) == 1) }
  }

  @Test func scalingTheOutputScalesTheCurve() {
    for kind in Self.all {
      checkProperty(
        "\(kind): a·f + b", Self.points, .double(in: 0.5...3), .double(in: -1...1)
      ) { points, scale, offset in
        let moved = points.map { SIMD2($0.x, $0.y * scale + offset) }
        let curve = try CubicCurve(through: points, interpolation: kind)
        let other = try CubicCurve(through: moved, interpolation: kind)
        let size = curve.pieces.map { ($0.coefficients * $0.coefficients).sum() }.max() ?? 0
        return try (0...50).allSatisfy { step in
          let x = Double(step) / 25
          // Rounding relative to the largest coefficient; beyond the last point, relative to x times that.
          return try requireClose(
            other(x), curve(x) * scale + offset, within: 4e-14 * max(1, size))
        }
      }
    }
  }

  @Test func monotoneCurvesStayBetweenNeighboringPoints() {
    for kind in [CubicCurve.Interpolation.monotone, .fritschCarlson, .linear] {
      checkProperty("\(kind): no overshoot", Self.points) { points in
        let curve = try CubicCurve(through: points, interpolation: kind)
        return try zip(points, points.dropFirst()).allSatisfy { a, b in
          try (0...16).allSatisfy { step in
            let value = curve(a.x + (b.x - a.x) * Double(step) / 16)
            // An evaluation ends within a few ulp of the point.
            if value >= min(a.y, b.y) - 1e-14, value <= max(a.y, b.y) + 1e-14 { return true }
            throw Failure("\(value) between \(a) and \(b)")
          }
        }
      }
    }
  }

  @Test func monotoneCurvesAreMonotonicBetweenPoints() {
    let kinds = Generator.element(of: [CubicCurve.Interpolation.monotone, .fritschCarlson])
    checkProperty("rises or falls all along", Self.points, kinds) { points, kind in
      let curve = try CubicCurve(through: points, interpolation: kind)
      return try zip(points, points.dropFirst()).allSatisfy { a, b in
        let values = (0...64).map { curve(a.x + (b.x - a.x) * Double($0) / 64) }
        return try zip(values, values.dropFirst()).allSatisfy { low, high in
          // The rounding errors of two evaluations.
          if a.y <= b.y ? low <= high + 1e-14 : low >= high - 1e-14 { return true }
          throw Failure("turns between \(a) and \(b)")
        }
      }
    }
  }

  @Test func extrapolationIsLinearWithTheSlopeOfTheEnd() {
    for kind in Self.all {
      checkProperty("\(kind): straight ends", Self.points, .double(in: 0.01...2)) { points, step in
        let curve = try CubicCurve(through: points, interpolation: kind)
        for (end, direction) in [(points[0], -1.0), (points[points.count - 1], 1.0)] {
          let once = curve(end.x + direction * step) - end.y
          let twice = curve(end.x + direction * 2 * step) - end.y
          _ = try requireClose(twice, 2 * once, within: 1e-12 * max(1, abs(once)), "not straight:")
          // The slope just inside equals the slope outside; 10⁻⁶ inside, curvatures below 10⁴ change it by 10⁻².
          let inside = (end.y - curve(end.x - direction * 1e-6)) / 1e-6
          _ = try requireClose(
            inside, once / step, within: 0.02 + 1e-5 * abs(once / step), "a kink at the end:")
        }
        return true
      }
    }
  }

  @Test func twoPointsMakeALine() throws {
    for kind in Self.straight {
      let curve = try CubicCurve(through: [[0.25, 1], [0.75, 2]], interpolation: kind)
      for step in -8...8 {
        let x = Double(step) / 4
        #expect(curve(x) == 1 + (x - 0.25) * 2, "\(kind)")
      }
    }
  }

  @Test func pointsOnALineMakeALine() {
    for kind in Self.straight {
      checkProperty("\(kind): y = x/2 + 1/4", Self.points, .double(in: -1...4)) { points, x in
        let curve = try CubicCurve(
          through: points.map { [$0.x, $0.x / 2 + 0.25] }, interpolation: kind)
        // The slopes come from a system of up to 64 equations; x is up to 17 points away.
        return try requireClose(curve(x), x / 2 + 0.25, within: 1e-13)
      }
    }
  }

  @Test func onlyTheDiagonalIsTheIdentity() throws {
    for kind in Self.straight {
      #expect(try CubicCurve(through: [[0, 0], [1, 1]], interpolation: kind).isIdentity)
      #expect(
        try CubicCurve(
          through: [[0, 0], [0.25, 0.25], [0.5, 0.5], [0.75, 0.75], [1, 1]], interpolation: kind
        ).isIdentity)
      #expect(try !CubicCurve(through: [[0, 1], [1, 0]], interpolation: kind).isIdentity)
      #expect(
        try !CubicCurve(through: [[0, 0], [0.5, 0.5.nextUp], [1, 1]], interpolation: kind)
          .isIdentity)
      #expect(try !CubicCurve(through: [[0, 0.001], [1, 1.001]], interpolation: kind).isIdentity)
    }
  }

  @Test func nanGivesNaN() throws {
    #expect(FilmCurves.red(.nan).isNaN)
  }
}
