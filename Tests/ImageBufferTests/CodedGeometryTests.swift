import Foundation
import ImageBuffer
import Testing

/// Sizes, rectangles and sample formats as JSON.
@Suite struct CodedGeometryTests {
  private func coded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private func decoded<Value: Decodable>(_ json: String, as _: Value.Type) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  @Test func valuesRoundTrip() throws {
    for size in [PixelSize(800, 600), PixelSize(0, 0)] { #expect(try coded(size) == size) }
    let region = Region(x: -3, y: 4, width: 20, height: 0)
    #expect(try coded(region) == region)
    #expect(try coded(Region.everywhere) == .everywhere)
    for format in [SampleFormat.uint8, .uint16, .float16, .float32] {
      #expect(try coded([format]) == [format])
    }
    #expect(try decoded(#"{"width": 2, "height": 3}"#, as: PixelSize.self) == PixelSize(2, 3))
    #expect(try decoded(#"["uint16"]"#, as: [SampleFormat].self) == [.uint16])
  }

  @Test(arguments: [
    #"{"width": -1, "height": 3}"#, #"{"width": 1, "height": -3}"#, #"{"width": 1}"#,
    #"{"width": 1.5, "height": 1}"#, "[1, 2]",
  ])
  func invalidSizesAreErrors(json: String) {
    #expect(throws: DecodingError.self) { try decoded(json, as: PixelSize.self) }
    let region = json.replacing("{", with: #"{"x": 0, "y": 0, "#)
    #expect(throws: DecodingError.self) { try decoded(region, as: Region.self) }
  }

  @Test func unknownSampleFormatsAreErrors() {
    #expect(throws: DecodingError.self) { try decoded(#"["uint12"]"#, as: [SampleFormat].self) }
  }
}
