/// `logSlope · log(linearSlope · x + linearOffset) + logOffset`, and below a break, where there is one, a line: the form of camera
/// logarithms in the Common LUT Format (S-2014-006) and in OpenColorIO.
package struct LogarithmParameters: Hashable, Sendable {
  package var base, logSlope, logOffset, linearSlope, linearOffset: Double
  /// Below it a line continues the logarithm.
  package var lineEnd: Double?
  /// The line's slope; nil for that of the logarithm at the break.
  package var lineSlope: Double?

  package init(
    base: Double, logSlope: Double, logOffset: Double, linearSlope: Double, linearOffset: Double,
    lineEnd: Double? = nil, lineSlope: Double? = nil
  ) {
    (self.base, self.logSlope, self.logOffset) = (base, logSlope, logOffset)
    (self.linearSlope, self.linearOffset) = (linearSlope, linearOffset)
    (self.lineEnd, self.lineSlope) = (lineEnd, lineSlope)
  }

  /// The argument of the logarithm at the break; nil without a break.
  package var argumentAtBreak: Double? {
    guard let lineEnd else { return nil }
    return linearSlope * lineEnd + linearOffset
  }

  /// The curve from light to logarithm, or back.
  package func curve(isInverse: Bool) -> SegmentedCurve {
    var line: (end: Double, level: Double, slope: Double)?
    if let end = lineEnd, let inner = argumentAtBreak {
      let level: Double = logSlope * log2(inner) / log2(base) + logOffset
      let width: Double = inner * log2(base) * naturalLogarithm(2)
      let slope: Double = logSlope * linearSlope / width
      line = (end, level, lineSlope ?? slope)
    }
    if isInverse {
      let start = line?.level ?? -.infinity
      let power = SegmentedCurve.Segment.exponential(
        base: base, from: start, slope: 1 / logSlope, shift: -logOffset / logSlope,
        scale: 1 / linearSlope, offset: -linearOffset / linearSlope)
      guard let line else { return SegmentedCurve([power]) }
      let intercept: Double = line.end - line.level / line.slope
      return SegmentedCurve([.line(slope: 1 / line.slope, intercept: intercept), power])
    }
    let log = SegmentedCurve.Segment.log(
      base: base, from: line?.end ?? -.infinity, slope: linearSlope, shift: linearOffset,
      scale: logSlope, offset: logOffset)
    guard let line else { return SegmentedCurve([log]) }
    let intercept: Double = line.level - line.slope * line.end
    return SegmentedCurve([.line(slope: line.slope, intercept: intercept), log])
  }
}
