internal import CPixelKernels
internal import ColorSpaces

extension Curve {
  /// The kernels' chain of segments for this curve, if it is one.
  var kernelSegments: cpk_segments? {
    switch self {
    case .identity: return cpk_segments()
    case .segmented(let curve): return cpk_segments(curve)
    default: return nil
    }
  }

  /// The kernels' fraction of powers for this curve, if it is one.
  var kernelRational: cpk_rational? {
    switch self {
    case .identity: return cpk_rational()
    case .rationalPower(let curve): return cpk_rational(curve)
    default: return nil
    }
  }
}

extension cpk_segments {
  init(_ curve: SegmentedCurve) {
    self.init()
    count = Int32(curve.segments.count)
    below_zero = curve.belowZero.kernelPolicy
    withUnsafeMutableBytes(of: &segments) { bytes in
      for (index, segment) in curve.segments.enumerated() {
        bytes.storeBytes(
          of: cpk_segment(segment, isFirst: index == 0),
          toByteOffset: index * MemoryLayout<cpk_segment>.stride, as: cpk_segment.self)
      }
    }
  }
}

extension cpk_segment {
  init(_ segment: SegmentedCurve.Segment, isFirst: Bool) {
    self.init()
    // The first float that is not before the start.
    start = isFirst ? -.infinity : Float(segment.start)
    if !isFirst, Double(start) < segment.start { start = start.nextUp }
    if segment.isFlat {
      shape = Int32(CPK_CONSTANT)
      shift.0 = Float(segment(0))
      return
    }
    switch segment.shape {
    case .line:
      shape = Int32(CPK_LINE)
      slope = split(segment.scale * segment.slope)
      shift = split(segment.scale * segment.shift + segment.offset)
    case .power(let exponent):
      // The slope's size moves out of the power; its sign is all that is left of it.
      shape = Int32(CPK_RAISED)
      let size = abs(segment.slope)
      slope.0 = segment.slope < 0 ? -1 : 1
      shift = split(segment.shift / size)
      let scale = segment.scale * ColorSpaces.power(size, exponent)
      var curve = PowerCurve(scale: scale, exponent: exponent, offset: segment.offset)
      if segment.slope > 0, segment.start < 1, shift.0.isFinite {
        // As a float, because here the shift has a second part, and no error for the table to make good.
        let shift = Double(shift.0)
        curve = PowerCurve(
          scale: scale, shift: shift, exponent: exponent, offset: segment.offset,
          threshold: max(-shift, isFirst ? -.infinity : segment.start))
      }
      power = PowerTables.table(of: curve, inSegment: true)
    case .logarithm:
      shape = Int32(CPK_LOGARITHM)
      (slope, shift) = (split(segment.slope), split(segment.shift))
      (scale, offset) = (split(segment.scale), split(segment.offset))
      fill(&polynomial, Self.logarithm.map { $0 * segment.scale })
    case .exponential:
      shape = Int32(CPK_EXPONENTIAL)
      // The scale's size becomes part of the exponent, which then overflows only where the value does.
      let sum = segment.shift + log2(abs(segment.scale))
      slope = split(segment.slope)
      shift = split(sum, at: Float((sum * 0x1p12).rounded() * 0x1p-12))
      (scale.0, offset.0) = (segment.scale < 0 ? -1 : 1, Float(segment.offset))
      fill(&polynomial, Self.exponential)
    @unknown default: preconditionFailure("No kernel computes the shape \(segment.shape).")
    }
  }

  /// log₂(1 + t) / t for mantissas √½…√2.
  private static let logarithm = chebyshevFit(
    degree: CPK_LOGARITHM_DEGREE, from: 0.5.squareRoot() - 1, width: 0.5.squareRoot()
  ) { log2(1 + $0) / $0 }

  /// 2^t for −½…½.
  private static let exponential = chebyshevFit(degree: CPK_EXPONENTIAL_DEGREE, from: -0.5) {
    $0 == 0 ? 1 : exp2($0)
  }
}

/// A number as the sum of two floats, the first one near it.
private func split(_ x: Double, at high: Float? = nil) -> (Float, Float) {
  let high = high ?? Float(x)
  return (high, Float(x - Double(high)))
}

extension cpk_rational {
  init(_ curve: RationalPowerCurve) {
    self.init()
    (a, b, c, d) = (curve.a, curve.b, curve.c, curve.d)
    (inner, outer) = (curve.inner, curve.outer)
    below_zero = curve.belowZero.kernelPolicy
    present = 1
    // log₂ m = 2 artanh s / ln 2; the seventh term is below 2⁻³⁵.
    fillDoubles(
      &logarithm,
      (0..<CPK_RATIONAL_LOGARITHM_TERMS).map { 2 * log2(eulersNumber) / Double(2 * $0 + 1) })
    // Taylor, |t| ≤ ½; the eleventh term is below 2⁻³⁷.
    var coefficient = 1.0
    fillDoubles(
      &exponential,
      (0..<CPK_RATIONAL_EXPONENTIAL_TERMS).map { power in
        defer { coefficient /= Double(power + 1) * log2(eulersNumber) }
        return coefficient
      })
  }
}

private func fillDoubles<Tuple>(_ tuple: inout Tuple, _ values: [Double]) {
  withUnsafeMutableBytes(of: &tuple) { bytes in
    values.withUnsafeBytes { bytes.copyMemory(from: $0) }
  }
}
