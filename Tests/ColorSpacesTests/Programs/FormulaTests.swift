import ColorSpaces
import Testing
import _TestSupport

/// Formulas, which are recorded and compiled at first use.
@Suite struct FormulaTests {
  @Test func formulaIsRecordedAndCompiledAtFirstUse() {
    let formula = Formula.vibrance(0.5)
    let guarded = formula.keepingNaN
    #expect(formula.isReady == (false, false))
    #expect(guarded.isReady == (false, false))
    let color = guarded([0.5, 0.1, -0.05])
    #expect(guarded.isReady == (true, true))
    // The one that it contains is recorded, and has no code of its own before it runs.
    #expect(formula.isReady == (true, false))
    #expect(formula([0.5, 0.1, -0.05]) == color)
    #expect(formula.isReady == (true, true))
  }

  /// Creating a space computes none of its formulas, which take most of the time.
  @Test func spaceIsCreatedWithoutItsFormulas() throws {
    let space = ColorSpace.cam16JMh(
      under: ViewingConditions(adaptingLuminance: Luminance(candelas: 37)))
    let formulas = try Self.formulas(of: space)
    #expect(formulas.count == 2)
    #expect(formulas.allSatisfy { $0.isReady == (false, false) })
    _ = space.transfer.encode([0.5, 0.25, 0.125])
    #expect(try Self.formulas(of: space).map(\.isReady.code).contains(true))
  }

  private static func formulas(of space: ColorSpace) throws -> [Formula] {
    guard case .coordinates(let coordinates) = space.transfer.form else {
      Issue.record("\(space) has no coordinates.")
      return []
    }
    return (coordinates.decoding.stages + coordinates.encoding.stages).compactMap { stage in
      if case .formula(let formula) = stage { formula } else { nil }
    }
  }

  /// One counter counts the turns of a loop, in the code and in the kernels.
  @Test func nestedLoopsOfFormulasAreRefused() async {
    await #expect(processExitsWith: .failure) {
      let recorder = FormulaRecorder()
      recorder.openLoop()
      recorder.openLoop()
    }
  }

  @Test func polynomialFollowsHornersRule() {
    checkProperty("a + x (b + x c)", .color(limit: 10), .color(limit: 2)) { coefficients, place in
      let (a, b, c) = (coefficients.x, coefficients.y, coefficients.z)
      func value(_ list: ArraySlice<Double>) -> Double {
        FormulaOperation.polynomial.value(place.x, 0, 0, coefficients: list)
      }
      return value([9, a, b, c, 9][1..<4]) == (c * place.x + b) * place.x + a
        && value([9, a, 9][1..<2]) == a && value([]) == 0
    }
  }
}
