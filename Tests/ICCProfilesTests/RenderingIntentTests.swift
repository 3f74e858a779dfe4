import Foundation
import ICCProfiles
import Testing

/// Rendering intents as JSON.
@Suite struct RenderingIntentTests {
  @Test func intentsAreCodedByName() throws {
    let json = try JSONEncoder().encode(RenderingIntent.allCases)
    let names = #"["perceptual","relative","saturation","absolute"]"#
    #expect(String(decoding: json, as: UTF8.self) == names)
    let intents = try JSONDecoder().decode([RenderingIntent].self, from: json)
    #expect(intents == RenderingIntent.allCases)
  }

  @Test(arguments: [#"["vivid"]"#, "[1]"]) func unknownIntentsAreErrors(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RenderingIntent].self, from: Data(json.utf8))
    }
  }
}
