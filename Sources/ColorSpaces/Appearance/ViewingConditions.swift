/// The viewing conditions of a color appearance model.
public struct ViewingConditions: Hashable, Sendable {
  /// The adopted white point.
  public var white: Chromaticity
  /// The luminance of the adapting field L_A, often 20 % of the luminance of white.
  public var adaptingLuminance: Luminance
  /// The relative luminance of the background Y_b, in percent of white: 20 for a mid-gray.
  public var backgroundLuminance: Double
  /// The brightness of the surround relative to the picture: average, dim or dark.
  public var surround: Surround
  /// Whether adaptation is complete (“discount the illuminant”), as for objects under a visible lamp.
  public var discountsIlluminant: Bool

  /// Creates viewing conditions. The luminances must be positive.
  public init(
    white: Chromaticity = .d65, adaptingLuminance: Luminance, backgroundLuminance: Double = 20,
    surround: Surround = .average, discountsIlluminant: Bool = false
  ) {
    precondition(
      adaptingLuminance > 0 && backgroundLuminance > 0,
      "Luminances are above zero; got \(adaptingLuminance) and \(backgroundLuminance) %.")
    (self.white, self.surround) = (white, surround)
    (self.adaptingLuminance, self.backgroundLuminance) = (adaptingLuminance, backgroundLuminance)
    self.discountsIlluminant = discountsIlluminant
  }

  /// The surround of a viewed color, relative to white (CIE 248:2022, table 1).
  @nonexhaustive
  public enum Surround: String, Hashable, Sendable {
    /// At least 20 % of the luminance of white: prints, monitors in offices.
    case average
    /// Less than 20 %: television in the evening.
    case dim
    /// Dark: cinema.
    case dark
  }

  /// A display in a room of 64 lux, the viewing conditions of sRGB (IEC 61966-2-1).
  public static let display = ViewingConditions(
    adaptingLuminance: Luminance(candelas: 64 / Double.pi / 5))
}

extension ViewingConditions {
  /// The factors F, c and N_c of the surround.
  var surroundFactors: (adaptation: Double, impact: Double, induction: Double) {
    switch surround {
    case .average: (1, 0.69, 1)
    case .dim: (0.9, 0.59, 0.9)
    case .dark: (0.8, 0.525, 0.8)
    }
  }

  /// The degree of adaptation D, from 0 to 1.
  var degreeOfAdaptation: Double {
    if discountsIlluminant { return 1 }
    let degree =
      surroundFactors.adaptation * (1 - exponential((-adaptingLuminance.candelas - 42) / 92) / 3.6)
    return min(max(degree, 0), 1)
  }
}

extension ViewingConditions: CustomStringConvertible {
  /// The conditions in words, without defaults.
  public var description: String {
    "L_A \(adaptingLuminance), Y_b \(backgroundLuminance) %, \(surround)"
      + (discountsIlluminant ? ", discounting" : "") + (white == .d65 ? "" : ", white \(white)")
  }
}
