/// A numerical estimate with an error bound.
public struct Estimate: Hashable, Sendable {
  /// The estimated value.
  public let value: Double
  /// The largest expected difference between ``value`` and the true value.
  public let error: Double

  /// A number and its error.
  public init(value: Double, error: Double) { (self.value, self.error) = (value, error) }
}

extension ColorSpace {
  /// The volume of all mixtures of the primaries between black and white, as a solid in `metric`: Lab, Oklab, XYZ or any
  /// other space without an angle. Whites are adapted to that of `metric`.
  ///
  /// Exact but for rounding where `metric` is linear. Elsewhere the solid's surface is cut into flat triangles, twice as fine the
  /// second time, and what the two have left is extrapolated (Richardson); the error is the size of that last step.
  public func gamutVolume(in metric: ColorSpace) -> Estimate {
    volume(of: Self.cube, in: metric)
  }

  /// The part of another space's solid in `metric` that lies inside this space's: exactly 1 where it holds all of it, and at most
  /// 1 elsewhere. Otherwise as exact as the two volumes, see ``gamutVolume(in:)``.
  public func coverage(of other: ColorSpace, in metric: ColorSpace) -> Estimate {
    metric.checkHasNoAngle()
    if holdsAll(of: other) { return Estimate(value: 1, error: 0) }
    let common = volume(of: commonFaces(with: other), in: metric)
    let whole = other.gamutVolume(in: metric)
    let part = common.value / whole.value
    return Estimate(
      value: min(part, 1), error: (common.error + part * whole.error) / whole.value)
  }

  /// The faces of 0…1 in three channels, their corners counterclockwise seen from outside.
  private static let cube: [[SIMD3<Double>]] = (0..<3).flatMap { channel -> [[SIMD3<Double>]] in
    var across = [SIMD3<Double>](repeating: .zero, count: 3)
    for offset in 0..<3 { across[offset][(channel + offset) % 3] = 1 }
    let face = [.zero, across[1], across[1] + across[2], across[2]]
    return [face.reversed(), face.map { $0 + across[0] }]
  }

  /// Faces that two spaces share count as inside of each other, however they round.
  private static let faceTolerance = 1e-14

  /// Whether the other solid lies inside this one: as both are convex in linear light, whether its corners do.
  private func holdsAll(of other: ColorSpace) -> Bool {
    let toSelf = other.matrix(to: self)
    return Self.cube.joined().allSatisfy { corner in
      let light = toSelf * corner
      return (0..<3).allSatisfy {
        light[$0] >= -Self.faceTolerance && light[$0] <= 1 + Self.faceTolerance
      }
    }
  }

  /// The faces of what both spaces hold, in this space's linear light: each one's faces as far as they lie inside the other.
  private func commonFaces(with other: ColorSpace) -> [[SIMD3<Double>]] {
    let tolerance = Self.faceTolerance
    func inside(_ face: [SIMD3<Double>], _ matrix: ColorMatrix) -> [SIMD3<Double>] {
      matrix.rows.reduce(face) { face, row in
        clipped(clipped(face) { (row * $0).sum() + tolerance }) { 1 - (row * $0).sum() + tolerance }
      }
    }
    let fromOther = other.matrix(to: self)
    let isMirrored = fromOther.determinant < 0
    let others = Self.cube.map { face in
      let corners = face.map { fromOther * $0 }
      return isMirrored ? corners.reversed() : corners
    }
    let unshared = others.filter { face in
      !(0..<3).contains { channel in
        [0, 1].contains { side in face.allSatisfy { abs($0[channel] - side) <= tolerance } }
      }
    }
    return
      (Self.cube.map { inside($0, matrix(to: other)) }
      + unshared.map { inside($0, .identity) }).filter { $0.count > 2 }
  }

  /// The volume in `metric` of a solid with these faces in this space's linear light.
  private func volume(of faces: [[SIMD3<Double>]], in metric: ColorSpace) -> Estimate {
    metric.checkHasNoAngle()
    let conversion = PointProgram(converting: linear, to: metric)
    var (coarse, fine) = (0.0, 0.0)
    for face in faces {
      var (coarsePart, finePart) = (0.0, 0.0)
      for corners in triangles(face) {
        let surface = CurvedTriangle(corners, steps: 64, conversion: conversion)
        coarsePart += surface.volume(every: 2)
        finePart += surface.volume(every: 1)
      }
      coarse += coarsePart
      fine += finePart
    }
    // The error falls with the square of the steps: a third of the last difference is left.
    let rest = (fine - coarse) / 3
    return Estimate(value: abs(fine + rest), error: abs(rest) + 1e-12 * abs(fine))
  }
}

/// A polygon as triangles around the corner that is nearest to black.
private func triangles(_ polygon: [SIMD3<Double>]) -> [[SIMD3<Double>]] {
  let start =
    polygon.indices.min { (polygon[$0] * polygon[$0]).sum() < (polygon[$1] * polygon[$1]).sum() }
    ?? 0
  let turned = polygon[start...] + polygon[..<start]
  let corners = Array(turned)
  return (1..<corners.count - 1).map { [corners[0], corners[$0], corners[$0 + 1]] }
}

/// A triangle of linear light that is curved in a metric, by points on it: rows from the first corner to the other side.
private struct CurvedTriangle {
  private let rows: [[SIMD3<Double>]]

  init(_ corners: [SIMD3<Double>], steps: Int, conversion: PointProgram) {
    rows = (0...steps).map { index in
      // Cube roots, as in Lab, are steep near black: there the rows lie close.
      let part = Double(index) / Double(steps)
      let depth = part * part * part
      return conversion(
        (0...index).map { step in
          let across = index == 0 ? 0 : Double(step) / Double(index)
          let far = corners[1] + (corners[2] - corners[1]) * across
          return corners[0] + (far - corners[0]) * depth
        })
    }
  }

  /// The signed volume between the origin of the metric and flat triangles between every `stride`th point of every `stride`th row.
  func volume(every stride: Int) -> Double {
    var sum = 0.0
    for index in Swift.stride(from: stride, to: rows.count, by: stride) {
      let (previous, next) = (rows[index - stride], rows[index])
      for step in Swift.stride(from: 0, to: index, by: stride) {
        let (corner, left) = (previous[step], next[step])
        sum += ColorMatrix(columns: corner, left, next[step + stride]).determinant
        if step > 0 {
          sum += ColorMatrix(columns: previous[step - stride], left, corner).determinant
        }
      }
    }
    return sum / 6
  }
}
