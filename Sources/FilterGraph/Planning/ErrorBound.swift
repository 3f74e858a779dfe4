internal import ColorSpaces
internal import ImageBuffer

/// Bounds of the values that a step computes, per channel, with half floats in caches and without.
struct ErrorBound {
  /// The largest absolute value in either case; nil where none is known.
  var magnitude: SIMD3<Double>?
  /// The largest difference between both cases; nil where none is known.
  var difference: SIMD3<Double>?

  private static let unknown = ErrorBound(magnitude: nil, difference: nil)
  /// Not affected by any half float.
  private static let unaffected = ErrorBound(magnitude: nil, difference: .zero)
  /// The unit roundoff of single precision.
  private static let unit = 0x1p-24
  /// Rounds bounds, which are themselves computed in double precision, up. The roundings of all operations of a bound are
  /// below 2⁻⁴⁰ of it.
  private static let up = 1 + 0x1p-40

  /// The bounds of each step if the caches `halves` hold half floats.
  static func bounds(of steps: [Step], halves: Set<Int>) -> [ErrorBound] {
    var bounds: [ErrorBound] = []
    for (index, step) in steps.enumerated() {
      var bound = step.errorBound(after: step.inputs.map { bounds[$0] })
      if halves.contains(index) { bound = bound.storedAsHalf }
      bounds.append(bound)
    }
    return bounds
  }

  /// The bound of samples of a format that holds 0…1 alone.
  static func source(_ format: SampleFormat?) -> ErrorBound {
    switch format {
    case .uint8, .uint16: ErrorBound(magnitude: .one, difference: .zero)
    default: .unaffected
    }
  }

  /// The bound for values of which nothing is known but whether half floats affect them.
  var ofUnknownStep: ErrorBound { difference == .zero ? .unaffected : .unknown }

  private var storedAsHalf: ErrorBound {
    // The largest half is 65504. Rounded values must not reach the next power of two.
    guard let magnitude, let difference, (magnitude + difference).max() < 65504 else {
      return .unknown
    }
    let error = SIMD3(
      Self.halfError(magnitude.x), Self.halfError(magnitude.y), Self.halfError(magnitude.z))
    return ErrorBound(
      magnitude: (magnitude + error) * Self.up, difference: (difference + error) * Self.up)
  }

  /// The largest error of rounding a value of up to so much to half precision: half a unit in the last place, at least 2⁻²⁵.
  ///
  /// Slightly above a power of two, the value itself is no farther from it than that.
  static func halfError(_ magnitude: Double) -> Double {
    if magnitude == 0 { return 0 }
    let power = magnitude.binade
    return max(min(power * 0x1p-11, magnitude - power), power * 0x1p-12, 0x1p-25)
  }

  /// The bound after a weighted sum of `count` values, with `gain` the sum of absolute weights.
  func summed(gain: Double, count: Int) -> ErrorBound {
    guard let magnitude else { return ofUnknownStep }
    let rounding = Double(count + 2) * 2 * Self.unit
    return moved(
      magnitude: magnitude * gain, difference: difference.map { $0 * gain },
      rounding: magnitude * gain * rounding)
  }

  /// The bound for exact values of up to `magnitude`, each computed with an error of up to `rounding`.
  ///
  /// Values that half floats do not affect are the same bits in both cases.
  private func moved(
    magnitude: SIMD3<Double>, difference: SIMD3<Double>?, rounding: SIMD3<Double>
  ) -> ErrorBound {
    ErrorBound(
      magnitude: (magnitude + rounding) * Self.up,
      difference: self.difference == .zero
        ? .zero : difference.map { ($0 + 2 * rounding) * Self.up })
  }

  /// The bound after a stage.
  func after(_ stage: PointProgram.Stage) -> ErrorBound {
    switch stage {
    case .clamp(let range):
      let most = max(abs(range.lowerBound), abs(range.upperBound))
      guard most.isFinite else { return ofUnknownStep }
      return ErrorBound(
        magnitude: SIMD3(repeating: Double(Float(most).nextUp)), difference: difference)
    case .decode(let transfer):
      return transfer.curves.map { after($0.decoding) } ?? ofUnknownStep
    case .encode(let transfer):
      return transfer.curves.map { after($0.encoding) } ?? ofUnknownStep
    default: break
    }
    guard let magnitude else { return ofUnknownStep }
    // Parameters are rounded to single precision, a product and a sum are rounded: fewer than eight roundings of at most
    // one unit of the sum of absolute terms.
    let roundings = 8 * Self.unit
    switch stage {
    case .affine(let scale, let offset):
      let (scale, offset) = (scale.magnitudes * (1 + roundings), offset.magnitudes)
      let sum = scale * magnitude + offset
      return moved(
        magnitude: sum, difference: difference.map { scale * $0 }, rounding: sum * roundings)
    case .matrix(let matrix):
      func product(_ values: SIMD3<Double>) -> SIMD3<Double> {
        let sums = matrix.rows.map { ($0.magnitudes * values).sum() * (1 + roundings) }
        return SIMD3(sums[0], sums[1], sums[2])
      }
      let sum = product(magnitude)
      return moved(
        magnitude: sum, difference: difference.map(product), rounding: sum * roundings)
    default: return ofUnknownStep
    }
  }

