internal import ColorSpaces
internal import FilterGraph

extension CommonLUTStep {
  /// How many entries an `IndexMap` may have: each is a step of the look.
  private static let indexMapSizes = 2...64
  /// The most bytes of an `IndexMap` that are read.
  private static let mostBytes = 1 << 16

  /// The steps from input values to positions in a table of `size` entries, as the element's `IndexMap` states them; none where the
  /// table covers the input's range evenly.
  ///
  /// An `IndexMap` (S-2014-006, version 2) is a list of pairs `value@index` for all channels, or three such lists. Between pairs it is
  /// linear, and beyond them constant.
  func indexSteps(size: Int) throws(LookFileError) -> [Look.Step] {
    let elements = element.children.filter { $0.name == "IndexMap" }
    if elements.isEmpty { return [] }
    guard elements.count == 1 || elements.count == 3 else {
      throw unsupported(
        "<\(element.name)> has \(elements.count) <IndexMap>; one for all channels or three are known"
      )
    }
    var chains: [[Curve]] = []
    for map in elements { chains.append(curves(through: try points(of: map, size: size))) }
    let count = chains.map(\.count).max() ?? 0
    return (0..<count).map { index in
      func curve(_ channel: Int) -> Curve {
        let chain = chains[min(channel, chains.count - 1)]
        return index < chain.count ? chain[index] : .identity
      }
      return .curves(curve(0), curve(1), curve(2))
    }
  }

  /// The pairs, as values and positions of 0…1.
  private func points(
    of map: XMLElement, size: Int
  ) throws(LookFileError) -> [SIMD2<Double>] {
    let pairCount = map.content.count { $0 == UInt8(ascii: "@") }
    // Longer texts have other content than the pairs of a map.
    let words = String(decoding: map.content.prefix(Self.mostBytes), as: UTF8.self)
      .split { $0 == "@" || $0.isWhitespace }
    let numbers = words.compactMap { decimalNumber($0) }.filter(ColorTable.values.contains)
    guard numbers.count == words.count, numbers.count == 2 * pairCount,
      Int(map.attributes["dim"] ?? "\(pairCount)") == pairCount
    else {
      throw unsupported(
        "an <IndexMap> is a list of pairs such as 64@0 940@1023, as many as its dim says; this one is "
          + "“\(words.joined(separator: " ").prefix(40))”")
    }
    guard Self.indexMapSizes.contains(pairCount) else {
      throw unsupported(
        "an <IndexMap> of \(pairCount) pairs is not known; it may have "
          + "\(Self.indexMapSizes.lowerBound) to \(Self.indexMapSizes.upperBound)")
    }
    let points = (0..<pairCount).map { index in
      SIMD2(numbers[2 * index] / inputOne, numbers[2 * index + 1] / Double(size - 1))
    }
    for (point, next) in zip(points, points.dropFirst()) {
      // The steps between points must not be so small that slopes overflow single precision.
      guard next.x - point.x >= 1e-6, next.y - point.y >= 1e-6 else {
        throw unsupported("the values and indices of an <IndexMap> must rise from pair to pair")
      }
    }
    guard points[0].y >= 0, points[pairCount - 1].y <= 1 else {
      throw unsupported(
        "the indices of an <IndexMap> lie in 0…\(size - 1), the entries of its table; one does not")
    }
    return points
  }

  /// Returns a chain of curves that together are linear between the points and constant beyond them.
  ///
  /// A curve has at most four segments, so each curve after the first line adds one more point.
  private func curves(through points: [SIMD2<Double>]) -> [Curve] {
    let (first, last) = (points[0], points[points.count - 1])
    let slopes = zip(points, points.dropFirst()).map { ($1.y - $0.y) / ($1.x - $0.x) }
    let held = SegmentedCurve([
      .constant(first.x), .line(from: first.x, slope: 1), .constant(last.x, from: last.x),
    ])
    let line = SegmentedCurve([
      .line(slope: slopes[0], intercept: first.y - first.x * slopes[0])
    ])
    let bends = slopes.indices.dropFirst().map { index in
      let (level, bend) = (points[index].y, slopes[index] / slopes[index - 1])
      return SegmentedCurve([
        .line(slope: 1), .line(from: level, slope: bend, intercept: level - level * bend),
      ])
    }
    return ([held, line] + bends).map { .segmented($0) }
  }
}
