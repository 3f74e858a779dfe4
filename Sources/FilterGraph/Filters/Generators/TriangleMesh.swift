public import ColorSpaces
internal import ImageBuffer

/// A mesh of triangles with a color at each vertex, interpolated in between, on a transparent background. Later
/// triangles cover earlier ones.
package struct TriangleMesh: Painter {
  /// The color space in which colors are interpolated.
  fileprivate let mixing: ColorSpace
  private let positions: [SIMD2<Double>]
  private let components: [SIMD3<Double>]
  private let triangles: [SIMD3<Int>]
  /// The component that is a hue in degrees, if one is, and which vertices have one: grays have none.
  private let hueChannel: Int?
  private let hasHue: [Bool]

  /// Creates triangles by the indices of their vertices, whose colors are interpolated in `space`. Hues take the shorter arc from a
  /// triangle's first one, and grays have none.
  ///
  /// - Throws: ``RecipeError`` if an index is out of range, or if a position or the linear light of a color is not finite.
  package init(
    _ vertices: [MeshVertex], triangles: [SIMD3<Int>], mixedIn space: ColorSpace
  ) throws(RecipeError) {
    if vertices.isEmpty, !triangles.isEmpty {
      throw .other("A triangle mesh needs vertices; got none.")
    }
    for triangle in triangles {
      for corner in 0..<3 where !vertices.indices.contains(triangle[corner]) {
        throw .parameter(
          "The index of a triangle's corner", value: Double(triangle[corner]),
          allowed: 0...Double(vertices.count - 1))
      }
    }
    for position in vertices.map(\.position) where !(position.x.isFinite && position.y.isFinite) {
      throw .other(
        "A corner of a triangle mesh must lie at finite positions; got "
          + "(\(inWords(position.x)), \(inWords(position.y))).")
    }
    for vertex in vertices { try vertex.color.checkFiniteLight() }
    mixing = space
    positions = vertices.map(\.position)
    let components = vertices.map { $0.color.converted(to: space).components }
    (self.components, self.triangles) = (components, triangles)
    hueChannel = space.hue?.channel
    hasHue = components.map { space.hue?.isNegligible(in: $0) == false }
  }

  /// The encoded values of the space in which colors are interpolated, with straight alpha.
  package var domain: PixelDomain { .encoded }

  /// True: the background is transparent.
  package var hasAlpha: Bool { true }

  /// Returns the vertices' colors by their barycentric weights, of the last triangle that contains the pixel's center.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
    return triangles.lazy.reversed().compactMap { color(of: $0, at: place) }.first ?? .zero
  }

  private func color(of triangle: SIMD3<Int>, at place: SIMD2<Double>) -> SIMD4<Double>? {
    let (a, b, c) = (positions[triangle.x], positions[triangle.y], positions[triangle.z])
    let area = cross(b - a, c - a)
    let weights =
      SIMD3(cross(b - place, c - place), cross(c - place, a - place), cross(a - place, b - place))
      / area
    guard all(weights .>= 0) else { return nil }
    var color =
      components[triangle.x] * weights.x + components[triangle.y] * weights.y
      + components[triangle.z] * weights.z
    if let hueChannel { color[hueChannel] = hue(of: triangle, weights, hueChannel) }
    return SIMD4(color, 1)
  }

  /// Returns the weighted mean of the hues that there are, each on the side of the first one.
  private func hue(of triangle: SIMD3<Int>, _ weights: SIMD3<Double>, _ channel: Int) -> Double {
    var (first, sum, total): (Double?, Double, Double) = (nil, 0, 0)
    for corner in 0..<3 where hasHue[triangle[corner]] {
      let angle = components[triangle[corner]][channel]
      let start = first ?? angle
      first = start
      sum += weights[corner] * (angle - start).remainder(dividingBy: 360)
      total += weights[corner]
    }
    return (first ?? 0) + (total > 0 ? sum / total : 0)
  }

  /// Rasterizes each triangle within its bounding box.
  package func render(into output: Tile) {
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        output.pointer(y, plane).update(repeating: 0, count: output.region.width)
      }
    }
    for triangle in triangles {
      let corners = (positions[triangle.x], positions[triangle.y], positions[triangle.z])
      let least = pointwiseMin(pointwiseMin(corners.0, corners.1), corners.2)
      let most = pointwiseMax(pointwiseMax(corners.0, corners.1), corners.2)
      func range(_ axis: Int, _ within: Range<Int>) -> Range<Int> {
        let first = least[axis].rounded(.down).clamped(to: within)
        return first..<max(most[axis].rounded(.up).clamped(to: within), first)
      }
      for y in range(1, output.region.rows) {
        for x in range(0, output.region.columns) {
          let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
          if let color = color(of: triangle, at: place) { output.set(x, y, to: SIMD4(color)) }
        }
      }
    }
  }
}

