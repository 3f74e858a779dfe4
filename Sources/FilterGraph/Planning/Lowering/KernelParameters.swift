internal import CPixelKernels
internal import ColorSpaces

// What the kernels need of curves and matrices, in single precision.

extension Curve {
  /// The kernels' power for this curve, if it is one.
  var kernelPower: cpk_power? {
    switch self {
    case .identity:
      // The line answers for every number up to infinity, and x · 1 + 0 is x.
      return PowerTables.table(
        of: PowerCurve(exponent: 1, slope: 1, threshold: .infinity, belowZero: .continued))
    case .power(let curve): return isSteep ? nil : PowerTables.table(of: curve)
    default: return nil
    }
  }

  /// Whether it has a power that is too steep for ``cpk_power``.
  var isSteep: Bool {
    func isSteep(_ exponent: Double) -> Bool { !cpk_power.exponents.contains(exponent) }
    switch self {
    case .power(let curve): return isSteep(curve.exponent)
    case .segmented(let curve):
      return curve.segments.contains {
        if case .power(let exponent) = $0.shape { !$0.isFlat && isSteep(exponent) } else { false }
      }
    default: return false
    }
  }

  /// Whether there are no kernels for the curve, as it is code.
  var isFunction: Bool { if case .function = self { true } else { false } }

  /// Whether it is a table for the kernels, or leaves a channel alone.
  var isTable: Bool {
    switch self {
    case .identity, .sampled: true
    default: false
    }
  }

  /// The kernels' chain of cubics for this curve, if it is one.
  var kernelCubic: cpk_cubic? {
    switch self {
    case .identity:
      return cpk_cubic(pieces: [.identity])
    case .cubic(let curve): return cpk_cubic(pieces: curve.pieces)
    default: return nil
    }
  }
}

extension cpk_cubic {
  init(pieces list: [CubicCurve.Piece]) {
    self.init()
    precondition(list.count <= CPK_CUBIC_PIECES, "The kernels take \(CPK_CUBIC_PIECES) pieces.")
    pieces = Int32(list.count)
    fill(&knots, list.map(\.start))
    fill(&origin, list.map(\.origin))
    fill(&c0, list.map(\.coefficients[0]))
    fill(&c1, list.map(\.coefficients[1]))
    fill(&c2, list.map(\.coefficients[2]))
    fill(&c3, list.map(\.coefficients[3]))
  }
}

extension cpk_matrix {
  /// Rows that keep white in double precision keep it in the kernels' arithmetic too: they sum to exactly 1 in its order.
  init(_ matrix: ColorMatrix) {
    self.init()
    let coarse = matrix.preservingWhite(in: Float.self).rows
    let rows = zip(matrix.rows, coarse).map { row, coarse in
      let single = SIMD3<Float>(row)
      func sum(_ v: SIMD3<Float>) -> Float { v.x + (v.y + v.z) }
      guard abs(row.sum() - 1) < 1e-12, sum(single) != 1 else { return single }
      // One coefficient gives way by the rounding of the sum, the largest that is fine enough; if none is, all are rounded
      // to steps that add up exactly.
      let candidates = [0, 1, 2].filter { single[$0] != 0 }
        .sorted { abs(single[$0]) > abs(single[$1]) }
      for index in candidates {
        var mended = single
        mended[index] += 1 - sum(single)
        if sum(mended) == 1 { return mended }
      }
      return SIMD3<Float>(coarse)
    }
    fill(&m, rows.flatMap { [$0.x, $0.y, $0.z, 0] })
  }
}

extension cpk_power {
  /// The supported exponents: the entries of the table for bases up to 2³² are finite floats, and the relative error of the polynomial of
  /// degree 11 is below 2⁻²³. Formulas compute steeper powers, in double precision.
  static let exponents = -2.5...4.0

  /// Whether it is a power of x alone that mirrors, of the usual degree.
  var isPlainRoot: Bool {
    below_zero == CPK_MIRROR && degree == CPK_POWER_DEGREE && exponent == 0 && shift == 0
  }
}

extension NegativePolicy {
  var kernelPolicy: Int32 {
    switch self {
    case .mirrored: Int32(CPK_MIRROR)
    case .clamped: Int32(CPK_ZERO)
    case .continued: Int32(CPK_CONTINUE)
    case .passedThrough: Int32(CPK_PASS)
    @unknown default: preconditionFailure("The kernels do not know the policy \(self).")
    }
  }
}

extension PowerCurve {
  static let square = PowerCurve(exponent: 2)
  static let squareRoot = square.inverse
  static let cube = PowerCurve(exponent: 3)
}

/// C's arrays are tuples here: writes `values` to the front of one.
func fill<Tuple>(_ tuple: inout Tuple, _ values: [some BinaryFloatingPoint]) {
  withUnsafeMutableBytes(of: &tuple) { bytes in
    for (index, value) in values.enumerated() {
      bytes.storeBytes(of: Float(value), toByteOffset: 4 * index, as: Float.self)
    }
  }
}

func floats(_ v: SIMD3<Double>) -> (Float, Float, Float) { (Float(v.x), Float(v.y), Float(v.z)) }
