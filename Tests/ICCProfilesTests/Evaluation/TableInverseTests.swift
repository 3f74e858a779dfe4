import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

/// Profiles with tables from the device to colors and none back, such as those of scanners: a picture that is changed and stored in such a
/// space keeps its colors.
@Suite struct TableInverseTests {
  /// Tables that have no inverse by formula.
  enum Table: CaseIterable {
    /// Curves that rise and fall, and a matrix.
    case bentCurves
    /// A grid of each type, with rising curves before it.
    case mft1, mft2, mAB
    /// A grid of XYZ.
    case xyz
    /// A grid with curves before it of which one rises and falls, and one falls.
    case bentCurvesBeforeGrid
    /// A grid that folds: some colors come twice.
    case fold

    fileprivate func profile() throws -> ICCProfile {
      guard self != .bentCurves else {
        return try ICCProfile(
          bytes: TablePrecedenceTests.profile(
            curve: ParsedProfile.table([0, 40_000, 30_000, 65_535])
          ).bytes)
      }
      let kind: TableProfile.Kind = self == .mft1 ? .mft1 : self == .mAB ? .mAB : .mft2
      var parsed = ParsedProfile(
        version: kind == .mAB ? 4 : 2, profileClass: "scnr", space: "RGB ",
        connection: self == .xyz ? "XYZ " : "Lab ")
      var table = TableProfile.table(kind, "mAB ", inputs: 3, outputs: 3, grid: 9, function)
      if self == .bentCurvesBeforeGrid {
        table.replaceSubrange(52..<52 + 2 * 34, with: Self.bentEntries)
      }
      parsed.tags["A2B0"] = table
      parsed.tags["wtpt"] =
        Array("XYZ ".utf8) + [0, 0, 0, 0] + [63_190, 65_536, 54_061].flatMap(ParsedProfile.bytes)
      return try ICCProfile(bytes: parsed.bytes)
    }

    /// Two curves of 17 entries: one rises, falls and rises, the other falls.
    private static var bentEntries: [UInt8] {
      let bent = (0..<17).map {
        $0 < 8 ? $0 * 6000 : $0 < 12 ? 48_000 - ($0 - 8) * 5000 : 33_535 + ($0 - 12) * 8000
      }
      let falling = (0..<17).map { 65_000 - $0 * 4000 }
      return (bent + falling).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// The stored fractions of a scanner's colors.
    private func function(_ color: [Double]) -> [Double] {
      let linear = SIMD3(color) * SIMD3(color)
      let light =
        ColorMatrix(
          rows: [0.436, 0.385, 0.143], [0.2225, 0.717, 0.0605], [0.0139, 0.0971, 0.714]) * linear
      if self == .xyz { return [light.x, light.y, light.z].map { $0 * 32_768 / 65_535 } }
      let lab = ColorPoint(light, in: .xyzD50).converted(to: .lab).components
      let turn = self == .fold ? 30 * color[1] * (1 - color[0]) * color[2] : 0
      return [lab.x / 100, (lab.y + turn + 128) / 255, (lab.z - 2 * turn + 128) / 255]
    }
  }

  /// The largest CIEDE2000 difference after a round trip: the search ends within 1e-9 in Lab, and the formula weighs differences of grays
  /// more.
  private static let bound = 1e-7

  @Test(arguments: Table.allCases) func picturesKeepTheirColors(_ table: Table) throws {
    let space = try table.profile().colorSpace(intent: .perceptual)
    var random = SeededGenerator(seed: 20_261_128)
    let corners = (0..<8).map { SIMD3(Double($0 & 1), Double($0 >> 1 & 1), Double($0 >> 2)) }
    let colors = corners + (0..<500).map { _ in SIMD3.random(in: 0...1, using: &random) }
    for color in colors {
      let light = space.transfer.decode(color)
      let back = space.transfer.encode(light)
      #expect(all((back .>= 0) .& (back .<= 1)))
      let difference = ColorDifference.ciede2000()(
        lab(ColorPoint(back, in: space)), lab(ColorPoint(color, in: space)))
      #expect(difference < Self.bound, "\(table): \(color), \(back)")
    }
  }

  /// A color out of the gamut becomes one that is no farther in Lab than any on a grid of device values.
  @Test(arguments: [Table.bentCurves, .mft2, .mAB, .xyz, .bentCurvesBeforeGrid])
  func colorsOutOfTheGamutBecomeTheNearest(_ table: Table) throws {
    let space = try table.profile().colorSpace(intent: .perceptual)
    let steps = (0...16).map { Double($0) / 16 }
    let known = steps.flatMap { x in
      steps.flatMap { y in steps.map { lab(ColorPoint(x, y, $0, in: space)) } }
    }
    for lightness in [10.0, 50, 90] {
      for (a, b) in [(120.0, 0.0), (-120, 20), (10, 120), (30, -120), (90, 90)] {
        let color = SIMD3(lightness, a, b)
        let stored = ColorPoint(color, in: .lab).converted(to: space).components
        #expect(all((stored .>= 0) .& (stored .<= 1)))
        let found = distance(lab(ColorPoint(stored, in: space)), color)
        let least = known.map { distance($0, color) }.min() ?? 0
        #expect(found <= least + 1e-6, "\(table), \(color): \(found), \(least)")
      }
    }
  }

  @Test func colorsThatAreNotFiniteHaveNoValues() throws {
    let space = try Table.mft2.profile().colorSpace(intent: .perceptual)
    for light in [SIMD3(.nan, 0.5, 0.5), SIMD3(.infinity, 0, 0), SIMD3(0, 0, -.infinity)] {
      let stored = space.transfer.encode(light)
      #expect(all(stored .!= stored), "\(light): \(stored)")
    }
  }

  private func lab(_ color: ColorPoint) -> SIMD3<Double> { color.converted(to: .lab).components }

  private func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    ((a - b) * (a - b)).sum().squareRoot()
  }
}
