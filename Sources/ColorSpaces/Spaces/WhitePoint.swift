// More whites than displays have; theirs are ``Chromaticity/d65``, ``Chromaticity/d50``, ``Chromaticity/aces`` and
// ``Chromaticity/dci``. The CIE's are those of its 2° observer (CIE 15:2004, tables T.3 and T.8).
extension Chromaticity {
  /// An incandescent lamp of 2856 K.
  public static let illuminantA = Chromaticity(0.44758, 0.40745)

  /// Noon sunlight, withdrawn by the CIE.
  public static let illuminantB = Chromaticity(0.34842, 0.35161)

  /// Average daylight of 1931, withdrawn by the CIE; the white of NTSC (1953).
  public static let illuminantC = Chromaticity(0.31006, 0.31616)

  /// Mid-morning daylight of 5503 K.
  public static let d55 = Chromaticity(0.33243, 0.34744)

  /// Daylight of 6003 K by ``daylight(kelvin:)``. The white of ACES, often called D60, is ``aces``.
  public static let d60 = Chromaticity(0.32163, 0.33774)

  /// North sky daylight of 7504 K.
  public static let d75 = Chromaticity(0.29903, 0.31488)

  /// As much light of every wavelength.
  public static let equalEnergy = Chromaticity(1.0 / 3, 1.0 / 3)

  /// A cool white fluorescent lamp.
  public static let f2 = Chromaticity(0.3721, 0.3751)

  /// A fluorescent lamp that imitates D65.
  public static let f7 = Chromaticity(0.3129, 0.3292)

  /// A fluorescent lamp of three narrow bands, 4000 K.
  public static let f11 = Chromaticity(0.3805, 0.3769)

  /// Every named white, by the name of its light.
  public static let whites: [String: Chromaticity] = [
    "A": .illuminantA, "B": .illuminantB, "C": .illuminantC, "D50": .d50, "D55": .d55, "D60": .d60,
    "D65": .d65, "D75": .d75, "E": .equalEnergy, "F2": .f2, "F7": .f7, "F11": .f11, "ACES": .aces,
    "DCI": .dci,
  ]

  /// Daylight by its correlated color temperature (CIE 15:2004, 3.1), from 4000 to 25,000 K. D65 is that of 6504 K, not 6500:
  /// the unit changed after the lights were named.
  public static func daylight(kelvin: Double) throws(ColorError) -> Chromaticity {
    let allowed = 4000.0...25_000
    guard allowed.contains(kelvin) else {
      throw .parameter("The color temperature of daylight", value: kelvin, allowed: allowed)
    }
    let t = 1000 / kelvin
    let x =
      kelvin <= 7000
      ? ((-4.6070 * t + 2.9678) * t + 0.09911) * t + 0.244063
      : ((-2.0064 * t + 1.9018) * t + 0.24748) * t + 0.237040
    return Chromaticity(x, (-3 * x + 2.870) * x - 0.275)
  }

  /// The light of a black body (Planck's law), from 1000 to 100,000 K.
  public static func blackBody(kelvin: Double) throws(ColorError) -> Chromaticity {
    try ColorTemperature(kelvin: kelvin).chromaticity
  }
}
