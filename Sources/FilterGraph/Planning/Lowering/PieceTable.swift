internal import CPixelKernels
internal import ColorSpaces

/// Polynomials for the curve of the perceptual quantizer and its relatives, within 1 ulp of the exact curve.
///
/// Encoding has a piece for each octave of light. Decoding is steeper: it has 16 for each octave of the signal. What lies below the pieces
/// and above them is computed as a fraction of powers in double precision.
final class PieceTable: @unchecked Sendable {
  // Sendable because nothing changes after init.

  private(set) var kernel = cpk_pieces()
  private var memory: UnsafeMutablePointer<Float>?

  /// Nil where the pieces are not exact enough, or where the curve has another shape.
  private init?(_ curve: RationalPowerCurve) {
    // With a constant beside the power, and an outer power. Others have no lower octaves to be exact in.
    guard curve.a != 0, curve.outer != 1 else { return nil }
    let decodes = curve.a < 0
    let bits = decodes ? 4 : 0
    // The linear value that encodes to 1 lies in the last octave; signals reach to 1.
    let end = decodes ? 0 : (0...12).first { curve(exp2(Double($0))) >= 1 } ?? 6
    let octaves = decodes ? 16 : CPK_SHORT_PIECES
    let degree = decodes ? CPK_PIECE_DEGREE : CPK_SHORT_PIECE_DEGREE
    let (count, stride) = (octaves << bits, decodes ? 8 : 12)
    let width = exp2(-Double(bits))
    kernel.exact = cpk_rational(curve)
    kernel.mantissa_bits = Int32(bits)
    kernel.first = Int32((127 + end - octaves) << bits)
    kernel.count = Int32(count)
    kernel.is_short = !decodes
    kernel.end = Float(exp2(Double(end)))
    kernel.center = Float(1 + width / 2)
    kernel.zero = Float(curve(0))
    var rows = [Float](repeating: 0, count: count * stride)
    // From the end down, as long as the pieces are exact.
    var start = count
    while start > 0 {
      let index = start - 1
      let scale = exp2(Double(end - octaves + index >> bits))
      let center = 1 + (Double(index & (1 << bits - 1)) + 0.5) * width
      let row = Self.row(degree, width) { curve((center + $0) * scale) }
      guard let row else { break }
      rows.replaceSubrange(index * stride..<index * stride + row.count, with: row)
      start = index
    }
    guard count - start >= count / 2 else { return nil }
    kernel.start = Float(
      exp2(Double(end - octaves + start >> bits)) * (1 + Double(start & (1 << bits - 1)) * width))
    let columns = (0..<stride).flatMap { column in
      (0..<CPK_SHORT_PIECES).map { rows[$0 * stride + column] }
    }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: rows.count + columns.count)
    memory.initialize(from: rows + columns, count: rows.count + columns.count)
    (kernel.rows, kernel.columns) = (UnsafePointer(memory), UnsafePointer(memory + rows.count))
    self.memory = memory
  }

  /// A table that leaves a channel alone.
  private init() {}

  deinit { memory?.deallocate() }

  /// A piece around 0; nil where it is more than 1 ulp off.
  private static func row(
    _ degree: Int, _ width: Double, _ curve: (Double) -> Double
  ) -> [Float]? {
    let exact = chebyshevFit(degree: degree, from: -width / 2, width: width, curve)
    var row = exact.map(Float.init)
    row.insert(Float(exact[0] - Double(row[0])), at: 1)
    for step in -8...8 {
      let t = Float(Double(step) / 16 * width)
      let sum = row.dropFirst(2).reversed().reduce(Float(0)) { $1.addingProduct($0, t) }
      let (value, expected) = (row[0] + row[1].addingProduct(sum, t), curve(Double(t)))
      guard abs(Double(value) - expected) <= Double(Float(expected).ulp) else { return nil }
    }
    return row
  }

  // Tables of some kilobytes.
  private static let known = KnownResults<RationalPowerCurve, PieceTable?>(limit: 1024)

  /// The table of a curve; for the identity, one that leaves a channel alone.
  static func table(of curve: Curve) -> PieceTable? {
    switch curve {
    case .identity: PieceTable()
    case .rationalPower(let curve): known.result(for: curve) { PieceTable(curve) }
    default: nil
    }
  }
}
