/// A process that negative film is developed by, with the contrast that is published for it.
///
/// Stocks differ from their process by a few hundredths, and layers of one stock from each other; the data sheet of a
/// stock has its characteristic curves.
public struct FilmProcess: Hashable, Sendable {
  /// The name on command lines.
  public let name: String
  /// A few words on what is developed by it.
  public let summary: String
  /// γ, the slope of each layer's characteristic curve.
  public let contrast: SIMD3<Double>
  /// Whether the film has a single silver layer.
  package let isGray: Bool
  /// Where the contrast is published.
  public let source: String

  /// C-41: color negative film for still photography.
  public static let c41 = FilmProcess(
    name: "c-41", summary: "color negative film for still photography",
    contrast: [0.6, 0.6, 0.6], isGray: false,
    source: """
      ARRI, Digital Intermediate Companion, figure 2.2, “Characteristic curve of a color negative”: the slope of the \
      straight part is around 0.6. It shows the green layer; red and blue are taken to be alike
      """)

  /// ECN-2: color negative film for motion pictures.
  public static let ecn2 = FilmProcess(
    name: "ecn-2", summary: "color negative film for motion pictures",
    contrast: [0.6, 0.6, 0.6], isGray: false,
    source: """
      Kodak, “Conversion of 10-bit log film data to 8-bit linear or video data” (Cineon), 1995: a negative gamma of 0.6 \
      for all three layers
      """)

  /// Black-and-white negative film, developed as its ISO speed is determined.
  public static let blackAndWhite = FilmProcess(
    name: "black-and-white", summary: "black-and-white negative film at its ISO contrast",
    contrast: SIMD3(repeating: 0.8 / 1.3), isGray: true,
    source: """
      ISO 6:1993: the density rises by 0.80 over 1.30 of log₁₀ exposure, from a density of 0.10 above base and fog
      """)

  /// All processes.
  public static let all = [c41, ecn2, blackAndWhite]

  /// Returns film of this process.
  public func film(
    base: NegativeFilm.Tone = .automatic, white: NegativeFilm.Tone = .automatic
  ) -> NegativeFilm {
    NegativeFilm(base: base, white: white, contrast: contrast, isGray: isGray)
  }
}
