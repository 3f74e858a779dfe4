internal import ColorSpaces
internal import ImageBuffer

/// An affine or projective transform of the plane: translation, scale, rotation, shear, homography. Straight lines stay
/// straight.
///
/// Columns count to the right and rows down; the first pixel fills the square from (0, 0) to (1, 1).
public struct PlaneTransform: Hashable, Sendable {
  /// The rows of the matrix that maps (x, y, 1) to (x · w, y · w, w), scaled so that the last entry is 1 or the largest
  /// of the last row is in 1..<2.
  let rows: [SIMD3<Double>]

  /// Multiples of a matrix are the same transform. Scaling by a power of two makes thresholds of w and of the
  /// determinant independent of the multiple, and changes no bit of a result.
  private init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ w: SIMD3<Double>) {
    let largest = max(abs(w.x), abs(w.y), abs(w.z))
    if w.z == 1 || !largest.isNormal {
      rows = [x, y, w]
    } else {
      let scale = Double(sign: .plus, exponent: -Int(largest.exponent), significand: 1)
      rows = [x * scale, y * scale, w * scale]
    }
  }

  /// The identity.
  public static let identity = PlaneTransform([1, 0, 0], [0, 1, 0], [0, 0, 1])

  /// x′ = a · x + b · y + c and y′ = d · x + e · y + f.
  public static func affine(
    _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) -> PlaneTransform {
    PlaneTransform([a, b, c], [d, e, f], [0, 0, 1])
  }

  /// Returns a translation to the right and down.
  public static func moved(x: Double, y: Double) -> PlaneTransform { affine(1, 0, x, 0, 1, y) }

  /// Returns a scale of width and height.
  public static func scaled(x: Double, y: Double) -> PlaneTransform { affine(x, 0, 0, 0, y, 0) }

  /// Returns a clockwise rotation about the top left corner. Quarter turns are exact.
  public static func rotated(degrees: Double) -> PlaneTransform {
    let (cosine, sine) = (cosine(ofPi: degrees / 180), sine(ofPi: degrees / 180))
    return affine(cosine, -sine, 0, sine, cosine, 0)
  }

  /// Returns a shear: x moves by `x` times y, and y by `y` times x.
  public static func sheared(x: Double, y: Double) -> PlaneTransform { affine(1, x, 0, y, 1, 0) }

  /// Returns the homography from the square from (0, 0) to (1, 1) to four corners: top left, top right, bottom right,
  /// bottom left (Heckbert, “Fundamentals of texture mapping and image warping”, 1989, 2.2.3).
  ///
  /// - Throws: ``RecipeError`` if there are not four corners, or if the last three lie on a line and the four are no
  ///   parallelogram.
  public static func square(to corners: [SIMD2<Double>]) throws(RecipeError) -> PlaneTransform {
    try checkFour(corners)
    guard let transform = square(toFour: corners) else { throw .noWayBack }
    return transform
  }

  /// Returns the homography to what are four corners already; nil where there is none.
  static func square(toFour corners: [SIMD2<Double>]) -> PlaneTransform? {
    let sum = corners[0] - corners[1] + corners[2] - corners[3]
    let (right, left) = (corners[1] - corners[2], corners[3] - corners[2])
    let area = cross(right, left)
    let (g, h) =
      sum == .zero ? (0, 0) : (cross(sum, left) / area, cross(right, sum) / area)
    guard g.isFinite, h.isFinite else { return nil }
    let across = corners[1] - corners[0] + g * corners[1]
    let down = corners[3] - corners[0] + h * corners[3]
    return PlaneTransform(
      [across.x, down.x, corners[0].x], [across.y, down.y, corners[0].y], [g, h, 1])
  }

  /// Returns the composition that applies this transform first, then `next`.
  public func followed(by next: PlaneTransform) -> PlaneTransform {
    let columns = (0..<3).map { column in SIMD3(rows[0][column], rows[1][column], rows[2][column]) }
    let product = next.rows.map { row in
      SIMD3((row * columns[0]).sum(), (row * columns[1]).sum(), (row * columns[2]).sum())
    }
    return PlaneTransform(product[0], product[1], product[2])
  }

  /// The inverse; nil where the matrix is singular.
  public var inverse: PlaneTransform? {
    let (a, b, c) = (cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]))
    let determinant = (rows[0] * a).sum()
    // Compared with the sum of its terms' magnitudes, since a matrix of small entries is not singular.
    let (x, y, w) = (rows[0].magnitudes, rows[1].magnitudes, rows[2].magnitudes)
    let minors = SIMD3(y.y * w.z + y.z * w.y, y.z * w.x + y.x * w.z, y.x * w.y + y.y * w.x)
    guard determinant.isFinite, abs(determinant) > 1e-30 * (x * minors).sum() else { return nil }
    return PlaneTransform(
      SIMD3(a.x, b.x, c.x) / determinant, SIMD3(a.y, b.y, c.y) / determinant,
      SIMD3(a.z, b.z, c.z) / determinant)
  }

  /// Throws if an entry is not finite or exceeds `limit`, so that products of a few of them are finite.
  func checkEntries(upTo limit: Double = 1e30) throws(RecipeError) {
    for row in rows {
      for entry in [row.x, row.y, row.z] {
        try checked("An entry of the matrix of a transform", entry, in: -limit...limit)
      }
    }
  }

  /// Whether the transform is affine: parallel lines stay parallel.
  package var isAffine: Bool { rows[2] == [0, 0, 1] }

  /// Returns the image of a point; nil where that is not in front of the viewer.
  public func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double>? {
    let homogeneous = SIMD3(point.x, point.y, 1)
    let w = (rows[2] * homogeneous).sum()
    guard w > 1e-9 else { return nil }
    return SIMD2((rows[0] * homogeneous).sum(), (rows[1] * homogeneous).sum()) / w
  }

  /// The largest displacement in x and in y of the image for a unit step in any direction from `point`.
  func stretch(at point: SIMD2<Double>) -> SIMD2<Double> {
    let homogeneous = SIMD3(point.x, point.y, 1)
    let w = (rows[2] * homogeneous).sum()
    return stretch(at: homogeneous) / (w * w)
  }

  /// The same times w², which is the root of a quadratic form of the point.
  fileprivate func stretch(at point: SIMD3<Double>) -> SIMD2<Double> {
    let w = (rows[2] * point).sum()
    func step(_ axis: Int) -> Double {
      let slope = rows[axis] * w - rows[2] * (rows[axis] * point).sum()
      return (slope.x * slope.x + slope.y * slope.y).squareRoot()
    }
    return SIMD2(step(0), step(1))
  }

  /// Returns the bounding rectangle of the image of a region, and the largest stretch in it; nil where a part is not in
  /// view.
  func bounds(
    of region: Region
  ) -> (least: SIMD2<Double>, most: SIMD2<Double>, stretch: SIMD2<Double>)? {
    var least = SIMD2(repeating: Double.infinity)
    var most = -least
    var (stretch, nearest) = (SIMD2<Double>.zero, Double.infinity)
    for x in [region.x, region.x + region.width] {
      for y in [region.y, region.y + region.height] {
        let corner = SIMD2(Double(x), Double(y))
        guard let point = self(corner) else { return nil }
        (least, most) = (pointwiseMin(least, point), pointwiseMax(most, point))
        let homogeneous = SIMD3(corner.x, corner.y, 1)
        // The maximum is at a corner: the norm of a linear function, over a square that is smallest there.
        stretch = pointwiseMax(stretch, self.stretch(at: homogeneous))
        nearest = min(nearest, (rows[2] * homogeneous).sum())
      }
    }
    return (least, most, stretch / (nearest * nearest))
  }
}

extension PlaneTransform: RecipeCodable {
  /// Reads the three rows of the matrix that maps (x, y, 1) to (x · w, y · w, w).
  public init(recipe source: RecipeSource) throws(RecipeDecodingError) {
    let rows = try [SIMD3<Double>](recipe: source)
    guard rows.count == 3, rows.allSatisfy({ $0.min() >= -1e30 && $0.max() <= 1e30 }) else {
      throw source.mismatch(expected: "three rows of a matrix, with numbers of at most 10³⁰")
    }
    self.init(rows[0], rows[1], rows[2])
    do throws(RecipeError) { try checkEntries() } catch {
      throw .unusable(at: source.path, error)
    }
  }

  /// Writes the three rows.
  public func recipeValue() throws(RecipeEncodingError) -> RecipeValue { try rows.recipeValue() }
}

func cross(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double { a.x * b.y - a.y * b.x }

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
  SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
