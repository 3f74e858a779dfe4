// Hexcone models: sRGB's stored numbers by hue, for people who pick colors.

extension TransferFunction {
  static let hsl = hexcone("HSL") { hue, low, high in
    let lightness = (low + high) / 2
    let spread = min(lightness, 1 - lightness)
    return [hue, spread == 0 ? 0 : (high - lightness) / spread, lightness]
  } limits: { v in
    let spread = v.y * min(v.z, 1 - v.z)
    return (v.z - spread, v.z + spread)
  }

  static let hsv = hexcone("HSV") { hue, low, high in
    [hue, high == 0 ? 0 : (high - low) / high, high]
  } limits: { v in
    (v.z * (1 - v.y), v.z)
  }

  static let hwb = hexcone("HWB", hasGray: false) { hue, low, high in
    [hue, low, 1 - high]
  } limits: { v in
    // More white and black than fits is gray (CSS Color 4, 8).
    let sum = v.y + v.z
    return sum >= 1 ? (v.y / sum, v.y / sum) : (v.y, 1 - v.z)
  }

  /// Coordinates that follow from the hue in degrees and the smallest and the largest of red, green and blue; `limits` returns
  /// those two.
  private static func hexcone(
    _ name: String, hasGray: Bool = true,
    coordinates:
      @escaping @Sendable (_ hue: Double, _ low: Double, _ high: Double) -> SIMD3<
        Double
      >,
    limits: @escaping @Sendable (SIMD3<Double>) -> (low: Double, high: Double)
  ) -> TransferFunction {
    TransferFunction(
      Coordinates(
        name,
        decoding: [
          .map("from \(name)") { v in
            let (low, high) = limits(v)
            return ramps(v.x) * (high - low) + low
          }, .decode(.sRGB),
        ],
        encoding: [
          .encode(.sRGB),
          .map("to \(name)") { v in coordinates(hue(v), v.min(), v.max()) },
        ],
        hue: hasGray ? Coordinates.Hue(channel: 0, distanceChannel: 1, powerlessUpTo: 1e-9) : nil))
  }
}

/// The hue of stored red, green and blue in degrees; 0 for gray.
private func hue(_ v: SIMD3<Double>) -> Double {
  let (low, high) = (v.min(), v.max())
  if high == low { return 0 }
  let sixths: Double =
    switch high {
    case v.x: (v.y - v.z) / (high - low)
    case v.y: (v.z - v.x) / (high - low) + 2
    default: (v.x - v.y) / (high - low) + 4
    }
  return sixths < 0 ? 60 * (sixths + 6) : 60 * sixths
}

/// How much of the way from the smallest to the largest number red, green and blue go at a hue.
private func ramps(_ hue: Double) -> SIMD3<Double> {
  let sixths = hue / 60
  func ramp(_ offset: Double) -> Double {
    let turn = (sixths + offset) - ((sixths + offset) / 6).rounded(.down) * 6
    return min(max(abs(turn - 3) - 1, 0), 1)
  }
  return [ramp(0), ramp(4), ramp(2)]
}
