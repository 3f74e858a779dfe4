/// The colors that a space can hold: a box of linear light, and the way from there to Oklab and back.
package struct Gamut: Sendable {
  /// The ΔE OK that clipping may change colors by, and how near to it a search ends (CSS Color 4, 13.2.2).
  package static let noticeableDifference = 0.02
  package static let searchPrecision = 0.0001
  /// The nearest distance at which light counts as different.
  package static let resolution = 1e-12

  /// The least and the most light of each channel.
  package let low, high: Double
  /// The lightness in Oklab of the least and of the most.
  package let darkest, brightest: Double
  package let toCones, fromCones, toOpponents, fromOpponents: ColorMatrix

  package init(of space: ColorSpace) {
    if space.transfer.curves != nil {
      let (first, last) = (space.transfer.decode(0), space.transfer.decode(1))
      // A falling curve encodes the least light as 1. An end that is NaN is no limit.
      (low, high) =
        first.isNaN || last.isNaN
        ? (-.infinity, .infinity) : (min(first, last), max(first, last))
    } else if space.primaries == .xyz(white: space.primaries.white) {
      (low, high) = (-.infinity, .infinity)
    } else {
      (low, high) = (0, 1)
    }
    (darkest, brightest) = (cubeRoot(low), cubeRoot(high))
    guard case .coordinates(let oklab) = TransferFunction.oklab.form,
      case .matrix(let cones) = oklab.encoding.stages.first,
      case .matrix(let opponents) = oklab.encoding.stages.last
    else { preconditionFailure("Oklab is two matrices with cube roots between them.") }
    toCones = cones * space.matrix(to: .oklab)
    fromCones = toCones.inverse
    (toOpponents, fromOpponents) = (opponents, opponents.inverse)
  }

  /// Whether each channel is in range; not where one is NaN, which `min()` and `max()` would skip.
  package func holds(_ light: SIMD3<Double>) -> Bool { all((light .>= low) .& (light .<= high)) }

  package func clipped(_ light: SIMD3<Double>) -> SIMD3<Double> {
    light.replacing(with: low, where: light .< low).replacing(with: high, where: light .> high)
  }

  func oklab(_ light: SIMD3<Double>) -> SIMD3<Double> {
    let cones = toCones * light
    return toOpponents * SIMD3(cubeRoot(cones.x), cubeRoot(cones.y), cubeRoot(cones.z))
  }

  /// What `choose` finds among the colors with the lightness and hue of `light`; the gray at the end where there are none.
  func along(_ light: SIMD3<Double>, choose: (Ray) -> SIMD3<Double>) -> SIMD3<Double> {
    let color = oklab(light)
    guard high.isFinite, color.sum().isFinite else { return clipped(light) }
    if color.x >= brightest { return SIMD3(repeating: high) }
    if color.x <= darkest { return SIMD3(repeating: low) }
    return clipped(choose(Ray(color: color, light: light, gamut: self)))
  }

  /// The colors of one lightness and hue in Oklab, by their chroma.
  struct Ray {
    let gamut: Gamut
    /// The color that the ray was drawn through, and its chroma.
    let color, light: SIMD3<Double>
    let chroma: Double
    private let direction: SIMD3<Double>
    /// The cube roots of what the cones see: of the gray, and what one unit of chroma adds.
    private let gray, slope: SIMD3<Double>

    init(color: SIMD3<Double>, light: SIMD3<Double>, gamut: Gamut) {
      (self.color, self.light, self.gamut) = (color, light, gamut)
      chroma = chromaOf(color)
      direction = chroma > 0 ? SIMD3(0, color.y / chroma, color.z / chroma) : .zero
      gray = gamut.fromOpponents * SIMD3(color.x, 0, 0)
      slope = gamut.fromOpponents * direction
    }

    func oklab(at chroma: Double) -> SIMD3<Double> {
      SIMD3(color.x, direction.y * chroma, direction.z * chroma)
    }

    func light(at chroma: Double) -> SIMD3<Double> {
      let roots = gray + slope * chroma
      return gamut.fromCones * (roots * roots * roots)
    }

    /// Light as polynomials of chroma: the factors of its powers 0 to 3.
    var cubics: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
      let matrix = gamut.fromCones
      return (
        matrix * (gray * gray * gray), matrix * (3 * gray * gray * slope),
        matrix * (3 * gray * slope * slope), matrix * (slope * slope * slope)
      )
    }
  }
}

/// The distance from gray of a color in Oklab.
func chromaOf(_ oklab: SIMD3<Double>) -> Double {
  (oklab.y * oklab.y + oklab.z * oklab.z).squareRoot()
}
