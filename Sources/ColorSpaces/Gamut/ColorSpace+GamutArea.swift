/// A plane of chromaticities, in which the primaries of a space are the corners of a triangle.
///
/// How much larger one triangle is than another depends on the plane: Display P3 has 1.36 times the area of sRGB in x and y, and 1.26
/// times in u′ and v′. Chromaticities are those of the primaries themselves, not adapted to another white.
@nonexhaustive
public enum ChromaticityPlane: Hashable, Sendable {
  /// CIE 1931 x and y: the common diagram, in which greens take up most of the room.
  case xy
  /// CIE 1976 u′ and v′, in which equal distances look more alike.
  case uv

  fileprivate func point(_ chromaticity: Chromaticity) -> SIMD2<Double> {
    let (x, y) = (chromaticity.x, chromaticity.y)
    return switch self {
    case .xy: SIMD2(x, y)
    case .uv: SIMD2(4 * x, 9 * y) / (12 * y - 2 * x + 3)
    }
  }
}

extension ColorSpace {
  /// The area of the triangle of the space's primaries.
  public func gamutArea(in plane: ChromaticityPlane) -> Double { area(triangle(in: plane)) }

  /// The part of another space's triangle that lies inside this space's: 1 where it holds all of them. Exact but for rounding.
  public func coverage(of other: ColorSpace, in plane: ChromaticityPlane) -> Double {
    let (corners, others) = (triangle(in: plane), other.triangle(in: plane))
    func distance(_ point: SIMD2<Double>, fromEdge index: Int) -> Double {
      turn(corners[index], corners[(index + 1) % 3], point)
    }
    // Corners on an edge round to either side of it.
    if others.allSatisfy({ point in
      corners.indices.allSatisfy { distance(point, fromEdge: $0) >= -1e-14 }
    }) {
      return 1
    }
    // Each edge cuts off what lies to its right (Sutherland and Hodgman 1974).
    let common = corners.indices.reduce(others) { polygon, index in
      clipped(polygon) { distance($0, fromEdge: index) }
    }
    return min(area(common) / other.gamutArea(in: plane), 1)
  }

  /// The chromaticities of the primaries, counterclockwise.
  private func triangle(in plane: ChromaticityPlane) -> [SIMD2<Double>] {
    let corners = [primaries.red, primaries.green, primaries.blue].map(plane.point)
    return turn(corners[0], corners[1], corners[2]) < 0 ? corners.reversed() : corners
  }
}

/// The part of a convex polygon on which `distance`, which is linear, is not negative.
func clipped<Point: SIMD<Double>>(
  _ polygon: [Point], by distance: (Point) -> Double
) -> [Point] {
  polygon.indices.flatMap { index -> [Point] in
    let (start, end) = (polygon[index], polygon[(index + 1) % polygon.count])
    let (before, after) = (distance(start), distance(end))
    let kept = before >= 0 ? [start] : []
    guard (before < 0) != (after < 0) else { return kept }
    return kept + [start + (end - start) * (before / (before - after))]
  }
}

/// Twice the area of the triangle, negative where its corners run clockwise.
private func turn(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
  (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

private func area(_ polygon: [SIMD2<Double>]) -> Double {
  guard polygon.count > 2 else { return 0 }
  return (1..<polygon.count - 1).reduce(0) { sum, index in
    sum + turn(polygon[0], polygon[index], polygon[index + 1]) / 2
  }
}
