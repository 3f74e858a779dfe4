// Hues as angles, for all models that have them.

/// The direction of a pair of opponents in degrees, 0..<360; 0 for none of both.
func hueInDegrees(_ x: Double, _ y: Double) -> Double {
  let degrees = arctangentInDegrees(y, x)
  return degrees < 0 ? degrees + 360 : degrees
}

/// The opponents of a hue at the distance 1 from gray.
func opponents(ofHue degrees: Double) -> SIMD2<Double> {
  [cosine(ofPi: degrees / 180), sine(ofPi: degrees / 180)]
}
