import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// The canary names what happened to it, in pipelines that are broken on purpose.
@Suite struct CanaryTests {
  private let canary = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)

  private func fate(of picture: Picture) throws -> Canary.Fate {
    try Canary.check(Picture(picture.render(as: UInt8.self))).fate
  }

  @Test func survivesWhatKeepsItsColors() throws {
    #expect(try fate(of: canary) == .intact)
    #expect(try fate(of: canary.converted(to: .rec2020)) == .intact)
    #expect(try fate(of: canary.resized(to: .exact(48, 48))) == .intact)
    let extended = try canary.converted(to: .sRGB).render(as: Float.self)
    #expect(try Canary.check(Picture(extended)).fate == .intact)
  }

  @Test func isClippedBySRGB() throws {
    #expect(try fate(of: canary.converted(to: .sRGB)) == .clipped)
    #expect(try fate(of: canary.fitted(into: .sRGB, by: .clipped)) == .clipped)
    // In a wide space again, after it was too late.
    let narrow = try canary.converted(to: .sRGB).render(as: UInt8.self)
    #expect(try fate(of: Picture(narrow).converted(to: .displayP3)) == .clipped)
    // Converted, and its new profile lost.
    #expect(try fate(of: Picture(narrow).tagged(as: .displayP3)) == .clipped)
  }

  @Test func isMistaggedWithoutItsProfile() throws {
    #expect(try fate(of: canary.tagged(as: .sRGB)) == .mistagged)
    #expect(try fate(of: canary.tagged(as: .adobeRGB)) == .mistagged)
    // Taken for sRGB, and converted from there.
    #expect(try fate(of: canary.tagged(as: .sRGB).converted(to: .displayP3)) == .mistagged)
  }

  @Test func isConvertedTwice() throws {
    let once = canary.converted(to: .rec2020)
    #expect(
      try fate(of: once.tagged(as: .displayP3).converted(to: .rec2020)) == .convertedTwice)
  }

  @Test func hasItsChannelsSwapped() throws {
    let bitmap = try canary.render(as: UInt8.self)
    let swapped = Bitmap<UInt8>(bitmap.size, in: .displayP3, channels: .rgb) { x, y in
      [bitmap[x, y, 2], bitmap[x, y, 1], bitmap[x, y, 0]]
    }
    #expect(try Canary.check(Picture(swapped)).fate == .channelsSwapped)
  }

  /// A tone curve in extended sRGB that holds its numbers in 0…1, as many do: the grays tell it from clipping alone.
  @Test func isClampedByAToneCurve() throws {
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.2], [0.75, 0.85], [1, 1]])
    let clamped = try canary.converted(to: .sRGB).toneCurve(curve).render(as: UInt16.self)
    #expect(
      try Canary.check(Picture(clamped).converted(to: .displayP3)).fate == .toneCurveClamped)
    #expect(try fate(of: canary.toneCurve(curve)) == .changed)
  }

  @Test func isFoundWithoutItsProfile() throws {
    func fate(of picture: Picture) throws -> Canary.Fate {
      let stored = try picture.render(as: UInt8.self)
      return try Canary.check(Picture(stored.tagged(as: .sRGB)), isTagged: false).fate
    }
    for space in [ColorSpace.displayP3, .rec2020, .proPhoto] {
      #expect(try fate(of: canary.converted(to: space)) == .profileDropped)
    }
    #expect(try fate(of: canary.converted(to: .sRGB)) == .convertedAndUntagged)
    #expect(try fate(of: canary.exposure(-1)) == .changed)
  }

  @Test func isChangedByFilters() throws {
    #expect(try fate(of: canary.exposure(-1)) == .changed)
    #expect(try fate(of: canary.inverted()) == .changed)
  }

  /// The article's marks: how far sRGB's primaries look from those of Display P3 (research, table A1, to its digits).
  @Test func marksAreVisible() throws {
    let verdict = try Canary.check(canary)
    let painted = verdict.paintedContrasts
    #expect(abs(painted.x - 6.83) <= 0.005)
    #expect(abs(painted.y - 5.33) <= 0.005)
    #expect(abs(painted.z - 1.37) <= 0.005)
    // Rendered as floats; the formula's slope near saturated colors is below a few hundred a unit.
    for channel in 0..<3 {
      #expect(abs(verdict.contrasts[channel] - painted[channel]) <= 1e-3)
    }
  }

  /// What an sRGB screen with 8 bits shows is one color a field, within the 3 codes of green's rounding. The grays begin at 24.
  @Test func marksVanishInSRGB() throws {
    let narrow = try canary.converted(to: .sRGB).render(as: UInt8.self)
    for field in 0..<3 {
      let reference = (0..<3).map { Int(narrow[32 * field + 1, 1, $0]) }
      for y in 0..<24 {
        for x in 32 * field..<32 * field + 32 {
          for channel in 0..<3 {
            #expect(abs(Int(narrow[x, y, channel]) - reference[channel]) <= 3)
          }
        }
      }
    }
  }
}
