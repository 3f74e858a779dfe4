internal import CPixelKernels

/// The color of two overlapping layers: B(backdrop, source) of W3C Compositing and Blending Level 1, 10, and the
/// further modes of image editors. Photographers use them to combine pictures: textures by multiplication, flare by
/// screen.
///
/// In the formulas b is the backdrop and s the source. Modes from ``normal`` to ``exclusion`` are the standard's
/// separable ones (10.1), those from ``hue`` to ``luminosity`` its non-separable ones (10.2), with its functions Lum,
/// Sat, SetLum and SetSat of the whole color.
///
/// The standard's formulas are made for values in 0…1. Other values go through the same formulas; nothing is clamped
/// that a formula does not clamp itself.
@nonexhaustive
public enum BlendMode: String, Hashable, Sendable, CaseIterable {
  /// The source: `s`.
  case normal
  /// The product: two slides stacked in one projector. `b · s`.
  case multiply
  /// The product of the negatives: two projectors on one screen. `b + s − b · s`.
  case screen
  /// Multiply where the backdrop is dark, screen where it is light: `hardLight(s, b)`.
  case overlay
  /// The darker of the two, in each channel: `min(b, s)`.
  case darken
  /// The lighter of the two, in each channel: `max(b, s)`.
  case lighten
  /// The backdrop, brightened by the source: `min(1, b / (1 − s))` if b > 0, else 0.
  case colorDodge
  /// The backdrop, darkened by the source: `1 − min(1, (1 − b) / s)` if b < 1, else 1.
  case colorBurn
  /// Multiply where the source is dark, screen where it is light: a hard spotlight. `b · 2s` if s ≤ ½, else `screen(b, 2s − 1)`.
  case hardLight
  /// Darker where the source is dark, lighter where it is light: a diffuse spotlight. `b − (1 − 2s) · b · (1 − b)` if s ≤ ½, else
  /// `b + (2s − 1) · (D(b) − b)`, D(b) being `((16b − 12) · b + 4) · b` up to ¼ and `√b` above.
  case softLight
  /// The absolute difference: `|b − s|`.
  case difference
  /// Like the difference, with lower contrast: `b + s − 2 b · s`.
  case exclusion
  /// The sum less 1: `b + s − 1`.
  case linearBurn
  /// The sum: `b + s`.
  case linearDodge
  /// Color burn with the dark half of the source, color dodge with the light half: `colorBurn(b, 2s)` if s ≤ ½, else
  /// `colorDodge(b, 2s − 1)`.
  case vividLight
  /// Linear burn with the dark half of the source, linear dodge with the light half: `b + 2s − 1`.
  case linearLight
  /// Darken with the dark half of the source, lighten with the light half: `min(b, 2s)` if s ≤ ½, else `max(b, 2s − 1)`.
  case pinLight
  /// 1 where the sum reaches 1, otherwise 0.
  case hardMix
  /// The backdrop less the source: `b − s`.
  case subtract
  /// The backdrop divided by the source; 1 where the source is 0. `b / s`.
  case divide
  /// The hue of the source, with the saturation and luminosity of the backdrop: `SetLum(SetSat(s, Sat(b)), Lum(b))`.
  case hue
  /// The saturation of the source, with the hue and luminosity of the backdrop: `SetLum(SetSat(b, Sat(s)), Lum(b))`.
  case saturation
  /// The hue and saturation of the source, with the luminosity of the backdrop: `SetLum(s, Lum(b))`.
  case color
  /// The luminosity of the source, with the hue and saturation of the backdrop: `SetLum(b, Lum(s))`.
  case luminosity

  /// Returns B(backdrop, source) for three channels. The kernels compute the same in single precision.
  func callAsFunction(
    _ backdrop: SIMD3<Double>, _ source: SIMD3<Double>
  ) -> SIMD3<Double> {
    let (b, s) = (backdrop, source)
    let (zero, one) = (SIMD3<Double>.zero, SIMD3<Double>(repeating: 1))
    switch self {
    case .normal: return s
    case .multiply: return b * s
    case .screen: return b + s - b * s
    case .overlay: return BlendMode.hardLight(s, b)
    case .darken: return pointwiseMin(b, s)
    case .lighten: return pointwiseMax(b, s)
    case .colorDodge: return dodged(b, by: s)
    case .colorBurn: return burned(b, by: s)
    case .hardLight:
      return (b * (s + s)).replacing(with: BlendMode.screen(b, s + s - one), where: s .> 0.5)
    case .softLight: return softened(b, by: s)
    case .difference: return pointwiseMax(b, s) - pointwiseMin(b, s)
    case .exclusion: return b + s - 2 * b * s
    case .linearBurn: return b + s - one
    case .linearDodge: return b + s
    case .vividLight:
      return burned(b, by: s + s).replacing(with: dodged(b, by: s + s - one), where: s .> 0.5)
    case .linearLight: return b + s + s - one
    case .pinLight:
      return pointwiseMin(b, s + s).replacing(
        with: pointwiseMax(b, s + s - one), where: s .> 0.5)
    case .hardMix: return zero.replacing(with: one, where: b + s .>= one)
    case .subtract: return b - s
    case .divide: return (b / s).replacing(with: one, where: s .== zero)
    case .hue:
      return withLightness(stretched(s, to: spread(b)), lightness(b))
    case .saturation:
      return withLightness(stretched(b, to: spread(s)), lightness(b))
    case .color: return withLightness(s, lightness(b))
    case .luminosity: return withLightness(b, lightness(s))
    }
  }

