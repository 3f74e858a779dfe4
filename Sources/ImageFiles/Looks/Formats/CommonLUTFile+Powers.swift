internal import ColorSpaces
internal import FilterGraph

extension CommonLUTStep {
  /// The smallest slope and saturation that are reversed; OpenColorIO reverses smaller ones as this one.
  private static let leastReversed = 0.01

  /// The steps of an `ASC_CDL`, forward or in reverse.
  func decisions() throws(LookFileError) -> [Look.Step] {
    switch element.attributes["style"] ?? "Fwd" {
    case "Fwd", "v1.2_Fwd": return [.decisions(try element.decisions(.clamped, file: file))]
    case "FwdNoClamp", "noClampFwd":
      return [.decisions(try element.decisions(.unclamped, file: file))]
    case "Rev", "v1.2_Rev": return try reversed(element.decisions(.clamped, file: file))
    case "RevNoClamp", "noClampRev": return try reversed(element.decisions(.unclamped, file: file))
    case let style: throw unsupported("the style \(style.prefix(40)) of <ASC_CDL> is not known")
    }
  }

  /// The inverses of saturation, power, offset and slope, in this order. Clamped values are clamped before and after the saturation, and at
  /// the end, as in OpenColorIO.
  private func reversed(_ decisions: ColorDecisions) throws(LookFileError) -> [Look.Step] {
    guard min(decisions.slope.min(), decisions.saturation) >= Self.leastReversed else {
      throw unsupported(
        "an <ASC_CDL> in reverse has slopes and a saturation of \(Self.leastReversed) or more")
    }
    let clamp = decisions.style == .clamped ? [Look.Step.clamp(0...1)] : []
    func power(_ channel: Int) -> Curve {
      .power(PowerCurve(exponent: 1 / decisions.power[channel], belowZero: .passedThrough))
    }
    let saturation = ColorMatrix.saturation(
      1 / decisions.saturation, weights: VideoEncoding.rec709Weights)
    return clamp + [.matrix(saturation)] + clamp + [
      .curves(power(0), power(1), power(2)),
      .affine(scale: 1 / decisions.slope, offset: -decisions.offset / decisions.slope),
    ] + clamp
  }

  /// The powers of an `Exponent`, of all channels or one for each.
  func exponent() throws(LookFileError) -> Look.Step {
    let style = element.attributes["style"] ?? ""
    let policies: [String: NegativePolicy] = [
      "basic": .clamped, "basicMirror": .mirrored, "basicPassThru": .passedThrough,
      "monCurve": .continued, "monCurveMirror": .mirrored,
    ]
    let isReverse = style.hasSuffix("Rev")
    guard isReverse || style.hasSuffix("Fwd"), let policy = policies[String(style.dropLast(3))]
    else { throw unsupported("the style \(style.prefix(40)) of <Exponent> is not known") }
    let hasLine = style.hasPrefix("monCurve")
    var curves: [String: Curve] = [:]
    for parameters in element.all("ExponentParams") {
      var curve = try hasLine ? monitorCurve(parameters) : power(parameters)
      if isReverse { curve = curve.inverse }
      curve.belowZero = policy
      curves[try channel(of: parameters)] = .power(curve)
    }
    // Channels without parameters have an exponent of 1.
    let plain =
      hasLine ? Curve.identity : .power(PowerCurve(exponent: 1, belowZero: policy))
    func curve(_ channel: String) -> Curve { curves[channel] ?? curves[""] ?? plain }
    return .curves(curve("R"), curve("G"), curve("B"))
  }

  private func power(_ parameters: XMLElement) throws(LookFileError) -> PowerCurve {
    if parameters.attributes["offset"] != nil {
      throw unsupported("an <ExponentParams> has an offset, which only the styles monCurve… have")
    }
    return PowerCurve(exponent: try value("exponent", of: parameters, in: Gamma.exponents))
  }

  /// The curve of a monitor. An exponent of 1 and an offset of 0 have no such point. OpenColorIO raises both by 10⁻⁶.
  private func monitorCurve(_ parameters: XMLElement) throws(LookFileError) -> PowerCurve {
    let exponent = max(try value("exponent", of: parameters, in: 1...10), 1 + 1e-6)
    let offset = max(try value("offset", of: parameters, in: 0...0.9), 1e-6)
    return .monitor(exponent: exponent, offset: offset)
  }

  private func value(
    _ name: String, of parameters: XMLElement, in range: ClosedRange<Double>
  ) throws(LookFileError) -> Double {
    let text = parameters.attributes[name] ?? ""
    guard let value = decimalNumber(text), range.contains(value) else {
      throw unsupported(
        "the \(name) of an <ExponentParams> lies in \(range.lowerBound)…\(range.upperBound); this one "
          + (text.isEmpty ? "is missing" : "is “\(text.prefix(40))”"))
    }
    return value
  }
}

extension PowerCurve {
  /// A power with a line up to the point where both have the same slope, as in the curves of monitors:
  /// `((x + offset) / (1 + offset))^exponent`, with an exponent above 1 and an offset above 0.
  static func monitor(exponent: Double, offset: Double) -> PowerCurve {
    let lineEnd = offset / (exponent - 1)
    let level = ColorSpaces.power((lineEnd + offset) / (1 + offset), exponent)
    return PowerCurve(
      g: exponent, a: 1 / (1 + offset), b: offset / (1 + offset), c: level / lineEnd, d: lineEnd)
  }
}
