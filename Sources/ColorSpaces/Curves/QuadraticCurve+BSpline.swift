extension QuadraticCurve {
  /// The quadratic B-spline of OpenColorIO's grading curves through points that rise, with two pieces between two points.
  ///
  /// - Parameters:
  ///   - points: Two points or more, by rising x; y does not fall.
  ///   - slopes: The slope at each point; without any, slopes follow from the points.
  package init(bSplineThrough points: [SIMD2<Double>], slopes: [Double] = []) {
    var slopes = slopes.contains { $0 != 0 } ? slopes : Self.slopes(at: points)
    var spans = Self.spans(points, slopes)
    if Self.raise(&slopes, points, spans) { spans = Self.spans(points, slopes) }
    let (first, end) = (points[0], points[points.count - 1])
    self.init(
      [Piece(origin: first.x, value: first.y, slope: slopes[0])] + spans.flatMap(\.pieces)
        + [Piece(from: end.x, origin: end.x, value: end.y, slope: slopes[slopes.count - 1])])
  }

  /// The pieces between two points, and the knot between them.
  private struct Span {
    var pieces: [Piece]
    var knot: Double?
  }

  /// The slope at a point is the mean of those of the chords at both sides, weighted by their lengths; chords in one line count as one.
  private static func slopes(at points: [SIMD2<Double>]) -> [Double] {
    let steps: [SIMD2<Double>] = zip(points, points.dropFirst()).map { $1 - $0 }
    let chords: [Double] = steps.map { $0.y / $0.x }
    if chords.count == 1 { return [chords[0], chords[0]] }
    var lengths: [Double] = steps.map { step in
      let square: SIMD2<Double> = step * step
      return square.sum().squareRoot()
    }
    var start = 0
    while start < chords.count {
      var end = start
      while end + 1 < chords.count, abs(chords[end + 1] - chords[end]) < 1e-6 { end += 1 }
      let whole: Double = lengths[start...end].reduce(0, +)
      for index in start...end { lengths[index] = whole }
      // OpenColorIO leaves the last chord alone once the one before it is reached.
      if end >= chords.count - 2 { break }
      start = end + 1
    }
    let inner = (1..<chords.count).map { (index: Int) -> Double in
      let rise: Double = lengths[index] * chords[index]
      let riseBefore: Double = lengths[index - 1] * chords[index - 1]
      return (rise + riseBefore) / (lengths[index] + lengths[index - 1])
    }
    func end(_ chord: Double, _ next: Double) -> Double {
      let slope: Double = 1.5 * chord - 0.5 * next
      return Swift.max(0.01, slope)
    }
    let (first, last) = (
      end(chords[0], inner[0]), end(chords[chords.count - 1], inner[inner.count - 1])
    )
    return [first] + inner + [last]
  }

  private static func spans(_ points: [SIMD2<Double>], _ slopes: [Double]) -> [Span] {
    points.indices.dropLast().map { index in
      span(points[index], points[index + 1], slopes[index], slopes[index + 1])
    }
  }

  private static func span(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ start: Double, _ end: Double
  ) -> Span {
    let width: Double = b.x - a.x
    let chord: Double = (b.y - a.y) / width
    let change: Double = end - start
    let bow: Double = start + end - 2 * chord
    if bow.magnitude < 1e-6 {
      let bend: Double = 0.5 * change / width
      let piece = Piece(from: a.x, origin: a.x, value: a.y, slope: start, bend: bend)
      return Span(pieces: [piece], knot: nil)
    }
    let before: Double = start - chord
    let after: Double = end - chord
    var knot: Double = (a.x + b.x) / 2
    if before * after < 0 {
      let isNearEnd = before.magnitude > after.magnitude
      let share: Double = (isNearEnd ? before : after) * width / change
      let place: Double = (isNearEnd ? b.x : a.x) + share
      // A knot that rounding brings to a point would leave a piece without width.
      if place > a.x, place < b.x { knot = place }
    }
    let t: Double = knot - a.x
    let slope: Double = 2 * chord - end + change * t / width
    let bend: Double = 0.5 * (slope - start) / t
    let value: Double = a.y + (start + bend * t) * t
    let secondBend: Double = 0.5 * (end - slope) / (b.x - knot)
    return Span(
      pieces: [
        Piece(from: a.x, origin: a.x, value: a.y, slope: start, bend: bend),
        Piece(from: knot, origin: knot, value: value, slope: slope, bend: secondBend),
      ], knot: knot)
  }

  /// Changes the slopes at the ends of spans that would fall at their knot. Returns whether there were any.
  private static func raise(
    _ slopes: inout [Double], _ points: [SIMD2<Double>], _ spans: [Span]
  ) -> Bool {
    var isChanged = false
    for (index, span) in spans.enumerated() {
      let (a, b) = (points[index], points[index + 1])
      let knot = span.knot ?? b.x
      let width: Double = b.x - a.x
      let chord: Double = (b.y - a.y) / width
      let before: Double = (knot - a.x) * slopes[index]
      let after: Double = (b.x - knot) * slopes[index + 1]
      let blend: Double = (before + after) / width
      if 2 * chord - blend >= 0 { continue }
      isChanged = true
      let sum: Double = slopes[index] + slopes[index + 1]
      let aim: Double = Swift.min(0.005 * sum, chord)
      let factor: Double = (2 * chord - aim) / blend
      slopes[index] *= factor
      slopes[index + 1] *= factor
    }
    return isChanged
  }
}
