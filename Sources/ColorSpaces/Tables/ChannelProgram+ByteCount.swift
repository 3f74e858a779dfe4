extension ChannelProgram {
  /// The bytes of the tables, for caches. It is an upper bound: tables that several stages share count for each of them.
  package var byteCount: Int { stages.reduce(0) { $0 + $1.byteCount } }
}

extension TransferFunction {
  /// The bytes of the tables of both directions, and of the profile that they were read from.
  package var byteCount: Int {
    switch form {
    case .curve(let decoding, let encoding): decoding.byteCount + encoding.byteCount
    case .coordinates(let coordinates):
      coordinates.decoding.byteCount + coordinates.encoding.byteCount
        + (coordinates.origin?.bytes.count ?? 0)
    }
  }
}

extension PointProgram {
  fileprivate var byteCount: Int { stages.reduce(0) { $0 + $1.byteCount } }
}

extension ChannelStage {
  fileprivate var byteCount: Int {
    switch self {
    case .curves(let curves): curves.reduce(0) { $0 + $1.byteCount }
    case .mix: 0
    case .lattice(let lattice): MemoryLayout<UInt16>.stride * lattice.values.count
    case .colors(let program): program.byteCount
    }
  }
}

extension ChannelCurve {
  fileprivate var byteCount: Int {
    switch self {
    case .identity, .parametric, .parametricInverse: 0
    case .table(let table): MemoryLayout<UInt16>.stride * table.values.count
    case .tableInverse(let inverse):
      MemoryLayout<UInt16>.stride * (inverse.table.values.count + inverse.least.count)
    }
  }
}

extension Curve {
  fileprivate var byteCount: Int {
    // Others are made of a few constants.
    if case .sampled(let curve) = self {
      MemoryLayout<Float>.stride * curve.values.count
    } else {
      0
    }
  }
}

extension PointProgram.Stage {
  fileprivate var byteCount: Int {
    switch self {
    case .table(let table): MemoryLayout<Float>.stride * table.entries.count
    case .channels(let program): program.byteCount
    case .curves(_, let red, let green, let blue):
      red.byteCount + green.byteCount + blue.byteCount
    case .decode(let transfer), .encode(let transfer): transfer.byteCount
    case .affine, .matrix, .polar, .rectangular, .gamut, .clamp, .premultiply, .unpremultiply,
      .formula, .map, .rows:
      0
    }
  }
}
