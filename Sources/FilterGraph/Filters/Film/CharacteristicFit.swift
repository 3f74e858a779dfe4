internal import ColorSpaces

/// The characteristic curve that fits the densities of one layer of film best.
///
/// The curve is that of ``NegativeFilm``: an exposure H gives the density γ · log₁₀(1 + H/H₀) above the base. For a known
/// H₀ the γ of least squares follows in closed form, so that a search over H₀ alone finds both (“variable projection”:
/// G. H. Golub and V. Pereyra, SIAM Journal on Numerical Analysis, 1973).
struct CharacteristicFit {
  /// γ, the slope of the curve.
  var contrast: Double
  /// 1/H₀: the reciprocal of the exposure at the toe.
  var sensitivity: Double
  /// The largest difference of a density from the curve.
  var largestError = 0.0

  /// Creates a known curve.
  init(contrast: Double, sensitivity: Double) {
    (self.contrast, self.sensitivity) = (contrast, sensitivity)
  }

  /// Fits the curve to the densities of two exposures or more.
  ///
  /// Nil where no curve fits best: densities that rise more slowly than exposures even without a toe, or that do not rise.
  init?(densities: [Double], exposures: [Double]) {
    guard let highest = exposures.max(), highest > 0 else { return nil }
    let points = zip(densities, exposures).map {
      Point(density: $0, exposure: $1 / highest)
    }
    // Powers of two of the highest exposure over H₀. The first has a γ far above that of any film.
    let (toes, step) = (-12.0...100.0, 0.25)
    let count = Int((toes.upperBound - toes.lowerBound) / step)
    let errors = (0...count).map {
      Self.squaredError(of: points, toe: toes.lowerBound + step * Double($0))
    }
    guard let best = errors.indices.min(by: { errors[$0] < errors[$1] }), best > 0, best < count
    else { return nil }
    var low = toes.lowerBound + step * Double(best - 1)
    var high = low + 2 * step
    // Each round leaves two thirds; the interval ends below the spacing of numbers.
    for _ in 0..<100 {
      let third = (high - low) / 3
      let (left, right) = (low + third, high - third)
      if Self.squaredError(of: points, toe: left) < Self.squaredError(of: points, toe: right) {
        high = right
      } else {
        low = left
      }
    }
    let toe = (low + high) / 2
    let slope = Self.slope(of: points, toe: toe)
    self.init(contrast: slope, sensitivity: power(2, toe) / highest)
    largestError = points.map { abs($0.density - slope * $0.logarithm(toe: toe)) }.max() ?? 0
  }

  /// The exposure that gives a density.
  func exposure(of density: Double) -> Double { (power(10, density / contrast) - 1) / sensitivity }

  /// The density that an exposure gives.
  func density(of exposure: Double) -> Double {
    contrast * log2(1 + sensitivity * exposure) / log2(10)
  }

  /// A density, and its exposure as a part of the highest one.
  private struct Point {
    var density, exposure: Double

    /// The density for a γ of 1.
    func logarithm(toe: Double) -> Double { log2(1 + power(2, toe) * exposure) / log2(10) }
  }

  /// The γ of least squares.
  private static func slope(of points: [Point], toe: Double) -> Double {
    var (product, square) = (0.0, 0.0)
    for point in points {
      let logarithm = point.logarithm(toe: toe)
      product += point.density * logarithm
      square += logarithm * logarithm
    }
    return product / square
  }

  private static func squaredError(of points: [Point], toe: Double) -> Double {
    let slope = slope(of: points, toe: toe)
    return points.reduce(0) { sum, point in
      let error = point.density - slope * point.logarithm(toe: toe)
      return sum + error * error
    }
  }
}
