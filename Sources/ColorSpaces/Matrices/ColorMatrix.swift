/// A 3 × 3 matrix over colors, in double precision and column-major order.
public struct ColorMatrix: Hashable, Sendable {
  /// The columns: the image of one unit of each input channel.
  public var column0, column1, column2: SIMD3<Double>

  /// Creates a matrix from its columns.
  public init(
    columns column0: SIMD3<Double>, _ column1: SIMD3<Double>, _ column2: SIMD3<Double>
  ) {
    (self.column0, self.column1, self.column2) = (column0, column1, column2)
  }

  /// Creates a matrix from its rows, as standards print them.
  public init(rows r0: SIMD3<Double>, _ r1: SIMD3<Double>, _ r2: SIMD3<Double>) {
    self.init(columns: [r0.x, r1.x, r2.x], [r0.y, r1.y, r2.y], [r0.z, r1.z, r2.z])
  }

  /// Creates a diagonal matrix.
  public init(diagonal d: SIMD3<Double>) {
    self.init(columns: [d.x, 0, 0], [0, d.y, 0], [0, 0, d.z])
  }

  /// The identity.
  public static let identity = ColorMatrix(diagonal: [1, 1, 1])

  /// Whether the matrix is the identity, within the rounding errors of the products it came from.
  package var isIdentity: Bool {
    zip(rows, ColorMatrix.identity.rows).allSatisfy { row, unit in
      (0..<3).allSatisfy { abs(row[$0] - unit[$0]) < 1e-14 }
    }
  }

  /// The three rows: the weights of each output channel.
  public var rows: [SIMD3<Double>] {
    (0..<3).map { SIMD3(column0[$0], column1[$0], column2[$0]) }
  }

  /// The product of a matrix and a color.
  public static func * (m: ColorMatrix, v: SIMD3<Double>) -> SIMD3<Double> {
    m.column0 * v.x + m.column1 * v.y + m.column2 * v.z
  }

  /// The product of two matrices, which applies `b` first.
  public static func * (a: ColorMatrix, b: ColorMatrix) -> ColorMatrix {
    ColorMatrix(columns: a * b.column0, a * b.column1, a * b.column2)
  }

  /// The determinant; zero for a singular matrix.
  public var determinant: Double { (column0 * cross(column1, column2)).sum() }

  /// The inverse. Traps for a singular matrix: see ``determinant``.
  public var inverse: ColorMatrix {
    guard let inverse = inverseIfRegular else {
      preconditionFailure("A singular matrix has no inverse: \(rows).")
    }
    return inverse
  }

  /// The inverse; nil for a singular matrix.
  package var inverseIfRegular: ColorMatrix? {
    // Scaling rows by powers of two keeps the determinant of tiny and huge rows representable, and changes no bit.
    let scales = rowScales
    let scaled = ColorMatrix(columns: column0 * scales, column1 * scales, column2 * scales)
    let determinant = scaled.determinant
    guard determinant != 0 else { return nil }
    return ColorMatrix(
      rows: cross(scaled.column1, scaled.column2) / determinant * scales,
      cross(scaled.column2, scaled.column0) / determinant * scales,
      cross(scaled.column0, scaled.column1) / determinant * scales)
  }

  /// Whether the matrix is finite and far enough from a singular one for its inverse to be accurate.
  package var isWellConditioned: Bool {
    let scales = rowScales
    let scaled = ColorMatrix(columns: column0 * scales, column1 * scales, column2 * scales)
    // Rounding errors of the determinant of a singular matrix are below 1e-14.
    return scaled.determinant.isFinite && abs(scaled.determinant) >= 1e-6
  }

  /// The powers of two that bring the largest entry of each row into 1..<2.
  private var rowScales: SIMD3<Double> {
    var scales = SIMD3<Double>.one
    for (index, row) in rows.enumerated() {
      let largest = max(abs(row.x), abs(row.y), abs(row.z))
      if largest.isNormal {
        scales[index] = Double(sign: .plus, exponent: -Int(largest.exponent), significand: 1)
      }
    }
    return scales
  }

  /// Returns the matrix with each row adjusted to sum to exactly 1, so that white is preserved to the last bit.
  ///
  /// Only for matrices whose rows sum to 1 by derivation: it removes rounding errors.
  package func preservingWhite<Number: BinaryFloatingPoint>(in _: Number.Type) -> ColorMatrix {
    let mended = rows.map { row in
      // Multiples of a power of two that fit the significand add up exactly, in any order.
      let grid = Double(Number(2 * (abs(row.x) + abs(row.y) + abs(row.z))).ulp)
      var row = (row / grid).rounded(.toNearestOrEven) * grid
      let largest = [0, 1, 2].max { abs(row[$0]) < abs(row[$1]) } ?? 0
      row[largest] += 1 - row.sum()
      return row
    }
    return ColorMatrix(rows: mended[0], mended[1], mended[2])
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}

extension ColorMatrix {
  /// Returns the matrix from XYZ under one white point to the corresponding XYZ under another, by linear Bradford
  /// adaptation (ICC.1:2022, annex E).
  public static func adapting(from source: Chromaticity, to target: Chromaticity) -> ColorMatrix {
    ChromaticAdaptation.bradford.matrix(from: source, to: target)
  }

  static let bradford = ColorMatrix(
    rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
}
