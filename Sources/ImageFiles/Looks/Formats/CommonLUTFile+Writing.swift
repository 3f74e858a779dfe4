internal import ColorSpaces
internal import FilterGraph

extension Look {
  /// The text of a `.clf`, with an element for each step. Throws where a step has none.
  func commonLUT(file: String) throws(LookFileError) -> [LookLines] {
    let nodes: [CommonLUTNode]
    do throws(LookFileError) {
      nodes = try LookContent(self, .commonLUT, file: file).commonLUT
    } catch {
      nodes = try commonLUTNodes(file: file)
    }
    let name = Self.attribute(title)
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <ProcessList id="\(Self.identifier(of: nodes, title: title))"\(name.isEmpty ? "" : " name=\"\(name)\"") compCLFversion="3">

      """
    // A list without elements is invalid.
    let lines = (nodes.isEmpty ? [.matrix(.identity)] : nodes).map(\.lines)
    return [LookLines(header: head)] + lines + [LookLines(header: "</ProcessList>\n")]
  }

  /// A UUID of version 8 (RFC 9562): the bytes “colo”, and 90 bits of the SHA-256 of the title and of the elements. Equal looks have equal
  /// identifiers, others have others.
  private static func identifier(of nodes: [CommonLUTNode], title: String) -> String {
    let content = nodes.map { $0.lines.header + $0.digest }.joined()
    let digits = Array(ContentHash(bytes: "\(title)\n\(content)".utf8).digits)
    func group(_ range: Range<Int>) -> String { String(digits[range]) }
    return "\(hashMark)\(group(0..<4))-8\(group(4..<7))-a\(group(7..<10))-\(group(10..<22))"
  }

  /// What identifiers of written files begin with.
  private static let hashMark = "urn:uuid:636f6c6f-"

  /// Whether the identifier of a file is no title, because it is a hash that ``write(to:)`` made.
  static func isHash(identifier: String) -> Bool { identifier.hasPrefix(hashMark) }

  private func commonLUTNodes(file: String) throws(LookFileError) -> [CommonLUTNode] {
    var nodes: [CommonLUTNode] = []
    var index = 0
    while index < steps.count {
      var count = 1
      switch steps[index] {
      case .matrix(let matrix):
        var offset: SIMD3<Double>?
        if index + 1 < steps.count, case .affine(.one, let next) = steps[index + 1] {
          (offset, count) = (next == .zero ? nil : next, 2)
        }
        guard (matrix.rows + [offset ?? .zero]).allSatisfy(\.isStorable) else {
          throw refusal(of: index, file: file)
        }
        nodes.append(.matrix(matrix, offset: offset))
      case .affine(let scale, let offset):
        guard scale.isStorable, offset.isStorable else { throw refusal(of: index, file: file) }
        nodes += ChannelScaling(scale: scale, offset: offset).commonLUTNodes
      case let step:
        guard let elements = step.commonLUTNodes else { throw refusal(of: index, file: file) }
        nodes += elements
      }
      index += count
    }
    return nodes
  }

  /// The error for a step that the format has no element for.
  private func refusal(of step: Int, file: String) -> LookFileError {
    .cannotHold(
      file: file,
      reason:
        "a .clf holds matrices, ranges, 1D LUTs over 0…1, powers, logarithms, 3D LUTs and color decisions, and step "
        + "\(step + 1) of the look is none of them; bake the look into a 3D LUT first")
  }
}

extension SIMD3<Double> {
  /// Whether readers of look files take these numbers.
  fileprivate var isStorable: Bool { (0..<3).allSatisfy { ColorTable.values.contains(self[$0]) } }
}

extension ChannelScaling {
  /// The elements of the Common LUT Format that do the same: a matrix, or nothing.
  var commonLUTNodes: [CommonLUTNode] { self == .identity ? [] : [.matrix(self)] }

  /// The scaling from 0…1 to a box.
  init(filling box: ColorBox) {
    self.init(scale: box.highest - box.lowest, offset: box.lowest)
  }
}

extension Look.Step {
  /// The elements of the Common LUT Format that do the same as this step; nil where there are none.
  fileprivate var commonLUTNodes: [CommonLUTNode]? {
    switch self {
    case .clamp(let range): return Self.nodes(of: range)
    case .decisions(let decisions): return [.decisions(decisions)]
    case .table(let table):
      let box = ColorBox(table.lowest, table.highest)
      let spreading = box == .unit ? [] : ChannelScaling(spreading: box).commonLUTNodes
      return spreading + [.table(table)]
    case .curves(let red, let green, let blue): return Self.nodes(of: [red, green, blue])
    case .hueAdjustedCurves(let red, let green, let blue):
      return SampledCurve.ofEqualCounts([red, green, blue]).map {
        [.curves($0, keepingHues: true)]
      }
    default: return nil
    }
  }

  /// The narrowest range that readers of the format take.
  private static let narrowest = 1e-6

  private static func nodes(of range: ClosedRange<Double>) -> [CommonLUTNode]? {
    let (low, high) = (range.lowerBound, range.upperBound)
    guard high - low >= narrowest,
      [low, high].allSatisfy({ $0.isInfinite || ColorTable.values.contains($0) })
    else { return nil }
    return low.isFinite || high.isFinite ? [.range(range)] : []
  }

  private static func nodes(of curves: [Curve]) -> [CommonLUTNode]? {
    if let sampled = SampledCurve.ofEqualCounts(curves) { return [.curves(sampled)] }
    let lines = curves.compactMap(\.line)
    if lines.count == 3 {
      let scaling = ChannelScaling(
        scale: SIMD3(lines[0].slope, lines[1].slope, lines[2].slope),
        offset: SIMD3(lines[0].intercept, lines[1].intercept, lines[2].intercept))
      return scaling.scale.isStorable && scaling.offset.isStorable ? scaling.commonLUTNodes : nil
    }
    let ranges = curves.compactMap(\.heldRange)
    if ranges.count == 3 { return nodes(of: ranges) }
    return (CommonLUTNode.logarithm(curves) ?? CommonLUTNode.exponent(curves)).map { [$0] }
  }

  /// A `Range` is of all channels: other ranges are those of 0…1 between two matrices.
  private static func nodes(of ranges: [ClosedRange<Double>]) -> [CommonLUTNode]? {
    if ranges.allSatisfy({ $0 == ranges[0] }) { return nodes(of: ranges[0]) }
    let box = ColorBox(
      SIMD3(ranges[0].lowerBound, ranges[1].lowerBound, ranges[2].lowerBound),
      SIMD3(ranges[0].upperBound, ranges[1].upperBound, ranges[2].upperBound))
    guard all(box.highest - box.lowest .>= narrowest), box.lowest.isStorable, box.highest.isStorable
    else { return nil }
    return ChannelScaling(spreading: box).commonLUTNodes + [.range(0...1)]
      + ChannelScaling(filling: box).commonLUTNodes
  }
}

extension SampledCurve {
  /// Curves over 0…1 with as many values each and the same results; nil where not all are sampled and clamp.
  ///
  /// Of different counts, all take the values at the smallest common steps, which interpolation leaves as they are.
  static func ofEqualCounts(_ curves: [Curve]) -> [SampledCurve]? {
    var sampled: [SampledCurve] = []
    for curve in curves {
      guard case .sampled(let curve) = curve, [.clamped, .continued].contains(curve.belowZero),
        curve.values.allSatisfy({ ColorTable.values.contains(Double($0)) })
      else { return nil }
      sampled.append(curve)
    }
    var steps = 1
    for curve in sampled {
      let next = curve.values.count - 1
      var (divisor, rest) = (steps, next)
      while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
      steps = steps / divisor * next
      guard Look.Step.curveSizes.contains(steps + 1) else { return nil }
    }
    return sampled.map { curve in
      guard curve.values.count != steps + 1 else { return SampledCurve(curve.values) }
      return SampledCurve((0...steps).map { Float(curve(Double($0) / Double(steps))) })
    }
  }
}

extension Curve {
  /// The slope and the intercept of a curve that is one line; nil for others.
  fileprivate var line: (slope: Double, intercept: Double)? {
    switch self {
    case .identity: return (1, 0)
    case .segmented(let curve):
      guard curve.segments.count == 1, curve.belowZero == .continued else { return nil }
      return curve.segments[0].line
    default: return nil
    }
  }

  /// The range to which the curve clamps, where it does nothing else.
  fileprivate var heldRange: ClosedRange<Double>? {
    guard case .segmented(let curve) = self, curve.belowZero == .continued,
      curve.segments.count == 3
    else { return nil }
    let lines = curve.segments.compactMap(\.line)
    let (low, high) = (curve.segments[1].start, curve.segments[2].start)
    guard lines.count == 3, lines[0] == (0, low), lines[1] == (1, 0), lines[2] == (0, high) else {
      return nil
    }
    return low...high
  }
}

extension SegmentedCurve.Segment {
  /// The slope and the intercept of a line; nil for another shape.
  var line: (slope: Double, intercept: Double)? {
    shape == .line ? (scale * slope, scale * shift + offset) : nil
  }
}
