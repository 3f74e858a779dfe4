import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Filters that implement only their definition, as another package may: the default implementations are sufficient.
@Suite struct DefaultImplementationTests {
  private static let size = PixelSize(7, 5)

  /// Opaque linear colors: the column in red, the row in green, and `blue`.
  private func coordinates(blue: Float = 0, _ size: PixelSize = size) -> Picture {
    Picture(
      Bitmap<Float>(size, in: .linearSRGB, channels: .rgb) { x, y in [Float(x), Float(y), blue] })
  }

  @Test func areaFiltersKeepTheLaws() { FilterLaws.check(CrossBlur(reach: 3)) }

  @Test(arguments: BlendExtent.allCases) func blendsKeepTheLaws(extent: BlendExtent) {
    FilterLaws.check(Mean(extent: extent), inputs: 3)
  }

  @Test func areaBlendsKeepTheLaws() { FilterLaws.check(Displacement(), inputs: 2) }

  @Test func paintersKeepTheLaws() { FilterLaws.check(Ramp()) }

  @Test func rowStagesKeepTheLaws() { FilterLaws.check(ChannelSwap()) }

  @Test func areaFiltersHaveTheSizeOfTheirInput() throws {
    let blur = CrossBlur(reach: 2)
    #expect(try blur.outputSize(for: Self.size) == Self.size)
    #expect(blur.inputSize(forAtLeast: Self.size) == nil)
    #expect(blur.domain == .linearPremultiplied)
    let region = Region(Self.size)
    #expect(blur.scratchCount(for: region, from: region, planes: 4) == 0)
  }

  /// Reads the pixel to the left, of the first input, where the second one has a red of 1.
  @Test func areaBlendsReadTheNeighborsOfAllInputs() throws {
    let shifts = Picture(
      Bitmap<Float>(Self.size, in: .linearSRGB, channels: .rgb) { x, _ in
        [x % 2 == 0 ? 0 : 1, 0, 0]
      })
    let result = try coordinates().applying(Displacement(), with: [shifts]).render(as: Float.self)
    for y in 0..<5 {
      for x in 0..<7 {
        #expect(result[x, y, 0] == Float(x % 2 == 0 ? x : x - 1) && result[x, y, 1] == Float(y))
      }
    }
  }

  /// The first input alone decides about the alpha of area blends, and any input about that of blends.
  @Test func inputsDecideAboutAlpha() {
    #expect(Displacement().hasAlpha([true, false]) && !Displacement().hasAlpha([false, true]))
    let mean = Mean(extent: .first)
    #expect(mean.hasAlpha([false, true]) && !mean.hasAlpha([false, false]))
    #expect(mean.channelSources(inputs: 2) == nil && SecondInput().extent == .union)
  }

  @Test func extentsOfBlendsAreRegionsOfTheirInputs() {
    let regions = [
      Region(x: 0, y: 0, width: 4, height: 4), Region(x: 2, y: 1, width: 4, height: 4),
    ]
    #expect(BlendExtent.first.region(of: regions) == regions[0])
    #expect(BlendExtent.union.region(of: regions) == Region(x: 0, y: 0, width: 6, height: 5))
    #expect(BlendExtent.intersection.region(of: regions) == Region(x: 2, y: 1, width: 2, height: 3))
  }

  @Test func blendsGetTheirInputsInOrder() throws {
    let result = try coordinates().applying(SecondInput(), with: [coordinates(blue: 0.5)])
      .render(as: Float.self)
    #expect((0..<3).map { result[3, 2, $0] } == [3, 2, 0.5])
  }

  /// A compound filter is one step of recipes, and renders as the filters that it applies.
  @Test func compoundFiltersRenderAsTheirParts() throws {
    let source = coordinates(blue: 0.25)
    let compound = try source.applying(BlurAndSwap()).render(as: Float.self)
    let parts = try source.applying(CrossBlur(reach: 1)).applying(ChannelSwap())
      .render(as: Float.self)
    #expect(compound.isIdentical(to: parts))
    let differs = try source.render(as: Float.self)
    #expect(!compound.isIdentical(to: differs))
  }

  /// Painters have infinite extent by default, so that a crop gives them their size.
  @Test func paintersHaveNoSize() throws {
    let ramp = Ramp()
    #expect(ramp.size == nil && !ramp.hasAlpha && ramp.domain == .linear)
    let region = Region(x: -3, y: 2, width: 8, height: 3)
    let result = try Picture(ramp, in: .linearSRGB).cropped(to: region).render(as: Float.self)
    #expect(result.size == PixelSize(8, 3))
    for x in 0..<8 {
      let expected = ramp.pixel(x: x - 3, y: 2)
      #expect((0..<3).allSatisfy { result[x, 0, $0] == Float(expected[$0]) }, "column \(x)")
    }
  }
}

/// The mean of a plus-shaped neighborhood.
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

/// Mixes the first input with its left neighbors, in the proportion of the second input's red.
private struct Displacement: AreaBlendFilter {
  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region {
    output.expanded(by: input == 0 ? 1 : 0)
  }

  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (Int, Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let (here, left) = (read(0, x, y), read(0, x - 1, y))
    return here + (left - here) * read(1, x, y).x
  }
}

/// The second input.
private struct SecondInput: BlendFilter {
  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { inputs[1] }
}

/// Exchanges red and blue.
private struct ChannelSwap: PointFilter {
  var domain: PixelDomain { .encoded }

  func describe(to program: inout PointProgram, in space: ColorSpace) {
    program.rows("swap red and blue") { strip in
      for i in strip.indices { (strip.red[i], strip.blue[i]) = (strip.blue[i], strip.red[i]) }
    }
  }
}

/// A blur, and an exchange of channels.
private struct BlurAndSwap: CompoundFilter {
  func picture(of picture: Picture, with others: [Picture]) -> Picture {
    picture.applying(CrossBlur(reach: 1)).applying(ChannelSwap())
  }
}
