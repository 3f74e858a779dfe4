internal import ColorSpaces
internal import FilterGraph

// The functions that the Common LUT Format (S-2014-006) has elements for. What its reader makes of the parameters must be the curve.

extension CommonLUTNode {
  /// A `Log` of three logarithms or exponentials, each with or without a line below; nil for other curves, and of several kinds.
  static func logarithm(_ curves: [Curve]) -> CommonLUTNode? {
    var logarithms: [StatedLogarithm] = []
    for curve in curves {
      guard case .segmented(let curve) = curve, let logarithm = StatedLogarithm(curve) else {
        return nil
      }
      logarithms.append(logarithm)
    }
    let first = logarithms[0]
    guard logarithms.allSatisfy({ $0.style == first.style }) else { return nil }
    let parameters = logarithms.map(\.attributes)
    return CommonLUTNode(
      "Log", "style=\"\(first.style)\"", content: elements("LogParams", parameters))
  }

  /// An `Exponent` of three powers, each alone or of a monitor's form; nil for other curves, and of several kinds.
  ///
  /// Channels without parameters stay as they are, except that `basicFwd` clamps them.
  static func exponent(_ curves: [Curve]) -> CommonLUTNode? {
    var powers: [StatedPower?] = []
    for curve in curves {
      if curve == .identity {
        powers.append(nil)
        continue
      }
      guard case .power(let curve) = curve, let power = StatedPower(curve) else { return nil }
      powers.append(power)
    }
    let stated = powers.compactMap { $0 }
    guard let style = stated.first?.style, stated.allSatisfy({ $0.style == style }),
      stated.count == 3 || style != StatedPower.clampingStyle
    else { return nil }
    return CommonLUTNode(
      "Exponent", "style=\"\(style)\"",
      content: elements("ExponentParams", powers.map { $0?.attributes }))
  }

  /// An empty element for all channels, or one for each that has attributes.
  private static func elements(_ name: String, _ attributes: [String?]) -> String {
    if let first = attributes[0], attributes.allSatisfy({ $0 == first }) {
      return first.isEmpty ? "" : "<\(name) \(first)/>\n"
    }
    return zip(["R", "G", "B"], attributes).map { channel, attributes in
      attributes.map { "<\(name) channel=\"\(channel)\" \($0)/>\n" } ?? ""
    }.joined()
  }
}

/// A curve as the style and the parameters of a `Log`.
private struct StatedLogarithm {
  let style, attributes: String

  private static let plain: [(String, SegmentedCurve)] = [
    ("log10", SegmentedCurve([.log(base: 10)])), ("log2", SegmentedCurve([.log(base: 2)])),
    ("antiLog10", SegmentedCurve([.exponential(base: 10)])),
    ("antiLog2", SegmentedCurve([.exponential(base: 2)])),
  ]

  /// The parameters of a curve; nil where there are none that give it.
  init?(_ curve: SegmentedCurve) {
    if let (style, _) = Self.plain.first(where: { $0.1 == curve }) {
      (self.style, attributes) = (style, "")
      return
    }
    guard let last = curve.segments.last, curve.segments.count <= 2, curve.belowZero == .continued
    else { return nil }
    var parameters: LogarithmParameters
    let isInverse = last.shape == .exponential
    if isInverse {
      parameters = LogarithmParameters(
        base: 2, logSlope: 1 / last.slope, logOffset: -last.shift / last.slope,
        linearSlope: 1 / last.scale, linearOffset: -last.offset / last.scale)
    } else if last.shape == .logarithm {
      parameters = LogarithmParameters(
        base: 2, logSlope: last.scale, logOffset: last.offset, linearSlope: last.slope,
        linearOffset: last.shift)
    } else {
      return nil
    }
    guard Self.isUsable(parameters, hasLine: curve.segments.count == 2) else { return nil }
    if curve.segments.count == 2 {
      guard let line = curve.segments[0].line, line.slope > 0 else { return nil }
      let end = isInverse ? curve.segments[0](last.start) : last.start
      guard abs(end) <= 1e6 else { return nil }
      parameters.lineEnd = end
      guard let argument = parameters.argumentAtBreak, argument > 0 else { return nil }
      if !parameters.curve(isInverse: isInverse).isNear(curve) {
        parameters.lineSlope = isInverse ? 1 / line.slope : line.slope
        guard (1e-6...1e6).contains(parameters.lineSlope ?? 0) else { return nil }
      }
    }
    guard parameters.curve(isInverse: isInverse).isNear(curve) else { return nil }
    let styles =
      isInverse ? ("logToLin", "cameraLogToLin") : ("linToLog", "cameraLinToLog")
    style = parameters.lineEnd == nil ? styles.0 : styles.1
    attributes = parameters.attributes
  }

