/// Colors of a gamut, evenly distributed in a metric: any number of them, the same on every machine.
///
/// ```swift
/// let colors = ColorSpace.displayP3.gamutSamples(in: .oklab).prefix(1000)
/// ```
///
/// The colors are the members of a low-discrepancy sequence over the gamut's bounding box (Roberts 2018: the additive
/// recurrence by powers of the generalized golden ratio) that are in gamut. Any number of them fills the gamut more evenly
/// than random colors would.
///
/// The sequence is empty for spaces in which no color can be converted, such as one whose primaries lie on a line. It ends
/// where a metric cannot return colors within a millionth of its extent, such as the space of an ICC profile whose tables
/// are no exact inverses of each other.
public struct GamutSamples: Sequence, IteratorProtocol, Sendable {
  /// The space whose gamut is sampled.
  public let space: ColorSpace
  /// The space in which equal volumes get equally many colors.
  public let metric: ColorSpace
  private let toLinear, fromLinear: PointProgram
  private let low, extent: SIMD3<Double>
  private var position = SIMD3(repeating: 0.5)
  private var isOver = false

  fileprivate init(of space: ColorSpace, in metric: ColorSpace) {
    precondition(!space.isGray, "\(space) holds grays only, which fill no volume.")
    (self.space, self.metric) = (space, metric)
    toLinear = PointProgram(converting: metric, to: space.linear)
    fromLinear = PointProgram(converting: space.linear, to: metric)
    let corners = space.gamutMesh(in: metric).vertices
    let least = corners.reduce(corners[0]) { pointwiseMin($0, $1) }
    let most = corners.reduce(corners[0]) { pointwiseMax($0, $1) }
    // The surface may bulge beyond its vertices by the square of their distance, far less than this share.
    let margin = (most - least) * 0.02
    (low, extent) = (least - margin, most - least + 2 * margin)
  }

  /// A gamut that fills a thousandth of its box has a color among so many candidates, but for a probability of 10⁻⁴³.
  private static let candidateLimit = 100_000

  /// Returns the next color, in coordinates of ``metric``; nil where the gamut has none.
  public mutating func next() -> ColorPoint? {
    // A box of NaN holds no color.
    guard !isOver, low.sum().isFinite, extent.sum().isFinite else { return nil }
    for _ in 0..<Self.candidateLimit {
      position += Self.step
      position.replace(with: position - 1, where: position .>= 1)
      let point = low + extent * position
      let light = toLinear(point)
      guard light.min() >= 0, light.max() <= 1 else { continue }
      // Coordinates may fold beyond visible colors: two points for one color, of which one is the color's.
      let back = fromLinear(light) - point
      if (back * back).sum() <= 1e-12 * (extent * extent).sum() {
        return ColorPoint(point, in: metric)
      }
    }
    isOver = true
    return nil
  }

  /// The powers −1, −2 and −3 of the root of x⁴ = x + 1.
  private static let step: SIMD3<Double> = {
    let root = 1.220_744_084_605_759_5
    return [1 / root, 1 / (root * root), 1 / (root * root * root)]
  }()
}

extension ColorSpace {
  /// Returns colors of this space's gamut that are spread evenly in `metric`.
  ///
  /// - Parameter metric: A space without an angle, such as Oklab. The gamut is that of ``gamutMesh(in:steps:)``.
  public func gamutSamples(in metric: ColorSpace = .oklab) -> GamutSamples {
    GamutSamples(of: self, in: metric)
  }
}
