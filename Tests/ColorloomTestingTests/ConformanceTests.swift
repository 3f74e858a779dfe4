import Colorloom
import ColorloomTesting
import Testing

/// The conformance kit finds nothing wrong with right filters, and names the mistake of each wrong one.
@Suite struct ConformanceTests {
  @Test func foreignFiltersOfEveryKindAreRight() {
    expectNone(
      FilterLaws.violations(
        of: Tint(factors: [1.25, 1, 0.5]), identity: Tint(factors: .one),
        unlike: Tint(factors: [1, 2, 3])))
    expectNone(FilterLaws.violations(of: RedBlueSwap()))
    expectNone(FilterLaws.violations(of: Vignette()))
    expectNone(FilterLaws.violations(of: RowMean(reach: 2), unlike: RowMean(reach: 3)))
    expectNone(FilterLaws.violations(of: Average(), inputs: 3))
    expectNone(FilterLaws.violations(of: Bars()))
    expectNone(FilterLaws.violations(of: Brightest()))
  }

  private func expectNone(
    _ violations: [FilterViolation], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for violation in violations {
      Issue.record("\(violation.law): \(violation)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: WrongMean.Mistake.allCases) func areaFilters(mistake: WrongMean.Mistake) {
    let filter = WrongMean(mistake: mistake)
    let violations = FilterLaws.violations(of: filter)
    #expect(violations.contains { $0.law == filter.law }, "\(violations)")
  }

  @Test func pointFilters() {
    func laws(_ mistake: WrongTone.Mistake) -> Set<FilterLaw> {
      Set(FilterLaws.violations(of: WrongTone(mistake: mistake)).map(\.law))
    }
    #expect(laws(.ignoresCoverage).contains(.storage))
    #expect(laws(.ignoresLight).contains(.storage))
    #expect(laws(.dependsOnThreads).contains(.threads))
    #expect(laws(.dependsOnTile).contains(.tiles))
    #expect(laws(.clamps) == [.range])
    #expect(
      FilterLaws.violations(of: WrongTone(mistake: .clamps), except: [.range]).isEmpty,
      "A filter that says that it clamps may.")
  }

  @Test func identitiesAndEqualities() {
    #expect(
      FilterLaws.violations(of: Tint(factors: [2, 2, 2]), identity: Tint(factors: [1, 1, 1.001]))
        .map(\.law) == [.identity])
    #expect(
      FilterLaws.violations(of: Forgetful(amount: 1), unlike: Forgetful(amount: 2)).map(\.law)
        == [.equality])
  }

  @Test func otherKinds() {
    #expect(FilterLaws.violations(of: WrongBlend()).map(\.law).contains(.coverage))
    #expect(FilterLaws.violations(of: WrongPainter()).map(\.law).contains(.meaning))
    #expect(FilterLaws.violations(of: SharedSum()).map(\.law).contains(.threads))
  }
}
