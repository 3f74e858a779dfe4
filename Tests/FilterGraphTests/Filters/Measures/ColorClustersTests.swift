import FilterGraph
import Testing

/// Clusters of colors with up to four coordinates.
@Suite struct ColorClustersTests {
  private func clusters(
    _ points: [SIMD4<Double>], count: Int, leastDeviation: Double = 1e-5
  ) -> [WeightedColor] {
    ColorClusters(
      of: points.map { WeightedColor($0, weight: 1) }, count: count,
      leastDeviation: leastDeviation
    ).means
  }

  @Test(arguments: 0..<4) func eachCoordinateDivides(axis: Int) {
    var far = SIMD4<Double>(0.1, 0.2, 0.3, 0.4)
    let near = far
    far[axis] += 1
    let means = clusters([near, far, far, near, far], count: 4)
    #expect(means.map(\.weight) == [3, 2])
    #expect(abs(means[0].point[axis] - far[axis]) < 1e-12)
    #expect(abs(means[1].point[axis] - near[axis]) < 1e-12)
  }

  @Test func smallDeviationsAreNotDivided() {
    let points = (0..<10).map { SIMD4<Double>(Double($0) / 1000, 0, 0, 0) }
    #expect(clusters(points, count: 8, leastDeviation: 0.01).count == 1)
    #expect(clusters(points, count: 8).count == 8)
  }

  @Test func noColorsHaveNoClusters() {
    #expect(clusters([], count: 3).isEmpty)
  }
}
