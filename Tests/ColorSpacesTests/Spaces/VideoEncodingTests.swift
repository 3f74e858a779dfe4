import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Luma and chroma in both directions, against values that other programs computed from H.273, BT.2020 and BT.2100.
@Suite struct VideoEncodingTests {
  /// Rows mix numbers with lists, so they are parsed untyped.
  private func table(_ name: String) throws -> [[Any]] {
    let data = try Data(contentsOf: Fixtures.url("Tables/video.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(json[name] as? [[Any]])
  }

  private func color(_ value: Any) throws -> SIMD3<Double> {
    SIMD3(try #require(value as? [Double]))
  }

  /// Rec. 709 with linear values taken as encoded: video encoding then applies its matrix only.
  private let stored = ColorSpace("stored", primaries: .rec709, transfer: .linear)

  @Test func lumaAndCodesEqualTheTableForEveryMatrix() throws {
    let matrices: [Int: VideoEncoding.Matrix] = [
      1: .rec709, 4: .fcc, 5: .rec601, 6: .rec601, 7: .smpte240M, 9: .rec2020,
    ]
    for row in try table("ycbcr") {
      let code = try #require(row[0] as? Int)
      let matrix = try #require(matrices[code])
      let (rgb, expected) = (try color(row[1]), try color(row[2]))
      let plain = ColorPoint(rgb, in: stored)
      let mixed = plain.converted(to: stored.asVideo(matrix, .unquantized))
      // The documented error of the table.
      #expect((mixed.components - expected).largest <= 1e-12)
      #expect((mixed.converted(to: stored).components - rgb).largest <= 1e-12)
      for (column, bits) in [(3, 8), (4, 10), (5, 12)] {
        let codes = try #require(row[column] as? [[Double]])
        let ranges: [VideoEncoding.Range] = [.narrow(bits: bits), .full(bits: bits)]
        for (range, codes) in zip(ranges, codes) {
          let space = stored.asVideo(matrix, range)
          let found = plain.converted(to: space)
          let largest = power(2, Double(bits)) - 1
          for channel in 0..<3 {
            let code = min(max(found.components[channel] * largest, 0), largest)
            // Integers, except ties, which earlier rounding may change.
            #expect(abs(code - codes[channel]) <= 0.5 + 1e-9, "\(space) of \(rgb)")
          }
          #expect((found.converted(to: stored).components - rgb).largest <= 1e-12)
        }
      }
    }
  }

  @Test func otherMatricesEqualTheTable() throws {
    let linear = ColorSpace.linearRec2020
    let quantizer = ColorSpace("PQ", primaries: .rec2020, transfer: .pq)
    let hybrid = ColorSpace("HLG", primaries: .rec2020, transfer: .hlg)
    let camera = ColorSpace("camera", primaries: .rec2020, transfer: .rec709Rounded)
    for row in try table("special") {
      let rgb = try color(row[0])
      let encodings = [
        (stored, stored.asVideo(.yCgCo, .unquantized)),
        (linear, camera.asVideo(.constantLuminance, .unquantized)),
        (linear, quantizer.asVideo(.iCtCpPQ, .unquantized)),
        (linear, hybrid.asVideo(.iCtCpHLG, .unquantized)),
      ]
      for (column, (source, space)) in encodings.enumerated() {
        let found = ColorPoint(rgb, in: source).converted(to: space)
        // The documented error of the table.
        let expected = try color(row[column + 1])
        #expect((found.components - expected).largest <= 1e-12, "\(space)")
        // PQ's exponent of 79 amplifies rounding by 10⁴ in the inverse. BT.709's rounded constants leave a gap of
        // 4·10⁻⁵.
        let gap = space.transfer.name.contains("rounded") ? 4e-5 : 1e-10
        #expect((found.converted(to: source).components - rgb).largest <= gap, "\(space)")
      }
    }
  }

  @Test func pqEncodedICtCpEqualsTheSpaceICtCp() {
    let video = ColorSpace.rec2100PQ.asVideo(.iCtCpPQ, .unquantized)
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty("ICtCp", .zip(channel, channel, channel)) { r, g, b in
      let color = ColorPoint(r, g, b, in: .displayP3)
      let (a, b) = (color.converted(to: video), color.converted(to: .ictcp))
      // The same arithmetic, except where the 203 cd/m² of white are multiplied in.
      return try requireClose((a.components - b.components).largest, 0, within: 1e-13)
    }
  }

  @Test func derivedWeightsRoundToTheStandards() {
    for (primaries, matrix) in [
      (Primaries.rec709, VideoEncoding.Matrix.rec709), (.rec2020, .rec2020),
    ] {
      guard case .weighted(let red, let blue) = matrix,
        case .weighted(let ownRed, let ownBlue) = VideoEncoding.Matrix.derived(from: primaries)
      else {
        Issue.record("\(matrix)")
        continue
      }
      // Standards print four digits.
      #expect(abs(red - ownRed) < 5e-5 && abs(blue - ownBlue) < 5e-5)
    }
  }

  @Test func narrowRangeWhiteAndBlackEqualTheStandard() {
    let space = ColorSpace.rec709.asVideo(.rec709, .narrow(bits: 10))
    let white = ColorPoint(1, 1, 1, in: .sRGB).converted(to: space).components * 1023
    let black = ColorPoint(0, 0, 0, in: .sRGB).converted(to: space).components * 1023
    // 10⁻¹⁰ of a code.
    #expect((white - [940, 512, 512]).largest < 1e-10)
    #expect((black - [64, 512, 512]).largest < 1e-10)
    let plain = ColorSpace.sRGB.asVideo(.identity, .narrow(bits: 8))
    let red = ColorPoint(1, 0, 0, in: .sRGB).converted(to: plain).components * 255
    #expect((red - [235, 16, 16]).largest < 1e-10)
  }

  @Test func codePointsRoundTrip() throws {
    for (light, transfer) in [(1, 1), (1, 13), (5, 6), (6, 6), (9, 14), (9, 16), (9, 18), (12, 13)]
    {
      for matrix in UInt8(0)...17 where matrix != 3 {
        for range in UInt8(0)...1 {
          let points = CodePoints(UInt8(light), UInt8(transfer), matrix, range)
          do {
            let space = try ColorSpace(cicp: points, bitDepth: 10)
            let found = try #require(space.cicp)
            #expect(try ColorSpace(cicp: found, bitDepth: 10) == space, "\(points), \(found)")
            if ![5, 6].contains(matrix) { #expect(found == points) }
          } catch {
            // Unimplemented matrices, ICtCp with other curves, and unspecified codes.
            let isICtCp = matrix == 14 && ![16, 18].contains(transfer)
            #expect([2, 11, 13, 15, 16, 17].contains(matrix) || isICtCp, "\(points)")
            #expect("\(error)".contains(points.explanation))
          }
        }
      }
    }
  }

  @Test func invalidBitDepthsAreErrors() throws {
    for depth in [7, 17, -1] {
      let error = try #require(throws: ColorError.self) {
        try ColorSpace(cicp: CodePoints(1, 1, 1, 0), bitDepth: depth)
      }
      #expect("\(error)".contains("8…16"))
    }
  }
}
