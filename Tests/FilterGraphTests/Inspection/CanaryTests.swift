import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The canary reports the damage of intentionally broken pipelines.
@Suite struct CanaryTests {
  private let canary = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)

  private func fate(of picture: Picture) throws -> Canary.Fate {
    try Canary.check(Picture(picture.render(as: UInt8.self))).fate
  }

  @Test func losslessPipelinesKeepItIntact() throws {
    #expect(try fate(of: canary) == .intact)
    #expect(try fate(of: canary.converted(to: .rec2020)) == .intact)
    #expect(try fate(of: canary.resized(to: .exact(48, 48))) == .intact)
    let extended = try canary.converted(to: .sRGB).render(as: Float.self)
    #expect(try Canary.check(Picture(extended)).fate == .intact)
  }

  @Test func verdictsDescribeThemselvesInOneLine() throws {
    let narrow = try canary.converted(to: .sRGB).render(as: UInt8.self)
    let line = "\(try Canary.check(Picture(narrow)))"
    #expect(line.hasPrefix("clipped: the marks differ by "), "\(line)")
    #expect(line.contains(" from their fields, painted were ") && line.count < 140, "\(line)")
  }

  @Test func isClippedBySRGB() throws {
    #expect(try fate(of: canary.converted(to: .sRGB)) == .clipped)
    #expect(try fate(of: canary.fitted(into: .sRGB, by: .clipped)) == .clipped)
    // Converted back to a wide gamut after clipping.
    let narrow = try canary.converted(to: .sRGB).render(as: UInt8.self)
    #expect(try fate(of: Picture(narrow).converted(to: .displayP3)) == .clipped)
    // Converted, with the new profile dropped.
    #expect(try fate(of: Picture(narrow).tagged(as: .displayP3)) == .clipped)
  }

  @Test func isMistaggedWithoutItsProfile() throws {
    #expect(try fate(of: canary.tagged(as: .sRGB)) == .mistagged)
    #expect(try fate(of: canary.tagged(as: .adobeRGB)) == .mistagged)
    // Interpreted as sRGB, and converted from there.
    #expect(try fate(of: canary.tagged(as: .sRGB).converted(to: .displayP3)) == .mistagged)
  }

  /// Values of another wide space, tagged without conversion, and converted afterward.
  @Test(arguments: [ColorSpace.rec2020, .rec2020Camera, .adobeRGB, .proPhoto])
  func valuesOfOtherWideSpacesAreMistagged(space: ColorSpace) throws {
    let stored = Picture(try canary.converted(to: space).render(as: UInt8.self))
    #expect(try fate(of: stored.tagged(as: .displayP3)) == .mistagged)
    #expect(try fate(of: stored.tagged(as: .displayP3).converted(to: .rec2020SRGB)) == .mistagged)
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

  /// A tone curve in extended sRGB that clamps to 0…1, as many do: the grays distinguish it from clipping alone.
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
    for space in [ColorSpace.displayP3, .rec2020, .rec2020Camera, .proPhoto] {
      #expect(try fate(of: canary.converted(to: space)) == .profileDropped)
    }
    // These spaces clip some primaries of Display P3, and tagged files of them are clipped.
    for space in [ColorSpace.sRGB, .adobeRGB, .dciP3] {
      #expect(try fate(of: canary.converted(to: space)) == .convertedAndUntagged, "\(space)")
    }
    #expect(try fate(of: canary.exposure(-1)) == .changed)
  }

  @Test func filtersChangeIt() throws {
    #expect(try fate(of: canary.exposure(-1)) == .changed)
    #expect(try fate(of: canary.inverted()) == .changed)
  }

  // MARK: Sizes, spaces and breaks

  private let large = Picture(Canary(size: PixelSize(384, 128)), in: .displayP3)

  private static func sizes(
    _ widths: ClosedRange<Int>, _ heights: ClosedRange<Int>
  ) -> Generator<PixelSize> {
    Generator<(Int, Int)>.zip(.int(in: widths), .int(in: heights)).map { PixelSize($0.0, $0.1) }
  }

  private static let kernels = Generator.element(of: ResamplingKernel.named)

  private func expect(_ expected: Set<Canary.Fate>, of picture: Picture) throws -> Bool {
    let fate = try fate(of: picture)
    if !expected.contains(fate) { throw Failure("\(fate) instead of \(expected)") }
    return true
  }

  /// The sharpest kernels have halos of two to three pixels.
  @Test func isRecognizedAtEverySize() {
    checkProperty(
      "known at every size", Self.sizes(96...400, 32...200), Self.kernels, cases: 25
    ) { size, kernel in
      let target = ResizeTarget.exact(size.width, size.height)
      return try expect([.intact], of: large.resized(to: target, by: kernel))
        && expect([.clipped], of: large.converted(to: .sRGB).resized(to: target, by: kernel))
    }
  }

  /// Of the smallest size that the documentation promises, before and after clipping.
  @Test(arguments: ResamplingKernel.named)
  func isRecognizedAtTheLeastSize(kernel: ResamplingKernel) throws {
    let target = ResizeTarget.exact(Canary.leastSize.width, Canary.leastSize.height)
    let small = large.resized(to: target, by: kernel)
    #expect(try fate(of: small) == .intact)
    #expect(try fate(of: small.converted(to: .sRGB)) == .clipped)
    #expect(try fate(of: large.converted(to: .sRGB).resized(to: target, by: kernel)) == .clipped)
  }

  @Test func smallCanariesGiveNoFalseVerdict() throws {
    checkProperty(
      "nothing wrong is said", Self.sizes(1...95, 1...31), Self.kernels, cases: 40
    ) { size, kernel in
      let target = ResizeTarget.exact(size.width, size.height)
      return try expect([.intact, .tooSmall], of: large.resized(to: target, by: kernel))
        && expect(
          [.clipped, .tooSmall], of: large.converted(to: .sRGB).resized(to: target, by: kernel))
    }
    // Clipping in a usual thumbnail is detected in spite of halos.
    #expect(try fate(of: large.converted(to: .sRGB).resized(to: .exact(24, 8))) == .clipped)
  }

  @Test(arguments: [
    ColorSpace.displayP3, .rec2020, .proPhoto, .rec2100PQ, .rec2100HLG, .displayP3.linear,
  ])
  func survivesInWideSpaces(space: ColorSpace) throws {
    let stored = try large.converted(to: space).render(as: UInt16.self)
    #expect(try Canary.check(Picture(stored)).fate == .intact)
  }

  /// Adobe RGB contains the greens of Display P3 and clips its reds and blues.
  @Test(arguments: [ColorSpace.sRGB, .rec709, .adobeRGB, .dciP3, .ntsc1953])
  func isClippedInNarrowSpaces(space: ColorSpace) throws {
    #expect(try fate(of: large.converted(to: space)) == .clipped)
  }

  @Test(arguments: [ColorSpace.sRGB, .adobeRGB, .dciP3])
  func detourThroughSRGBClipsIt(space: ColorSpace) throws {
    let stored = try large.converted(to: space).render(as: UInt8.self)
    #expect(try fate(of: Picture(stored).converted(to: .displayP3)) == .clipped)
  }

  private static let breaks:
    [(name: String, fate: Canary.Fate, apply: @Sendable (Picture) throws -> Picture)] = [
      ("turned", .turned, { $0.turned(quarters: 1) }),
      ("turned back", .turned, { $0.turned(quarters: -1) }),
      ("upside down", .turned, { $0.turned(quarters: 2) }),
      ("mirrored", .turned, { $0.mirrored() }),
      ("turned and narrow", .clipped, { $0.turned(quarters: 1).converted(to: .sRGB) }),
      ("gray", .desaturated, { $0.saturation(0) }),
      ("monochrome", .desaturated, { $0.monochrome() }),
      ("half as bright", .changed, { $0.exposure(-1) }),
      ("very dark", .changed, { $0.exposure(-4) }),
      ("inverted", .changed, { $0.inverted() }),
      ("warmer", .changed, { $0.whiteBalance(kelvin: 5000) }),
      ("taken for sRGB", .mistagged, { $0.tagged(as: .sRGB) }),
      ("narrow", .clipped, { $0.converted(to: .sRGB) }),
    ]

  @Test func damageIsNamedAtEverySize() {
    checkProperty(
      "breaks are named", Self.sizes(96...300, 32...120), .element(of: Array(Self.breaks.indices)),
      cases: 40
    ) { size, index in
      let canary = Picture(Canary(size: size), in: .displayP3)
      let broken = try Self.breaks[index].apply(canary)
      do { return try expect([Self.breaks[index].fate], of: broken) } catch {
        throw Failure("\(Self.breaks[index].name): \(error)")
      }
    }
  }

  /// Any half of the width or height is no canary, unless all patches are still visible.
  @Test func cropsAreNoDamagedCanaries() {
    checkProperty(
      "parts are no broken canaries", .int(in: 0...192), .int(in: 0...64),
      .element(of: [true, false]), cases: 40
    ) { left, top, isNarrow in
      let part =
        isNarrow
        ? Region(x: left, y: 0, width: 192, height: 128)
        : Region(x: 0, y: top, width: 384, height: 64)
      // From below the marks on, fields without marks above grays look like clipping.
      let fates: Set<Canary.Fate> =
        isNarrow
        ? [.notACanary] : top < 32 ? [.notACanary, .intact] : [.notACanary, .intact, .clipped]
      return try expect(fates, of: large.cropped(to: part))
    }
  }

  @Test func otherPicturesAreNoCanary() throws {
    let size = PixelSize(120, 80)
    let pictures = [
      Picture(TestPictures.codes(as: UInt8.self, size, in: .displayP3, channels: .rgb)),
      Picture.noise(seed: 1, isGray: false, in: .displayP3).cropped(to: Region(size)),
      Picture.constant(ColorPoint(1, 0, 0, in: .displayP3), in: .displayP3)
        .cropped(to: Region(size)),
      Picture.constant(ColorPoint(0.5, 0.5, 0.5, in: .sRGB), in: .sRGB).cropped(to: Region(size)),
      Picture.colorBars(in: .rec709, size: size),
      Picture.hueSweep(chroma: 0.1, in: .sRGB, size: size),
    ]
    for picture in pictures {
      #expect(try fate(of: picture) == .notACanary)
      #expect(try Canary.check(picture, isTagged: false).fate == .notACanary)
    }
  }

  /// The marks of the article: the difference between sRGB's primaries and those of Display P3 (research, table A1, to
  /// its digits).
  @Test func marksAreVisible() throws {
    let verdict = try Canary.check(canary)
    let painted = verdict.paintedContrasts
    #expect(abs(painted.x - 6.83) <= 0.005)
    #expect(abs(painted.y - 5.33) <= 0.005)
    #expect(abs(painted.z - 1.37) <= 0.005)
    // Rendered as floats; the formula's slope near saturated colors is below a few hundred per unit.
    for channel in 0..<3 {
      #expect(abs(verdict.contrasts[channel] - painted[channel]) <= 1e-3)
    }
  }

  /// On an 8-bit sRGB display, field and mark are one color, within the 3 codes of green's rounding. The grays begin at
  /// 24.
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
