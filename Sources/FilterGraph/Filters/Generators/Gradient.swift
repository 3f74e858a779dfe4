public import ColorSpaces

/// A color gradient, linear or radial.
package struct Gradient: Painter {
  /// The geometry: along a line, or around a center.
  package let shape: GradientShape

  /// The color space in which colors are interpolated.
  fileprivate let mixing: ColorSpace
  private let positions: [Double]
  private let components: [SIMD3<Double>]

  /// Creates a gradient interpolated in `space`. Positions must not decrease. Before the first and after the last stop
  /// the color is constant. A hue takes the shorter arc, and a gray has none: it takes that of its neighbor.
  ///
  /// - Throws: ``RecipeError`` if there are fewer than two stops, if a position is lower than the one before it, for
  ///   a radius out of range, or for a color of infinite linear light.
  package init(
    _ shape: GradientShape, _ stops: [GradientStop], mixedIn space: ColorSpace
  ) throws(RecipeError) {
    guard stops.count >= 2 else {
      throw .other("A gradient needs two stops or more; got \(stops.count).")
    }
    for (stop, next) in zip(stops, stops.dropFirst()) where !(stop.position <= next.position) {
      throw .other(
        "The positions of a gradient's stops must not fall; got \(next.position) after "
          + "\(stop.position).")
    }
    if case .radial(_, let radius) = shape {
      try checked("The radius of a radial gradient", radius, in: GradientShape.radii)
    }
    for stop in stops where !stop.position.isFinite {
      throw .other("The positions of a gradient's stops must be finite; got \(stop.position).")
    }
    for stop in stops { try stop.color.checkFiniteLight() }
    (self.shape, mixing) = (shape, space)
    let stops = Self.withHues(stops, in: space)
    positions = stops.map(\.position)
    var components = stops.map(\.color.components)
    if let hue = space.hue?.channel {
      for index in components.indices.dropFirst() {
        let turn = (components[index][hue] - components[index - 1][hue]) / 360
        components[index][hue] -= 360 * turn.rounded(.toNearestOrEven)
      }
    }
    self.components = components
    try Self.declaration.check(self)
  }

  /// Returns the stops in `space`, where a gray takes the hue of the color that it leads to or comes from: one between two colors becomes
  /// two stops.
  private static func withHues(_ stops: [GradientStop], in space: ColorSpace) -> [GradientStop] {
    let stops = stops.map { GradientStop($0.color.converted(to: space), at: $0.position) }
    guard let hue = space.hue else { return stops }
    func angle(_ index: Int) -> Double? {
      guard stops.indices.contains(index) else { return nil }
      let components = stops[index].color.components
      return hue.isNegligible(in: components) ? nil : components[hue.channel]
    }
    return stops.indices.flatMap { index in
      if angle(index) != nil { return [stops[index]] }
      let neighbors = [angle(index - 1), angle(index + 1)].compactMap { $0 }
      return (neighbors.isEmpty ? [0] : neighbors).map { angle in
        var components = stops[index].color.components
        components[hue.channel] = angle
        return GradientStop(ColorPoint(components, in: space), at: stops[index].position)
      }
    }
  }

  /// The encoded values of the space in which colors are interpolated.
  package var domain: PixelDomain { .encoded }

  /// Returns the color at the pixel's center.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
    switch shape {
    case .linear(let start, let end):
      let (way, step) = (end - start, place - start)
      let length = (way * way).sum()
      return color(at: length == 0 ? 1 : (way * step).sum() / length)
    case .radial(let center, let radius):
      let step = place - center
      return color(at: (step * step).sum().squareRoot() / radius)
    }
  }

  private func color(at position: Double) -> SIMD4<Double> {
    guard let next = positions.firstIndex(where: { $0 > position }) else {
      return SIMD4(components[components.count - 1], 1)
    }
    if next == 0 { return SIMD4(components[0], 1) }
    let part = (position - positions[next - 1]) / (positions[next] - positions[next - 1])
    return SIMD4(components[next - 1] * (1 - part) + components[next] * part, 1)
  }
}

/// The geometry of a gradient.
@nonexhaustive
public enum GradientShape: Hashable, Sendable {
  /// From one point to another, in pixels; constant across.
  case linear(from: SIMD2<Double>, to: SIMD2<Double>)
  /// From a center outwards, up to a radius in pixels, 10⁻⁶ or more.
  case radial(center: SIMD2<Double>, radius: Double)

  /// The range of the radius.
  static let radii = 1e-6...1e12
}

/// A color stop: a color and its position, 0 at the beginning and 1 at the end. Other positions lie before or beyond.
public struct GradientStop: Hashable, Sendable {
  /// The color at the position.
  public var color: ColorPoint
  /// The position: 0 at the beginning of the gradient, 1 at its end; any other number lies before or beyond.
  public var position: Double

  /// Creates a color stop.
  public init(_ color: ColorPoint, at position: Double) {
    (self.color, self.position) = (color, position)
  }
}

extension Gradient: CustomStringConvertible {
  /// The text of this step in plans: “linear gradient” or “radial gradient”.
  package var description: String {
    switch shape {
    case .linear: "linear gradient"
    case .radial: "radial gradient"
    }
  }
}

