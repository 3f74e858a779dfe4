/// The surface of a gamut as a closed mesh of triangles in coordinates of a metric.
///
/// Every edge belongs to two triangles, which use it in opposite directions; seen from outside, corners are
/// counterclockwise. Vertices lie on the surface, and triangles between them are flat where the surface may be curved.
public struct GamutMesh: Hashable, Sendable {
  /// The space of the vertices' coordinates.
  public let metric: ColorSpace
  /// The corners, in coordinates of ``metric``.
  public let vertices: [SIMD3<Double>]
  /// The triangles, as indices of three corners.
  public let triangles: [SIMD3<Int>]

  /// Creates the mesh of the solid that `convert` makes of the cube 0…1 of three channels.
  ///
  /// - Parameters:
  ///   - metric: The space of the coordinates; none of them may be an angle.
  ///   - steps: The number of squares along each edge of the cube, 1 to 256.
  ///   - convert: Returns the coordinates in `metric` of three channels.
  public init(
    in metric: ColorSpace, steps: Int = 24, _ convert: (SIMD3<Double>) -> SIMD3<Double>
  ) {
    precondition((1...256).contains(steps), "A gamut mesh has 1 to 256 steps; got \(steps).")
    metric.checkHasNoAngle()
    var (vertices, indices) = ([SIMD3<Double>](), [SIMD3<Int>: Int]())
    func index(of point: SIMD3<Int>) -> Int {
      if let index = indices[point] { return index }
      indices[point] = vertices.count
      vertices.append(convert(SIMD3<Double>(point) / Double(steps)))
      return vertices.count - 1
    }
    var triangles: [SIMD3<Int>] = []
    for channel in 0..<3 {
      let (across, along) = ((channel + 1) % 3, (channel + 2) % 3)
      for side in [0, steps] {
        for row in 0..<steps {
          for column in 0..<steps {
            let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map { dx, dy -> Int in
              var point = SIMD3<Int>.zero
              (point[channel], point[across], point[along]) = (side, column + dx, row + dy)
              return index(of: point)
            }
            let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
            triangles += side == 0 ? [[a, c, b], [a, d, c]] : [[a, b, c], [a, c, d]]
          }
        }
      }
    }
    // Spaces whose primaries run clockwise, and metrics that mirror, turn the cube inside out.
    if enclosedVolume(of: triangles, vertices) < 0 {
      triangles = triangles.map { [$0.x, $0.z, $0.y] }
    }
    (self.metric, self.vertices, self.triangles) = (metric, vertices, triangles)
  }

  /// The volume that the triangles enclose, by the divergence theorem. It approaches ``ColorSpace/gamutVolume(in:)`` with
  /// the square of the number of steps.
  public var volume: Double { enclosedVolume(of: triangles, vertices) }

  /// The mesh as a text file in the Polygon File Format (PLY 1.0), each vertex with its color in sRGB, clipped.
  public var ply: String {
    let colors = vertices.map { vertex -> String in
      let color = ColorPoint(vertex, in: metric).converted(to: .sRGB).components
      return (0..<3).map { channel in
        let value = color[channel].isFinite ? color[channel] : 0
        return "\(Int((min(max(value, 0), 1) * 255).rounded()))"
      }.joined(separator: " ")
    }
    let head = [
      "ply", "format ascii 1.0", "comment gamut in \(metric)", "element vertex \(vertices.count)",
      "property double x", "property double y", "property double z", "property uchar red",
      "property uchar green", "property uchar blue", "element face \(triangles.count)",
      "property list uchar int vertex_indices", "end_header",
    ]
    let corners = zip(vertices, colors).map { "\($0.x) \($0.y) \($0.z) \($1)" }
    let faces = triangles.map { "3 \($0.x) \($0.y) \($0.z)" }
    return (head + corners + faces).joined(separator: "\n") + "\n"
  }
}

extension ColorSpace {
  /// Returns the surface of all colors that the primaries mix between black and white.
  ///
  /// Vertices lie closer near black, where coordinates such as those of Lab change fastest. White points are adapted to
  /// that of `metric`.
  ///
  /// - Precondition: There are 1 to 256 steps, and no coordinate of `metric` is an angle.
  public func gamutMesh(in metric: ColorSpace, steps: Int = 24) -> GamutMesh {
    let conversion = PointProgram(converting: linear, to: metric)
    return GamutMesh(in: metric, steps: steps) { conversion($0 * $0 * $0) }
  }

  /// Traps for coordinates with an angle, in which a solid has no volume.
  func checkHasNoAngle() {
    if case .coordinates(let coordinates) = transfer.form {
      precondition(
        coordinates.hue == nil,
        "\(self) has an angle among its coordinates; measure solids in coordinates at right "
          + "angles, such as Lab.")
    }
  }

  /// Whether one of the coordinates is an angle, so that no solid can be measured in the space.
  package var hasAngle: Bool { hueChannel != nil }
}

/// The volume that triangles enclose: the sum of the tetrahedra between them and the origin.
private func enclosedVolume(of triangles: [SIMD3<Int>], _ vertices: [SIMD3<Double>]) -> Double {
  // A corner near the solid as the origin keeps rounding errors small.
  let origin = vertices[0]
  return triangles.reduce(0) { sum, triangle in
    sum
      + ColorMatrix(
        columns: vertices[triangle.x] - origin, vertices[triangle.y] - origin,
        vertices[triangle.z] - origin
      ).determinant
  } / 6
}
