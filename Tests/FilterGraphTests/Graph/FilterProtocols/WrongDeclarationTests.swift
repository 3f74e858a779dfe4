import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Filters that another package declares wrongly: what plans, programs and the conformance kit say about them.
@Suite struct WrongDeclarationTests {
  private let picture = Picture(TestPictures.codes(as: UInt8.self, PixelSize(40, 30)))

  /// A negative number of bytes would hide those of other steps from the memory limit.
  @Test func negativePromisesOfMemoryCountAsNone() throws {
    var options = RenderOptions()
    options.threads = 1
    func peakBytes(of filter: WrongShift) throws -> Int {
      try picture.applying(filter).planReport(as: UInt8.self, options: options).peakBytes
    }
    let expected = try peakBytes(of: WrongShift())
    for promised in [-1_000_000_000, .min] {
      #expect(try peakBytes(of: WrongShift(preparation: promised)) == expected)
      #expect(try peakBytes(of: WrongShift(scratch: promised)) == expected)
    }
  }

  @Test func negativePromisesOfScratchMemoryAreReported() {
    let violations = FilterLaws.violations(of: WrongShift(scratch: -1))
    #expect(violations.map(\.law) == [.scratch], "\(violations)")
  }

  @Test func aRefusedSizeIsReportedOnce() {
    let violations = FilterLaws.violations(of: WrongShift(refuses: true))
    #expect(violations.map(\.law) == [.renders], "\(violations)")
    #expect(violations.allSatisfy { $0.description.hasSuffix("There is no paper.") })
  }

  /// The definition of so many pixels would never be computed.
  @Test(arguments: [PixelSize(1 << 40, 1 << 40), PixelSize(.max, .max), PixelSize(1 << 25, 1)])
  func resultsTooLargeForTheLawsAreReported(size: PixelSize) {
    for violations in [
      FilterLaws.violations(of: WrongShift(size: size)),
      FilterLaws.violations(of: SizedPainter(size: size)),
    ] {
      #expect(violations.map(\.law) == [.renders], "\(violations)")
      #expect(violations.allSatisfy { $0.description.contains("makes \(size) pixels") })
    }
    for empty in [PixelSize(0, 3), PixelSize(-5, 3)] {
      let laws = FilterLaws.violations(of: SizedPainter(size: empty)).map(\.law)
      #expect(laws == [.renders])
    }
  }

  @Test func readingBeyondTheRegionEndsTheProgramAndNamesTheFilter() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let picture = Picture(TestPictures.codes(as: UInt8.self, PixelSize(40, 30)))
      _ = try picture.applying(WrongShift(reach: 0)).render(as: UInt8.self)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("The code of the filter “a shift by 1” is wrong"), "\(message)")
    #expect(message.contains("row -1 of channel 0 is outside of a tile"), "\(message)")
  }

  @Test func negativeScratchBuffersEndTheProgram() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let picture = Picture(TestPictures.codes(as: UInt8.self, PixelSize(40, 30)))
      _ = try picture.applying(WrongShift(asked: -1)).render(as: UInt8.self)
    }
    let message = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(message.contains("a scratch buffer of -1 floats was requested"), "\(message)")
  }
}

/// Shifts pixels down by a row, with wrong declarations where a test asks for them.
private struct WrongShift: AreaFilter, CustomStringConvertible {
  var reach = 1
  var preparation = 0
  var scratch = 0
  /// The floats that it asks for.
  var asked = 0
  var size: PixelSize?
  var refuses = false

  var description: String { "a shift by 1" }
  var domain: PixelDomain { .any }

  func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    if refuses { throw .other("There is no paper.") }
    return size ?? input
  }

  func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.moved(by: Offset(0, -reach))
  }

  func preparationByteCount(for input: PixelSize) -> Int { preparation }
  func scratchCount(for output: Region, from input: Region, planes: Int) -> Int { scratch }

  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    read(x, y - 1)
  }

  func render(into output: Tile, from input: Tile, with preparation: Void) {
    if asked != 0 { _ = output.scratch(asked) }
    for plane in 0..<output.planeCount {
      for y in output.region.rows {
        let values = input.row(y - 1, plane: plane)
        var row = output.mutableRow(y, plane: plane)
        for x in row.indices { row[x] = values[x] }
      }
    }
  }
}

/// A gray picture of any size.
private struct SizedPainter: Painter {
  var size: PixelSize?
  func pixel(x: Int, y: Int) -> SIMD4<Double> { SIMD4(0.5, 0.5, 0.5, 1) }
}
