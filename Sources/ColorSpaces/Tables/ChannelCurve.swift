/// A curve of one channel in an ICC profile, or its inverse.
package enum ChannelCurve: Hashable, Sendable {
  case identity
  case parametric(ParametricCurve)
  case parametricInverse(ParametricCurve)
  case table(CurveTable)
  case tableInverse(CurveTable.Inverse)

  /// Returns the output for `x`.
  package func callAsFunction(_ x: Double) -> Double {
    switch self {
    case .identity: x
    case .parametric(let curve): curve(x)
    case .parametricInverse(let curve): curve.inverse(x)
    case .table(let table): table(x)
    case .tableInverse(let inverse): inverse(x)
    }
  }

  /// The inverse.
  package var inverse: ChannelCurve {
    switch self {
    case .identity: .identity
    case .parametric(let curve): .parametricInverse(curve)
    case .parametricInverse(let curve): .parametric(curve)
    case .table(let table): .tableInverse(table.inverse)
    case .tableInverse(let inverse): .table(inverse.table)
    }
  }
}
