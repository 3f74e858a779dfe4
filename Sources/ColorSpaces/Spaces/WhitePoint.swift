// White points besides those of displays, ``Chromaticity/d65``, ``Chromaticity/d50``, ``Chromaticity/aces`` and
// ``Chromaticity/dci``. The CIE's illuminants are for the 2° observer (CIE 15:2004, tables T.3 and T.8).
extension Chromaticity {
  /// Illuminant A: an incandescent lamp of 2856 K.
  public static let illuminantA = Chromaticity(0.44758, 0.40745)

  /// Illuminant B: noon sunlight, withdrawn by the CIE.
  public static let illuminantB = Chromaticity(0.34842, 0.35161)

  /// Illuminant C: average daylight of 1931, withdrawn by the CIE; the white point of NTSC (1953).
  public static let illuminantC = Chromaticity(0.31006, 0.31616)

  /// Mid-morning daylight of 5503 K.
  public static let d55 = Chromaticity(0.33243, 0.34744)

  /// Daylight of 6003 K by ``daylight(kelvin:)``. The white point of ACES, often called D60, is ``aces``.
  public static let d60 = Chromaticity(0.32163, 0.33774)

  /// North sky daylight of 7504 K.
  public static let d75 = Chromaticity(0.29903, 0.31488)

  /// Illuminant E: the equal-energy spectrum.
  public static let equalEnergy = Chromaticity(1.0 / 3, 1.0 / 3)

  /// A cool white fluorescent lamp.
  public static let f2 = Chromaticity(0.3721, 0.3751)

  /// A fluorescent lamp that imitates D65.
  public static let f7 = Chromaticity(0.3129, 0.3292)

  /// A fluorescent lamp of three narrow bands, 4000 K.
  public static let f11 = Chromaticity(0.3805, 0.3769)

  /// Every named white point, by the name of its illuminant.
  public static let whites: [String: Chromaticity] = [
    "A": .illuminantA, "B": .illuminantB, "C": .illuminantC, "D50": .d50, "D55": .d55, "D60": .d60,
    "D65": .d65, "D75": .d75, "E": .equalEnergy, "F2": .f2, "F7": .f7, "F11": .f11, "ACES": .aces,
    "DCI": .dci,
  ]

  /// Returns the chromaticity of daylight (CIE 15:2004, 3.1) from 4000 to 25,000 K. D65 has 6504 K, not 6500 K: the
  /// constant c₂ in the definition of temperature changed after the illuminants were named.
  public static func daylight(kelvin: Double) throws(ColorError) -> Chromaticity {
    try check("The color temperature of daylight", kelvin, in: 4000...25_000)
    let t = 1000 / kelvin
    let x =
      kelvin <= 7000
      ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
      : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
    return Chromaticity(x, (-3 * x + 2.870) * x - 0.275)
  }

  /// Returns the chromaticity of a black body (Planck's law), from 1000 to 100,000 K.
  public static func blackBody(kelvin: Double) throws(ColorError) -> Chromaticity {
    try ColorTemperature(kelvin: kelvin).chromaticity
  }
}
