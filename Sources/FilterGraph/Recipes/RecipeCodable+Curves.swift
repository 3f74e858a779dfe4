public import ColorSpaces

// Curves in recipes, by their kinds.

extension Curve: RecipeChoice {
  /// The kinds of curves, each with its parameters.
  public static let recipeCases: [RecipeCase<Curve>] = [
    RecipeCase("identity", .identity),
    RecipeCase("power") {
      if case .power(let curve) = $0 { curve } else { nil }
    } make: {
      .power($0)
    },
    RecipeCase("cubic") {
      if case .cubic(let curve) = $0 { curve } else { nil }
    } make: {
      .cubic($0)
    },
    RecipeCase("sampled") {
      if case .sampled(let curve) = $0 { curve } else { nil }
    } make: {
      .sampled($0)
    },
    RecipeCase("segmented") {
      if case .segmented(let curve) = $0 { curve } else { nil }
    } make: {
      .segmented($0)
    },
    RecipeCase("rational-power") {
      if case .rationalPower(let curve) = $0 { curve } else { nil }
    } make: {
      .rationalPower($0)
    },
  ]
}

extension Curve: PartlyWritable {
  var unwritableReason: String? {
    guard case .function(let curve) = self else { return nil }
    return
      "Recipes cannot hold the curve “\(curve.name)”, which is a closure. Use a sampled or a segmented curve."
  }
}

extension NegativePolicy: RecipeChoice {
  /// The names of policies for values below zero, such as `mirrored`, in recipes and on the command line.
  public static let recipeCases: [RecipeCase<NegativePolicy>] = [
    RecipeCase("mirrored", .mirrored), RecipeCase("clamped", .clamped),
    RecipeCase("continued", .continued), RecipeCase("passed-through", .passedThrough),
  ]
}

extension PowerCurve: RecipeRecord {
  /// The parameters of the power and of the line.
  public static let declaration = Declaration<PowerCurve>(
    of: "power curve",
    Parameter("scale", \.scale, "the factor of the power", default: 1),
    Parameter("shift", \.shift, "what is added to x before the power", default: 0),
    Parameter("exponent", \.exponent, "the exponent of the power"),
    Parameter("offset", \.offset, "what is added to the power", default: 0),
    Parameter("slope", \.slope, "the slope of the line up to the threshold", default: 0),
    Parameter("intercept", \.intercept, "the value of the line at 0", default: 0),
    Parameter("threshold", \.threshold, "the x above which the power holds", default: 0),
    Parameter("below-zero", \.belowZero, "what becomes of negative x", default: .mirrored)
  ) { scale, shift, exponent, offset, slope, intercept, threshold, policy throws(RecipeError) in
    try checked(
      "The base of a power curve at its threshold", threshold + shift,
      in: 0...Double.greatestFiniteMagnitude)
    return PowerCurve(
      scale: scale, shift: shift, exponent: exponent, offset: offset, slope: slope,
      intercept: intercept, threshold: threshold, belowZero: policy)
  }
}

extension SampledCurve: RecipeRecord {
  /// The values.
  public static let declaration = Declaration<SampledCurve>(
    of: "sampled curve",
    Parameter("values", \.values, "the values at evenly spaced x from 0 to 1"),
    Parameter("below-zero", \.belowZero, "what becomes of negative x", default: .clamped)
  ) { values, policy throws(RecipeError) in
    guard values.count >= 2 else {
      throw .color(.curvePointCount(values.count, allowed: 2...Int.max))
    }
    return SampledCurve(values, belowZero: policy)
  }
}

extension SegmentedCurve: RecipeRecord {
  /// The segments.
  public static let declaration = Declaration<SegmentedCurve>(
    of: "segmented curve",
    Parameter("segments", \.segments, "the segments from left to right"),
    Parameter("below-zero", \.belowZero, "what becomes of negative x", default: .continued)
  ) { segments, policy throws(RecipeError) in
    guard (1...maximumSegmentCount).contains(segments.count) else {
      throw .color(.curvePointCount(segments.count, allowed: 1...maximumSegmentCount))
    }
    for (index, segment) in segments.enumerated().dropFirst()
    where !(segments[index - 1].start < segment.start) {
      throw .color(
        .curvePointsOutOfOrder(
          index: index, x: segment.start, previous: segments[index - 1].start))
    }
    return SegmentedCurve(segments, belowZero: policy)
  }
}

extension SegmentedCurve.Segment: RecipeRecord {
  /// The start; nil for −∞, which JSON cannot represent.
  private var finiteStart: Double? { start == -Double.infinity ? nil : start }

  /// The function and its parameters; without a start it begins at −∞.
  public static let declaration = Declaration<SegmentedCurve.Segment>(
    of: "segment", Parameter("shape", \.shape, "the function"),
    Parameter("start", \.finiteStart, "the x at which the segment begins"),
    Parameter("slope", \.slope, "the factor of x before the function", default: 1),
    Parameter("shift", \.shift, "what is added to x before the function", default: 0),
    Parameter("scale", \.scale, "the factor of the function", default: 1),
    Parameter("offset", \.offset, "what is added to the function", default: 0)
  ) { shape, start, slope, shift, scale, offset in
    SegmentedCurve.Segment(
      shape, from: start ?? -Double.infinity, slope: slope, shift: shift, scale: scale,
      offset: offset)
  }
}