/// A vertex.
public struct MeshVertex: Hashable, Sendable {
  /// The position in pixels.
  public var position: SIMD2<Double>
  /// The color of the vertex.
  public var color: ColorPoint

  /// Creates a vertex.
  public init(_ position: SIMD2<Double>, _ color: ColorPoint) {
    (self.position, self.color) = (position, color)
  }
}

extension Double {
  /// The value clamped to a range of integers, without overflow.
  fileprivate func clamped(to range: Range<Int>) -> Int {
    Int(Double.minimum(Double.maximum(self, Double(range.lowerBound)), Double(range.upperBound)))
  }
}

extension TriangleMesh: CustomStringConvertible {
  /// The text of this step in plans, such as “mesh of 12 triangles”.
  package var description: String { "mesh of \(triangles.count) triangles" }
}

extension TriangleMesh: RecipePainter {
  /// The declaration of `triangle-mesh`.
  package static let declaration = Declaration<Painting<TriangleMesh>>(
    "triangle-mesh", "Paints a mesh of triangles, interpolated between vertex colors.",
    swift:
      "Picture.mesh([.init([2, 2], red), .init([38, 5], blue), .init([15, 28], white)], "
      + "triangles: [[0, 1, 2]], mixedIn: .sRGB, in: .sRGB)",
    Parameter(
      "vertices", \.painter.vertices, "the corners' positions and colors",
      unit: "pixels",
      sample: [
        MeshVertex([2, 2], ColorPoint(1, 0, 0, in: .sRGB)),
        MeshVertex([38, 5], ColorPoint(0, 0, 1, in: .sRGB)),
        MeshVertex([15, 28], ColorPoint(1, 1, 1, in: .sRGB)),
      ]),
    Parameter(
      "triangles", \.painter.triangles, "the indices of each triangle's corners, from 0 up",
      sample: [[0, 1, 2]]),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB),
    Parameter(
      "mixed-in", { $0.painter.mixing == $0.space ? nil : $0.painter.mixing },
      "the color space in which the colors are interpolated, that of the picture if null")
  ) { vertices, triangles, space, mixing throws(RecipeError) in
    Painting(
      try TriangleMesh(vertices, triangles: triangles, mixedIn: mixing ?? space), in: space)
  }

  fileprivate var vertices: [MeshVertex] {
    zip(positions, components).map { MeshVertex($0, ColorPoint($1, in: mixing)) }
  }
}

extension TriangleMesh: ConvertedPainter {
  var paintedSpace: ColorSpace { mixing }
}

extension MeshVertex: RecipeRecord {
  /// The declaration of a vertex.
  public static let declaration = Declaration<MeshVertex>(
    of: "corner", Parameter("at", \.position, "where it is", unit: "pixels"),
    Parameter("color", \.color, "its color")
  ) { MeshVertex($0, $1) }

  /// The form of a value on the command line: `red@10,20`.
  public static var textForm: TextForm {
    .pair(("color", ColorPoint.textForm), ("at", SIMD2<Double>.textForm), as: "COLOR@X,Y")
  }
}

extension Picture {
  /// Creates a mesh of triangles, painted in `space`. Colors are interpolated in linear light unless `mixing` names
  /// another space.
  public static func mesh(
    _ vertices: [MeshVertex], triangles: [SIMD3<Int>], mixedIn mixing: ColorSpace? = nil,
    in space: ColorSpace
  ) -> Picture {
    let mixing = mixing ?? space.linear
    return painted(in: mixing) { () throws(RecipeError) in
      try TriangleMesh(vertices, triangles: triangles, mixedIn: mixing)
    }.converted(to: space)
  }
}
