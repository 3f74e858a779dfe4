// Hue angles, for all models that have them.

/// The angle of a pair of opponents in degrees, 0..<360; 0 for a gray.
func hueInDegrees<Number: FormulaNumber>(_ x: Number, _ y: Number) -> Number {
  let degrees = Number.arctangentInDegrees(y, x)
  let turned = degrees + 360
  // A tiny negative angle rounds to the whole turn.
  return .select(degrees .< 0, .select(turned .< 360, turned, 0), degrees)
}

/// The angle reduced to 0..<360.
func degreesInOneTurn(_ degrees: Double) -> Double {
  let rest = degrees.truncatingRemainder(dividingBy: 360)
  // A tiny negative remainder rounds to the whole turn.
  return rest < 0 ? (rest + 360).truncatingRemainder(dividingBy: 360) : rest
}

/// The opponents of a hue at a chroma of 1.
func opponents<Number: FormulaNumber>(ofHue degrees: Number) -> (x: Number, y: Number) {
  ((degrees / 180).cosineOfPi, (degrees / 180).sineOfPi)
}

/// Lightness, chroma and hue of lightness and two opponents. Gray has the hue 0, and a NaN in one channel is one in all.
func polarized<Number: FormulaNumber>(_ v: FormulaVector<Number>) -> FormulaVector<Number> {
  let chroma = (v.y * v.y + v.z * v.z).squareRoot()
  return .select(
    v.hasNaN, FormulaVector(repeating: Number(.nan)), [v.x, chroma, hueInDegrees(v.y, v.z)])
}

/// The way back from ``polarized(_:)``.
func rectangular(_ v: SIMD3<Double>) -> SIMD3<Double> {
  if v.hasNaN { return SIMD3(repeating: .nan) }
  let direction = opponents(ofHue: v.z)
  return [v.x, v.y * direction.x, v.y * direction.y]
}
