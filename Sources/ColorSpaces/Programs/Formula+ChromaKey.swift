// The formulas of chroma keys. They compute Oklab in double precision, because a matte amplifies the errors of dark colors.

extension Formula {
  /// The opacity of a chroma key in all three channels: 0 for linear values of `space` near the key, 1 for all others.
  ///
  /// - Parameters:
  ///   - key: The color of the screen in Oklab. Its chroma is above 0 unless lightness counts.
  ///   - tolerance: The largest distance of transparent colors.
  ///   - softness: The distance from there to opaque colors.
  ///   - countsLightness: Whether distances are ΔE OK, not differences of saturation and hue.
  ///   - space: The space of the linear values.
  package static func chromaKey(
    _ key: SIMD3<Double>, tolerance: Double, softness: Double, countsLightness: Bool,
    in space: ColorSpace
  ) -> Formula {
    let gamut = Gamut(of: space)
    let chroma = chromaOf(key)
    let name =
      "chroma key (\(key.x), \(key.y), \(key.z)), tolerance \(tolerance), softness \(softness)"
      + (countsLightness ? ", by ΔE OK" : "") + ", in \(space)"
    return Formula(name) { light in
      let color = oklab(of: light, in: gamut)
      let difference: Vector
      if countsLightness {
        difference = color - Vector(key)
      } else {
        // Oklab's three channels scale together with light: brought to the key's lightness, a shadow on the screen is the screen.
        let lightness = color.x.atLeast(Value(darkestScreen * key.x))
        let scale = Value(key.x / chroma) / lightness
        difference = [
          0, color.y * scale - Value(key.y / chroma), color.z * scale - Value(key.z / chroma),
        ]
      }
      let distance = (difference * difference).sum().squareRoot()
      // Without softness the matte is a step, whose division would be by 0.
      let opacity = (distance - Value(tolerance)) / Value(max(softness, 1e-9))
      // A pixel with NaN or infinite values is no screen.
      let isKnown = distance .== distance
      return Vector(repeating: .select(isKnown, opacity.atLeast(0).atMost(1), 1))
    }
  }

  /// The least lightness, as a fraction of the key's, at which colors are compared by their saturation: four stops below the screen. The
  /// saturation of darker pixels is noise.
  private static let darkestScreen = 0.4

  /// Removes a part of the chroma in the direction of `key` from linear values of `space`, at constant lightness: what exceeds hues 60° away.
  ///
  /// - Parameters:
  ///   - key: The color of the screen in Oklab. Its chroma is above 0.
  ///   - amount: The part that is removed, 0…1.
  ///   - space: The space of the linear values.
  package static func spillSuppression(
    of key: SIMD3<Double>, amount: Double, in space: ColorSpace
  ) -> Formula {
    let gamut = Gamut(of: space)
    let direction = SIMD2(key.y, key.z) / chromaOf(key)
    let name = "spill suppression (\(direction.x), \(direction.y)), \(amount), in \(space)"
    return Formula(name) { light in
      let color = oklab(of: light, in: gamut)
      let (a, b) = (Value(direction.x), Value(direction.y))
      let along = color.y * a + color.z * b
      let across = (color.z * a - color.y * b).magnitude
      // Times the cotangent of 60°. Mixtures of the screen with skin or hair along edges are nearer, most colors of subjects are not.
      let excess = along - across * Value((1.0 / 3).squareRoot())
      let removed = excess * Value(amount)
      let roots =
        gamut.fromOpponents
        * ([color.x, color.y - removed * a, color.z - removed * b] as Vector)
      let clean = gamut.fromCones * (roots * roots * roots)
      // Other colors, and gray with its rounding errors, keep every bit.
      return .select(excess .> Value(1e-7), clean, light)
    }
  }

  private static func oklab(of light: Vector, in gamut: Gamut) -> Vector {
    gamut.toOpponents * (gamut.toCones * light).map(\.cubeRoot)
  }
}
