import Colorloom
import ColorloomTesting
import Testing

/// The law “meaning” holds for alpha where alpha is small, too. Compound filters are checked by no other law.
@Suite struct SmallAlphaTests {
  @Test func opacityOfTransparentPixelsIsFound() throws {
    var catalog = FilterCatalog.builtIn
    catalog.add(Covered.self)
    let entry = try #require(catalog.entries.first { $0.name == "covered-nothing" })
    let violations = FilterLaws.violations(of: entry)
    let meaning = try #require(violations.first { $0.law == .meaning }, "\(violations)")
    #expect(meaning.description.contains("channel 3 is 1.0, the reference says 0.0"))
  }
}

/// A blend whose fast implementation makes transparent pixels opaque.
private struct OpaqueNothing: BlendFilter {
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[0] }

  func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      for x in output.region.columns {
        var pixel = inputs[0][x, y]
        if pixel.w == 0 { pixel.w = 1 }
        output[x, y] = pixel
      }
    }
  }
}

private struct Covered: CompoundFilter, RecipeFilter {
  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(OpaqueNothing(), with: [picture])
  }

  static let declaration = Declaration<Covered>(
    "covered-nothing", "Makes transparent pixels opaque.", swift: "picture.covered()"
  ) { Covered() }
}
