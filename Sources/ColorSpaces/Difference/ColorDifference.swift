/// How far apart two colors look: one formula a case, each over the coordinates it was made for.
///
/// ```swift
/// let ΔE = ColorDifference.ciede2000()
/// ΔE([50, 2.6772, -79.7751], [50, 0, -82.7485])  // 2.0425
/// ```
///
/// ``axes`` says what the three numbers are. ``cie94(_:)`` and ``cmc(l:c:)`` measure a sample against a standard, which
/// comes first; the others give the same both ways round.
@nonexhaustive
public enum ColorDifference: Hashable, Sendable {
  /// The distance in CIELAB (CIE 15:2004, 8.2.1.3).
  case cie76
  /// CIELAB with tolerances that grow with chroma (CIE 116:1995).
  case cie94(CIE94Weights = .graphicArts)
  /// CIELAB mended in the blues and the grays (CIE 142:2001, ISO/CIE 11664-6), the industry's yardstick. The weights are those of
  /// lightness, chroma and hue; 2, 1 and 1 for textiles.
  case ciede2000(kL: Double = 1, kC: Double = 1, kH: Double = 1)
  /// The textile industry's formula (ISO 105-J03): 2 : 1 for acceptability, 1 : 1 for perceptibility.
  case cmc(l: Double = 2, c: Double = 1)
  /// City-block in lightness, Euclidean in color: better than the rest for large differences
  /// (Abasi, Tehran and Fairchild, “Distance metrics for very large color differences”, 2020).
  case hyAB
  /// The distance in Oklab (CSS Color 4, 12); a step that is just visible is 0.02.
  case ok
  /// The distance in ICtCp, scaled so that a step just visible on a screen is 1 (Rec. ITU-R BT.2124).
  case itp
  /// The distance in JzCzhz, for high dynamic range (Safdar and others,
  /// “Perceptually uniform color space for image signals”, 2017).
  case jz
  /// The distance in CAM16-UCS (Li and others, “Comprehensive color solutions”, 2017).
  case cam16
  /// The distance in DIN99o (DIN 6176:2018), for small differences.
  case din99o

  /// How different two colors are; 0 where they are the same.
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

  /// How different two colors of any spaces are.
  ///
  /// Formulas over CIELAB take it relative to D65, unless both colors are in Lab or LCh with the white of print.
  public func callAsFunction(_ standard: ColorPoint, _ sample: ColorPoint) -> Double {
    let areRelativeToD50 = [standard, sample].allSatisfy { $0.space == .lab || $0.space == .lch }
    let space = axes == .lab && areRelativeToD50 ? ColorSpace.lab : axes.space
    return self(standard.converted(to: space).components, sample.converted(to: space).components)
  }

  /// What the numbers of a color are.
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

  /// What the three numbers of a color are.
  @nonexhaustive
  public enum Axes: Hashable, Sendable {
    /// CIELAB: L* from 0 to 100, a*, b*, of any white that is the same for both colors.
    case lab
    /// Oklab: L from 0 to 1, a, b.
    case oklab
    /// ICtCp of Rec. ITU-R BT.2100: I, Ct, Cp.
    case ictcp
    /// JzCzhz: lightness, chroma, and hue in degrees.
    case jzczhz
    /// CAM16-UCS: J′, a′, b′.
    case cam16UCS
    /// DIN99o: L₉₉, a₉₉, b₉₉.
    case din99o

    /// The space with these numbers; CIELAB with the white of displays, D65.
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

/// What a difference of the 1994 formula is divided by: lightness by `lightness`, chroma and hue by 1 + `chroma` · C* and
/// 1 + `hue` · C*.
public struct CIE94Weights: Hashable, Sendable {
  /// The divisor of lightness, kL.
  public var lightness: Double
  /// How fast the tolerance for chroma grows with chroma, K1.
  public var chroma: Double
  /// How fast the tolerance for hue grows with chroma, K2.
  public var hue: Double

  /// The weights kL, K1 and K2.
  public init(lightness: Double, chroma: Double, hue: Double) {
    (self.lightness, self.chroma, self.hue) = (lightness, chroma, hue)
  }

  /// For images and prints.
  public static let graphicArts = CIE94Weights(lightness: 1, chroma: 0.045, hue: 0.015)
  /// For fabrics.
  public static let textiles = CIE94Weights(lightness: 2, chroma: 0.048, hue: 0.014)
}

private func length(_ v: SIMD3<Double>) -> Double { (v * v).sum().squareRoot() }

/// C*, the distance from gray.
private func chroma(_ lab: SIMD3<Double>) -> Double { length([0, lab.y, lab.z]) }

/// The square of ΔH*, what is left of a difference in color when chroma is taken out.
private func squaredHueDifference(_ lab1: SIMD3<Double>, _ lab2: SIMD3<Double>) -> Double {
  let chromas = chroma(lab1) * chroma(lab2)
  let dot = lab1.y * lab2.y + lab1.z * lab2.z
  // 2 (C₁C₂ − a₁a₂ − b₁b₂), without its cancellation for hues that are close.
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

/// The steps of Sharma, Wu and Dalal, “The CIEDE2000 color-difference formula: implementation notes”, 2005.
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

  // Whether the short way from hue to hue leads through 0°. For opposite hues the rounding of angles must not decide: the cross
  // product is exactly 0 there.
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
  // In this order max keeps what is not a number.
  return max((d * d).sum() + rotation * d.y * d.z, 0).squareRoot()
}
