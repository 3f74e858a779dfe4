import ColorSpaces
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Gamut masks of frames of high dynamic range, at the precision of their codes.
@Suite struct VideoGamutTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A frame that was written as codes and read again.
  private func frame(
    _ colors: [SIMD3<Double>], in space: ColorSpace
  ) throws -> Picture {
    let format = VideoFormat(
      PixelSize(colors.count, 1), .planes(.full, bits: 10), matrix: .rec2020)
    let stored = format.space(of: space)
    let path = folder.path("frame.yuv")
    let writer = try VideoWriter(path, format, isBare: true)
    try writer.write(
      Bitmap<UInt16>(format.size, in: stored, channels: .rgb) { x, _ in
        let values = ColorPoint(colors[x], in: space).converted(to: stored).components
        return (0..<3).map { UInt16((min(max(values[$0], 0), 1) * 65_535).rounded()) }
      })
    try writer.finish()
    return try #require(try VideoReader(path, samples: format).nextPicture(in: space))
  }

  @Test(arguments: [
    (ColorSpace.rec2100PQ, ColorSpace.displayP3PQ), (.rec2100HLG, .displayP3HLG),
  ])
  func highlightsOfFramesAreInGamut(space: ColorSpace, gamut: ColorSpace) throws {
    // 11 codes of luma from black to the brightest one.
    let grays = (0...10).map { SIMD3(repeating: Double($0) / 10) }
    let picture = try frame(grays, in: space)
    for gamut in [space, gamut] {
      #expect(try picture.fractionOutside(gamut) == 0, "\(gamut)")
      #expect(try picture.firstPixel(outside: gamut) == nil, "\(gamut)")
    }
    #expect(try picture.fractionOutside(.displayP3) > 0.2)
    // Greens of Rec. 2020 are outside of Display P3 at all luminances.
    let greens = try frame((3...10).map { SIMD3(0, Double($0) / 10, 0) }, in: space)
    #expect(try greens.fractionOutside(gamut) == 1 && greens.fractionOutside(space) == 0)
  }
}
