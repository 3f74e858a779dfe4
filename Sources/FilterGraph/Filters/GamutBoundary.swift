internal import ColorSpaces

/// Whether colors of one space lie outside of the gamut of another one.
struct GamutBoundary: Sendable {
  private let red, green, blue: SIMD3<Float>
  private let low, high: Float
  private let isFar: (@Sendable (SIMD3<Float>) -> Bool)?

  /// The boundary of `gamut`, for linear light of `space`.
  init(
    of gamut: ColorSpace, from space: ColorSpace, _ tolerance: Double, _ metric: GamutMask.Metric
  ) {
    precondition(
      tolerance >= 0 && tolerance.isFinite,
      "A tolerance lies from 0 up; got \(tolerance).")
    let rows = space.matrix(to: gamut).rows.map { SIMD3<Float>($0) }
    (red, green, blue) = (rows[0], rows[1], rows[2])
    switch metric {
    case .light:
      (low, high, isFar) = (Float(-tolerance), Float(1 + tolerance), nil)
    case .difference(let formula):
      (low, high) = (0, 1)
      let lights = gamut.linear
      isFar = { light in
        let clipped = light.clamped(lowerBound: .zero, upperBound: .one)
        let (found, nearest) = (
          ColorPoint(SIMD3<Double>(light), in: lights),
          ColorPoint(SIMD3<Double>(clipped), in: lights)
        )
        return formula(nearest, found) > tolerance
      }
    }
  }

  /// Whether the gamut cannot hold this light. Light that is no number counts as held.
  @inline(__always)
  func excludes(_ light: SIMD3<Float>) -> Bool {
    let x = red.x * light.x + red.y * light.y + red.z * light.z
    let y = green.x * light.x + green.y * light.y + green.z * light.z
    let z = blue.x * light.x + blue.y * light.y + blue.z * light.z
    let isBeyond = x < low || x > high || y < low || y > high || z < low || z > high
    guard let isFar else { return isBeyond }
    return isBeyond && isFar(SIMD3(x, y, z))
  }
}
