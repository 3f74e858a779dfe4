import Testing
import _TestSupport

@Suite("Distance in units in the last place")
struct UlpDistanceTests {
  @Test("Neighbors are one apart, also across zero and below infinity")
  func neighbors() {
    #expect(ulpDistance(Float(1), Float(1).nextUp) == 1)
    #expect(ulpDistance(Float(1).nextDown, Float(1).nextUp) == 2)
    #expect(ulpDistance(-Float.leastNonzeroMagnitude, .leastNonzeroMagnitude) == 2)
    #expect(ulpDistance(Float.greatestFiniteMagnitude, .infinity) == 1)
    #expect(ulpDistance(1.0, 1.0.nextDown) == 1)
    #expect(ulpDistance(Double.leastNonzeroMagnitude, 0) == 1)
    #expect(ulpDistance(-Double.infinity, .infinity) == 2 * Double.infinity.bitPattern)
  }

  @Test("Zeros are equal, NaNs are equal, and NaN is far from every number")
  func specialValues() {
    #expect(ulpDistance(Float(0), -0.0) == 0)
    #expect(ulpDistance(0.0, -0.0) == 0)
    #expect(ulpDistance(Float.nan, -.nan) == 0)
    #expect(ulpDistance(Double.nan, .signalingNaN) == 0)
    #expect(ulpDistance(Float.nan, 1) == .max)
    #expect(ulpDistance(1.0, .nan) == .max)
  }

  @Test("The distance is symmetric, and adds up along the number line")
  func metric() {
    checkProperty("symmetric", .adversarialDouble(), .adversarialDouble()) {
      ulpDistance($0, $1) == ulpDistance($1, $0)
    }
    checkProperty("additive", .array(of: .adversarialFloat(), count: 3...3)) { values in
      let sorted = values.sorted()
      return ulpDistance(sorted[0], sorted[1]) + ulpDistance(sorted[1], sorted[2])
        == ulpDistance(sorted[0], sorted[2])
    }
  }
}
