package import ColorSpaces

/// A curve of a grade: OpenColorIO's quadratic B-spline through control points.
public struct GradingCurve: Hashable, Sendable {
  /// The control points, by rising x.
  package let points: [SIMD2<Double>]
  /// The slope at each point; empty where slopes follow from the points.
  package let slopes: [Double]

  /// The maximum number of control points.
  package static let maximumPointCount = 32

  /// Creates a curve through 2…32 points with rising x, whose y do not fall. Slopes follow from the points unless they are given, one for
  /// each point.
  public init(
    through points: [SIMD2<Double>], slopes: [Double] = []
  ) throws(RecipeError) {
    let counts = 2...Self.maximumPointCount
    guard counts.contains(points.count) else {
      throw .color(.curvePointCount(points.count, allowed: counts))
    }
    for (index, point) in points.enumerated() {
      guard point.x.isFinite, point.y.isFinite else {
        throw .color(.curvePointNotFinite(index: index, x: point.x, y: point.y))
      }
      if index == 0 { continue }
      let previous = points[index - 1]
      guard point.x > previous.x else {
        throw .color(.curvePointsOutOfOrder(index: index, x: point.x, previous: previous.x))
      }
      try checked(
        "The y of point \(index) of a grading curve", point.y,
        in: previous.y...Double.greatestFiniteMagnitude)
    }
    guard slopes.isEmpty || slopes.count == points.count else {
      throw .other(
        "A grading curve has no slopes, or one for each of its \(points.count) points; got \(slopes.count)."
      )
    }
    for slope in slopes { try checked("A slope of a grading curve", slope, in: 0...1e6) }
    (self.points, self.slopes) = (points, slopes)
    guard spline.pieces.allSatisfy(\.fitsSinglePrecision) else {
      throw .color(.tooSteepCurve(through: points))
    }
  }

  var spline: QuadraticCurve { QuadraticCurve(bSplineThrough: points, slopes: slopes) }
}

extension GradingCurve: RecipeRecord {
  /// Points separated by spaces: `0,0 0.5,0.4 1,1`; or JSON.
  public static var textForm: TextForm {
    TextForm("POINTS") { text in
      if text.hasPrefix("{") { return TextForm.json.read(text) }
      return RecipeValue.points(text.split(whereSeparator: \.isWhitespace)).map {
        .object([RecipeValue.Member("points", $0)])
      }
    }
  }

  /// The points and, where they are given, the slopes.
  public static let declaration = Declaration<GradingCurve>(
    of: "grading curve", Parameter("points", \.points, "the control points, by rising x"),
    Parameter(
      "slopes", { $0.slopes.isEmpty ? nil : $0.slopes }, "the slope at each point")
  ) { points, slopes throws(RecipeError) in
    try GradingCurve(through: points, slopes: slopes ?? [])
  }
}

/// The curves of OpenColorIO's grade: one for each channel, then the master for all of them.
package struct GradingCurves: PointFilter {
  /// The kind of values. Light is graded in stops from middle gray.
  package let style: GradingStyle
  /// The curves of the channels; nil for the identity.
  package let red, green, blue: GradingCurve?
  /// The curve of all channels, after the others.
  package let master: GradingCurve?
  /// Whether curves are drawn over light itself in the linear style.
  package let bypassesLogarithm: Bool
  /// Whether they are applied or undone.
  package let direction: GradingDirection

  /// Creates curves; the default is the identity.
  package init(
    style: GradingStyle = .logarithmic, red: GradingCurve? = nil, green: GradingCurve? = nil,
    blue: GradingCurve? = nil, master: GradingCurve? = nil, bypassesLogarithm: Bool = false,
    direction: GradingDirection = .forward
  ) {
    (self.style, self.direction) = (style, direction)
    (self.red, self.green, self.blue, self.master) = (red, green, blue, master)
    self.bypassesLogarithm = bypassesLogarithm
  }

  /// Linear light, or encoded values.
  package var domain: PixelDomain { style.domain }

  /// Appends the curves of the channels and the master's, in the linear style between a logarithm and its inverse.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let isInverse = direction == .inverse
    func curve(_ curve: GradingCurve?) -> QuadraticCurve? {
      guard let spline = curve?.spline, spline.cubic?.isIdentity != true else { return nil }
      return isInverse ? spline.inverse : spline
    }
    let (channels, all) = ([red, green, blue].map(curve), curve(master))
    let isLogarithmic = style == .linear && !bypassesLogarithm
    var stages: [PointProgram.Stage] = []
    if channels.contains(where: { $0 != nil }) {
      stages.append(.quadratics("grading curves", channels[0], channels[1], channels[2]))
    }
    if let all { stages.append(.quadratics("grading master curve", all, all, all)) }
    if stages.isEmpty { return }
    if isLogarithmic {
      program.curve("grading logarithm", GradingStyle.logarithm(isInverse: false))
    }
    for stage in isInverse ? stages.reversed() : stages { program.append(stage) }
    if isLogarithmic {
      program.curve("from grading logarithm", GradingStyle.logarithm(isInverse: true))
    }
  }
}

extension GradingCurves: RecipeFilter {
  /// The declaration of `grading-curves`.
  package static let declaration = Declaration<GradingCurves>(
    "grading-curves", "Applies the RGB curves of OpenColorIO to linear, video or log values.",
    swift:
      "picture.gradingCurves(style: .video, master: try GradingCurve(through: [[0, 0], [0.4, 0.3], [1, 1]]))",
    Parameter(
      "style", \.style,
      GradingStyle.meaning + " and graded in stops",
      default: .logarithmic, sample: .video),
    Parameter("red", \.red, "the red channel's curve"),
    Parameter("green", \.green, "the green channel's curve"),
    Parameter("blue", \.blue, "the blue channel's curve"),
    Parameter(
      "master", \.master, "the curve of all channels, after the others",
      sample: try? GradingCurve(through: [[0, 0], [0.4, 0.3], [1, 1]])),
    Parameter<GradingCurves, Bool>(
      "bypasses-logarithm", \.bypassesLogarithm,
      "whether the linear style's curves are drawn over light itself", default: false
    ).formerly("bypass-logarithm"),
    Parameter("direction", \.direction, "whether they are applied or undone", default: .forward)
  ) { style, red, green, blue, master, bypasses, direction in
    GradingCurves(
      style: style, red: red, green: green, blue: blue, master: master,
      bypassesLogarithm: bypasses, direction: direction)
  }.keepingGray { $0.red == $0.green && $0.green == $0.blue }
    .working(GradingStyle.domainsFromLogarithmic)
    .computing(
      "Each channel's curve, then the master's. With style=linear and without bypasses-logarithm, "
        + "\(GradingStyle.logarithmText)."
    )
}

extension Picture {
  /// Returns this picture with the RGB curves of OpenColorIO: one for each channel, then the master for all of them.
  public func gradingCurves(
    style: GradingStyle = .logarithmic, red: GradingCurve? = nil, green: GradingCurve? = nil,
    blue: GradingCurve? = nil, master: GradingCurve? = nil, bypassesLogarithm: Bool = false,
    direction: GradingDirection = .forward
  ) -> Picture {
    applying(
      GradingCurves(
        style: style, red: red, green: green, blue: blue, master: master,
        bypassesLogarithm: bypassesLogarithm, direction: direction))
  }
}
