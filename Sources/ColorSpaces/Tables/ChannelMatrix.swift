/// A matrix between any numbers of channels, with an offset.
package struct ChannelMatrix: Hashable, Sendable {
  /// The weights of each output channel.
  package let rows: [[Double]]
  package let offset: [Double]

  package init(rows: [[Double]], offset: [Double]) {
    precondition(rows.count == offset.count, "\(rows.count) rows need as many offsets.")
    (self.rows, self.offset) = (rows, offset)
  }

  package init(_ matrix: ColorMatrix, offset: SIMD3<Double> = .zero) {
    self.init(
      rows: matrix.rows.map { [$0.x, $0.y, $0.z] }, offset: [offset.x, offset.y, offset.z])
  }

  /// Creates a diagonal matrix with an offset.
  package init(scale: [Double], offset: [Double]) {
    self.init(
      rows: scale.indices.map { row in scale.indices.map { $0 == row ? scale[row] : 0 } },
      offset: offset)
  }

  /// Whether it is the identity.
  package var isIdentity: Bool {
    self
      == ChannelMatrix(
        scale: rows.map { _ in 1 }, offset: offset.map { _ in 0 })
  }

  /// The composition, which applies `b` first.
  package static func * (a: ChannelMatrix, b: ChannelMatrix) -> ChannelMatrix {
    ChannelMatrix(
      rows: a.rows.map { row in
        b.rows[0].indices.map { column in
          zip(row, b.rows).reduce(0) { $0 + $1.0 * $1.1[column] }
        }
      },
      offset: zip(a.rows, a.offset).map { row, offset in
        zip(row, b.offset).reduce(offset) { $0 + $1.0 * $1.1 }
      })
  }

  func apply(to color: UnsafeMutablePointer<Double>, with scratch: UnsafeMutablePointer<Double>) {
    for (row, offset) in offset.enumerated() {
      var sum = offset
      for (column, factor) in rows[row].enumerated() { sum += factor * color[column] }
      scratch[row] = sum
    }
    color.update(from: scratch, count: offset.count)
  }
}
