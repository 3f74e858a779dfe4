import ColorSpaces
import Testing
import _TestSupport

/// Errors name the invalid value, its position and the allowed values.
@Suite struct ColorErrorTests {
  private func failure(_ points: [SIMD2<Double>]) -> ColorError? {
    #expect(throws: ColorError.self) { try CubicCurve(through: points) }
  }

  @Test func pointsOutOfOrderAreRefused() throws {
    let error = try #require(failure([[0, 0], [0.5, 0.5], [0.25, 0.75], [1, 1]]))
    #expect(error == .curvePointsOutOfOrder(index: 2, x: 0.25, previous: 0.5))
    #expect(
      "\(error)"
        == "The x of curve points must rise from each to the next: point 3 has 0.25, "
        + "the one before it 0.5. Sort the points by x, each x once.")
  }

  @Test func twoPointsAtTheSameXAreRefused() throws {
    let error = try #require(failure([[0, 0], [0.5, 0.4], [0.5, 0.6], [1, 1]]))
    #expect(error == .curvePointsOutOfOrder(index: 2, x: 0.5, previous: 0.5))
    #expect("\(error)".contains("each x once"))
  }

  @Test func pointWithNaNIsRefused() throws {
    let error = try #require(failure([[0, 0], [0.5, .nan], [1, 1]]))
    // NaN is not equal to itself, so the case is destructured.
    guard case .curvePointNotFinite(index: 1, x: 0.5, let y) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(y.isNaN)
    #expect("\(error)" == "Curve points must be finite numbers: point 2 is (0.5, NaN).")
  }

  @Test func infinitePointIsRefused() {
    #expect(
      failure([[0, 0], [.infinity, 1]]) == .curvePointNotFinite(index: 1, x: .infinity, y: 1))
    #expect(
      failure([[-.infinity, 0], [1, 1]]) == .curvePointNotFinite(index: 0, x: -.infinity, y: 0))
  }

  /// The slope between two points may be infinite although both are finite; 0 times infinity is NaN.
  @Test(arguments: CubicCurve.Interpolation.allCases)
  func stepsThatAreTooSteepAreRefused(_ kind: CubicCurve.Interpolation) {
    let steep: [[SIMD2<Double>]] = [
      [[0, 0], [.leastNonzeroMagnitude, 1], [1, 1]], [[0, 0], [1, 0.5], [2, 1e39]],
      [[0, -1e308], [1, 1e308]], [[0, 1e308], [1, 0], [2, 1e308]],
      [[-1e308, 0], [1e308, 0]],
    ]
    for points in steep {
      let error = #expect(throws: ColorError.self, "\(kind), \(points)") {
        try CubicCurve(through: points, interpolation: kind)
      }
      guard case .curveTooSteep? = error else {
        Issue.record("\(kind), \(points): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func aStepThatIsTooSteepIsNamed() throws {
    let previous: SIMD2<Double> = [0.5, 0.5]
    let point: SIMD2<Double> = [previous.x.nextUp, 1e30]
    let error = try #require(failure([[0, 0], previous, point, [1, 1]]))
    #expect(error == .curveTooSteep(index: 2, point: point, previous: previous))
    #expect(
      "\(error)"
        == "The curve from point 2, (0.5, 0.5), to point 3, (0.5000000000000001, 1e+30), is too "
        + "steep or too large for single precision. Move the points apart in x, or closer together "
        + "in y.")
  }

  @Test func aPointThatIsTooLargeIsNamed() throws {
    let points: [SIMD2<Double>] = [[-1e39, 0], [0, 1], [0.5, 1]]
    let error = try #require(failure(points))
    #expect(error == .curveTooSteep(index: 1, point: points[1], previous: points[0]))
  }

  /// Curves that are steep, but not too steep, hold no NaN.
  @Test(arguments: CubicCurve.Interpolation.allCases)
  func steepStepsAreAllowed(_ kind: CubicCurve.Interpolation) throws {
    let points: [SIMD2<Double>] = [[0, 0], [0.5, 0], [0.500_001, 1], [1, 1]]
    let curve = try CubicCurve(through: points, interpolation: kind)
    for point in points { #expect(curve(point.x) == point.y, "\(kind)") }
    #expect(curve(0.500_000_5).isFinite)
  }

  @Test(arguments: [0, 1, 65]) func tooFewOrTooManyPointsAreRefused(_ count: Int) throws {
    let points = (0..<count).map { SIMD2(Double($0), 0) }
    let error = try #require(failure(points))
    #expect(error == .curvePointCount(count, allowed: 2...64))
    #expect("\(error)" == "A curve takes 2 to 64 points; got \(count).")
  }

  @Test func sixtyFourPointsAreAllowed() throws {
    let curve = try CubicCurve(through: (0..<64).map { [Double($0), Double($0 % 3)] })
    #expect(curve(63) == 0)
  }

  @Test func aParameterOutOfRangeNamesItsValueAndRange() {
    let error = ColorError.parameter("radius", value: 7, allowed: 0...5)
    #expect("\(error)" == "radius must lie in 0…5; got 7.")
  }

  @Test func rangesWithoutAnEndAndOfOneNumberAreWords() {
    let errors: [(ColorError, String)] = [
      (.parameter("count", value: 7, allowed: 3...3), "count must be 3; got 7."),
      (
        .parameter("end", value: -1, allowed: 0...Double.greatestFiniteMagnitude),
        "end must be 0 or more; got -1."
      ),
      (.curvePointCount(1, allowed: 2...Int.max), "A curve takes 2 points or more; got 1."),
      (.parameter("end", value: .nan, allowed: 0...1), "end must lie in 0…1; got NaN."),
      (.parameter("end", value: .infinity, allowed: 0...1), "end must lie in 0…1; got infinity."),
      (.parameter("end", value: -.infinity, allowed: 0...1), "end must lie in 0…1; got -infinity."),
    ]
    for (error, sentence) in errors { #expect("\(error)" == sentence) }
  }

  /// A range that excludes a whole number names it, not its neighbor among the numbers of the format.
  @Test(arguments: [
    (0...1.0.nextDown, "be 0 or more and below 1"),
    (1.0.nextUp...1e6, "be above 1 and at most 1000000"),
    (Double.leastNormalMagnitude...1e6, "be above 0 and at most 1000000"),
    (Double.leastNonzeroMagnitude...1.0.nextDown, "be above 0 and below 1"),
    (Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude, "be above 0"),
    ((-1.0).nextUp...0.5, "be above -1 and at most 0.5"), (0.001...1000, "lie in 0.001…1000"),
    (8...16, "lie in 8…16"), (-0.5...0.25, "lie in -0.5…0.25"),
  ])
  func rangesNameTheNumbersThatTheyExclude(range: ClosedRange<Double>, words: String) {
    let error = ColorError.parameter("end", value: 2, allowed: range)
    #expect("\(error)" == "end must \(words); got 2.")
  }
}