  /// The kernels' name of it.
  var kernelMode: Int32 {
    let mode =
      switch self {
      case .normal: CPK_NORMAL
      case .multiply: CPK_MULTIPLY
      case .screen: CPK_SCREEN
      case .overlay: CPK_OVERLAY
      case .darken: CPK_DARKEN
      case .lighten: CPK_LIGHTEN
      case .colorDodge: CPK_COLOR_DODGE
      case .colorBurn: CPK_COLOR_BURN
      case .hardLight: CPK_HARD_LIGHT
      case .softLight: CPK_SOFT_LIGHT
      case .difference: CPK_DIFFERENCE
      case .exclusion: CPK_EXCLUSION
      case .linearBurn: CPK_LINEAR_BURN
      case .linearDodge: CPK_LINEAR_DODGE
      case .vividLight: CPK_VIVID_LIGHT
      case .linearLight: CPK_LINEAR_LIGHT
      case .pinLight: CPK_PIN_LIGHT
      case .hardMix: CPK_HARD_MIX
      case .subtract: CPK_SUBTRACT
      case .divide: CPK_DIVIDE
      case .hue: CPK_HUE
      case .saturation: CPK_SATURATION
      case .color: CPK_COLOR
      case .luminosity: CPK_LUMINOSITY
      }
    return Int32(mode)
  }
}

extension BlendMode: RecipeChoice {}

/// min(1, b / (1 − s)), 0 where the backdrop is 0.
private func dodged(_ b: SIMD3<Double>, by s: SIMD3<Double>) -> SIMD3<Double> {
  let (zero, one) = (SIMD3<Double>.zero, SIMD3<Double>(repeating: 1))
  return pointwiseMin(one, b / (one - s)).replacing(with: one, where: s .>= one)
    .replacing(with: zero, where: b .<= zero)
}

/// 1 − min(1, (1 − b) / s), 1 where the backdrop is 1: color dodge of the negatives, negated.
private func burned(_ b: SIMD3<Double>, by s: SIMD3<Double>) -> SIMD3<Double> {
  let one = SIMD3<Double>(repeating: 1)
  return one - dodged(one - b, by: one - s)
}

/// Soft light of W3C Compositing and Blending Level 1, 10.1.
private func softened(_ b: SIMD3<Double>, by s: SIMD3<Double>) -> SIMD3<Double> {
  let one = SIMD3<Double>(repeating: 1)
  let polynomial: SIMD3<Double> = (16 * b - 12 * one) * b + 4 * one
  let root: SIMD3<Double> = b.squareRoot().replacing(with: polynomial * b, where: b .<= 0.25)
  let light: SIMD3<Double> = s + s - one
  let darker: SIMD3<Double> = b - (one - s - s) * b * (one - b)
  let lighter: SIMD3<Double> = b + light * (root - b)
  return darker.replacing(with: lighter, where: s .> 0.5)
}

// The functions Lum, Sat, SetLum and SetSat of W3C Compositing and Blending Level 1, 10.2, with its weights.

private func lightness(_ c: SIMD3<Double>) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

private func spread(_ c: SIMD3<Double>) -> Double { c.max() - c.min() }

/// SetLum and ClipColor: the color with another luminosity, its saturation reduced where it would leave 0…1.
private func withLightness(_ c: SIMD3<Double>, _ target: Double) -> SIMD3<Double> {
  var color = c + (target - lightness(c))
  let gray = SIMD3(repeating: lightness(color))
  let (least, most) = (color.min(), color.max())
  // A gray that is out of range itself leaves no saturation.
  if least < 0 { color = gray + (color - gray) * max(gray.x / (gray.x - least), 0) }
  if most > 1 { color = gray + (color - gray) * max((1 - gray.x) / (most - gray.x), 0) }
  return color
}

/// SetSat: the color with its smallest channel at 0 and its largest at `target`.
private func stretched(_ c: SIMD3<Double>, to target: Double) -> SIMD3<Double> {
  let now = spread(c)
  return now > 0 ? (c - c.min()) * (target / now) : .zero
}
