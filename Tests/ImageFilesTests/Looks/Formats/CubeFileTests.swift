import FilterGraph
import ImageFiles
import Testing

/// Tables that DaVinci Resolve's words declare to be of video range.
@Suite struct CubeFileTests {
  private func look(_ words: [String]) throws -> Look {
    // Codes 0…1023 squared.
    let rows = (0...1023).map { "\((Double($0) / 1023) * (Double($0) / 1023)) 0 1" }
    let text = (words + ["LUT_1D_SIZE 1024"] + rows).joined(separator: "\n")
    return try Look(Array(text.utf8), as: .cube)
  }

  /// Black and white are looked up at the codes 64 and 940 of 10 bits.
  @Test func inputOfVideoRangeIsScaledToItsCodes() throws {
    let look = try look(["LUT_IN_VIDEO_RANGE"])
    for (value, code) in [(0.0, 64.0), (1, 940), (0.5, 502), (-1, 0), (2, 1023)] {
      let expected = code / 1023 * code / 1023
      #expect(abs(look([value, value, value]).x - expected) <= 1e-6, "\(value)")
    }
  }

  /// Codes below black and above white stay below 0 and above 1.
  @Test func outputOfVideoRangeIsScaledFromItsCodes() throws {
    let look = try look(["LUT_OUT_VIDEO_RANGE"])
    let color = look([0.5, 0.5, 0.5])
    #expect(abs(color.x - (0.25 * 1023 - 64) / 876) <= 1e-6)
    #expect(abs(color.y + 64.0 / 876) <= 1e-6 && abs(color.z - 959.0 / 876) <= 1e-6)
  }

  @Test func identitiesOfVideoRangeChangeNothing() throws {
    let identity = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }.joined(separator: "\n")
    let text = "LUT_3D_SIZE 2\nLUT_IN_VIDEO_RANGE\nLUT_OUT_VIDEO_RANGE\n\(identity)\n"
    let look = try Look(Array(text.utf8), as: .cube)
    for color in [[0, 0.5, 1], [0.25, 0.125, 0.75], [1.09, -0.07, 0]] as [SIMD3<Double>] {
      let distance = look(color) - color
      for channel in 0..<3 { #expect(abs(distance[channel]) <= 1e-6, "\(color)") }
    }
  }
}
