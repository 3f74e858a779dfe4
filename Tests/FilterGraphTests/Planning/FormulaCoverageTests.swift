import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// No space and no filter of the package runs a closure for each pixel, but for those listed here.
@Suite struct FormulaCoverageTests {
  /// How the names of closures begin that run for each pixel, and why.
  private static let exceptions = [
    // Picks the pixels beyond the gamut's surface and hands them to kernels; single precision leaves few of them in doubt.
    "mask of colors outside",
    // Gamut mappings search along lines through the gamut.
    "fit into", "gamut compression",
  ]

  private static func closures(of program: PointProgram) -> [String] {
    program.stages.flatMap { stage -> [String] in
      switch stage {
      case .map(let name, _), .rows(let name, _): return [name]
      case .decode(let transfer):
        guard case .coordinates(let coordinates) = transfer.form else { return [] }
        return closures(of: coordinates.decoding)
      case .encode(let transfer):
        guard case .coordinates(let coordinates) = transfer.form else { return [] }
        return closures(of: coordinates.encoding)
      default: return []
      }
    }
  }

  @Test func spacesAreFormulas() {
    let spaces = ColorSpace.all + [.rec2100HLG(on: .reference), .cam16JMh(under: .display)]
    for space in spaces {
      let found = Self.closures(
        of: PointProgram([.decode(space.transfer), .encode(space.transfer)]))
      #expect(found.isEmpty, "\(space): \(found)")
    }
  }

  @Test(arguments: FilterCatalog.builtIn.entries.map(\.name))
  func filtersAreFormulas(name: String) throws {
    let entry = try #require(FilterCatalog.builtIn[name])
    guard let sample = entry.sample else { return }
    guard let filter = try entry.filter(sample, at: name) as? any PointFilter else { return }
    for space in [ColorSpace.sRGB, .rec2020, .xyzD50] {
      var program = PointProgram()
      filter.describe(to: &program, in: space)
      let found = Self.closures(of: program).filter { closure in
        !Self.exceptions.contains { closure.hasPrefix($0) }
      }
      #expect(found.isEmpty, "\(name) in \(space): \(found)")
    }
  }

  @Test func filtersWithOtherSettingsAreFormulas() throws {
    let curve = Curve.power(PowerCurve(exponent: 1.3))
    let filters: [any PointFilter] = [
      Inversion(.value), try Vibrance(-0.5), try Reinhard(white: 2), try HLGRendering(.undone),
      Look(steps: [.hueAdjustedCurves(curve, .identity, curve)]),
    ]
    for filter in filters {
      var program = PointProgram()
      filter.describe(to: &program, in: .sRGB)
      #expect(Self.closures(of: program).isEmpty, "\(program)")
    }
  }

  /// The formula of hue-adjusted curves is the code that runs for tables.
  @Test func hueAdjustedCurvesAgreeWithTheirCode() {
    let (red, green) = (
      Curve.power(PowerCurve(exponent: 2)), Curve.power(PowerCurve(exponent: 0.5))
    )
    // A function of its own is none that formulas can express.
    let same = Curve.function(FunctionCurve("itself") { $0 })
    let formula = Look(steps: [.hueAdjustedCurves(red, green, .identity)])
    let code = Look(steps: [.hueAdjustedCurves(red, green, same)])
    let levels = [-0.25, 0, 0.3, 0.5, 0.5, 1, 1.7]
    for red in levels {
      for green in levels {
        for blue in levels {
          let color = SIMD3(red, green, blue)
          #expect(formula(color) == code(color), "\(color)")
        }
      }
    }
  }
}
