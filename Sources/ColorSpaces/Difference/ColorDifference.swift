/// A color difference formula (ΔE), in the coordinates it is defined for.
///
/// ```swift
/// let ΔE = ColorDifference.ciede2000()
/// ΔE([50, 2.6772, -79.7751], [50, 0, -82.7485])  // 2.0425
/// ```
///
/// ``axes`` tells which coordinates a formula takes. ``cie94(_:)`` and ``cmc(l:c:)`` compare a sample with a standard,
/// the first argument; the others are symmetric.
///
/// Weights that divide a difference are 0.001 to 1000, and those of chroma and hue in CIE94 are 0 to 1000. Filters and
/// measurements throw an error for others; a call of the formula does not check them.
@nonexhaustive
public enum ColorDifference: Hashable, Sendable {
  /// CIE76: the Euclidean distance in CIELAB (CIE 15:2004, 8.2.1.3).
  case cie76
  /// CIE94: CIELAB with tolerances that grow with chroma (CIE 116:1995).
  case cie94(CIE94Weights = .graphicArts)
  /// CIEDE2000: CIELAB corrected in the blues and the grays (CIE 142:2001, ISO/CIE 11664-6), the industry standard. The
  /// parametric factors are those of lightness, chroma and hue; 2, 1 and 1 for textiles.
  case ciede2000(kL: Double = 1, kC: Double = 1, kH: Double = 1)
  /// The textile industry's formula (ISO 105-J03): 2 : 1 for acceptability, 1 : 1 for perceptibility.
  case cmc(l: Double = 2, c: Double = 1)
  /// HyAB: city-block distance in lightness, Euclidean in a* and b*; more accurate than the others for large
  /// differences (Abasi, Amani Tehran and Fairchild, “Distance metrics for very large color differences”, 2020).
  case hyAB
  /// The Euclidean distance in Oklab (CSS Color 4, 12); a just noticeable difference is 0.02.
  case ok
  /// ΔE_ITP: the distance in ICtCp, scaled so that a just noticeable difference on a display is 1 (Rec. ITU-R BT.2124).
  case itp
  /// The distance in JzCzhz, for high dynamic range (Safdar and others,
  /// “Perceptually uniform color space for image signals”, 2017).
  case jz
  /// The distance in CAM16-UCS (Li and others, “Comprehensive color solutions”, 2017).
  case cam16
  /// The distance in DIN99o (DIN 6176:2018), for small differences.
  case din99o

  /// Returns the difference of two colors; 0 where they are equal.
  public func callAsFunction(_ standard: SIMD3<Double>, _ sample: SIMD3<Double>) -> Double {
    value(FormulaVector<Double>(standard), FormulaVector<Double>(sample))
  }

  /// Returns the difference of two colors of any spaces.
  ///
  /// Formulas in CIELAB convert to Lab relative to D65, unless both colors are in Lab or LCh with white point D50.
  public func callAsFunction(_ standard: ColorPoint, _ sample: ColorPoint) -> Double {
    let areRelativeToD50 = [standard, sample].allSatisfy { $0.space == .lab || $0.space == .lch }
    let space = axes == .lab && areRelativeToD50 ? ColorSpace.lab : axes.space
    return self(standard.converted(to: space).components, sample.converted(to: space).components)
  }

  /// The documents of the formula's constants.
  public var sources: [Source] {
    switch self {
    case .cie76: [.cie15("8.2.1.3")]
    case .cie94: [Source("CIE 116", edition: "1995")]
    case .ciede2000:
      [
        Source("CIE 142", edition: "2001"), Source("ISO/CIE 11664-6"),
        Source(
          "Sharma, Wu and Dalal, “The CIEDE2000 color-difference formula: implementation notes, "
            + "supplementary test data, and mathematical observations”", edition: "2005"),
      ]
    case .cmc: [Source("ISO 105-J03")]
    case .hyAB:
      [
        Source(
          "Abasi, Amani Tehran and Fairchild, “Distance metrics for very large color differences”",
          edition: "2020")
      ]
    case .ok: [.cssColor4("12")] + ColorSpace.oklab.sources
    case .itp: [Source("Rec. ITU-R BT.2124")] + ColorSpace.ictcp.sources
    case .jz: ColorSpace.jzczhz.sources
    case .cam16: ColorSpace.cam16UCS.sources
    case .din99o: ColorSpace.din99o.sources
    }
  }

