import ColorSpaces
import Testing
import _TestSupport

/// Sampled curves of ICC profiles, and their inverses.
@Suite struct CurveTableTests {
  /// Strictly rising or falling tables of 2 to 300 entries.
  private static let monotone = Generator<(Int, Int, Bool)>.zip(
    .int(in: 2...300), .int(in: 0...1000), .element(of: [true, false])
  ).map { count, seed, isRising -> CurveTable in
    var random = SeededGenerator(seed: UInt64(seed))
    var values: Set<UInt16> = []
    while values.count < count { values.insert(.random(in: .min ... .max, using: &random)) }
    return CurveTable(values: isRising ? values.sorted() : values.sorted(by: >))
  }

  @Test func entriesAreInterpolatedLinearly() {
    let table = CurveTable(values: [0, 13_107, 65_535])
    #expect(table(0) == 0 && table(0.5) == 0.2 && table(1) == 1)
    #expect(abs(table(0.25) - 0.1) <= 1e-16 && abs(table(0.75) - 0.6) <= 2e-16)
  }

  @Test func inputsOutsideTakeTheEnds() {
    let table = CurveTable(values: [655, 3, 60_000])
    #expect(table(-0.5) == table(0) && table(-.infinity) == table(0))
    #expect(table(1.5) == table(1) && table(.infinity) == table(1))
    #expect(table(.nan).isNaN && table.inverse(.nan).isNaN)
  }

  @Test func identitiesAreRecognized() {
    #expect(CurveTable(values: [0, 65_535]).isIdentity)
    #expect(CurveTable(values: [0, 21_845, 43_690, 65_535]).isIdentity)
    #expect(CurveTable(values: (0...65_535).map { UInt16($0) }).isIdentity)
    #expect(!CurveTable(values: [0, 21_846, 43_690, 65_535]).isIdentity)
    #expect(!CurveTable(values: [65_535, 0]).isIdentity)
  }

  @Test func inversesUndoMonotoneTables() {
    checkProperty("inverse", Self.monotone, .double(in: 0...1)) { table, x in
      // A value has 53 bits, and the steepest inverse is 65,535 times as steep as the diagonal.
      try requireClose(table.inverse(table(x)), x, within: 1e-10)
    }
  }

  /// A value that the table has along a plateau has the position at the higher values, as in Little CMS 2.14.
  @Test func plateausAreInvertedToTheirBrighterEnd() {
    let rising = CurveTable(values: [0, 30_000, 30_000, 65_535]).inverse
    #expect(abs(rising(30_000 / 65_535) - 2.0 / 3) <= 1e-15)
    #expect(abs(rising(29_999 / 65_535) - 1.0 / 3) <= 1e-4)
    let falling = CurveTable(values: [65_535, 30_000, 30_000, 0]).inverse
    #expect(abs(falling(30_000 / 65_535) - 1.0 / 3) <= 1e-15)
    #expect(abs(falling(29_999 / 65_535) - 2.0 / 3) <= 1e-4)
  }

  /// Tables that dip are inverted at the last position of a value, whose search is binary.
  @Test func dipsAreInverted() {
    let inverse = CurveTable(values: [0, 40_000, 20_000, 60_000]).inverse
    #expect(abs(inverse(30_000 / 65_535) - 2.25 / 3) <= 1e-15)
    #expect(inverse.table.values == [0, 40_000, 20_000, 60_000])
    #expect(inverse.least == [0, 20_000, 20_000, 60_000])
  }

  @Test func valuesOutOfTheRangeTakeTheEnds() {
    let (rising, falling) = (CurveTable(values: [100, 60_000]), CurveTable(values: [60_000, 100]))
    #expect(rising.inverse(0) == 0 && rising.inverse(1) == 1)
    #expect(falling.inverse(0) == 1 && falling.inverse(1) == 0)
  }

  @Test func curvesOfChannelsHaveInverses() throws {
    let parametric = try #require(ParametricCurve(function: 0, [2.2]))
    let table = CurveTable(values: [0, 13_107, 65_535])
    for curve in [
      ChannelCurve.identity, .parametric(parametric), .parametricInverse(parametric),
      .table(table), .tableInverse(table.inverse),
    ] {
      #expect(curve.inverse.inverse == curve)
      for x in [0, 0.1, 0.5, 0.9, 1] {
        #expect(abs(curve.inverse(curve(x)) - x) <= 1e-12, "\(curve) at \(x)")
      }
    }
  }
}