  private func after(_ curve: Curve) -> ErrorBound {
    guard let magnitude else { return ofUnknownStep }
    switch curve {
    case .identity: return self
    case .power(let curve):
      guard let x = curve.bound(upTo: magnitude.x), let y = curve.bound(upTo: magnitude.y),
        let z = curve.bound(upTo: magnitude.z)
      else { return ofUnknownStep }
      let slope = SIMD3(x.slope, y.slope, z.slope)
      let jump = SIMD3(x.jump, y.jump, z.jump)
      return moved(
        magnitude: SIMD3(x.magnitude, y.magnitude, z.magnitude),
        difference: difference.map { slope * $0 + jump },
        rounding: SIMD3(x.rounding, y.rounding, z.rounding))
    default: return ofUnknownStep
    }
  }
}

extension PowerCurve {
  /// The largest absolute value and slope over −x…x, all jumps together, and the kernels' error; nil where no bound is known.
  ///
  /// From zero on, the curve is a line up to the threshold and a power from there. The slope of a power is largest at one of
  /// its ends. Kernels compute powers to a few units in the last place up to 64; 2⁻¹⁹ of all terms is 32 units.
  fileprivate func bound(
    upTo x: Double
  ) -> (magnitude: Double, slope: Double, jump: Double, rounding: Double)? {
    guard belowZero == .mirrored || belowZero == .clamped, threshold >= 0, scale > 0,
      exponent > 0, exponent <= 4
    else { return nil }
    let x = max(x, threshold) * (1 + 0x1p-20)
    // At an exponent of 1 and more, the slope is largest at the upper end.
    let foot = (exponent < 1 ? threshold * (1 - 0x1p-20) : x) + shift
    guard foot > 0, threshold + shift >= 0, x <= 64 else { return nil }
    func value(_ x: Double) -> Double { scale * power(x + shift, exponent) + offset }
    let line = slope * threshold + intercept
    let steepest = max(abs(slope), scale * exponent * power(foot, exponent - 1))
    let top = scale * power(x + shift, exponent)
    let terms = top + abs(offset) + abs(slope) * threshold + abs(intercept) + steepest * abs(shift)
    let start = threshold > 0 ? abs(intercept) : max(abs(intercept), abs(value(0)))
    return (
      max(abs(value(x)), abs(value(threshold)), abs(line), abs(intercept)) * (1 + 0x1p-40),
      steepest * (1 + 0x1p-40), 2 * abs(value(threshold) - line) + 2 * start + 0x1p-40,
      terms * 0x1p-19
    )
  }
}

extension Step {
  /// The bounds of what it computes, from those of its inputs.
  fileprivate func errorBound(after inputs: [ErrorBound]) -> ErrorBound {
    if case .source(let bitmap, _) = work, planeCount == 3 { return .source(bitmap.format) }
    // For ink sources `pixelSamples` is single precision, whose magnitude is unknown.
    if case .rows(let source) = work, planeCount == 3 { return .source(source.pixelSamples.format) }
    var joined = inputs.first ?? .source(nil)
    for input in inputs.dropFirst() {
      let (a, b) = (joined.difference, input.difference)
      joined.difference = a.flatMap { a in b.map { pointwiseMax(a, $0) } }
    }
    guard inputs.count == 1, planeCount == 3 else { return joined.ofUnknownStep }
    switch work {
    case .cached, .window: return joined
    case .point(let lowered) where storage == nil:
      return lowered.program.stages.reduce(joined) { $0.after($1) }
    case .area(let area):
      guard let sum = area.weights?() else { return joined.ofUnknownStep }
      return joined.summed(gain: sum.gain, count: sum.count)
    default: return joined.ofUnknownStep
    }
  }
}
