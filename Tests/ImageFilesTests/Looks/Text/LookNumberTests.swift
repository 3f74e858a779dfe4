import ColorSpaces
import FilterGraph
import ImageFiles
import Testing

/// Numbers of look files that are too large for single precision, or for differences in it.
@Suite struct LookNumberTests {
  private static func cineSpace(_ inputs: String, _ outputs: String) -> String {
    "CSPLUTV100\n1D\n\n2\n\(inputs)\n\(outputs)\n2\n0 1\n0 1\n2\n0 1\n0 1\n\n2\n0 0 0\n1 1 1\n"
  }

  private static func commonLUT(
    _ element: String, _ dimensions: String, _ numbers: String
  ) -> String {
    "<ProcessList><\(element)><Array dim=\"\(dimensions)\">\(numbers)</Array></\(element)></ProcessList>"
  }

  private static let files: [(LookFileFormat, String)] = [
    (.cube, "LUT_1D_SIZE 2\n0 0 0\n1 1 1e39\n"),
    (.cube, "LUT_1D_SIZE 2\nDOMAIN_MIN -1e300 0 0\n0 0 0\n1 1 1\n"),
    (.spi1D, "Version 1\nLength 2\nComponents 1\n{\n0\n1e39\n}\n"),
    (.spi1D, "Version 1\nFrom -1e308 1e308\nLength 2\nComponents 1\n{\n0\n1\n}\n"),
    (.spiMatrix, "1e300 0 0 0\n0 1 0 0\n0 0 1 0\n"),
    (.spiMatrix, "1 0 0 -1e300\n0 1 0 0\n0 0 1 0\n"),
    (.cineSpace, cineSpace("-1e308 1e308", "0 1")), (.cineSpace, cineSpace("0 1", "0 1e39")),
    (.commonLUT, commonLUT("Matrix", "3 3", "1e300 0 0 0 1 0 0 0 1")),
    (.commonLUT, commonLUT("LUT1D", "2 1", "0 1e39")),
  ]

  @Test(arguments: files) func largeNumbersAreRefused(format: LookFileFormat, text: String) {
    let error = #expect(throws: LookFileError.self) { try Look(Array(text.utf8), as: format) }
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains("is not a number from -1e+18 to 1e+18"), "\(sentence)")
  }

  @Test func theLargestNumbersAreRead() throws {
    let look = try Look(Array("LUT_1D_SIZE 2\n-1e18 0 0\n1e18 1 1\n".utf8), as: .cube)
    #expect(look([0.5, 0.5, 0.5]) == [0, 0.5, 0.5])
  }
}
