internal import ColorSpaces

/// A test whether colors of one space are out of another one's gamut.
struct GamutBoundary: Sendable {
  private enum Margin: Sendable {
    /// By at least this distance beyond 0…1, in linear light.
    case light
    /// By at least this difference from the clipped color.
    case difference(@Sendable (SIMD3<Float>) -> Bool)
    /// By more than rounding explains.
    case precision([RoundingBox])
  }

  private let red, green, blue: SIMD3<Float>
  private let low, high: Float
  private let margin: Margin

  /// Creates the boundary of `gamut`, for linear values of `space`. Without a tolerance, the precision of the sources
  /// decides.
  init(
    of gamut: ColorSpace, from space: ColorSpace, _ tolerance: Double?,
    _ metric: GamutMetric, _ precisions: [ColorPrecision]
  ) {
    let rows = space.matrix(to: gamut).rows.map { SIMD3<Float>($0) }
    (red, green, blue) = (rows[0], rows[1], rows[2])
    guard let tolerance else {
      (low, high) = (0, 1)
      margin = .precision(precisions.map { RoundingBox($0, from: space, gamut) })
      return
    }
    precondition(
      tolerance >= 0 && tolerance.isFinite,
      "A tolerance lies from 0 up; got \(tolerance).")
    switch metric {
    case .light:
      (low, high, margin) = (Float(-tolerance), Float(1 + tolerance), .light)
    case .difference(let formula):
      (low, high) = (0, 1)
      let lights = gamut.linear
      margin = .difference { light in
        let clipped = light.clamped(lowerBound: .zero, upperBound: .one)
        let (found, nearest) = (
          ColorPoint(SIMD3<Double>(light), in: lights),
          ColorPoint(SIMD3<Double>(clipped), in: lights)
        )
        return formula(nearest, found) > tolerance
      }
    }
  }

  /// Whether the color is out of gamut. NaN counts as in gamut.
  @inline(__always)
  func excludes(_ light: SIMD3<Float>, alpha: Float) -> Bool {
    let x = red.x * light.x + red.y * light.y + red.z * light.z
    let y = green.x * light.x + green.y * light.y + green.z * light.z
    let z = blue.x * light.x + blue.y * light.y + blue.z * light.z
    let isBeyond = x < low || x > high || y < low || y > high || z < low || z > high
    return isBeyond && isFar(light, SIMD3(x, y, z), alpha)
  }

  private func isFar(_ light: SIMD3<Float>, _ inGamut: SIMD3<Float>, _ alpha: Float) -> Bool {
    switch margin {
    case .light: true
    case .difference(let isFar): isFar(inGamut)
    case .precision(let boxes):
      boxes.allSatisfy { $0.excludes(light, inGamut, alpha: Double(alpha)) }
    }
  }
}

/// The box of colors that may have been rounded to a sample, tested for whether all of it is out of gamut.
private struct RoundingBox: Sendable {
  private let precision: ColorPrecision
  private let transfer: TransferFunction
  private let isCoordinates: Bool
  private let toSource: ColorMatrix
  /// The rows of the matrix to the gamut, split into their positive and negative entries.
  private let raising, lowering: [SIMD3<Double>]
  /// The distance beyond 0…1 at which a channel is out of gamut without a closer look, for source values in 0…1.
  private let far: SIMD3<Float>

  /// The tolerance in linear light for coordinates such as CIELAB, whose boxes are no boxes in linear light.
  private static let ofCoordinates: Float = 0.001

  init(_ precision: ColorPrecision, from space: ColorSpace, _ gamut: ColorSpace) {
    self.precision = precision
    let source = precision.space
    (transfer, toSource) = (source.transfer, space.matrix(to: source))
    isCoordinates = transfer.curves == nil
    let rows = source.matrix(to: gamut).rows
    raising = rows.map { $0.replacing(with: 0, where: $0 .< 0) }
    lowering = rows.map { $0.replacing(with: 0, where: $0 .> 0) }
    if isCoordinates {
      far = SIMD3(repeating: Self.ofCoordinates)
      return
    }
    // The widest box of all encoded values, with a margin for those between the samples.
    var widest = SIMD3<Double>.zero
    for step in 0...256 {
      let stored = SIMD3(repeating: Double(step) / 256)
      let (low, high) = Self.bounds(of: stored, precision, alpha: 1)
      widest = pointwiseMax(widest, high - low)
    }
    let reach = rows.map { row in
      let weights = row.replacing(with: -row, where: row .< 0)
      return Float(1.1 * (weights * widest).sum() + ColorPrecision.computation)
    }
    let isBounded = !precision.isPremultiplied && reach.allSatisfy(\.isFinite)
    far = isBounded ? SIMD3(reach[0], reach[1], reach[2]) : SIMD3(repeating: .infinity)
  }

  /// Whether the whole box around `light` is out of gamut; `inGamut` is its value in the gamut's linear space.
  func excludes(_ light: SIMD3<Float>, _ inGamut: SIMD3<Float>, alpha: Double) -> Bool {
    if isCoordinates { return any(inGamut .< -far) || any(inGamut .> far + 1) }
    let source = toSource * SIMD3<Double>(light)
    let isInRange = source.min() >= 0 && source.max() <= 1
    if isInRange, any(inGamut .< -far) || any(inGamut .> far + 1) { return true }
    let (low, high) = Self.bounds(of: transfer.encode(source), precision, alpha: alpha)
    let scale = max(1, abs(source.x), abs(source.y), abs(source.z))
    let tolerance = ColorPrecision.computation * scale
    return zip(raising, lowering).contains { raising, lowering in
      let least = (raising * low + lowering * high).sum()
      let greatest = (raising * high + lowering * low).sum()
      return greatest < -tolerance || least > 1 + tolerance
    }
  }

  /// The minimum and maximum linear values that may have been encoded to this.
  private static func bounds(
    of stored: SIMD3<Double>, _ precision: ColorPrecision, alpha: Double
  ) -> (low: SIMD3<Double>, high: SIMD3<Double>) {
    let error = SIMD3(
      precision.error(of: stored.x, alpha: alpha), precision.error(of: stored.y, alpha: alpha),
      precision.error(of: stored.z, alpha: alpha))
    let transfer = precision.space.transfer
    let (a, b) = (transfer.decode(stored - error), transfer.decode(stored + error))
    // Curves of negatives are decreasing.
    return (pointwiseMin(a, b), pointwiseMax(a, b))
  }
}
