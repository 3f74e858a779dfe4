/// How colors are seen: what models of their appearance know besides the colors.
public struct ViewingConditions: Hashable, Sendable {
  /// What looks white.
  public var white: Chromaticity
  /// The luminance of what the eye has adapted to, L_A: often a fifth of white's.
  public var adaptingLuminance: Luminance
  /// The luminance of what lies around the color, Y_b, in percent of white's: 20 for what is neither dark nor light.
  public var backgroundLuminance: Double
  /// The light of the room.
  public var surround: Surround
  /// Whether the eye takes its white for white wholly, as it does where it sees the lamp.
  public var discountsIlluminant: Bool

  /// Conditions for which luminances are above zero.
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

  /// The light of a room, compared to that of white (CIE 248:2022, table 1).
  @nonexhaustive
  public enum Surround: String, Hashable, Sendable {
    /// As light as white, or a fifth of it: prints, monitors in offices.
    case average
    /// Less than a fifth: television in the evening.
    case dim
    /// None: cinema.
    case dark
  }

  /// A display in a room of 64 lux, as IEC 61966-2-1 has it for sRGB.
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

  /// How far the eye has adapted to its white, D: from 0 to 1.
  var degreeOfAdaptation: Double {
    if discountsIlluminant { return 1 }
    let degree =
      surroundFactors.adaptation * (1 - exponential((-adaptingLuminance.candelas - 42) / 92) / 3.6)
    return min(max(degree, 0), 1)
  }
}

extension ViewingConditions: CustomStringConvertible {
  /// The conditions in words, without what is as usual.
  public var description: String {
    "L_A \(adaptingLuminance), Y_b \(backgroundLuminance) %, \(surround)"
      + (discountsIlluminant ? ", discounting" : "") + (white == .d65 ? "" : ", white \(white)")
  }
}
