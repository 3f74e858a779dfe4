/// A rising curve of quadratic pieces, or of their inverses.
package struct QuadraticCurve: Hashable, Sendable {
  /// `value + slope·t + bend·t²` with `t = x − origin`, or the inverse of that, from an input of `start` on.
  package struct Piece: Hashable, Sendable {
    package var start, origin, value, slope: Double
    package var bend = 0.0
    package var isInverse = false

    package init(
      from start: Double = -.infinity, origin: Double, value: Double, slope: Double,
      bend: Double = 0, isInverse: Bool = false
    ) {
      (self.start, self.origin, self.value) = (start, origin, value)
      (self.slope, self.bend, self.isInverse) = (slope, bend, isInverse)
    }

    /// Whether all coefficients are finite in single precision, in which kernels compute pixels.
    package var fitsSinglePrecision: Bool {
      [origin, value, slope, bend].allSatisfy { Float($0).isFinite }
    }

    func value<Number: FormulaNumber>(at x: Number) -> Number {
      // A line has no square: 0 · ∞ would be NaN.
      if isInverse {
        let rise: Number = x - Number(value)
        if bend == 0 {
          if slope.magnitude < 1e-5 { return Number(origin) }
          return Number(origin) + rise / Number(slope)
        }
        let square: Number = Number(slope * slope) + Number(4 * bend) * rise
        let root: Number = square.atLeast(0).squareRoot()
        // At a piece's foot with a slope of 0 both are 0.
        let sum: Number = (root + Number(slope)).atLeast(0x1p-200)
        return Number(origin) + Number(2) * rise / sum
      }
      let t: Number = x - Number(origin)
      if bend == 0 { return slope == 0 ? Number(value) : Number(value) + Number(slope) * t }
      let steep: Number = Number(bend) * t + Number(slope)
      return steep * t + Number(value)
    }
  }

  /// The pieces in the order of their starts, of which the first is −∞.
  package let pieces: [Piece]

  package init(_ pieces: [Piece]) { self.pieces = pieces }

  /// A curve through points with a slope at each, straight beyond the first and the last one.
  ///
  /// The value at the end of a piece follows from its slopes.
  package init(through points: [SIMD2<Double>], slopes: [Double]) {
    let inner = slopes.indices.dropLast().map { (index: Int) -> Piece in
      let (start, end) = (points[index], points[index + 1])
      let change: Double = slopes[index + 1] - slopes[index]
      let width: Double = end.x - start.x
      return Piece(
        from: start.x, origin: start.x, value: start.y, slope: slopes[index],
        bend: change / (2 * width))
    }
    let (first, last) = (points[0], points[points.count - 1])
    pieces =
      [Piece(origin: first.x, value: first.y, slope: slopes[0])] + inner
      + [Piece(from: last.x, origin: last.x, value: last.y, slope: slopes[slopes.count - 1])]
  }

  package func callAsFunction(_ x: Double) -> Double { value(at: x) }

  func value<Number: FormulaNumber>(at x: Number) -> Number {
    pieces.dropFirst().reduce(pieces[0].value(at: x)) { value, piece in
      .select(x .>= Number(piece.start), piece.value(at: x), value)
    }
  }

  /// The inverse, piece by piece.
  package var inverse: QuadraticCurve {
    QuadraticCurve(
      pieces.map { piece in
        var inverse = piece
        if piece.start > -.infinity { inverse.start = piece.value(at: piece.start) }
        inverse.isInverse.toggle()
        return inverse
      })
  }

  /// The same curve stretched by `1 / factor` along both axes, away from `center`.
  package func shrunk(by factor: Double, about center: Double) -> QuadraticCurve {
    func place(_ x: Double) -> Double {
      let distance: Double = x - center
      return distance / factor + center
    }
    return QuadraticCurve(
      pieces.map { piece in
        Piece(
          from: place(piece.start), origin: place(piece.origin), value: place(piece.value),
          slope: piece.slope, bend: piece.bend * factor, isInverse: piece.isInverse)
      })
  }

  /// The curve as a chain of cubics, without inverses.
  package var cubic: CubicCurve? {
    guard !pieces.contains(where: \.isInverse) else { return nil }
    return CubicCurve(
      pieces: pieces.map {
        CubicCurve.Piece(
          start: $0.start, origin: $0.origin, coefficients: [$0.value, $0.slope, $0.bend, 0])
      })
  }
}

extension PointProgram.Stage {
  /// A curve for each channel; nil leaves a channel as it is.
  package static func quadratics(
    _ name: String, _ red: QuadraticCurve?, _ green: QuadraticCurve?, _ blue: QuadraticCurve?
  ) -> Self {
    let curves = [red, green, blue].map { curve -> Curve? in
      curve.map { $0.cubic.map(Curve.cubic) } ?? .identity
    }
    if let red = curves[0], let green = curves[1], let blue = curves[2] {
      return .curves(name, red, green, blue)
    }
    return .formula(name) { color in
      [
        red?.value(at: color.x) ?? color.x, green?.value(at: color.y) ?? color.y,
        blue?.value(at: color.z) ?? color.z,
      ]
    }
  }
}
