import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// One line for each filter there is.
@Suite struct FilterLawTests {
  @Test func invert() throws { try FilterLaws.check(Invert()) }

  @Test func exposure() throws {
    try FilterLaws.check(Exposure(stops: 1.5), identity: Exposure(stops: 0))
  }

  @Test func toneCurves() throws {
    let diagonal = try CubicCurve(through: [[0, 0], [0.5, 0.5], [1, 1]])
    // Film curves rise up to sixteen times as fast as the diagonal, and so do errors before them.
    try FilterLaws.check(
      ToneCurves(red: FilmCurves.red, green: FilmCurves.green, blue: FilmCurves.blue),
      identity: ToneCurves(red: diagonal, green: diagonal, blue: diagonal), tolerance: 4e-5)
  }

  @Test func negativeDevelopment() throws {
    let film = try NegativeDevelopment(
      base: [0.8, 0.5, 0.3], white: [0.05, 0.02, 0.01], contrast: [0.6, 0.66, 0.7])
    // Density is a logarithm: at the dark end a development multiplies errors by the inverse of the light.
    try FilterLaws.check(film, tolerance: 4e-3)
    try FilterLaws.check(NegativeExposure(undoneBy: film))
  }

  @Test func gamutMask() throws { try FilterLaws.check(GamutMask(outside: .sRGB)) }

  @Test(arguments: [ColorTriangle.Mixing.light, .storedNumbers])
  func colorTriangle(mixing: ColorTriangle.Mixing) throws {
    try FilterLaws.check(
      ColorTriangle(
        top: ColorPoint(1, 0, 0, in: .displayP3), left: ColorPoint(0, 1, 0, in: .displayP3),
        right: ColorPoint(0, 0, 1, in: .displayP3), mixing: mixing, in: .displayP3,
        size: PixelSize(61, 37)))
  }

  @Test func gamutFit() throws {
    try FilterLaws.check(GamutFit(mapping: .clipped))
    // The search stops at chroma steps of 10⁻⁴ (CSS Color 4, 13.2.2), so rounding may take another path: the specification's
    // own tolerance is a thousandth of a channel.
    try FilterLaws.check(GamutFit(), tolerance: 1e-3)
    try FilterLaws.check(GamutFit(mapping: .rayTraced), tolerance: 1e-5)
    try FilterLaws.check(GamutFit(mapping: .softKnee()), tolerance: 1e-5)
    try FilterLaws.check(GamutFit(mapping: .compressed()))
  }

  @Test(arguments: [Resize.Target.exact(100, 30), .fit(40, 40), .scaled(by: 2.3), .exact(3, 57)])
  func resize(target: Resize.Target) throws { try FilterLaws.check(Resize(to: target)) }

  @Test func resizeToTheSameSize() throws {
    let source = TestPictures.floats()
    let same = Picture(source).resized(to: .exact(source.size.width, source.size.height))
    #expect(try same.render(as: Float.self).isIdentical(to: source))
  }

  /// A filter from outside that only says what it means: the slow way is complete.
  @Test func filterWithoutFastPath() throws { try FilterLaws.check(CrossBlur(reach: 3)) }

  @Test(arguments: BlendExtent.allCases) func blendWithoutFastPath(extent: BlendExtent) throws {
    try FilterLaws.check(Mean(extent: extent), inputs: 3)
  }

  @Test func painterWithoutFastPath() throws { try FilterLaws.check(Ramp()) }

  @Test func rowsFilter() throws { try FilterLaws.check(ChannelSwap()) }
}

/// The mean of a cross of pixels.
private struct CrossBlur: AreaFilter {
  var reach: Int

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: reach)
  }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var sum = SIMD4<Double>.zero
    for step in -reach...reach { sum += read(x + step, y) + read(x, y + step) }
    return sum / Double(4 * reach + 2)
  }
}

/// Red and blue change places.
private struct ChannelSwap: PointFilter {
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.rows("swap red and blue") { strip in
      for i in strip.indices { (strip.red[i], strip.blue[i]) = (strip.blue[i], strip.red[i]) }
    }
  }
}
