internal import ColorSpaces
package import FilterGraph

extension Look {
  /// The box of input values outside of which the look clamps each channel; nil where it has none.
  package var inputBox: ColorBox? {
    var scaling = ChannelScaling.identity
    var lowest = SIMD3(repeating: -Double.infinity)
    var highest = SIMD3(repeating: Double.infinity)
    for step in steps {
      if let next = step.scaling {
        scaling = scaling.followed(by: next)
        continue
      }
      if let box = step.clampingBox {
        guard let part = scaling.preimage(of: box) else { return nil }
        lowest = pointwiseMax(lowest, part.lowest)
        highest = pointwiseMin(highest, part.highest)
      }
      guard step.isClamp else { break }
    }
    let width = highest - lowest
    // Narrower boxes are too narrow for a table.
    guard (0..<3).allSatisfy({ width[$0] >= 1e-6 && width[$0] < .infinity }) else { return nil }
    return ColorBox(lowest, highest)
  }

  /// The look as a scale and an offset for each channel before its last step, a table or curves; nil where it has others.
  ///
  /// Clamps that the last step repeats are left out.
  var scaledLookup: (scaling: ChannelScaling, lookup: Step)? {
    let unclamped = Look(steps: steps.dropLast().filter { !$0.isClamp } + steps.suffix(1))
    guard let lookup = steps.last, unclamped.inputBox == inputBox else { return nil }
    var scaling = ChannelScaling.identity
    for step in unclamped.steps.dropLast() {
      guard let next = step.scaling else { return nil }
      scaling = scaling.followed(by: next)
    }
    return (scaling, lookup)
  }
}

extension Look {
  /// The look as a scale and an offset for each channel, a curve for each, and the steps after them; nil where it begins otherwise, or has no
  /// steps after the curves.
  var shapedLookup: (scaling: ChannelScaling, curves: [Curve], rest: Look)? {
    let shaper = steps.firstIndex { if case .curves = $0 { !$0.isClamp } else { false } }
    guard let shaper, shaper < steps.count - 1,
      let (scaling, lookup) = Look(steps: Array(steps[...shaper])).scaledLookup,
      case .curves(let red, let green, let blue) = lookup
    else { return nil }
    return (scaling, [red, green, blue], Look(title: title, steps: Array(steps[(shaper + 1)...])))
  }
}

/// A scale and an offset for each channel.
struct ChannelScaling: Hashable {
  static let identity = ChannelScaling(scale: .one, offset: .zero)

  let scale, offset: SIMD3<Double>

  /// Creates a scaling of these numbers.
  init(scale: SIMD3<Double>, offset: SIMD3<Double>) { (self.scale, self.offset) = (scale, offset) }

  /// Creates the scaling of a box to 0…1, as readers of domains compute it.
  init(spreading box: ColorBox) {
    let scale = 1 / (box.highest - box.lowest)
    self.init(scale: scale, offset: -box.lowest * scale)
  }

  /// Returns both scalings as one, `next` after this one.
  func followed(by next: ChannelScaling) -> ChannelScaling {
    ChannelScaling(scale: next.scale * scale, offset: next.scale * offset + next.offset)
  }

  /// Returns the box whose values become those of `box`; nil where there is none.
  func preimage(of box: ColorBox) -> ColorBox? {
    guard (0..<3).allSatisfy({ scale[$0] != 0 && scale[$0].isFinite && offset[$0].isFinite }) else {
      return nil
    }
    let (a, b) = ((box.lowest - offset) / scale, (box.highest - offset) / scale)
    return ColorBox(pointwiseMin(a, b), pointwiseMax(a, b))
  }

  /// The box that becomes 0…1, as a file states a domain; nil where a channel falls or the box is too narrow.
  ///
  /// The corners are those from which readers compute this scale and this offset, where there are such.
  var domain: ColorBox? {
    guard all(scale .> 0), let near = preimage(of: .unit),
      all(near.highest - near.lowest .>= 1e-6)
    else { return nil }
    var (lowest, highest) = (near.lowest, near.highest)
    for channel in 0..<3 {
      (lowest[channel], highest[channel]) = Self.ends(
        near: lowest[channel], highest[channel], scale: scale[channel], offset: offset[channel])
    }
    return ColorBox(lowest, highest)
  }

  /// The ends of a range that ``Look/Step/spreading(_:_:)`` turns into a scale and an offset, round numbers first.
  private static func ends(
    near lowest: Double, _ highest: Double, scale: Double, offset: Double
  ) -> (Double, Double) {
    for low in candidates(near: lowest) {
      for high in candidates(near: highest) {
        let exact = 1 / (high - low)
        if exact == scale, -low * exact == offset { return (low, high) }
      }
    }
    return (lowest, highest)
  }

  /// A number of nine decimals near `value`, the value itself, and the numbers beside it.
  private static func candidates(near value: Double) -> [Double] {
    [(value * 1e9).rounded() / 1e9, value, value.nextUp, value.nextDown]
  }
}

extension Look.Step {
  /// Whether the step does nothing but clamp.
  fileprivate var isClamp: Bool {
    switch self {
    case .clamp: true
    case .curves(let red, let green, let blue):
      [red, green, blue].allSatisfy { $0 == .sampled(SampledCurve([0, 1])) }
    default: false
    }
  }

  /// The step as a scale and an offset for each channel; nil where it is none.
  fileprivate var scaling: ChannelScaling? {
    switch self {
    case .affine(let scale, let offset): return ChannelScaling(scale: scale, offset: offset)
    case .matrix(let matrix):
      let diagonal = SIMD3(matrix.column0.x, matrix.column1.y, matrix.column2.z)
      guard matrix == ColorMatrix(diagonal: diagonal) else { return nil }
      return ChannelScaling(scale: diagonal, offset: .zero)
    default: return nil
    }
  }

  /// The box of input values outside of which the step clamps each channel; nil where it has none.
  fileprivate var clampingBox: ColorBox? {
    switch self {
    case .clamp(let range):
      return ColorBox(SIMD3(repeating: range.lowerBound), SIMD3(repeating: range.upperBound))
    case .table(let table): return ColorBox(table.lowest, table.highest)
    case .curves(let red, let green, let blue):
      guard let red = red.clampingRange, let green = green.clampingRange,
        let blue = blue.clampingRange
      else { return nil }
      return ColorBox(
        [red.lowerBound, green.lowerBound, blue.lowerBound],
        [red.upperBound, green.upperBound, blue.upperBound])
    default: return nil
    }
  }
}

extension Curve {
  /// The range outside of which the curve is constant; nil where it has none.
  fileprivate var clampingRange: ClosedRange<Double>? {
    switch self {
    case .sampled(let curve) where curve.belowZero == .clamped: return 0...1
    case .segmented(let curve) where curve.belowZero == .continued:
      guard curve.segments.count > 2, let first = curve.segments.first, first.isFlat,
        let last = curve.segments.last, last.isFlat
      else { return nil }
      return curve.segments[1].start...last.start
    default: return nil
    }
  }
}
