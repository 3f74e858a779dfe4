import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// No space and no filter of the package runs a closure for each pixel, but for those listed here. What the kernels are given is counted,
/// not what a program says: curves and gamut mappings may become code, too.
@Suite struct FormulaCoverageTests {
  private static func codeStages(of stages: [PointProgram.Stage]) -> Int {
    PointProgram(stages).codeStageCount
  }

  private static func codeStages(of filter: any PointFilter, in space: ColorSpace) -> Int {
    var program = PointProgram()
    filter.describe(to: &program, in: space)
    return program.codeStageCount
  }

  /// Closures and function curves are counted as code, and formulas are not.
  @Test func codeIsCounted() {
    let function = Curve.function(FunctionCurve("square") { $0 * $0 })
    #expect(Self.codeStages(of: [.map("swap") { SIMD3($0.z, $0.y, $0.x) }]) == 1)
    #expect(Self.codeStages(of: [.curves("squares", function, function, function)]) == 1)
    #expect(Self.codeStages(of: [.clamp(0...1), .matrix(ColorMatrix(diagonal: [1, 2, 3]))]) == 0)
  }

  @Test(arguments: ColorSpace.all + [.rec2100HLG(on: .reference), .cam16JMh(under: .display)])
  func spacesAreFormulas(space: ColorSpace) {
    #expect(Self.codeStages(of: [.decode(space.transfer)]) == 0)
    #expect(Self.codeStages(of: [.encode(space.transfer)]) == 0)
  }

  /// Picks the pixels beyond the gamut's surface and hands them to kernels; single precision leaves few of them in doubt.
  private static let code: Set = ["gamut-mask"]

  @Test(arguments: FilterCatalog.builtIn.entries.map(\.name))
  func filtersAreFormulas(name: String) throws {
    let entry = try #require(FilterCatalog.builtIn[name])
    guard let sample = entry.sample else { return }
    guard let filter = try entry.filter(sample, at: name) as? any PointFilter else { return }
    for space in [ColorSpace.sRGB, .rec2020, .xyzD50] {
      let count = Self.codeStages(of: filter, in: space)
      #expect(Self.code.contains(name) ? count == 1 : count == 0, "\(name) in \(space)")
    }
  }

  @Test func filtersWithOtherSettingsAreFormulas() throws {
    let curve = Curve.power(PowerCurve(exponent: 1.3))
    let mappings: [GamutMapping] = [
      .clipped, .reducedChroma, .rayTraced, .softKnee(threshold: 1e-3), .softKnee(threshold: 0.99),
      .compressed(),
      .compressed(
        by: try GamutCompression(threshold: [0, 0.5, 0.9], limit: [2, 3, 4], power: 2.5)),
    ]
    let filters: [any PointFilter] =
      [
        Inversion(.value), try Vibrance(-0.5), try Reinhard(white: 2), try HLGRendering(.undone),
        Look(steps: [.hueAdjustedCurves(curve, .identity, curve)]),
      ] + (try mappings.map { try GamutFit(mapping: $0) })
    for filter in filters {
      for space in [ColorSpace.sRGB, .displayP3, .acescg] {
        #expect(Self.codeStages(of: filter, in: space) == 0, "\(filter) in \(space)")
      }
    }
  }

