internal import ColorSpaces

/// The inverse of a conversion from three device values, 0…1, to XYZ by tables: for profiles without a table from the PCS to the device,
/// such as those of scanners.
///
/// Curves of the device values are inverted by themselves, so that they may rise and fall. The rest is searched by Newton's method from the
/// cell with the nearest color; its steps are exact in the tetrahedra of a grid, where the table is linear. Where that fails, the search
/// starts from every cell that may hold the color. A color out of the gamut becomes one near to it in Lab.
struct TableInverse: Sendable {
  /// The curves of the device values; nil where tables begin with something else.
  private let curves: [CurveRange]?
  /// What follows the curves, from a box of numbers to Lab.
  private let function: DeviceToLab
  private let low, high: SIMD3<Double>
  private let cells: SearchCells

  /// Creates the inverse of stages of three channels that lead to XYZ.
  init(of stages: [ChannelStage]) {
    var stages = stages[...]
    if case .curves(let curves)? = stages.first {
      self.curves = curves.map(CurveRange.init)
      stages.removeFirst()
    } else {
      curves = nil
    }
    let function = DeviceToLab(toXYZ: Array(stages))
    var low = curves.map { SIMD3($0.map(\.low)) } ?? .zero
    var high = curves.map { SIMD3($0.map(\.high)) } ?? .one
    if function.startsWithGrid {
      low = low.clamped(lowerBound: .zero, upperBound: .one)
      high = high.clamped(lowerBound: .zero, upperBound: .one)
    }
    (self.low, self.high, self.function) = (low, high, function)
    cells = SearchCells(from: low, to: high) { function($0).color }
  }

  /// Returns the device values of an XYZ color; NaN for one that is not finite.
  func callAsFunction(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let target = DeviceToLab.Target(xyz: xyz)
    guard target.lab.sum().isFinite else { return SIMD3(repeating: .nan) }
    let numbers = search(target)
    guard let curves else { return numbers }
    return SIMD3(
      curves[0].input(of: numbers.x), curves[1].input(of: numbers.y), curves[2].input(of: numbers.z)
    )
  }

  /// The squared distance in Lab within which a color counts as found.
  private static let tolerance = 1e-18

  private func search(_ target: Target) -> SIMD3<Double> {
    let nearest = cells.nearest(to: target.lab)
    var best = refined(nearest, to: target)
    // Where colors come again, or turn back, the search may end elsewhere.
    func search(from starts: [SIMD3<Double>]) {
      for start in starts where best.error > Self.tolerance && start != nearest {
        let found = refined(start, to: target)
        if found.error < best.error { best = found }
      }
    }
    guard best.error > Self.tolerance else { return best.numbers }
    search(from: cells.others(for: target.lab))
    // Colors out of the gamut end at a side of the box.
    if best.error > Self.tolerance, all((best.numbers .> low) .& (best.numbers .< high)) {
      search(from: cells.tetrahedra(for: target.lab))
    }
    return best.numbers
  }

  private typealias Target = DeviceToLab.Target

  private struct Candidate {
    var numbers: SIMD3<Double>
    var value: DeviceToLab.Value
    /// The difference of the color that is sought from this one, and its square.
    var rest: SIMD3<Double>
    var error: Double { (rest * rest).sum() }
  }

  private func candidate(_ numbers: SIMD3<Double>, for target: Target) -> Candidate {
    let value = function(numbers)
    return Candidate(numbers: numbers, value: value, rest: target.lab - value.color)
  }

  /// Newton's method in the box, with shorter steps where a whole one leads away from the color.
  private func refined(_ start: SIMD3<Double>, to target: Target) -> Candidate {
    var best = candidate(start, for: target)
    for _ in 0..<40 where best.error > Self.tolerance {
      guard let step = step(from: best, to: target) else { break }
      var part = 1.0
      var found = best
      repeat {
        found = candidate(
          (best.numbers + part * step).clamped(lowerBound: low, upperBound: high), for: target)
        part /= 2
      } while found.error >= best.error && part > 0.02
      guard found.error < best.error else { break }
      best = found
    }
    return best
  }