extension Gradient: RecipePainter {
  /// The declaration of `gradient`.
  package static let declaration = Declaration<Painting<Gradient>>(
    "gradient", "Paints a linear or a radial gradient between colors.",
    swift: """
      try Picture.gradient(.linear(from: [0, 0], to: [40, 30]), \
      [GradientStop(red, at: 0), GradientStop(blue, at: 1)], mixedIn: .sRGB, in: .sRGB)
      """,
    Parameter(
      "shape", \.painter.shape, "where the colors lie", unit: "pixels",
      sample: .linear(from: [0, 0], to: [40, 30])),
    Parameter(
      "stops", \.painter.stops,
      "the colors and their positions: 0 at the beginning, 1 at the end",
      sample: [
        GradientStop(ColorPoint(1, 0, 0, in: .sRGB), at: 0),
        GradientStop(ColorPoint(0, 0, 1, in: .sRGB), at: 1),
      ]),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB),
    Parameter(
      "mixed-in", { $0.painter.mixing == $0.space ? nil : $0.painter.mixing },
      "the color space in which the colors are interpolated, that of the picture if null")
  ) { shape, stops, space, mixing throws(RecipeError) in
    Painting(try Gradient(shape, stops, mixedIn: mixing ?? space), in: space)
  }

  fileprivate var stops: [GradientStop] {
    zip(components, positions).map { GradientStop(ColorPoint($0, in: mixing), at: $1) }
  }
}

extension Gradient: ConvertedPainter {
  var paintedSpace: ColorSpace { mixing }
}

extension GradientShape: FiniteNumbers {
  var parameterNumbers: [Double] {
    switch self {
    case .linear(let start, let end): start.parameterNumbers + end.parameterNumbers
    case .radial(let center, let radius): center.parameterNumbers + [radius]
    }
  }
}

extension GradientStop: RecipeRecord {
  /// The declaration of a color stop.
  public static let declaration = Declaration<GradientStop>(
    of: "stop", Parameter("color", \.color, "the color"),
    Parameter("at", \.position, "where it is: 0 at the beginning, 1 at the end; others lie beyond")
  ) { GradientStop($0, at: $1) }

  /// The form of a value on the command line: `red@0.5`.
  public static var textForm: TextForm {
    .pair(("color", ColorPoint.textForm), ("at", .number), as: "COLOR@POSITION")
  }
}

extension GradientShape: RecipeChoice {
  /// The cases in recipes, each with its geometry.
  public static let recipeCases: [RecipeCase<GradientShape>] = [
    RecipeCase("linear") {
      if case .linear(let start, let end) = $0 { Line(start: start, end: end) } else { nil }
    } make: {
      .linear(from: $0.start, to: $0.end)
    },
    RecipeCase("radial") {
      if case .radial(let center, let radius) = $0 {
        Circle(center: center, radius: radius)
      } else {
        nil
      }
    } make: {
      .radial(center: $0.center, radius: $0.radius)
    },
  ]

  private struct Line: RecipeRecord {
    var start, end: SIMD2<Double>

    static let declaration = Declaration<Line>(
      of: "line", Parameter("from", \.start, "where it begins", unit: "pixels"),
      Parameter("to", \.end, "where it ends", unit: "pixels")
    ) { Line(start: $0, end: $1) }

    static var textForm: TextForm {
      TextForm("X,Y,X,Y") { text in
        guard case .array(let numbers)? = TextForm.list(of: .number, count: 4, as: "").read(text)
        else { return TextForm.json.read(text) }
        return .object([
          RecipeValue.Member("from", .array(Array(numbers[..<2]))),
          RecipeValue.Member("to", .array(Array(numbers[2...]))),
        ])
      }
    }
  }

  private struct Circle: RecipeRecord {
    var center: SIMD2<Double>
    var radius: Double

    static let declaration = Declaration<Circle>(
      of: "circle", Parameter("center", \.center, "the center", unit: "pixels"),
      Parameter(
        "radius", \.radius, "the distance of position 1", unit: "pixels", in: radii)
    ) { Circle(center: $0, radius: $1) }

    static var textForm: TextForm {
      TextForm("X,Y,RADIUS") { text in
        guard case .array(let numbers)? = TextForm.list(of: .number, count: 3, as: "").read(text)
        else { return TextForm.json.read(text) }
        return .object([
          RecipeValue.Member("center", .array(Array(numbers[..<2]))),
          RecipeValue.Member("radius", numbers[2]),
        ])
      }
    }
  }
}

extension Picture {
  /// Creates an infinite gradient, painted in `space`.
  ///
  /// Colors are interpolated in linear light unless `mixing` names another space: `.oklab` for perceptually even steps,
  /// `.oklch` around the hue circle, `.sRGB` for the gradients of older style sheets.
  public static func gradient(
    _ shape: GradientShape, _ stops: [GradientStop], mixedIn mixing: ColorSpace? = nil,
    in space: ColorSpace
  ) throws(RecipeError) -> Picture {
    let mixing = mixing ?? space.linear
    return Picture(try Gradient(shape, stops, mixedIn: mixing), in: mixing).converted(to: space)
  }
}
