// Hues as angles, for all models that have them.

/// The direction of a pair of opponents in degrees, 0..<360; 0 for none of both.
func hueInDegrees(_ x: Double, _ y: Double) -> Double {
  let degrees = arctangentInDegrees(y, x)
  return degrees < 0 ? degrees + 360 : degrees
}

/// The same angle as 0..<360.
func degreesInOneTurn(_ degrees: Double) -> Double {
  let rest = degrees.truncatingRemainder(dividingBy: 360)
  // A tiny negative rest is rounded to the whole turn.
  return rest < 0 ? (rest + 360).truncatingRemainder(dividingBy: 360) : rest
}

/// The opponents of a hue at the distance 1 from gray.
func opponents(ofHue degrees: Double) -> SIMD2<Double> {
  [cosine(ofPi: degrees / 180), sine(ofPi: degrees / 180)]
}

/// Lightness, chroma and hue of lightness and two opponents. Gray has the hue 0, and a NaN in one channel is one in all.
func polarized(_ v: SIMD3<Double>) -> SIMD3<Double> {
  if v.hasNaN { return SIMD3(repeating: .nan) }
  return [v.x, (v.y * v.y + v.z * v.z).squareRoot(), hueInDegrees(v.y, v.z)]
}

/// The way back from ``polarized(_:)``.
func rectangular(_ v: SIMD3<Double>) -> SIMD3<Double> {
  if v.hasNaN { return SIMD3(repeating: .nan) }
  let color = v.y * opponents(ofHue: v.z)
  return [v.x, color.x, color.y]
}