  /// The coordinates that the formula takes.
  public var axes: Axes {
    switch self {
    case .cie76, .cie94, .ciede2000, .cmc, .hyAB: .lab
    case .ok: .oklab
    case .itp: .ictcp
    case .jz: .jzczhz
    case .cam16: .cam16UCS
    case .din99o: .din99o
    }
  }

  /// Coordinates of a color difference formula.
  @nonexhaustive
  public enum Axes: Hashable, Sendable {
    /// CIELAB: L* of 0…100, a*, b*, relative to any white point that both colors share.
    case lab
    /// Oklab: L of 0…1, a, b.
    case oklab
    /// ICtCp of Rec. ITU-R BT.2100: I, Ct, Cp.
    case ictcp
    /// JzCzhz: lightness, chroma, and hue in degrees.
    case jzczhz
    /// CAM16-UCS: J′, a′, b′.
    case cam16UCS
    /// DIN99o: L₉₉, a₉₉, b₉₉.
    case din99o

    /// The color space of the coordinates; CIELAB with white point D65.
    public var space: ColorSpace {
      switch self {
      case .lab: .labD65
      case .oklab: .oklab
      case .ictcp: .ictcp
      case .jzczhz: .jzczhz
      case .cam16UCS: .cam16UCS
      case .din99o: .din99o
      }
    }
  }
}

extension ColorDifference {
  /// The weights that may divide differences: not 0, and without an overflow or underflow of quotients.
  private static let divisors = 0.001...1000.0
  /// The weights of CIE94 for chroma and hue, which add to a divisor of 1.
  private static let growths = 0.0...1000.0

  /// Throws where the formula has a weight that makes its differences infinite, negative or NaN.
  package func checkWeights() throws(ColorError) {
    for (name, weight, allowed) in weights { try check(name, weight, in: allowed) }
  }

  /// The weights, their names for messages, and the values that they may have.
  private var weights: [(name: String, weight: Double, allowed: ClosedRange<Double>)] {
    switch self {
    case .cie94(let weights):
      [
        ("The CIE94 weight of lightness", weights.lightness, Self.divisors),
        ("The CIE94 weight of chroma", weights.chroma, Self.growths),
        ("The CIE94 weight of hue", weights.hue, Self.growths),
      ]
    case .ciede2000(let kL, let kC, let kH):
      [
        ("The CIEDE2000 weight of lightness", kL, Self.divisors),
        ("The CIEDE2000 weight of chroma", kC, Self.divisors),
        ("The CIEDE2000 weight of hue", kH, Self.divisors),
      ]
    case .cmc(let l, let c):
      [
        ("The CMC weight of lightness", l, Self.divisors),
        ("The CMC weight of chroma", c, Self.divisors),
      ]
    default: []
    }
  }
}

/// The weights of CIE94, which divide the differences: lightness by `lightness`, chroma and hue by 1 + `chroma` · C*
/// and 1 + `hue` · C*.
public struct CIE94Weights: Hashable, Sendable {
  /// The divisor of the lightness difference, kL.
  public var lightness: Double
  /// The growth of the chroma tolerance with chroma, K1.
  public var chroma: Double
  /// The growth of the hue tolerance with chroma, K2.
  public var hue: Double

  /// Creates the weights kL, K1 and K2.
  public init(lightness: Double, chroma: Double, hue: Double) {
    (self.lightness, self.chroma, self.hue) = (lightness, chroma, hue)
  }

  /// For images and prints.
  public static let graphicArts = CIE94Weights(lightness: 1, chroma: 0.045, hue: 0.015)
  /// For fabrics.
  public static let textiles = CIE94Weights(lightness: 2, chroma: 0.048, hue: 0.014)
}
