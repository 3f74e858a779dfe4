/// The tables over hues that the gamut compression of ACES 2 looks up. They are computed in double precision, by searches of the same
/// tolerance as in the reference code, so that both differ by their roundings alone.
struct ACES2Tables: Sendable {
  /// The largest colorfulness in ACEScg at each degree, 0…360, at the display's largest lightness.
  let reach: [Double]
  /// The hues of the cusps, in order, from below 0 to above 360.
  let hues: [Double]
  /// Lightness and colorfulness of the cusps, and the reciprocal exponent of the hull above them, at each hue.
  let j, m, upper: [Double]
  /// For each degree, the last hue that is not above it.
  let starts: [Double]
  /// The most hues between two degrees.
  let steps: Int

  private static let count = 360

  init(_ primaries: Primaries, _ tones: ACES2ToneScale, _ limits: ACES2Limits) {
    let source = ACES2Appearance(of: .acesAP1)
    let cube = Cube(of: primaries, peak: tones.peak / 100)
    let reach = (0..<Self.count).map { Self.reach(of: Double($0), source, limits) }
    self.reach = reach + [reach[0]]
    let corners = Self.reachCorners(source, limits, upTo: tones.limit)
    let hues = Self.hues(through: corners + cube.corners.map(\.hue))
    let cusps = hues.map(cube.cusp)
    // The boundary is smoothed inwards; the cusp is moved outwards by as much.
    let m = cusps.map { $0.m * (1 + 0.27 * 0.12) }
    let upper = hues.indices.map { index in
      cube.exponent(hue: hues[index], j: cusps[index].j, m: m[index], limits)
    }
    func wrapped(_ values: [Double], turn: Double = 0) -> [Double] {
      [values[values.count - 1] - turn] + values + [values[0] + turn, values[1] + turn]
    }
    let all = wrapped(hues, turn: 360)
    self.hues = all
    (j, self.m, self.upper) = (wrapped(cusps.map(\.j)), wrapped(m), wrapped(upper))
    let degrees = (0..<Self.count).map(Double.init)
    starts = degrees.map { degree in
      let last = all.lastIndex { $0 <= degree }
      return Double(last ?? 0)
    }
    let counts = degrees.map { degree in all.count { $0 > degree && $0 <= degree + 1 } }
    steps = counts.max() ?? 0
  }

  /// The largest colorfulness of a hue in the gamut of `source`, within a hundredth.
  private static func reach(
    of hue: Double, _ source: ACES2Appearance, _ limits: ACES2Limits
  ) -> Double {
    func isOutside(_ m: Double) -> Bool {
      source.light(j: limits.largest, m: m, hue: hue).min() < 0
    }
    var (low, high) = (0.0, 50.0)
    while high < 1300, !isOutside(high) { (low, high) = (high, high + 50) }
    return bisect(from: low, to: high, within: 1e-2, where: isOutside).high
  }

  /// The hues of the corners of the cube of ACEScg at the largest lightness.
  private static func reachCorners(
    _ source: ACES2Appearance, _ limits: ACES2Limits, upTo limit: Double
  ) -> [Double] {
    let target = source.achromatic(limits.largest)
    return Cube.corners.map { corner in
      let scale = bisect(from: 0, to: limit, within: 1e-3) { scale in
        let color = corner * scale
        let response = source.opponents(of: FormulaVector<Double>(color.x, color.y, color.z)).x
        return response >= target
      }.high
      return source.correlates(of: corner * scale).hue
    }
  }

