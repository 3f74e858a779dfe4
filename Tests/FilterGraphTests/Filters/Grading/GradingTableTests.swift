import ColorSpaces
import FilterGraph
import Foundation
import Testing
import _TestSupport

/// Grades, exposure and contrast, and logarithms against OpenColorIO.
@Suite struct GradingTableTests {
  /// Colors before and after filters, which are given as in recipes.
  private struct Table: Decodable {
    struct Case: Decodable {
      let filter, recipe: String
      /// The colors after the filter and after its inverse; null where they are not finite.
      let out: [[Double]?]
      let inverse: [[Double]?]?
    }
    let input: [[Double]]
    let cases: [Case]
  }

  private func program(_ filter: String, _ recipe: String) throws -> PointProgram {
    let entry = try #require(FilterCatalog.builtIn[filter])
    let parameters = try JSONDecoder().decode(RecipeValue.self, from: Data(recipe.utf8))
    let point = try #require(try entry.filter(parameters, at: filter) as? any PointFilter)
    var program = PointProgram()
    point.describe(to: &program, in: .linearSRGB)
    return program
  }

  @Test func gradesEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/grading_styles.json", as: Table.self)
    #expect(table.cases.count == 28)
    for grade in table.cases {
      try expect(
        program(grade.filter, grade.recipe), table.input, grade.out,
        "\(grade.filter) \(grade.recipe)", roundsArguments: grade.filter == "grading-curves")
      if let inverse = grade.inverse {
        let recipe = grade.recipe.dropLast() + #","direction":"inverse"}"#
        try expect(
          program(grade.filter, String(recipe)), table.input, inverse,
          "inverse of \(grade.filter) \(grade.recipe)", roundsArguments: true,
          shift: try undoneExposure(grade))
      }
    }
  }

  /// What an inverse differs by: OpenColorIO 2.6 undoes exposures of logarithms by 0.088 for each stop, also where the step is another.
  private func undoneExposure(_ grade: Table.Case) throws -> Double {
    struct Logarithm: Decodable {
      let style: String?
      let exposure, logExposureStep: Double?
    }
    guard grade.filter == "exposure-contrast" else { return 0 }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .custom { keys in
      let words = keys[keys.count - 1].stringValue.split(separator: "-").map(String.init)
      return Key(stringValue: words[0] + words.dropFirst().map(\.capitalized).joined())
    }
    let known = try decoder.decode(Logarithm.self, from: Data(grade.recipe.utf8))
    guard known.style == "logarithmic" else { return 0 }
    return (known.exposure ?? 0) * (0.088 - (known.logExposureStep ?? 0.088))
  }

  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// OpenColorIO computes in single precision, with powers and logarithms that are off by up to 2⁻¹⁶ of them: 1.5·10⁻⁵. Where it goes
  /// through a logarithm, that is of as many stops as the result lies from middle gray. Curves and inverses multiply the rounding of
  /// their arguments by their slopes; its slopes of curves, from differences of near points in single precision, were found to be off by
  /// up to 3·10⁻⁵ of them.
  private func expect(
    _ program: PointProgram, _ input: [[Double]], _ expected: [[Double]?], _ name: String,
    roundsArguments: Bool = false, shift: Double = 0
  ) {
    let isLogarithmic = "\(program)".contains("grading logarithm")
    for (color, expected) in zip(input, expected) {
      guard let expected else { continue }
      let result = program(SIMD3(color))
      let ofArguments = roundsArguments ? change(of: program, at: SIMD3(color)) : .zero
      for channel in 0..<3 {
        let (error, size) = (
          abs(result[channel] - expected[channel] - shift), abs(expected[channel])
        )
        let stops = isLogarithmic ? 1 + abs(Foundation.log2(max(size, 0.001) / 0.18)) : 1
        #expect(
          error <= max(2e-5 * (1 + size), 3e-5 * ofArguments[channel]) * stops,
          "\(name) of \(color): \(result), OpenColorIO \(expected)")
      }
    }
  }

  /// Returns how far the result moves where each channel x of the color, and of each stage's result, moves by 1 + |x|, to first order.
  private func change(of program: PointProgram, at color: SIMD3<Double>) -> SIMD3<Double> {
    var (sum, color) = (SIMD3<Double>.zero, color)
    for index in program.stages.indices {
      let rest = PointProgram(Array(program.stages[index...]))
      for channel in 0..<3 {
        let size = 1 + abs(color[channel])
        let slopes = [-1e-6, 1e-6].map { step in
          var moved = color
          moved[channel] += step * size
          return (rest(moved) - rest(color)) / step
        }
        for result in 0..<3 { sum[result] += slopes.map { abs($0[result]) }.max() ?? 0 }
      }
      color = PointProgram([program.stages[index]])(color)
    }
    return sum
  }

  /// The grades that the whole reference has, by OpenColorIO's names.
  private struct Reference: Decodable {
    struct Case: Decodable {
      struct Parameters: Decodable {
        let exposure, contrast, gamma, brightness, offset, lift, gain, clampBlack,
          clampWhite: OpenColorIOValue?
        let pivot, saturation, base, logExposureStep, logMidGray: OpenColorIOValue?
        let logSideSlope, logSideOffset: OpenColorIOValue?
        let linSideSlope, linSideOffset, linSideBreak: OpenColorIOValue?
        let red, green, blue, master: [Double]?
      }
      let kind: String
      let params: Parameters
      let out: [[Double]?]
    }
    let input: [[Double]]
    let cases: [Case]
  }

  @Test(SharedReference.whenPresent) func gradesEqualTheWholeReference() throws {
    let table = try #require(try SharedReference.json("ocio_ops.json", as: Reference.self))
    var checked = 0
    for grade in table.cases {
      guard let filter = try filter(grade.kind, grade.params) else { continue }
      checked += 1
      var program = PointProgram()
      filter.describe(to: &program, in: .linearSRGB)
      expect(program, table.input, grade.out, grade.kind)
    }
    #expect(checked == 19)
  }

  private func filter(
    _ kind: String, _ p: Reference.Case.Parameters
  ) throws -> (any PointFilter)? {
    let word = kind.split(separator: "-").last ?? ""
    let style: GradingStyle = word == "log" ? .logarithmic : word == "video" ? .video : .linear
    switch kind.split(separator: "-")[0] {
    case "ExposureContrast":
      return try ExposureContrast(
        exposure: #require(p.exposure?.number), contrast: #require(p.contrast?.number),
        gamma: #require(p.gamma?.number), pivot: #require(p.pivot?.number), style: style,
        logExposureStep: #require(p.logExposureStep?.number),
        logMidGray: #require(p.logMidGray?.number))
    case "LogAffine", "LogCamera":
      return try LogCurve(
        base: #require(p.base?.number), logSideSlope: #require(p.logSideSlope?.channels),
        logSideOffset: #require(p.logSideOffset?.channels),
        linSideSlope: #require(p.linSideSlope?.channels),
        linSideOffset: #require(p.linSideOffset?.channels),
        linSideBreak: p.linSideBreak?.channels)
    case "GradingPrimary":
      return try GradingPrimary(
        style: style, brightness: #require(p.brightness?.vector),
        contrast: #require(p.contrast?.vector), gamma: #require(p.gamma?.vector),
        offset: #require(p.offset?.vector), exposure: #require(p.exposure?.vector),
        lift: #require(p.lift?.vector), gain: #require(p.gain?.vector), pivot: p.pivot?.number,
        saturation: #require(p.saturation?.number), clampBlack: p.clampBlack?.number,
        clampWhite: p.clampWhite?.number)
    case "GradingRGBCurve":
      func curve(_ numbers: [Double]?) throws -> GradingCurve {
        let numbers = try #require(numbers)
        return try GradingCurve(
          through: stride(from: 0, to: numbers.count, by: 2).map {
            SIMD2(numbers[$0], numbers[$0 + 1])
          })
      }
      return GradingCurves(
        style: style, red: try curve(p.red), green: try curve(p.green), blue: try curve(p.blue),
        master: try curve(p.master))
    default: return nil
    }
  }

  /// With neutral parameters nothing is appended, so that pictures keep their bits.
  @Test(arguments: GradingStyle.allCases) func neutralGradesAreEmpty(style: GradingStyle) throws {
    let diagonal = try GradingCurve(through: [[-1, -1], [0.25, 0.25], [2, 2]])
    let filters: [any PointFilter] = [
      try ExposureContrast(pivot: 0.3, style: style),
      try ExposureContrast(style: style, direction: .inverse),
      try GradingPrimary(style: style, pivot: 0.4, pivotBlack: 0.07, pivotWhite: 0.9),
      try GradingPrimary(style: style, direction: .inverse), try GradingTone(style: style),
      GradingCurves(style: style), GradingCurves(style: style, red: diagonal, master: diagonal),
    ]
    for filter in filters {
      var program = PointProgram()
      filter.describe(to: &program, in: .sRGB)
      #expect(program.stages.isEmpty, "\(filter): \(program)")
    }
  }

  /// A grade and its inverse cancel, also beyond 0…1.
  @Test(arguments: GradingStyle.allCases) func inversesUndo(style: GradingStyle) throws {
    let curve = try GradingCurve(through: [[-3, -2.5], [0.2, 0.1], [0.6, 0.7], [1, 0.9]])
    func filters(_ direction: GradingDirection) throws -> [any PointFilter] {
      [
        try ExposureContrast(
          exposure: 0.7, contrast: 1.3, gamma: 0.9, style: style, direction: direction),
        try GradingPrimary(
          style: style, contrast: style == .video ? .one : [1.2, 1, 0.9, 1.1],
          gain: style == .video ? [1.2, 1, 0.9, 1.1] : .one, saturation: 0.7,
          direction: direction),
        GradingCurves(style: style, green: curve, master: curve, direction: direction),
        try LogCurve(
          base: 10, logSideSlope: SIMD3(repeating: 0.3), linSideSlope: [4, 5, 6],
          linSideOffset: SIMD3(repeating: 0.1), linSideBreak: [0.01, 0.02, 0],
          direction: direction),
      ]
    }
    for (filter, inverse) in zip(try filters(.forward), try filters(.inverse)) {
      var program = PointProgram()
      filter.describe(to: &program, in: .sRGB)
      inverse.describe(to: &program, in: .sRGB)
      for color in [SIMD3(0.1, 0.4, 0.9), SIMD3(0.002, 1.5, 3)] {
        let difference = program(color) - color
        // A dozen operations of double precision, of values up to 10 and slopes down to 0.01.
        #expect((difference * difference).sum().squareRoot() < 1e-11, "\(filter) of \(color)")
      }
    }
  }

  /// The least contrasts, of which OpenColorIO 2.6 computes these, rounded to four digits.
  @Test(arguments: [
    (0.01, [0.1314, 0.3027, 0.3192, 0.3712, 0.5211, 0.5442, 0.5659, 1]),
    (0.03, [0.1001, 0.2919, 0.3152, 0.3697, 0.5272, 0.5530, 0.6496, 1]),
    (0.05, [0.0822, 0.2561, 0.3112, 0.3683, 0.5332, 0.5951, 0.7123, 1]),
  ])
  func leastContrastsAreThoseOfOpenColorIO(contrast: Double, values: [Double]) throws {
    var program = PointProgram()
    try GradingTone(style: .video, sContrast: contrast).describe(to: &program, in: .sRGB)
    for (x, value) in zip([0.02, 0.0625, 0.12, 0.3, 0.82, 0.9, 0.93, 1], values) {
      #expect(abs(program(SIMD3(repeating: x)).x - value) <= 1e-4, "\(x)")
    }
  }

  @Test func errorsOfGrades() {
    #expect(throws: RecipeError.self) {
      try GradingPrimary(style: .video, brightness: [1, 0, 0, 0])
    }
    #expect(throws: RecipeError.self) { try GradingPrimary(style: .linear, contrast: .zero) }
    #expect(throws: RecipeError.self) { try GradingPrimary(pivotBlack: 0.5, pivotWhite: 0.5) }
    #expect(throws: RecipeError.self) { try GradingPrimary(clampBlack: 1, clampWhite: 0) }
    #expect(throws: RecipeError.self) { try GradingPrimary(style: .video, lift: [0, 0, 0, -1]) }
    #expect(throws: RecipeError.self) { try GradingCurve(through: [[0, 0], [1, -1]]) }
    #expect(throws: RecipeError.self) { try GradingCurve(through: [[0, 0], [0, 1]]) }
    let steep: (SIMD2<Double>, SIMD2<Double>) = ([0, 0], [.leastNonzeroMagnitude, 1])
    let error = RecipeError.color(
      .curveTooSteep(index: 1, point: steep.1, previous: steep.0))
    #expect(throws: error) {
      try GradingCurve(through: [steep.0, steep.1, [1, 1]])
    }
    #expect(throws: RecipeError.self) {
      try GradingCurve(through: [[0, 0], [1, 1]], slopes: [1])
    }
    #expect(throws: RecipeError.self) { try GradingTone(shadows: ToneZone(1.9)) }
    #expect(throws: RecipeError.self) { try GradingTone(shadows: ToneZone(start: 0.1, width: 0.2)) }
    #expect(throws: RecipeError.self) { try LogCurve(linearSlope: .one) }
    #expect(throws: RecipeError.self) { try LogCurve(linSideBreak: SIMD3(repeating: -1)) }
    #expect(throws: RecipeError.self) { try ExposureContrast(contrast: .nan) }
  }
}