extension SegmentedCurve.Segment.Shape: RecipeChoice {
  /// The cases in recipes; a power has its exponent.
  public static let recipeCases: [RecipeCase<SegmentedCurve.Segment.Shape>] = [
    RecipeCase("line", .line), RecipeCase("logarithm", .logarithm),
    RecipeCase("exponential", .exponential),
    RecipeCase("power") {
      if case .power(let exponent) = $0 { exponent } else { nil }
    } make: {
      .power($0)
    },
  ]
}

extension RationalPowerCurve: RecipeRecord {
  /// The parameters of the fraction.
  public static let declaration = Declaration<RationalPowerCurve>(
    of: "rational power curve", Parameter("a", \.a, "the constant of the numerator"),
    Parameter("b", \.b, "the factor of x to the inner power in the numerator"),
    Parameter("c", \.c, "the constant of the denominator"),
    Parameter("d", \.d, "the factor of x to the inner power in the denominator"),
    Parameter(
      "inner", \.inner, "the exponent of x", in: Double.leastNormalMagnitude...1e6),
    Parameter(
      "outer", \.outer, "the exponent of the fraction", in: Double.leastNormalMagnitude...1e6),
    Parameter("below-zero", \.belowZero, "what becomes of negative x", default: .clamped)
  ) { RationalPowerCurve(a: $0, b: $1, c: $2, d: $3, inner: $4, outer: $5, belowZero: $6) }
}

extension RecipeValue {
  /// Returns the list of points that words such as `0.5,0.4` state; nil where one of them is no point.
  static func points(_ words: [Substring]) -> RecipeValue? {
    let points = words.compactMap { SIMD2<Double>.textForm.read(String($0)) }
    return points.count == words.count ? .array(points) : nil
  }
}

extension CubicCurve: RecipeCodable {
  /// Points separated by spaces, with an optional interpolation: `makima 0,0 0.5,0.4 1,1`.
  public static var textForm: TextForm {
    TextForm("POINTS") { text in
      if text.hasPrefix("{") { return TextForm.json.read(text) }
      var words = text.split(whereSeparator: \.isWhitespace)
      var members: [RecipeValue.Member] = []
      if let name = words.first, name.first?.isLetter == true {
        members.append(RecipeValue.Member("interpolation", .string(String(name))))
        words.removeFirst()
      }
      return RecipeValue.points(words).map {
        .object([RecipeValue.Member("points", $0)] + members)
      }
    }
  }

  /// Reads an object of points, interpolation and extrapolation.
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let points = try Points.declaration.make(source)
    do throws(ColorError) { self = try points.curve() } catch {
      throw .unusable(at: source.path, RecipeError(error))
    }
  }

  /// Writes the points, and the interpolation and extrapolation that reproduce this curve.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue {
    for interpolation in Interpolation.allCases {
      for extrapolation in [Extrapolation.straight, .held] {
        let points = Points(
          points: pieces.dropFirst().map { [$0.origin, $0.coefficients[0]] },
          interpolation: interpolation, extrapolation: extrapolation)
        if (try? points.curve()) == self { return try points.recipeValue() }
      }
    }
    throw .unwritable(
      "Recipes hold the points of a cubic curve, and not slopes of its own. Create it through points, "
        + "with one of the interpolations.")
  }

  private struct Points: RecipeRecord {
    var points: [SIMD2<Double>]
    var interpolation: Interpolation
    var extrapolation: Extrapolation

    func curve() throws(ColorError) -> CubicCurve {
      try CubicCurve(through: points, interpolation: interpolation, extrapolation: extrapolation)
    }

    static let declaration = Declaration<Points>(
      of: "curve", Parameter("points", \.points, "the points, by rising x"),
      Parameter(
        "interpolation", \.interpolation, "how the curve runs between points", default: .natural),
      Parameter(
        "extrapolation", \.extrapolation, "how the curve runs beyond the points",
        default: .straight)
    ) { Points(points: $0, interpolation: $1, extrapolation: $2) }
  }
}

extension CubicCurve.Interpolation: RecipeChoice {
  /// The names of interpolations of cubic curves, which are those of the Swift cases.
  public static let recipeCases: [RecipeCase<CubicCurve.Interpolation>] = allCases.map {
    RecipeCase($0.rawValue, $0)
  }
}

extension CubicCurve.Extrapolation: RecipeChoice {
  /// The names of extrapolations beyond a curve's points: `straight` or `held`.
  public static let recipeCases: [RecipeCase<CubicCurve.Extrapolation>] = [
    RecipeCase("straight", .straight), RecipeCase("held", .held),
  ]
}
