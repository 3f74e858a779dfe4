internal import ColorSpaces

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
