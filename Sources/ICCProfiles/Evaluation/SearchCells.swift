/// The cells of a box of three numbers from which a search for a color can start.
struct SearchCells: Sendable {
  /// The number of cells along each axis.
  private static let size = 8
  /// The number of cells from which a search for a color out of the gamut starts, each the nearest one of its row.
  private static let nearestCount = 2

  /// A row of eight cells along the third axis, with the colors of their centers and bounds of those within.
  private struct Row {
    var center = Colors(repeating: .infinity)
    var least = Colors(repeating: .infinity)
    var greatest = Colors(repeating: -.infinity)

    @inline(__always)
    func distances(from color: SIMD3<Float>) -> SIMD8<Float> {
      let (a, b, c) = (center.x - color.x, center.y - color.y, center.z - color.z)
      return a * a + b * b + c * c
    }

    /// Whether colors of each cell may be the one that is sought.
    func mayHold(_ color: SIMD3<Float>) -> SIMDMask<SIMD8<Int32>> {
      (least.x .<= color.x) .& (greatest.x .>= color.x) .& (least.y .<= color.y)
        .& (greatest.y .>= color.y) .& (least.z .<= color.z) .& (greatest.z .>= color.z)
    }
  }

  private struct Colors {
    var x, y, z: SIMD8<Float>

    init(repeating value: Float) {
      (x, y, z) = (.init(repeating: value), .init(repeating: value), .init(repeating: value))
    }

    subscript(lane: Int) -> SIMD3<Float> {
      get { SIMD3(x[lane], y[lane], z[lane]) }
      set { (x[lane], y[lane], z[lane]) = (newValue.x, newValue.y, newValue.z) }
    }
  }

  private let low, step: SIMD3<Double>
  private let rows: [Row]

  /// Computes the colors of cells between two corners of the box, each on a grid of three points along each axis.
  init(
    from low: SIMD3<Double>, to high: SIMD3<Double>, color: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    let step = (high - low) / Double(Self.size)
    (self.low, self.step) = (low, step)
    let count = 2 * Self.size + 1
    var colors: [SIMD3<Float>] = []
    for x in 0..<count {
      for y in 0..<count {
        for z in 0..<count {
          let place = SIMD3(Double(x), Double(y), Double(z)) / 2
          colors.append(SIMD3<Float>(color(low + step * place)))
        }
      }
    }
    rows = (0..<Self.size * Self.size).map { index in
      var row = Row()
      for lane in 0..<8 {
        let first = SIMD3(index / Self.size, index % Self.size, lane) &* 2
        for corner in 0..<27 {
          let place = first &+ SIMD3(corner / 9, corner / 3 % 3, corner % 3)
          let color = colors[(place.x * count + place.y) * count + place.z]
          row.least[lane] = pointwiseMin(row.least[lane], color)
          row.greatest[lane] = pointwiseMax(row.greatest[lane], color)
          if corner == 13, color.sum().isFinite { row.center[lane] = color }
        }
        // Between the points, colors may exceed theirs.
        let margin = 0.15 * (row.greatest[lane] - row.least[lane]) + 0.1
        row.least[lane] -= margin
        row.greatest[lane] += margin
      }
      return row
    }
  }

  /// The place of a cell among the others.
  private func cell(_ row: Int, _ lane: Int) -> SIMD3<Double> {
    SIMD3(Double(row / Self.size), Double(row % Self.size), Double(lane))
  }

  private func center(of cell: SIMD3<Double>) -> SIMD3<Double> { low + step * (cell + 0.5) }

  /// The first lane of the smallest value.
  @inline(__always)
  private static func leastLane(of values: SIMD8<Float>) -> Int {
    var lane = 0
    for other in 1..<8 where values[other] < values[lane] { lane = other }
    return lane
  }

  /// The center of the cell whose center's color is nearest.
  func nearest(to color: SIMD3<Double>) -> SIMD3<Double> {
    let color = SIMD3<Float>(color)
    var least = SIMD8<Float>(repeating: .infinity)
    var indices = SIMD8<Int32>.zero
    for index in rows.indices {
      let distances = rows[index].distances(from: color)
      let isNearer = distances .< least
      least.replace(with: distances, where: isNearer)
      indices.replace(with: Int32(truncatingIfNeeded: index), where: isNearer)
    }
    let lane = Self.leastLane(of: least)
    return center(of: cell(Int(indices[lane]), lane))
  }

  /// The centers of the cells that may hold the color, the nearest color first; where none may, those of the
  /// nearest cells of a few rows.
  func others(for color: SIMD3<Double>) -> [SIMD3<Double>] {
    let holders = holders(of: color)
    guard holders.isEmpty else { return holders.map { center(of: $0) } }
    let color = SIMD3<Float>(color)
    var nearest: [(distance: Float, cell: SIMD3<Double>)] = []
    for index in rows.indices {
      let distances = rows[index].distances(from: color)
      let lane = Self.leastLane(of: distances)
      if nearest.count == Self.nearestCount {
        guard let last = nearest.last, distances[lane] < last.distance else { continue }
        nearest.removeLast()
      }
      let place = nearest.firstIndex { distances[lane] < $0.distance } ?? nearest.count
      nearest.insert((distances[lane], cell(index, lane)), at: place)
    }
    return nearest.map { center(of: $0.cell) }
  }

  /// The centers of the six tetrahedra of the cells that may hold the color.
  ///
  /// Grids are linear in tetrahedra. Where the grid is not finer than the cells, a search that starts in the right one ends with its
  /// first step.
  func tetrahedra(for color: SIMD3<Double>) -> [SIMD3<Double>] {
    holders(of: color).flatMap { cell in
      Self.tetrahedra.map { low + step * (cell + $0) }
    }
  }

  private static let tetrahedra: [SIMD3<Double>] = [
    [0.25, 0.5, 0.75], [0.25, 0.75, 0.5], [0.5, 0.25, 0.75], [0.5, 0.75, 0.25], [0.75, 0.25, 0.5],
    [0.75, 0.5, 0.25],
  ]

  /// The cells that may hold the color, the nearest color first.
  private func holders(of color: SIMD3<Double>) -> [SIMD3<Double>] {
    let color = SIMD3<Float>(color)
    var found: [(distance: Float, cell: SIMD3<Double>)] = []
    for index in rows.indices {
      let mayHold = rows[index].mayHold(color)
      guard any(mayHold) else { continue }
      let distances = rows[index].distances(from: color)
      for lane in 0..<8 where mayHold[lane] {
        found.append((distances[lane], cell(index, lane)))
      }
    }
    return found.sorted { $0.distance < $1.distance }.map(\.cell)
  }
}
