import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Equal filters over one picture are computed once, also where their stages are formulas, tables or code.
@Suite struct SharedCodeTests {
  /// A filter of another package, with a stage of code.
  private struct Fading: PointFilter {
    let height: Double
    let isByRows: Bool

    var domain: PixelDomain { .any }

    func describe(to program: inout PointProgram, in space: ColorSpace) {
      let height = height
      if !isByRows { return program.append(.map("fade") { $0 * height }) }
      program.rows("fade") { strip in
        for i in strip.indices { strip.red[i] *= Float(height) / Float(1 + strip.y) }
      }
    }
  }

  /// The steps of a picture that is mixed with itself, each time changed by `change`.
  private func steps(_ change: (Picture, Int) throws -> Picture) throws -> (shared: Int, apart: Int)
  {
    let photo = Picture(TestPictures.codes(as: UInt16.self))
    let changed = try (0..<2).map {
      try change(photo.converted(to: .linearDisplayP3), $0).boxBlurred(radius: 1)
    }
    let mixed = changed[0].applying(Mean(extent: .first), with: [changed[1]])
    var options = RenderOptions()
    let whole = try mixed.render(as: Float.self)
    let shared = try mixed.planReport(as: Float.self).steps.count
    options.disabledLaws = [.sharing]
    #expect(try mixed.render(as: Float.self, options: options) == whole)
    return (shared, try mixed.planReport(as: Float.self, options: options).steps.count)
  }

  @Test(arguments: [false, true]) func equalFiltersOfCodeAreSharedAndOthersAreNot(isByRows: Bool)
    throws
  {
    let equal = try steps { picture, _ in
      picture.applying(Fading(height: 0.75, isByRows: isByRows)).exposure(0.5)
    }
    #expect(equal.apart == equal.shared + 2)
    let different = try steps { picture, index in
      picture.applying(Fading(height: 0.75 + Double(index) / 8, isByRows: isByRows))
    }
    #expect(different.apart == different.shared)
    let inOtherOrder = try steps { picture, index in
      let filters = [0.75, 0.5].map { Fading(height: $0, isByRows: isByRows) }
      return picture.applying(filters[index]).applying(filters[1 - index])
    }
    #expect(inOtherOrder.apart == inOtherOrder.shared)
  }

  @Test func equalFormulasTablesAndGamutsAreShared() throws {
    let look = try Look(ColorTable(size: 5) { $0 * 0.5 })
    let changes: [(Picture) throws -> Picture] = [
      { $0.vibrance(0.5) }, { $0.gamutCompressed(by: .aces13) }, { $0.look(look) },
    ]
    for change in changes {
      let equal = try steps { picture, _ in try change(picture) }
      #expect(equal.apart == equal.shared + 2)
    }
  }
}