  /// Whether readers take the parameters: their slopes are not 0, and those of a camera's logarithm rise.
  private static func isUsable(_ parameters: LogarithmParameters, hasLine: Bool) -> Bool {
    let slopes = [parameters.logSlope, parameters.linearSlope]
    let offsets = [parameters.logOffset, parameters.linearOffset]
    return slopes.allSatisfy { (hasLine ? $0 : abs($0)) >= 1e-6 && abs($0) <= 1e6 }
      && offsets.allSatisfy { abs($0) <= 1e6 }
  }
}

extension LogarithmParameters {
  /// The attributes of a `LogParams`.
  fileprivate var attributes: String {
    let values: [(String, Double?)] = [
      ("base", base), ("linSideSlope", linearSlope), ("linSideOffset", linearOffset),
      ("logSideSlope", logSlope), ("logSideOffset", logOffset), ("linSideBreak", lineEnd),
      ("linearSlope", lineSlope),
    ]
    return values.compactMap { name, value in value.map { "\(name)=\"\($0)\"" } }
      .joined(separator: " ")
  }
}

extension SegmentedCurve {
  /// Whether another curve has the same segments, within the rounding of their parameters.
  fileprivate func isNear(_ other: SegmentedCurve) -> Bool {
    segments.count == other.segments.count
      && zip(segments, other.segments).allSatisfy { segment, other in
        guard segment.shape == other.shape, areNear(segment.start, other.start) else {
          return false
        }
        if let line = segment.line, let otherLine = other.line {
          return areNear(line.slope, otherLine.slope)
            && areNear(line.intercept, otherLine.intercept)
        }
        return areNear(segment.slope, other.slope)
          && areNear(segment.shift, other.shift)
          && areNear(segment.scale, other.scale)
          && areNear(segment.offset, other.offset)
      }
  }
}

/// A curve as the style and the parameters of an `Exponent`.
private struct StatedPower {
  static let clampingStyle = "basicFwd"

  let style, attributes: String

  /// The parameters of a curve; nil where there are none that give it.
  init?(_ curve: PowerCurve) {
    let isMirrored = curve.belowZero == .mirrored
    var power = PowerCurve(exponent: curve.exponent, belowZero: curve.belowZero)
    if power == curve {
      let styles: [NegativePolicy: String] = [
        .clamped: Self.clampingStyle, .continued: Self.clampingStyle,
        .mirrored: "basicMirrorFwd", .passedThrough: "basicPassThruFwd",
      ]
      guard let style = styles[curve.belowZero], Gamma.exponents.contains(curve.exponent) else {
        return nil
      }
      (self.style, attributes) = (style, "exponent=\"\(curve.exponent)\"")
      return
    }
    guard isMirrored || curve.belowZero == .continued, curve.hasInverse else { return nil }
    for (curve, direction) in [(curve, "Fwd"), (curve.inverse, "Rev")] {
      guard (1 + 1e-6...10).contains(curve.exponent), (1e-6...0.9).contains(curve.shift) else {
        continue
      }
      power = PowerCurve.monitor(exponent: curve.exponent, offset: curve.shift)
      guard power.isNear(curve) else { continue }
      style = (isMirrored ? "monCurveMirror" : "monCurve") + direction
      attributes = "exponent=\"\(curve.exponent)\" offset=\"\(curve.shift)\""
      return
    }
    return nil
  }
}

extension PowerCurve {
  /// Whether another curve has the same parameters, within rounding.
  fileprivate func isNear(_ other: PowerCurve) -> Bool {
    let parameters: [KeyPath<PowerCurve, Double>] = [
      \.scale, \.shift, \.exponent, \.offset, \.slope, \.intercept, \.threshold,
    ]
    return parameters.allSatisfy { areNear(self[keyPath: $0], other[keyPath: $0]) }
  }
}

/// Whether two parameters agree within rounding. Infinite ones are equal.
private func areNear(_ a: Double, _ b: Double) -> Bool {
  a == b || abs(a - b) <= max(abs(a), abs(b)) * 1e-9 + 1e-9
}
