package import ColorSpaces

/// Turns scene-linear light into the transmittance of a negative: the inverse of ``NegativeDevelopment``.
package struct NegativeExposure: PointFilter {
  let development: NegativeDevelopment

  /// Creates the inverse of `development`.
  package init(undoneBy development: NegativeDevelopment) { self.development = development }

  /// Linear light: the exposure of film is proportional to it.
  package var domain: PixelDomain { .linear }

  /// Appends a power for each layer, and another one for light above the base.
  ///
  /// Transmittances above the base, of the scanner's light or of noise, are developed to negative values. For these, the
  /// first curve is the tangent of the characteristic curve at the base, and the second one completes it; it leaves values
  /// of the film itself as they are. A power of both would round those otherwise.
  package func describe(to program: inout PointProgram, in space: ColorSpace) {
    let film = (0..<3).map(exposed(layer:))
    program.append(.curves("negative exposure", film[0], film[1], film[2]))
    let lamp = (0..<3).map(extended(layer:))
    program.append(.curves("light above the film base", lamp[0], lamp[1], lamp[2]))
  }

  /// T = base · (1 + H/H₀)^−γ with H₀ = 1 / ((white / base)^(−1/γ) − 1), and base · (1 − γ · H/H₀) where H is negative.
  private func exposed(layer: Int) -> Curve {
    let (base, contrast) = (development.base[layer], development.contrast[layer])
    let toe = 1 / development.exposure(ofWhite: layer)
    // An infinite slope times 0 would be NaN. The second curve clamps what so steep a line makes of negative values.
    let slope = max(-base * contrast / toe, -1e34)
    return .power(
      PowerCurve(
        scale: base * power(toe, contrast), shift: toe, exponent: -contrast, slope: slope,
        intercept: base, belowZero: .continued))
  }

  /// From the tangent above the base, `t = base · (1 − γ · H/H₀)`, to base · (1 + H/H₀)^−γ.
  private func extended(layer: Int) -> Curve {
    let (base, contrast) = (development.base[layer], development.contrast[layer])
    // The power is infinite at −H₀. No light is 4 of density above the base, nor can single precision tell values from −H₀.
    let least = max(power(10, -4 / contrast), 0x1p-16)
    return .segmented(
      SegmentedCurve([
        .line(slope: 1),
        // Where the tangent and the power still agree.
        .power(
          -contrast, from: base * (1 + 1e-6), slope: -1 / (base * contrast),
          shift: 1 + 1 / contrast, scale: base),
        .constant(
          base * power(least, -contrast), from: base * (1 + contrast * (1 - least))),
      ]))
  }
}

extension NegativeExposure: RecipeFilter {
  /// The declaration of `negative-exposure`.
  package static let declaration = Declaration<NegativeExposure>(
    "negative-exposure",
    "Simulates the scan of a negative of a scene: the inverse of negative-development.",
    swift: """
      picture.exposed(on: .colorNegative(base: .transmittance([1, 0.8, 0.7]), \
      white: .transmittance([0.1, 0.08, 0.07])))
      """,
    Parameter(
      "base", \.development.base, "the transmittance of unexposed film, by channel",
      unit: "linear light", in: NegativeFilm.bases, sample: [1, 0.8, 0.7]),
    Parameter(
      "white", \.development.white,
      "the transmittance that white becomes, darker than the base, by channel",
      unit: "linear light", in: NegativeFilm.whites, sample: [0.1, 0.08, 0.07]),
    Parameter(
      "contrast", \.development.contrast, "the slope γ of the characteristic curve, by layer",
      in: NegativeFilm.contrasts, sample: NegativeFilm.colorNegative().contrast)
  ) { base, white, contrast throws(RecipeError) in
    NegativeExposure(
      undoneBy: try NegativeDevelopment(base: base, white: white, contrast: contrast))
  }
  .computing(
    "base · (1 + x · ((white / base)^(−1 / contrast) − 1))^−contrast for each channel x."
  )
  .clamping(
    "Negative values become brighter than the base, up to 10,000 times, or 65,536^contrast times where that is less."
  )
}

extension Picture {
  /// Returns a simulated scan of this scene on negative film: the inverse of ``developed(_:)`` with the same film.
  ///
  /// Values below 0, which development makes of light beside the film and of noise, become brighter than the base again. Density
  /// that development clamps does not come back, nor does color on black-and-white film. Base and white of `film` must be known,
  /// as those of ``NegativeFilm/measured(on:options:)`` are; otherwise rendering throws an error.
  public func exposed(on film: NegativeFilm) -> Picture {
    let scene = film.converted(self)
    let scan = scene.applying { () throws(RecipeError) in
      guard case .transmittance(let base) = film.base, case .transmittance(let white) = film.white
      else {
        throw .other(
          "Film to expose has a known base and white. Measure it with NegativeFilm.measured(on:)."
        )
      }
      return NegativeExposure(undoneBy: try film.development(base: base, white: white))
    }
    return film.needsConversion(of: self) ? scan.converted(to: space) : scan
  }
}
