/// A tone curve of quadratic B-splines between the logarithms of two quantities: the segmented splines of ACES 1 (aces-dev 1.3,
/// `ACESlib.Tonescales` and `ACESlib.SSTS`).
///
/// Pieces of equal width lead from the darkest point to middle gray, and as many from there to the brightest point.
struct SegmentedSpline: Sendable {
  /// The decimal logarithms of the darkest input, middle gray and the brightest input.
  let inputs: SIMD3<Double>
  /// Each piece is the polynomial c₀ + c₁t + c₂t² in the place within it.
  private let coefficients: [[Double]]
  /// The slope beyond the brightest input.
  private let slope: Double

  /// A curve from the control points of its splines below and above middle gray.
  init(_ inputs: SIMD3<Double>, low: [Double], high: [Double], slopeBeyond slope: Double = 0) {
    (self.inputs, self.slope) = (inputs, slope)
    let pieces = [low, high].flatMap { points in
      (0..<points.count - 2).map { (points[$0], points[$0 + 1], points[$0 + 2]) }
    }
    coefficients = [
      pieces.map { a, b, _ in (a + b) / 2 }, pieces.map { a, b, _ in b - a },
      pieces.map { a, b, c in (a - 2 * b + c) / 2 },
    ]
  }

  /// The decimal logarithm of the output for that of the input.
  func callAsFunction<Number: FormulaNumber>(_ x: Number) -> Number {
    let count = Double(coefficients[0].count / 2)
    func place(_ start: Double, _ end: Double) -> Number {
      (x - Number(start)) * Number(count / (end - start))
    }
    let isHigh = Number(inputs.y) .<= x
    let place = Number.select(isHigh, place(inputs.y, inputs.z), place(inputs.x, inputs.y))
      .atMost(Number(count)).atLeast(0)
    let piece = place.integerBelow.atMost(Number(count - 1))
    let t = place - piece
    let index = Number.select(isHigh, piece + Number(count), piece)
    let c = coefficients.map { index.element(of: $0) }
    let y = (c[2] * t + c[1]) * t + c[0]
    return slope == 0 ? y : y + (x - Number(inputs.z)).atLeast(0) * Number(slope)
  }
}

extension SegmentedSpline {
  /// The tone curve of the reference rendering transform: scene light to the luminance of cinema, 0.0001…10,000 cd/m².
  static let reference = SegmentedSpline(
    [scene(stops: -15), scene(stops: 0), scene(stops: 18)],
    low: [-4, -4, -3.157_376_577_3, -0.485_249_995_8, 1.847_732_470_6],
    high: [-0.718_548_242_5, 2.081_030_717_2, 3.668_124_123_7, 4, 4])

  /// The tone curve from there to a cinema of 0.02…48 cd/m².
  static let cinema = SegmentedSpline(
    [
      reference(scene(stops: -6.5)), reference(scene(stops: 0)), reference(scene(stops: 6.5)),
    ],
    low: [
      -1.698_970_004_3, -1.698_970_004_3, -1.477_9, -1.229_1, -0.864_8, -0.448, 0.005_18,
      0.451_108_033_4, 0.911_374_441_4,
    ],
    high: [
      0.515_438_696_5, 0.847_043_778_3, 1.135_8, 1.380_2, 1.519_7, 1.598_5, 1.646_7,
      1.674_609_135_7, 1.687_873_339,
    ],
    slopeBeyond: 0.04)

  /// The tone curve from scene light to a display of 0.0001…`peak` cd/m², on which middle gray has 15 cd/m²: the single-stage tone scale.
  static func singleStage(peak: Double) -> SegmentedSpline {
    // The curve is made for a gray of 4.8 cd/m², and then moved along its input.
    let unmoved = singleStage(peak: peak, moved: 0)
    let target = decimalLogarithm(15)
    var (low, high) = (unmoved.inputs.x, unmoved.inputs.z)
    while true {
      let middle = (low + high) / 2
      guard low < middle, middle < high else { break }
      if unmoved(middle) < target { low = middle } else { high = middle }
    }
    return singleStage(peak: peak, moved: scene(stops: 0) - low)
  }

  private static func singleStage(peak: Double, moved: Double) -> SegmentedSpline {
    let (least, gray, greatest) = (-4.0, decimalLogarithm(4.8), decimalLogarithm(peak))
    // The stops above gray that become the peak, between those for 48 and for 10,000 cd/m².
    let part = (greatest - decimalLogarithm(48)) / (4 - decimalLogarithm(48))
    let stops = 6.5 + 11.5 * part
    let inputs = SIMD3(scene(stops: -15), scene(stops: 0), scene(stops: stops))
    // The control points around gray lie on a line of this slope.
    func nearGray(_ step: Double) -> Double { gray + 1.55 * step }
    let (below, above) = ((inputs.y - inputs.x) / 6, (inputs.z - inputs.y) / 6)
    let bend = 0.89 + 0.01 * (stops - 6.5) / 11.5
    return SegmentedSpline(
      inputs + moved,
      low: [
        least, least, least + 0.18 * (gray - least), nearGray(-below), nearGray(below),
      ],
      high: [
        nearGray(-above), nearGray(above), gray + bend * (greatest - gray), greatest, greatest,
      ])
  }

  /// The decimal logarithm of scene light so many stops above middle gray.
  private static func scene(stops: Double) -> Double {
    decimalLogarithm(0.18) + stops * decimalLogarithm(2)
  }
}

/// The base-10 logarithm of a number from zero up.
func decimalLogarithm<Number: FormulaNumber>(_ x: Number) -> Number {
  x.binaryLogarithm * 0.301_029_995_663_981_2
}
