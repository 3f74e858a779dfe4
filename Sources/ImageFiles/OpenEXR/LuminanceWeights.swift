#if COLORLOOM_OPENEXR
  /// The shares of red, green and blue in luminance, and the colors that luminance and chroma are made of (OpenEXR, “Luminance/Chroma
  /// Images”). Results depend on the order of operations, which is that of OpenEXR's C++ library.
  struct LuminanceWeights {
    private let red, green, blue: Float

    /// The chromaticities of files that state none: Rec. 709.
    private static let usual: [Float] = [0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329]

    /// Creates the weights of chromaticities: red, green, blue, white; those of Rec. 709 for nil. Nil where these have no luminance, or all
    /// primaries are on a line (ImfChromaticities.cpp, RGBtoXYZ; ImfRgbaYca.cpp, computeYw).
    init?(_ chromaticities: [Float]?) {
      let numbers = chromaticities ?? Self.usual
      let points = (0..<4).map { SIMD2(numbers[2 * $0], numbers[2 * $0 + 1]) }
      let (r, g, b, white) = (points[0], points[1], points[2], points[3])
      let x = white.x / white.y
      let z = (1 - white.x - white.y) / white.y
      let sum = x + z
      let scale = r.x * (b.y - g.y) + b.x * (g.y - r.y) + g.x * (r.y - b.y)
      func share(_ a: SIMD2<Float>, _ b: SIMD2<Float>) -> (Float, Float) {
        (a.x * ((b.y - 1) + b.y * sum), b.x * ((a.y - 1) + a.y * sum))
      }
      let (gb, rb, rg) = (share(g, b), share(r, b), share(r, g))
      let luminances = [
        (x * (b.y - g.y) - gb.0 + gb.1) / scale * r.y,
        (x * (r.y - b.y) + rb.0 - rb.1) / scale * g.y,
        (x * (g.y - r.y) - rg.0 + rg.1) / scale * b.y,
      ]
      let total = luminances[0] + luminances[1] + luminances[2]
      (red, green, blue) = (luminances[0] / total, luminances[1] / total, luminances[2] / total)
      guard red.isFinite, green.isFinite, blue.isFinite, green != 0 else { return nil }
    }

    /// Returns red, green and blue. Chroma is the difference of red or blue from luminance, divided by luminance.
    func color(_ luminance: Float, _ redChroma: Float, _ blueChroma: Float) -> SIMD3<Float> {
      // Grays keep all of their bits.
      if redChroma == 0, blueChroma == 0 { return SIMD3(repeating: luminance) }
      let (r, b) = ((redChroma + 1) * luminance, (blueChroma + 1) * luminance)
      return SIMD3(r, (luminance - r * red - b * blue) / green, b)
    }

    /// Returns a color of the same luminance whose channels differ by a factor less from the largest one.
    func desaturated(
      _ color: SIMD3<Float>, by factor: Float, _ rounded: (Float) -> Float
    ) -> SIMD3<Float> {
      let largest = color.largest
      var result = SIMD3<Float>()
      for channel in 0..<3 {
        let value = largest - (largest - color[channel]) * factor
        result[channel] = rounded(value < 0 ? 0 : value)
      }
      let (before, after) = (luminance(of: color), luminance(of: result))
      guard after > 0 else { return result }
      for channel in 0..<3 { result[channel] = rounded(result[channel] * (before / after)) }
      return result
    }

    private func luminance(of color: SIMD3<Float>) -> Float {
      color.x * red + color.y * green + color.z * blue
    }
  }

  extension SIMD3<Float> {
    // Comparisons in the order of the library's, for NaN.

    /// The largest channel.
    fileprivate var largest: Float {
      let second = y < z ? z : y
      return x < second ? second : x
    }

    /// 0 for grays, and up to 1 for colors without one of the primaries.
    var saturation: Float {
      let second = z < y ? z : y
      let (least, most) = (second < x ? second : x, largest)
      return most > 0 ? 1 - least / most : 0
    }
  }
#endif
