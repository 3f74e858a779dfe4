import FilterGraph
import Testing

/// The sentences about parameters of grades that do not fit each other.
@Suite struct GradingErrorTests {
  private func error(_ make: () throws(RecipeError) -> any PointFilter) -> String {
    do throws(RecipeError) { _ = try make() } catch { return "\(error)" }
    return "none"
  }

  @Test func logCurvesNameTheParametersOfTheirBreak() {
    let unbroken = error { () throws(RecipeError) in try LogCurve(linearSlope: .one) }
    #expect(unbroken.contains("State the lin-side break, or leave out the linear slope."))
    let negative = error { () throws(RecipeError) in
      try LogCurve(linSideOffset: SIMD3(repeating: -1), linSideBreak: SIMD3(repeating: 0.5))
    }
    #expect(negative.contains("(lin-side slope × break + offset) must lie in"), "\(negative)")
    #expect(negative.hasSuffix("got -0.5."), "\(negative)")
  }

  @Test func primaryGradesNameBothPivots() {
    let exchanged = error { () throws(RecipeError) in
      try GradingPrimary(pivotBlack: 1, pivotWhite: 0)
    }
    #expect(exchanged.hasPrefix("The pivot white less the pivot black of a primary grade must"))
  }
}
