internal import ColorSpaces

/// The numerical inverse of a conversion from three device values, 0…1, to Lab.
///
/// It is slow, and used for profiles without a table from the PCS to the device, such as those of scanners.
struct NumericInverse: Sendable {
  private let function: @Sendable (SIMD3<Double>) -> SIMD3<Double>
  /// The starting points of the search: device values on a grid, with their colors.
  private let starts: [(numbers: SIMD3<Double>, color: SIMD3<Double>)]

  init(_ function: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>) {
    self.function = function
    let steps = (0...6).map { Double($0) / 6 }
    starts = steps.flatMap { x in
      steps.flatMap { y in
        steps.map { z in (SIMD3(x, y, z), function(SIMD3(x, y, z))) }
      }
    }
  }

  /// Returns the device values whose color is nearest to `color`, by Newton's method from the nearest starting point.
  func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    func error(_ other: SIMD3<Double>) -> Double { ((other - color) * (other - color)).sum() }
    guard var best = starts.min(by: { error($0.color) < error($1.color) }) else { return .zero }
    // Newton's method converges quadratically within a cell of the table, and crosses few cells.
    for _ in 0..<40 where error(best.color) > 1e-18 {
      let slopes = (0..<3).map { channel in
        var moved = best.numbers
        let step = moved[channel] > 0.5 ? -1e-6 : 1e-6
        moved[channel] += step
        return (function(moved) - best.color) / step
      }
      let jacobian = ColorMatrix(columns: slopes[0], slopes[1], slopes[2])
      guard abs(jacobian.determinant) > 1e-9 else { break }
      let step = jacobian.inverse * (color - best.color)
      let found = [1, 0.5, 0.25, 0.125, 0.03].lazy
        .map { (best.numbers + $0 * step).clamped(lowerBound: .zero, upperBound: .one) }
        .map { (numbers: $0, color: function($0)) }
        .first { error($0.color) < error(best.color) }
      guard let found else { break }
      best = found
    }
    return best.numbers
  }
}

extension [ChannelStage] {
  /// The inverse of curves and matrices of three channels; nil where there is a grid, or a curve or a matrix without an inverse.
  var inverse: [ChannelStage]? {
    var inverse: [ChannelStage] = []
    for stage in reversed() {
      switch stage {
      case .curves(let curves):
        let areInvertible = curves.allSatisfy { (try? $0.checkInvertible("A2B0")) != nil }
        guard areInvertible else { return nil }
        inverse.add(.curves(curves.map(\.inverse)))
      case .mix(let mix):
        guard mix.rows.count == 3, mix.rows.allSatisfy({ $0.count == 3 }) else { return nil }
        let (rows, offset) = (mix.rows.map { SIMD3($0) }, SIMD3(mix.offset))
        let matrix = ColorMatrix(rows: rows[0], rows[1], rows[2])
        guard abs(matrix.determinant) > 1e-9 else { return nil }
        inverse.add(.mix(ChannelMatrix(matrix.inverse, offset: -(matrix.inverse * offset))))
      case .lattice, .colors: return nil
      }
    }
    return inverse
  }
}

/// The numerical inverse of a conversion from one device value, 0…1, to luminance, for gray profiles without a table from the PCS.
struct GrayInverse: Sendable {
  private let function: @Sendable (Double) -> Double
  /// The luminances of 0 and 1.
  private let first, last: Double
  private var isFalling: Bool { last < first }

  init(_ function: @escaping @Sendable (Double) -> Double) {
    self.function = function
    (first, last) = (function(0), function(1))
  }

  /// Returns the device value with the luminance, or the end that is nearer to it, by bisection to the precision of a Double.
  func callAsFunction(_ luminance: Double) -> Double {
    if isFalling ? luminance >= first : luminance <= first { return 0 }
    if isFalling ? luminance <= last : luminance >= last { return 1 }
    var (low, high) = (0.0, 1.0)
    for _ in 0..<53 {
      let middle = (low + high) / 2
      if (function(middle) < luminance) != isFalling { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
