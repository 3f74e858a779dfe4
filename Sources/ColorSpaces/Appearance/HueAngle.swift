// Hues as angles, for all models that have them.

/// The direction of a pair of opponents in degrees, 0..<360; 0 for none of both.
func hueInDegrees<Number: FormulaNumber>(_ x: Number, _ y: Number) -> Number {
  let degrees = Number.arctangentInDegrees(y, x)
  return .select(degrees .< 0, degrees + 360, degrees)
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
