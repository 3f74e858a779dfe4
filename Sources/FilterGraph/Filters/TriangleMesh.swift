public import ColorSpaces
internal import ImageBuffer

/// Triangles whose corners have colors that run into each other, on nothing. Later triangles lie on earlier ones.
public struct TriangleMesh: Painter {
  /// A corner.
  public struct Vertex: Hashable, Sendable {
    /// Where it is, in pixels.
    public var position: SIMD2<Double>
    /// Its color.
    public var color: ColorPoint

    /// A corner of a color at a place.
    public init(_ position: SIMD2<Double>, _ color: ColorPoint) {
      (self.position, self.color) = (position, color)
    }
  }

  private let positions: [SIMD2<Double>]
  private let components: [SIMD3<Double>]
  private let triangles: [SIMD3<Int>]

  /// Triangles by the numbers of their corners, mixed in the numbers of `space`.
  public init(_ vertices: [Vertex], triangles: [SIMD3<Int>], mixedIn space: ColorSpace) {
    for triangle in triangles {
      for corner in 0..<3 {
        precondition(
          vertices.indices.contains(triangle[corner]),
          "A triangle names the corner \(triangle[corner]); there are \(vertices.count).")
      }
    }
    for vertex in vertices {
      precondition(
        vertex.position.x.isFinite && vertex.position.y.isFinite,
        "A corner lies at finite numbers; got \(vertex.position).")
    }
    positions = vertices.map(\.position)
    components = vertices.map { $0.color.converted(to: space).components }
    self.triangles = triangles
  }

  /// The numbers of the space they are mixed in, straight: around the mesh there is nothing.
  public var domain: PixelDomain { .encoded }

  /// Around the mesh there is nothing.
  public var hasAlpha: Bool { true }

  /// The corners' colors by their barycentric weights, of the last triangle that the pixel's middle lies in.
  public func pixel(x: Int, y: Int) -> SIMD4<Double> {
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
    return SIMD4(
      components[triangle.x] * weights.x + components[triangle.y] * weights.y
        + components[triangle.z] * weights.z, 1)
  }

  /// Triangle by triangle, each in the rectangle around it.
  public func render(into output: Tile) {
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
        let row = PixelRow(output, y)
        for x in range(0, output.region.columns) {
          let place = SIMD2(Double(x) + 0.5, Double(y) + 0.5)
          if let color = color(of: triangle, at: place) { row[x] = SIMD4<Float>(color) }
        }
      }
    }
  }
}

extension Double {
  /// The nearest bound of a range where the number lies outside it, however far.
  fileprivate func clamped(to range: Range<Int>) -> Int {
    Int(Double.minimum(Double.maximum(self, Double(range.lowerBound)), Double(range.upperBound)))
  }
}

private func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }

extension TriangleMesh: CustomStringConvertible {
  /// The name in plans.
  public var description: String { "mesh of \(triangles.count) triangles" }
}

extension TriangleMesh: RecipePainter {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<Painting<TriangleMesh>>(
    "triangle-mesh",
    RecipeField("vertices") { painting in
      zip(painting.painter.positions, painting.painter.components).map {
        Vertex($0, ColorPoint($1, in: painting.space))
      }
    }, RecipeField("triangles", \.painter.triangles), RecipeField("in", \.space)
  ) { vertices, triangles, space throws(RecipeError) in
    for vertex in vertices {
      for number in [vertex.position.x, vertex.position.y] {
        try checked("The place of a corner", number, in: -0x1p30...0x1p30)
      }
    }
    for triangle in triangles {
      for corner in [triangle.x, triangle.y, triangle.z] where !vertices.indices.contains(corner) {
        throw .parameter(
          "The number of a corner", value: Double(corner),
          allowed: 0...Double(max(vertices.count - 1, 0)))
      }
    }
    return Painting(TriangleMesh(vertices, triangles: triangles, mixedIn: space), in: space)
  }
}

extension TriangleMesh.Vertex: RecipeRecord {
  /// The name and the parameters in recipes.
  public static let recipeForm = RecipeForm<TriangleMesh.Vertex>(
    "corner", RecipeField("at", \.position), RecipeField("color", \.color)
  ) { TriangleMesh.Vertex($0, $1) }
}

extension Picture {
  /// Triangles whose corners have colors that run into each other, painted in `space`: mixed as light unless `mixing` names other
  /// numbers.
  public static func mesh(
    _ vertices: [TriangleMesh.Vertex], triangles: [SIMD3<Int>], mixedIn mixing: ColorSpace? = nil,
    in space: ColorSpace
  ) -> Picture {
    let mixing = mixing ?? space.linear
    return Picture(TriangleMesh(vertices, triangles: triangles, mixedIn: mixing), in: mixing)
      .converted(to: space)
  }
}