  /// The step to the place in the box whose color would be nearest if the slopes were the same everywhere; nil where that color is hardly
  /// nearer.
  private func step(from place: Candidate, to target: Target) -> SIMD3<Double>? {
    let slopes = place.value.slopes
    let (c0, c1, c2) = (slopes.column0, slopes.column1, slopes.column2)
    let (down, up) = (low - place.numbers, high - place.numbers)
    let across = cross(c1, c2)
    let determinant = (c0 * across).sum()
    let size = (c0 * c0).sum() * (c1 * c1).sum() * (c2 * c2).sum()
    if determinant * determinant > 1e-16 * size {
      let rest = function.change(from: place.value.color, to: target)
      let step = slopes.solution(rest, across: across, determinant: determinant)
      if all((step .>= down) .& (step .<= up)) { return step }
    }
    let step = boundedStep(slopes, place.rest, down, up)
    let promised = place.rest - slopes * step
    return (promised * promised).sum() < (1 - 1e-6) * place.error ? step : nil
  }

  /// The least squares within bounds, by an active set: channels are held at bounds that they would leave, and released where that brings
  /// the color nearer.
  private func boundedStep(
    _ slopes: ColorMatrix, _ rest: SIMD3<Double>, _ down: SIMD3<Double>, _ up: SIMD3<Double>
  ) -> SIMD3<Double> {
    let (c0, c1, c2) = (slopes.column0, slopes.column1, slopes.column2)
    func products(_ color: SIMD3<Double>) -> SIMD3<Double> {
      SIMD3((c0 * color).sum(), (c1 * color).sum(), (c2 * color).sum())
    }
    let normal = ColorMatrix(columns: products(c0), products(c1), products(c2))
    let pull = products(rest)
    let damping = 1e-12 * (normal.column0.x + normal.column1.y + normal.column2.z) + 1e-300
    var held = ((down .>= 0) .& (pull .<= 0)) .| ((up .<= 0) .& (pull .>= 0))
    var step = SIMD3<Double>.zero
    for _ in 0..<12 {
      let target = normal.solution(pull, holding: step, where: held, damping: damping)
      let leaves = .!held .& ((target .< down) .| (target .> up))
      if any(leaves) {
        // Only as far as the first bound.
        let bound = up.replacing(with: down, where: target .< down)
        let parts = ((bound - step) / (target - step)).replacing(with: 1, where: .!leaves)
        let part = max(min(parts.x, parts.y, parts.z), 0)
        let stops = leaves .& (parts .<= part)
        step = (step + part * (target - step)).replacing(with: bound, where: stops)
        held = held .| stops
        continue
      }
      step = target
      let force = pull - normal * step
      let released =
        held .& (((step .<= down) .& (force .> 0)) .| ((step .>= up) .& (force .< 0)))
        .& (down .< up)
      guard any(released) else { break }
      held = held .& .!released
    }
    return step.clamped(lowerBound: down, upperBound: up)
  }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}

extension ColorMatrix {
  /// The solution of linear equations by Cramer's rule, from the cross product of the last two columns and the determinant.
  fileprivate func solution(
    _ right: SIMD3<Double>, across: SIMD3<Double>, determinant: Double
  ) -> SIMD3<Double> {
    SIMD3(
      (right * across).sum(), (column0 * cross(right, column2)).sum(),
      (column0 * cross(column1, right)).sum()) / determinant
  }

  /// The solution of symmetric linear equations, with some of the unknowns held.
  fileprivate func solution(
    _ right: SIMD3<Double>, holding values: SIMD3<Double>, where held: SIMDMask<SIMD3<Int64>>,
    damping: Double
  ) -> SIMD3<Double> {
    let fixed = values.replacing(with: 0, where: .!held)
    let right = (right - self * fixed).replacing(with: fixed, where: held)
    var matrix = self
    for channel in 0..<3 {
      for other in 0..<3 where held[channel] || held[other] {
        matrix[column: other][channel] = 0
      }
      matrix[column: channel][channel] =
        held[channel] ? 1 : matrix[column: channel][channel] + damping
    }
    let across = cross(matrix.column1, matrix.column2)
    let determinant = (matrix.column0 * across).sum()
    guard determinant != 0 else { return values }
    return matrix.solution(right, across: across, determinant: determinant)
  }
}
