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
    #expect("\(error)" == "Curve points must be finite numbers: point 2 is (0.5, nan).")
  }

  @Test func infinitePointIsRefused() {
    #expect(
      failure([[0, 0], [.infinity, 1]]) == .curvePointNotFinite(index: 1, x: .infinity, y: 1))
    #expect(
      failure([[-.infinity, 0], [1, 1]]) == .curvePointNotFinite(index: 0, x: -.infinity, y: 0))
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
    ]
    for (error, sentence) in errors { #expect("\(error)" == sentence) }
  }
}
