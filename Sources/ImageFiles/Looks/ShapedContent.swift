internal import ColorSpaces
internal import FilterGraph

/// What files with a curve for each channel before their table hold.
struct ShapedContent {
  /// How many points stand for a curve that is not sampled: 1,024 even steps of its values. A logarithm of 16 stops is then off by less
  /// than 10⁻⁵ of its range.
  private static let pointCount = 1025
  /// The most values of a line of a `.csp`, and the least distance of inputs.
  private static let (lineSizes, narrowest) = (2...65_536, 1e-8)

  /// The points of a curve.
  private struct Points {
    var inputs: [Double] = []
    var outputs: [Float] = []
  }

  private let format: LookFileFormat
  private let points: [Points]
  private let content: LookContent
  /// The steps after the curves, which `content` holds.
  private let rest: Look
  /// The range of the sampled curves of a `.cube`.
  private var range = 0.0...1.0

  /// The content of a look; nil where it is not one, or the format holds none.
  init?(_ look: Look, _ format: LookFileFormat, file: String) throws(LookFileError) {
    guard format == .cineSpace || format == .cube, let shaped = look.shapedLookup else {
      return nil
    }
    self.format = format
    rest = shaped.rest
    content = try LookContent(rest, format, file: file)
    guard format != .cube || content.table != nil else { return nil }
    var curves = shaped.curves
    if format == .cube {
      guard let sampled = SampledCurve.ofEqualCounts(curves), let domain = shaped.scaling.domain,
        domain == ColorBox(SIMD3(repeating: domain.lowest.x), SIMD3(repeating: domain.highest.x))
      else { return nil }
      curves = sampled.map { .sampled($0) }
      range = domain.lowest.x...domain.highest.x
    }
    var points: [Points] = []
    for channel in 0..<3 {
      guard
        let next = Self.points(
          of: curves[channel], after: shaped.scaling, content, channel: channel),
        // A `.cube` states the ends of the range only.
        format == .cube
          || zip(next.inputs, next.inputs.dropFirst()).allSatisfy({ $1 - $0 >= Self.narrowest })
      else { return nil }
      points.append(next)
    }
    self.points = points
  }

  /// The text of the file.
  func lines(title: String) -> [LookLines] {
    guard format == .cube else {
      return [content.cineSpace(curves: points.map(Self.text))]
    }
    let columns = points.map(\.outputs)
    let size = columns[0].count
    let curve = LookLines(
      header: content.cube(
        title: title, curveSize: size, over: "\(range.lowerBound) \(range.upperBound)"),
      count: size
    ) { row in columns.map { "\($0[row])" }.joined(separator: " ") }
    return [curve, content.rows]
  }

  /// The look as readers of a `.csp` understand the file: curves of other points than even ones are sampled.
  var stored: Look {
    let lowest = SIMD3(points[0].inputs[0], points[1].inputs[0], points[2].inputs[0])
    func last(_ channel: Int) -> Double { points[channel].inputs.last ?? 1 }
    func curve(_ channel: Int) -> Curve {
      .sampled(
        .through(points[channel].inputs, points[channel].outputs.map { Double($0) }))
    }
    let scale = 1 / content.scaling.scale
    return Look(
      title: rest.title,
      steps: [
        .spreading(lowest, SIMD3(last(0), last(1), last(2))),
        .curves(curve(0), curve(1), curve(2)),
        .affine(scale: scale, offset: -content.scaling.offset * scale),
      ] + rest.steps)
  }

  private static func text(_ points: Points) -> String {
    "\(points.inputs.count)\n\(points.inputs.map { "\($0)" }.joined(separator: " "))\n"
      + "\(points.outputs.map { "\($0)" }.joined(separator: " "))\n"
  }

  /// The points of a curve between a scaling and a table, whose outputs are places of 0…1 in the table; nil where it is neither sampled nor
  /// a rising function.
  private static func points(
    of curve: Curve, after scaling: ChannelScaling, _ content: LookContent, channel: Int
  ) -> Points? {
    let (scale, offset) = (content.scaling.scale[channel], content.scaling.offset[channel])
    if case .sampled(let sampled) = curve, let domain = scaling.domain {
      let count = sampled.values.count
      let (low, high) = (domain.lowest[channel], domain.highest[channel])
      guard [.clamped, .continued].contains(sampled.belowZero), lineSizes.contains(count) else {
        return nil
      }
      let steps = (0..<count).map { low + (high - low) * (Double($0) / Double(count - 1)) }
      return Points(
        inputs: steps.dropLast() + [high],
        outputs: sampled.values.map { value in
          scale == 1 && offset == 0 ? value : Float(Double(value) * scale + offset)
        })
    }
    guard let inverse = curve.risingInverse, scaling.scale[channel] > 0, scale > 0 else {
      return nil
    }
    var points = Points()
    for index in 0..<pointCount {
      let place = Double(index) / Double(pointCount - 1)
      let value = (place - offset) / scale
      let input = (inverse(value) - scaling.offset[channel]) / scaling.scale[channel]
      let isHit = abs((curve(inverse(value)) - value) * scale) <= 1e-6
      guard ColorTable.values.contains(input), isHit else { return nil }
      // Points that readers cannot tell apart are left out, except the last one.
      if let last = points.inputs.last, input - last < narrowest {
        guard index == pointCount - 1 else { continue }
        points.inputs.removeLast()
        points.outputs.removeLast()
      }
      points.inputs.append(input)
      points.outputs.append(Float(place))
    }
    guard points.inputs.count >= 2 else { return nil }
    return points
  }
}

extension Curve {
  /// The inverse of a function that rises everywhere; nil for others.
  fileprivate var risingInverse: Curve? {
    switch self {
    case .identity: return .identity
    case .power(let curve):
      guard curve.hasInverse, curve.exponent > 0 else { return nil }
      return .power(curve.inverse)
    case .segmented(let curve):
      guard curve.hasInverse,
        curve.segments.allSatisfy({ !$0.isFlat && $0.slope * $0.scale > 0 })
      else { return nil }
      return .segmented(curve.inverse)
    default: return nil
    }
  }
}