  @Test func rareSettingsAreFormulas() throws {
    let steep = try GamutCompression(threshold: [0.8, 0.8, 0.8], limit: [1.2, 1.2, 1.2], power: 3)
    let table = Curve.sampled(SampledCurve([0, 0.4, 1]))
    let filters: [any PointFilter] = [
      try GamutFit(mapping: .softKnee(threshold: 0)),
      try GamutFit(mapping: .softKnee(threshold: 5e-4)),
      try GamutFit(mapping: .compressed(by: steep)), GamutCompress(steep),
      GamutCompress(.aces13, .outwards), Look(steps: [.hueAdjustedCurves(table, table, table)]),
    ]
    for filter in filters { #expect(Self.codeStages(of: filter, in: .sRGB) == 0, "\(filter)") }
  }

  private static let curves: [Curve] = {
    let segments: [SegmentedCurve.Segment] = [
      .constant(-0.5), .log(base: 2, from: -0.2, slope: 3, shift: 1),
      .power(1.8, from: 0.3, slope: 1.2, shift: -0.1),
      .exponential(base: 10, from: 0.5, scale: 0.3),
    ]
    let points: [SIMD2<Double>] = [[0, 0.1], [0.3, 0.2], [0.5, 0.9], [0.8, 0.7], [1, 1]]
    let cubics = CubicCurve.Interpolation.allCases.compactMap {
      try? CubicCurve(through: points, interpolation: $0)
    }
    let many = (0..<CubicCurve.maximumPointCount).map { i in
      SIMD2(Double(i) / 63, Double(i * i % 17))
    }
    let longest = [try? CubicCurve(through: many, extrapolation: .held)].compactMap(\.self)
    let policies: [NegativePolicy] = [.clamped, .mirrored, .continued, .passedThrough]
    return [.rationalPower(RationalPowerCurve(a: 1, b: 2, c: 3, d: 1, inner: 0.3, outer: 2))]
      + (cubics + longest).map(Curve.cubic)
      + (1...segments.count).map { .segmented(SegmentedCurve(Array(segments.prefix($0)))) }
      + policies.flatMap { policy -> [Curve] in
        [
          .power(PowerCurve(exponent: 2, belowZero: policy)),
          .sampled(SampledCurve([0.1, 0.3, 0.2, 0.9, 1.2], belowZero: policy)),
          .segmented(SegmentedCurve(segments, belowZero: policy)),
        ]
      }
  }()

  /// The formula of hue-adjusted curves is the code that runs for functions of client code.
  @Test(arguments: curves) func hueAdjustedCurvesAgreeWithTheirCode(curve: Curve) {
    // A function of its own is none that formulas can express.
    let same = Curve.function(FunctionCurve("itself") { $0 })
    let formula = Look(steps: [.hueAdjustedCurves(curve, .identity, curve)])
    let code = Look(steps: [.hueAdjustedCurves(curve, same, curve)])
    #expect(Self.codeStages(of: formula, in: .sRGB) == 0)
    #expect(Self.codeStages(of: code, in: .sRGB) == 1)
    let levels = [-.infinity, -0.25, 0, 0.3, 0.5, 0.5, 1, 1.7, .infinity, .nan]
    for red in levels {
      for green in levels {
        for blue in levels {
          let color = SIMD3(red, green, blue)
          let (value, expected) = (formula(color), code(color))
          for channel in 0..<3 {
            #expect(
              value[channel] == expected[channel]
                || value[channel].isNaN && expected[channel].isNaN,
              "\(color), channel \(channel)")
          }
        }
      }
    }
  }

  /// The largest tables that looks may have, of three channels that differ.
  @Test func largeTablesAreFormulas() {
    let tables = (1...3).map { channel -> Curve in
      let values = (0..<65_536).map { Float($0) / 65_535 }
      return .sampled(SampledCurve(values.map { channel == 2 ? $0 : $0 * $0 / Float(channel) }))
    }
    let look = Look(steps: [.hueAdjustedCurves(tables[0], tables[1], tables[2])])
    #expect(Self.codeStages(of: look, in: .sRGB) == 0)
    let result = look([0.25, 0.5, 1])
    #expect(abs(result.x - 0.0625) < 1e-4 && abs(result.z - 1.0 / 3) < 1e-4)
    // The middle channel keeps its place, a third of the way.
    #expect(abs(result.y - (result.x + (result.z - result.x) / 3)) < 1e-12)
  }

  /// What measurements compute of each pixel before they count it.
  @Test func measurementsAreFormulas() {
    let formulas: [ColorDifference] = [
      .cie76, .cie94(), .ciede2000(), .cmc(), .hyAB, .ok, .itp, .jz, .cam16, .din99o,
    ]
    for formula in formulas {
      let test = Formula.clippingDifference(by: formula, above: 1, of: .sRGB, in: .rec2020)
      #expect(Self.codeStages(of: [.formula(test)]) == 0, "\(formula)")
    }
    #expect(Self.codeStages(of: [.formula(.places(onStops: -10...4))]) == 0)
  }

  @Test func everyKindOfCubicIsTried() {
    let cubics = Self.curves.filter { if case .cubic = $0 { true } else { false } }
    #expect(cubics.count == CubicCurve.Interpolation.allCases.count + 1)
  }
}
