import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Gamuts of spaces with PQ and HLG, which reach to their brightest signal, far above white.
@Suite struct HighDynamicRangeGamutTests {
  private static let peakOfPQ = 10_000.0 / 203
  /// Linear values of saturated colors, in cd/m².
  private static let luminances = [1.0, 10, 100, 203, 700, 1000, 4000, 9900]

  /// A row of colors, given by the linear values of a space, as codes of 16 bits.
  private static func picture(_ colors: [SIMD3<Double>], in space: ColorSpace) -> Picture {
    Picture(
      Bitmap<UInt16>(PixelSize(colors.count, 1), in: space, channels: .rgb) { x, _ in
        let stored = space.transfer.encode(colors[x])
        return (0..<3).map { UInt16((min(max(stored[$0], 0), 1) * 65_535).rounded()) }
      })
  }

  private static func marks(
    _ picture: Picture, outside gamut: ColorSpace, _ tolerance: Double? = nil,
    _ metric: GamutMetric = .light
  ) throws -> [Bool] {
    let mask = picture.gamutMask(
      outside: gamut, tolerance: tolerance, metric: metric, marking: .mask)
    let row = try mask.converted(to: mask.space.linear).render(as: Float.self).row(0)
    return stride(from: 0, to: row.count, by: 3).map { row[$0] > 0.5 }
  }

  /// Linear values of grays from black to the brightest signal.
  private static func grays(of space: ColorSpace) -> [SIMD3<Double>] {
    (0...64).map { space.transfer.decode(SIMD3(repeating: Double($0) / 64)) }
  }

  @Test(arguments: [
    (ColorSpace.rec2100PQ, [ColorSpace.rec2100PQ, .displayP3PQ, .rec709PQ]),
    (.rec2100HLG, [.rec2100HLG, .displayP3HLG, .rec709HLG, .rec2100PQ, .displayP3PQ]),
    (.rec2100HLGDisplay, [.rec2100HLGDisplay, .rec2100PQ, .displayP3PQ]),
  ])
  func graysAreInGamutUpToTheBrightestSignal(space: ColorSpace, gamuts: [ColorSpace]) throws {
    let picture = Self.picture(Self.grays(of: space), in: space)
    for gamut in gamuts {
      let difference = GamutMetric.difference(.ciede2000())
      for (tolerance, metric) in [(nil, .light), (0.01, .light), (1, difference)]
        as [(Double?, GamutMetric)]
      {
        let marks = try Self.marks(picture, outside: gamut, tolerance, metric)
        #expect(!marks.contains(true), "\(gamut), \(metric): \(marks)")
      }
      #expect(try picture.fractionOutside(gamut) == 0)
      #expect(try picture.firstPixel(outside: gamut) == nil)
    }
  }

  /// Spaces of standard dynamic range and linear ones end at white.
  @Test(arguments: [ColorSpace.displayP3, .displayP3.linear, .displayP3PQ.linear])
  func otherSpacesEndAtWhite(gamut: ColorSpace) throws {
    for space in [ColorSpace.rec2100PQ, .rec2100HLG] {
      let grays = Self.grays(of: space)
      let marks = try Self.marks(Self.picture(grays, in: space), outside: gamut)
      // A code near white is 0.0006 of it away from the next one.
      #expect(marks == grays.map { $0.x > 1.001 }, "\(space)")
    }
  }

  /// The chromaticity decides, not the luminance.
  @Test func saturatedColorsAreMarkedAtAllLuminances() throws {
    let colors: [SIMD3<Double>] = [
      [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 1, 0.05], [1, 0.9, 0],
    ]
    for (space, gamut) in [
      (ColorSpace.rec2100PQ, ColorSpace.displayP3PQ), (.rec2100HLG, .displayP3HLG),
    ] {
      for luminance in Self.luminances where luminance / 203 < space.peak / 1.4 {
        let picture = Self.picture(colors.map { $0 * (luminance / 203) }, in: space)
        let marks = try Self.marks(picture, outside: gamut)
        #expect(!marks.contains(false), "\(gamut), \(luminance) cd/m²: \(marks)")
        #expect(try picture.firstPixel(outside: gamut) == .zero)
      }
    }
  }

  @Test func colorsOfTheGamutAreMarkedAtNoLuminance() throws {
    let colors: [SIMD3<Double>] = [
      [0.9, 0.05, 0.05], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1], [0.3, 0.6, 0.2],
    ]
    let toRec2020 = ColorSpace.displayP3.matrix(to: .rec2020)
    for (space, gamut) in [
      (ColorSpace.rec2100PQ, ColorSpace.displayP3PQ), (.rec2100HLG, .displayP3HLG),
    ] {
      for luminance in Self.luminances where luminance / 203 < space.peak {
        let picture = Self.picture(
          colors.map { toRec2020 * ($0 * (luminance / 203)) }, in: space)
        let marks = try Self.marks(picture, outside: gamut)
        #expect(!marks.contains(true), "\(gamut), \(luminance) cd/m²: \(marks)")
      }
    }
  }

  /// HLG has 3.77 times white, PQ 49 times.
  @Test func lightAboveTheBrightestSignalIsMarked() throws {
    let grays = [700.0, 900, 1000].map { SIMD3<Double>(repeating: $0 / 203) }
    let picture = Self.picture(grays, in: .rec2100PQ)
    #expect(try Self.marks(picture, outside: .displayP3HLG) == [false, true, true])
    #expect(try Self.marks(picture, outside: .displayP3HLG, 1) == [false, false, true])
    let metric = GamutMetric.difference(.ciede2000())
    #expect(try Self.marks(picture, outside: .displayP3HLG, 1, metric) == [false, true, true])
    // A picture of floats may be brighter than PQ, too.
    let floats = Picture(
      Bitmap<Float>(PixelSize(2, 1), in: .linearRec2020, channels: .rgb) { x, _ in
        [Float](repeating: Float(Self.peakOfPQ) * (x == 0 ? 0.999 : 1.001), count: 3)
      })
    #expect(try Self.marks(floats, outside: .rec2100PQ) == [false, true])
  }
}
