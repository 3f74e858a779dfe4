import Colorloom
import ColorloomTesting
import Testing

/// The conformance kit accepts correct filters, and names the mistake of each wrong one.
@Suite struct ConformanceTests {
  @Test func foreignFiltersOfEveryKindConform() {
    expectNone(
      FilterLaws.violations(
        of: Tint(factors: [1.25, 1, 0.5]), identity: Tint(factors: .one),
        unlike: Tint(factors: [1, 2, 3])))
    expectNone(FilterLaws.violations(of: RedBlueSwap()))
    expectNone(FilterLaws.violations(of: Vignette()))
    expectNone(FilterLaws.violations(of: RowMean(reach: 2), unlike: RowMean(reach: 3)))
    expectNone(FilterLaws.violations(of: Average(), inputs: 3))
    expectNone(FilterLaws.violations(of: Displacement(reach: 3), unlike: Displacement(reach: 2)))
    expectNone(FilterLaws.violations(of: MaskedMean(reach: 2), tolerance: 8e-6))
    expectNone(FilterLaws.violations(of: Bars()))
    expectNone(FilterLaws.violations(of: Brightest()))
  }

  /// Input regions entirely or partly outside of the picture, or outside only for small pictures; and a filter without
  /// input.
  @Test func filtersMayReadOutsideOfThePicture() {
    for shift in [
      Shift(columns: 400, rows: 0), Shift(columns: -400, rows: 3), Shift(columns: 3, rows: -50),
      Shift(columns: -7, rows: 7), Shift(columns: .max / 2, rows: .min / 2),
    ] {
      expectNone(FilterLaws.violations(of: shift))
    }
    // It drops colors beyond 0…1, alpha and everything else by design.
    expectNone(FilterLaws.violations(of: Erased(), except: [.alpha, .range]))
  }

  @Test(arguments: WrongShift.Mistake.allCases, [-400, 4, 90])
  func shifts(mistake: WrongShift.Mistake, columns: Int) {
    let filter = WrongShift(mistake: mistake, columns: columns)
    let violations = FilterLaws.violations(of: filter)
    #expect(violations.contains { $0.law == filter.law }, "\(violations)")
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

  @Test(arguments: OneSidedClamp.Bound.allCases, 0..<3)
  func clampsOfOneChannelAreFound(bound: OneSidedClamp.Bound, channel: Int) {
    for source in [channel, (channel + 1) % 3] {
      let filter = OneSidedClamp(channel: channel, bound: bound, source: source)
      let violations = FilterLaws.violations(of: filter)
      #expect(violations.map(\.law) == [.range], "\(violations)")
      #expect(violations.allSatisfy { $0.description.contains("it clamps") })
      expectNone(FilterLaws.violations(of: filter, except: [.range]))
    }
  }

  /// The bound of a mean is a clamp; that of the lesser of two values moves with the other picture.
  @Test func clampsOfSeveralPicturesAreFound() {
    for violations in [
      FilterLaws.violations(of: ClampedBlend()), FilterLaws.violations(of: ClampedArea()),
    ] {
      #expect(violations.map(\.law) == [.range], "\(violations)")
      #expect(violations.allSatisfy { $0.description.contains("it clamps, beside pictures of") })
    }
    expectNone(FilterLaws.violations(of: ClampedBlend(), except: [.range]))
    expectNone(FilterLaws.violations(of: ClampedArea(), except: [.range]))
    expectNone(FilterLaws.violations(of: ClampedBlend(limit: 100)))
    expectNone(FilterLaws.violations(of: Darkest()))
  }

  /// The fast implementation equals the definition, so that law holds; the violation is the NaN it creates, which is
  /// printed without a sign.
  @Test func originsOfNaNAreFound() {
    let violations = FilterLaws.violations(of: PlainRoot())
    #expect(violations.map(\.law) == [.containment], "\(violations)")
    #expect(violations.allSatisfy { $0.description.contains("makes NaN of finite colors") })
    #expect(!violations.contains { $0.description.contains("nan") })
  }

  /// Where one of two results is NaN, they differ by more than any tolerance.
  @Test func nanIsADifference() {
    for (laws, violated) in [
      (FilterLaws.violations(of: OverflowingFactors()).map(\.law), FilterLaw.fusion),
      (FilterLaws.violations(of: Hole()).map(\.law), .storage),
    ] {
      #expect(laws.contains(violated), "\(laws)")
    }
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
    #expect(FilterLaws.violations(of: WrongBlend()).map(\.law).contains(.alpha))
    #expect(FilterLaws.violations(of: WrongOpacity()).map(\.law).contains(.alpha))
    #expect(FilterLaws.violations(of: WrongRoot()).map(\.law).contains(.containment))
    #expect(FilterLaws.violations(of: WrongPainter()).map(\.law).contains(.meaning))
    #expect(FilterLaws.violations(of: SharedSum()).map(\.law).contains(.threads))
  }
}
