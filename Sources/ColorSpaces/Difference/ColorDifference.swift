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
  /// differences (Abasi, Tehran and Fairchild, “Distance metrics for very large color differences”, 2020).
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
    let step = sample - standard
    switch self {
    case .cie76, .ok, .cam16, .din99o:
      return length(step)
    case .cie94(let weights):
      return tolerant1994(standard, sample, weights)
    case .ciede2000(let kL, let kC, let kH):
      return tolerant2000(standard, sample, weights: SIMD3(kL, kC, kH))
    case .cmc(let l, let c):
      return tolerantCMC(standard, sample, l, c)
    case .hyAB:
      return abs(step.x) + length([0, step.y, step.z])
    case .itp:
      return 720 * length([step.x, 0.5 * step.y, step.z])
    case .jz:
      let chord = 2 * (standard.y * sample.y).squareRoot() * sine(ofPi: step.z / 360)
      return length([step.x, step.y, chord])
    }
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
          "Abasi, Tehran and Fairchild, “Distance metrics for very large color differences”",
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

private func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

/// The chroma C*.
private func chroma(_ lab: SIMD3<Double>) -> Double { length([0, lab.y, lab.z]) }

/// The square of the hue difference ΔH*.
private func squaredHueDifference(_ lab1: SIMD3<Double>, _ lab2: SIMD3<Double>) -> Double {
  let chromas = chroma(lab1) * chroma(lab2)
  let dot = lab1.y * lab2.y + lab1.z * lab2.z
  // 2 (C₁C₂ − a₁a₂ − b₁b₂), without cancellation for close hues.
  if dot <= 0 { return 2 * (chromas - dot) }
  let cross = lab1.y * lab2.z - lab1.z * lab2.y
  return 2 * cross * cross / (chromas + dot)
}

private func tolerant1994(
  _ standard: SIMD3<Double>, _ sample: SIMD3<Double>, _ weights: CIE94Weights
) -> Double {
  let tolerance = chroma(standard)
  let (lightness, color) = (
    (sample.x - standard.x) / weights.lightness,
    (chroma(sample) - tolerance) / (1 + weights.chroma * tolerance)
  )
  let hue = squaredHueDifference(standard, sample).squareRoot() / (1 + weights.hue * tolerance)
  return length([lightness, color, hue])
}

private func tolerantCMC(
  _ standard: SIMD3<Double>, _ sample: SIMD3<Double>, _ l: Double, _ c: Double
) -> Double {
  let c1 = chroma(standard)
  let sL = standard.x < 16 ? 0.511 : 0.040975 * standard.x / (1 + 0.01765 * standard.x)
  let sC = 0.0638 * c1 / (1 + 0.0131 * c1) + 0.638
  let h = hueInDegrees(standard.y, standard.z)
  let t =
    h >= 164 && h <= 345
    ? 0.56 + abs(0.2 * cosine(ofPi: (h + 168) / 180))
    : 0.36 + abs(0.4 * cosine(ofPi: (h + 35) / 180))
  let fourth = c1 * c1 * c1 * c1
  let f = (fourth / (fourth + 1900)).squareRoot()
  let sH = sC * (f * t + 1 - f)
  return length([
    (sample.x - standard.x) / (l * sL), (chroma(sample) - c1) / (c * sC),
    squaredHueDifference(standard, sample).squareRoot() / sH,
  ])
}

/// CIEDE2000 in the steps of Sharma, Wu and Dalal, “The CIEDE2000 color-difference formula: implementation notes”,
/// 2005.
private func tolerant2000(
  _ lab1: SIMD3<Double>, _ lab2: SIMD3<Double>, weights: SIMD3<Double>
) -> Double {
  /// √(c⁷ / (c⁷ + 25⁷)), with 25 divided out so that no power overflows.
  func saturation(_ c: Double) -> Double {
    let r = 25 / c
    let seventh = r * r * r * r * r * r * r
    return c == 0 ? 0 : (1 / (1 + seventh)).squareRoot()
  }

  let g = 0.5 * (1 - saturation((chroma(lab1) + chroma(lab2)) / 2))
  let stretch = SIMD3(1, 1 + g, 1)
  let (stretched1, stretched2) = (lab1 * stretch, lab2 * stretch)
  let (c1, c2) = (chroma(stretched1), chroma(stretched2))
  let h1 = hueInDegrees(stretched1.y, stretched1.z)
  let h2 = hueInDegrees(stretched2.y, stretched2.z)

  // Whether the shorter arc between the hues crosses 0°. The cross product is exactly 0 for opposite hues, so the
  // rounding of angles does not decide.
  let cross = stretched1.y * stretched2.z - stretched1.z * stretched2.y
  let wraps = abs(h2 - h1) > 90 && (h2 - h1) * cross < 0
  var turn = c1 * c2 == 0 ? 0 : h2 - h1
  if wraps { turn += turn > 0 ? -360 : 360 }
  let hueStep = 2 * (c1 * c2).squareRoot() * sine(ofPi: turn / 360)

  let lightness = (lab1.x + lab2.x) / 2
  let meanChroma = (c1 + c2) / 2
  var hue = h1 + h2
  if c1 * c2 != 0 {
    if wraps { hue += hue < 360 ? 360 : -360 }
    hue /= 2
  }

  func cosine(_ degrees: Double) -> Double { ColorSpaces.cosine(ofPi: degrees / 180) }
  let t =
    1 - 0.17 * cosine(hue - 30) + 0.24 * cosine(2 * hue) + 0.32 * cosine(3 * hue + 6)
    - 0.20 * cosine(4 * hue - 63)
  let blueness = (hue - 275) / 25
  let rotation =
    -sine(ofPi: exponential(-blueness * blueness) / 3) * 2 * saturation(meanChroma)
  let offset = (lightness - 50) * (lightness - 50)
  let sL = 1 + 0.015 * offset / (20 + offset).squareRoot()
  let sC = 1 + 0.045 * meanChroma
  let sH = 1 + 0.015 * meanChroma * t

  let d = SIMD3(lab2.x - lab1.x, c2 - c1, hueStep) / (weights * SIMD3(sL, sC, sH))
  // In this order, `max` returns a NaN.
  return max((d * d).sum() + rotation * d.y * d.z, 0).squareRoot()
}
