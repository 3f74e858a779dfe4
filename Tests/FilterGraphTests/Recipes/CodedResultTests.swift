import FilterGraph
import Foundation
import ImageBuffer
import Testing

/// Results as JSON, for logs and databases.
@Suite struct CodedResultTests {
  @Test func contentHashesAreCodedByTheirDigits() throws {
    let hash = ContentHash(bytes: Array("abc".utf8))
    let json = try JSONEncoder().encode(hash)
    #expect(String(decoding: json, as: UTF8.self) == #"{"sha256":"\#(hash.digits)"}"#)
    #expect(try JSONDecoder().decode(ContentHash.self, from: json) == hash)
  }

  @Test(arguments: [
    "", "ab", String(repeating: "g", count: 64), String(repeating: "A", count: 64),
    String(repeating: "a", count: 65),
  ])
  func otherDigitsAreErrors(digits: String) {
    let json = Data(#"{"sha256": "\#(digits)"}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ContentHash.self, from: json) }
  }

  @Test func countersRoundTrip() throws {
    typealias Counters = FrameStream<AsyncStream<Int>, UInt8>.Counters
    let text =
      #"{"produced": 7, "rendered": 5, "dropped": 2, "longestLatency": [0, 16000000000000000]}"#
    let counters = try JSONDecoder().decode(Counters.self, from: Data(text.utf8))
    #expect(counters.produced == 7 && counters.rendered == 5 && counters.dropped == 2)
    #expect(counters.longestLatency == .milliseconds(16))
    let json = try JSONEncoder().encode(counters)
    #expect(try JSONDecoder().decode(Counters.self, from: json) == counters)
  }
}
