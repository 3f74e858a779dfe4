internal import ColorSpaces

/// Scales colors that are too bright for Rec. 2020 until their largest linear sRGB component is 1.
///
/// Even a wide gamut cannot hold such a color's brightness, so the chromaticity alone decides whether the color needs one: the scaled
/// color is in sRGB exactly if its chromaticity is. Colors that are not too bright for Rec. 2020 stay unchanged: some of them, such as
/// (1.1, 0.5, 0.5) in linear sRGB, need a wide gamut although their chromaticity lies in sRGB.
struct BrightnessReduction: PointFilter {
  /// Linear light: chromaticities are ratios of linear values.
  var domain: PixelDomain { .linear }

  /// Appends a factor for each pixel, from its components in Rec. 2020 and in sRGB.
  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.append(
      .formula(.brightnessReduction(in: space, tolerance: ColorPrecision.computation)))
  }
}

extension Picture {
  /// This picture with its too bright colors reduced, to decide whether it needs a wide gamut.
  package var brightnessReduced: Picture { applying(BrightnessReduction()) }
}