  /// One hue for each degree, nearly uniform, among them all of `corners`.
  private static func hues(through corners: [Double]) -> [Double] {
    let sorted = Set(corners).sorted()
    // The place of each corner; of two at the same place, one is moved.
    var places: [Int] = []
    var (last, least) = (-1, sorted[0] == 0 ? 0 : 1)
    for (index, hue) in sorted.enumerated() {
      var place = min(max(Int(hue.rounded(.toNearestOrAwayFromZero)), least), count - 1)
      if place == last {
        if index > 1, places[index - 2] != places[index - 1] - 1 {
          places[index - 1] -= 1
        } else {
          place += 1
        }
      }
      places.append(min(place, count - 1))
      (last, least) = (place, place)
    }
    let ends = [(0, 0.0)] + zip(places, sorted) + [(count, 360.0)]
    return zip(ends, ends.dropFirst()).flatMap { start, end in
      let width = (end.1 - start.1) / Double(max(1, end.0 - start.0))
      return (start.0..<max(start.0, end.0)).map { start.1 + Double($0 - start.0) * width }
    }
  }
}

/// The cube of a display's colors.
private struct Cube {
  struct Corner {
    var color: SIMD3<Double>
    var j, m, hue: Double
  }

  /// The corners with a hue, from the lowest hue on, and before and after them the last one and the first one.
  let corners: [Corner]
  private let cycle: [Corner]
  private let appearance: ACES2Appearance
  private let peak: Double

  /// Red, yellow, green, cyan, blue and magenta.
  static let corners: [SIMD3<Double>] = [
    [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1],
  ]

  init(of primaries: Primaries, peak: Double) {
    let appearance = ACES2Appearance(of: primaries)
    (self.appearance, self.peak) = (appearance, peak)
    let found = Self.corners.map { corner in
      let (j, m, hue) = appearance.correlates(of: corner * peak)
      return Corner(color: corner * peak, j: j, m: m, hue: hue)
    }
    let first = found.indices.min { found[$0].hue < found[$1].hue } ?? 0
    corners = Array(found[first...] + found[..<first])
    var (before, after) = (corners[corners.count - 1], corners[0])
    before.hue -= 360
    after.hue += 360
    cycle = [before] + corners + [after]
  }

  /// The color of a hue on the edges between the corners.
  func cusp(_ hue: Double) -> (j: Double, m: Double) {
    let index = cycle.firstIndex { $0.hue > hue } ?? 1
    let (from, to) = (cycle[max(index, 1) - 1], cycle[max(index, 1)])
    if from.hue == hue { return (from.j, from.m) }
    func correlates(_ t: Double) -> (j: Double, m: Double, hue: Double) {
      appearance.correlates(of: from.color + (to.color - from.color) * t)
    }
    let (low, high) = bisect(from: 0, to: 1, within: 1e-7) { t in
      // Hues of the edge across 0° lie on either side of it.
      let found = correlates(t).hue
      return found < from.hue ? true : found >= to.hue ? false : found > hue
    }
    let found = correlates((low + high) / 2)
    return (found.j, found.m)
  }

  /// The reciprocal of the smallest exponent for which the hull above the cusp lies outside of the cube.
  func exponent(hue: Double, j: Double, m: Double, _ limits: ACES2Limits) -> Double {
    let hull = ACES2Hull<Double>(j: j, m: m, upper: 1, limits)
    let lines = [0.01, 0.1, 0.5, 0.8, 0.99].map {
      hull.line(j + (limits.largest - j) * $0, m)
    }
    func isOutside(_ exponent: Double) -> Bool {
      lines.allSatisfy { line in
        let m = hull.boundary(line, upper: 1 / exponent)
        let light = appearance.light(j: line.gray + line.slope * m, m: m, hue: hue)
        return light.max() > peak
      }
    }
    var (low, high) = (0.0, 0.4)
    while high < 5, !isOutside(high) { (low, high) = (high, high + 0.4) }
    return 1 / bisect(from: low, to: high, within: 1e-5, where: isOutside).high
  }
}

/// Halves an interval until it is no longer than `tolerance`. `isBeyond` is false at its start and true at its end.
private func bisect(
  from start: Double, to end: Double, within tolerance: Double,
  where isBeyond: (Double) -> Bool
) -> (low: Double, high: Double) {
  var (low, high) = (start, end)
  while high - low > tolerance {
    let middle = (low + high) / 2
    if isBeyond(middle) { high = middle } else { low = middle }
  }
  return (low, high)
}
