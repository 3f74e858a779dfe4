public import ColorSpaces

/// Applies a look to encoded values: a 3D lookup table (LUT), or a chain of tables, curves and matrices read from a file.
///
/// A look is independent of color spaces. First convert a picture to the space that the look was made for. If the look's output is in
/// another space, assign that with ``Picture/tagged(as:)``.
public struct Look: PointFilter {
  /// One step of a look.
  @nonexhaustive
  public enum Step: Hashable, Sendable {
    /// `channel · scale + offset`.
    case affine(scale: SIMD3<Double>, offset: SIMD3<Double>)
    /// A matrix that mixes the channels.
    case matrix(ColorMatrix)
    /// A curve for each channel.
    case curves(Curve, Curve, Curve)
    /// A curve for each channel that preserves the relative position of the middle channel (`hueAdjust="dw3"` of the
    /// Common LUT Format).
    case hueAdjustedCurves(Curve, Curve, Curve)
    /// A 3D lookup table.
    case table(ColorTable)
    /// Clamps values to a range.
    case clamp(ClosedRange<Double>)
    /// A color decision list.
    case decisions(ColorDecisions)
  }

  /// The title of the look.
  public var title: String
  /// The steps, in the order in which they are applied to encoded values.
  public var steps: [Step]

  /// Creates a look of these steps; without any, it is the identity.
  public init(title: String = "", steps: [Step] = []) {
    (self.title, self.steps) = (title, steps)
  }

  /// Creates a look that is one 3D lookup table.
  public init(_ table: ColorTable, title: String = "") {
    self.init(title: title, steps: [.table(table)])
  }

  /// Encoded values.
  public var domain: PixelDomain { .encoded }

  /// Appends the steps in order.
  public func describe(to program: inout PointProgram, in space: ColorSpace) {
    for step in steps {
      switch step {
      case .affine(let scale, let offset): program.append(.affine(scale: scale, offset: offset))
      case .matrix(let matrix): program.append(.matrix(matrix))
      case .curves(let red, let green, let blue):
        program.append(.curves("curves of a look", red, green, blue))
      case .hueAdjustedCurves(let red, let green, let blue):
        let curves = HueAdjustedCurves(red: red, green: green, blue: blue)
        program.append(curves.stage)
      case .table(let table): program.append(.table(table))
      case .clamp(let range): program.append(.clamp(range))
      case .decisions(let decisions): decisions.describe(to: &program, in: space)
      }
    }
  }

  /// Returns the look's result for one color, in double precision.
  public func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    var program = PointProgram()
    describe(to: &program, in: .sRGB)
    return program(color)
  }
}

extension Look: RecipeFilter {
  /// The declaration of `look`.
  public static let declaration = Declaration<Look>(
    "look", "Applies lookup tables (LUTs), curves and matrices to encoded values.",
    aliases: [FilterAlias("lut", prefix: "@")],
    swift:
      "picture.look(Look(steps: [.affine(scale: [1.1, 1, 0.9], offset: .zero), .clamp(0...1)]))",
    Parameter("title", \.title, "the title of the look", default: ""),
    Parameter(
      "steps", \.steps, "the tables, curves, matrices and other steps of the look, in order",
      sample: [.affine(scale: [1.1, 1, 0.9], offset: .zero), .clamp(0...1)])
  ) { Look(title: $0, steps: $1) }.keepingGray { $0.steps.allSatisfy(\.keepsEqualChannels) }
    .clamping(
      "Tables and sampled curves hold the value of their first and last entry beyond these; steps that "
        + "clamp clamp to their range."
    ) { $0.steps.contains(where: \.clamps) }
}

extension Look.Step {
  /// Whether equal channels stay equal.
  fileprivate var keepsEqualChannels: Bool {
    switch self {
    case .affine(let scale, let offset): scale.isEqual && offset.isEqual
    case .matrix(let matrix): matrix.keepsEqualChannels
    case .curves(let red, let green, let blue), .hueAdjustedCurves(let red, let green, let blue):
      red == green && green == blue
    case .table(let table): table.keepsEqualChannels
    case .clamp: true
    case .decisions(let decisions): decisions.keepsGray
    }
  }
}

extension Look.Step {
  /// Whether values beyond a range become the same.
  fileprivate var clamps: Bool {
    func isSampled(_ curve: Curve) -> Bool { if case .sampled = curve { true } else { false } }
    return switch self {
    case .affine, .matrix: false
    case .curves(let red, let green, let blue), .hueAdjustedCurves(let red, let green, let blue):
      [red, green, blue].contains(where: isSampled)
    case .table, .clamp: true
    case .decisions(let decisions): decisions.clamps
    }
  }
}

extension Look.Step: RecipeChoice {
  /// JSON: a word would contain spaces, which separate steps.
  public static var textForm: TextForm { .json }

  /// The cases in recipes, each with its value.
  public static let recipeCases: [RecipeCase<Look.Step>] = [
    RecipeCase("affine") {
      if case .affine(let scale, let offset) = $0 {
        Line(scale: scale, offset: offset)
      } else {
        nil
      }
    } make: {
      .affine(scale: $0.scale, offset: $0.offset)
    },
    RecipeCase("matrix") {
      if case .matrix(let matrix) = $0 { matrix } else { nil }
    } make: {
      .matrix($0)
    },
    RecipeCase("curves") {
      if case .curves(let red, let green, let blue) = $0 { [red, green, blue] } else { nil }
    } make: { curves throws(RecipeError) in
      try checked("The number of curves", Double(curves.count), in: 3...3)
      return .curves(curves[0], curves[1], curves[2])
    },
    RecipeCase("hue-adjusted-curves") {
      if case .hueAdjustedCurves(let red, let green, let blue) = $0 {
        [red, green, blue]
      } else {
        nil
      }
    } make: { curves throws(RecipeError) in
      try checked("The number of curves", Double(curves.count), in: 3...3)
      return .hueAdjustedCurves(curves[0], curves[1], curves[2])
    },
    RecipeCase("table") {
      if case .table(let table) = $0 { table } else { nil }
    } make: {
      .table($0)
    },
    RecipeCase("clamp") {
      if case .clamp(let range) = $0 { SIMD2(range.lowerBound, range.upperBound) } else { nil }
    } make: { ends throws(RecipeError) in
      try checked("The end of a range", ends.y, in: ends.x...Double.greatestFiniteMagnitude)
      return .clamp(ends.x...ends.y)
    },
    RecipeCase("decisions") {
      if case .decisions(let decisions) = $0 { decisions } else { nil }
    } make: {
      .decisions($0)
    },
  ]

  private struct Line: RecipeRecord {
    var scale, offset: SIMD3<Double>

    static let declaration = Declaration<Line>(
      of: "affine step", Parameter("scale", \.scale, default: .one),
      Parameter("offset", \.offset, default: .zero)
    ) { Line(scale: $0, offset: $1) }
  }
}

extension Picture {
  /// Returns this picture with a look applied to its encoded values.
  public func look(_ look: Look) -> Picture { applying(look) }
}
