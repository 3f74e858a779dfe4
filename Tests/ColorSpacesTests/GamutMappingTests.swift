import ColorSpaces
import Testing
import _TestSupport

/// Colors brought into a gamut.
@Suite struct GamutMappingTests {
  private struct Row: Decodable {
    var space: String
    var `in`: [Double]
    var srgb, p3: [Double]?
  }

  @Test func chromaIsReducedAsInTheTable() throws {
    let rows = try Fixtures.json("Tables/gamut_mapping.json", as: [Row].self)
    #expect(rows.count > 100)
    var exact = 0
    var mapped = 0
    for row in rows {
      // Coloraide, which the table was computed with, takes ProPhoto's lights rounded to four digits; CSS has six.
      let name = row.space == "prophoto-rgb" ? "prophoto-4digit" : row.space
      let color = ColorPoint(SIMD3(row.in), in: try ColorSpace(named: name))
      for (target, expected) in [(ColorSpace.sRGB, row.srgb), (.displayP3, row.p3)] {
        let result = GamutMapping.reducedChroma.map(color, into: target).components
        guard let expected else {
          #expect(result == color.converted(to: target).components)
          continue
        }
        let error = (result - SIMD3(expected)).largest
        mapped += 1
        exact += error < 1e-9 ? 1 : 0
        // The table's tolerance: the search stops at chroma steps of 1e-4, so rounding may take another path.
        #expect(error <= 1e-3, "\(row.in) in \(row.space) to \(target)")
      }
    }
    // Nearly all take the very same path, to the last step of the search.
    #expect(Double(exact) > 0.99 * Double(mapped))
  }

  @Test func whatIsInsideStays() {
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty("inside stays", .zip(channel, channel, channel)) { r, g, b in
      let color = ColorPoint(r, g, b, in: .sRGB)
      return GamutMapping.reducedChroma.map(color, into: .sRGB) == color
        && GamutMapping.clipped.map(color, into: .sRGB) == color
    }
  }

  @Test(arguments: [GamutMapping.clipped, .reducedChroma])
  func whatComesOutIsHeld(by mapping: GamutMapping) {
    checkProperty("mapped is held", Generator<SIMD3<Double>>.color(limit: 4)) { components in
      let color = ColorPoint(components, in: .rec2020)
      let mapped = mapping.map(color, into: .sRGB)
      guard ColorSpace.sRGB.holds(mapped.components) else {
        throw Failure("\(mapped.components) is outside of sRGB")
      }
      return true
    }
  }

  @Test func brighterThanWhiteIsWhite() {
    let light = ColorPoint(3, 3, 3, in: .linearSRGB)
    #expect(GamutMapping.reducedChroma.map(light, into: .sRGB).components == .one)
    #expect(GamutMapping.clipped.map(light, into: .sRGB).components == .one)
  }
}
