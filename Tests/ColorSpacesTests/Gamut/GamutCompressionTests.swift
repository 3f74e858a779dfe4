import ColorSpaces
import Testing
import _TestSupport

/// The reference gamut compression of ACES 1.3.
@Suite struct GamutCompressionTests {
  @Test func compressionsThatCannotBeAreRefused() {
    for (threshold, limit, power) in [
      (1.0, 1.2, 1.2), (-0.1, 1.2, 1.2), (0.8, 1, 1.2), (0.8, 1.2, 0), (0.8, 1.2, 1e-10),
      (0.8, 1.2, 21), (0.8, 1.2, 1100),
    ] {
      #expect(throws: ColorError.self, "\(threshold), \(limit), \(power)") {
        try GamutCompression(
          threshold: [0.8, threshold, 0.8], limit: [1.2, 1.2, limit], power: power)
      }
    }
    #expect(throws: ColorError.self) {
      try GamutCompression(threshold: [.nan, 0.8, 0.8], limit: [1.2, 1.2, 1.2], power: 1)
    }
  }

  /// The curve of a limit that is too near to 1, or too far above the threshold, would overflow.
  @Test(arguments: [(0.8, 1.0.nextUp, 0.01), (0.8, 1.01, 0.01), (1.0.nextDown, 1.2, 20)])
  func limitsThatOverflowAreRefused(threshold: Double, limit: Double, power: Double) throws {
    let error = try #require(throws: ColorError.self) {
      try GamutCompression(
        threshold: SIMD3(repeating: threshold), limit: SIMD3(repeating: limit), power: power)
    }
    guard case .parameter(let name, value: limit, let allowed) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(name.hasPrefix("A limit of gamut compression with the threshold"))
    for end in [allowed.lowerBound.nextUp, allowed.upperBound] {
      let compression = try GamutCompression(
        threshold: SIMD3(repeating: threshold), limit: SIMD3(repeating: end), power: power)
      #expect(compression.reach.x.isFinite && compression.reach.x > 0)
    }
  }

  /// Where a compression is allowed, it maps its limit to the boundary.
  @Test(arguments: [(0.9, 10.0, 20.0), (0, 1e6, 20), (0.8, 1.2, 0.01), (0, 1.1, 0.05)])
  func extremeCompressionsCompress(threshold: Double, limit: Double, power: Double) throws {
    let compression = try GamutCompression(
      threshold: SIMD3(repeating: threshold), limit: SIMD3(repeating: limit), power: power)
    // A low power amplifies the rounding error of its root a hundredfold.
    #expect(abs(compression([1, 1 - limit, 1]).y) < 1e-9)
  }

  @Test func compressionEqualsTheTable() throws {
    let rows = try Fixtures.json("Tables/aces_gamut_compression.json", as: [[[Double]]].self)
    #expect(rows.count > 70)
    for row in rows {
      let (color, expected) = (SIMD3(row[0]), SIMD3(row[1]))
      let error = (GamutCompression.aces13(color) - expected).largest
      // The table's tolerance: a dozen rounding errors of the same formula.
      #expect(error <= 1e-12 * (1 + expected.largest), "\(color)")
    }
  }

  @Test func limitMapsToTheGamutBoundary() {
    let compression = GamutCompression.aces13
    for channel in 0..<3 {
      var color = SIMD3<Double>.one
      color[channel] = 1 - compression.limit[channel]
      // Two powers of 4 ulp each.
      #expect(abs(compression(color)[channel]) < 1e-14)
      color[channel] = 1 - compression.threshold[channel]
      #expect(compression(color) == color)
    }
  }

  @Test func inverseRestoresTheColor() {
    checkProperty("undone", Generator<SIMD3<Double>>.color(limit: 10)) { color in
      let compressed = GamutCompression.aces13(color)
      let restored = GamutCompression.aces13.undo(compressed)
      let largest = color.max()
      // Up to three times the limit; the curve is flat beyond, which amplifies the rounding error of a distance.
      // Distances and errors are relative to the largest channel.
      guard largest > 0, (largest - color.min()) / largest < 4 else { return true }
      let error = (restored - color).largest
      guard error <= 1e-10 * largest else { throw Failure("\(color) came back as \(restored)") }
      return true
    }
  }

  @Test func neutralColorsAreUnchanged() {
    let beyond = SIMD3(1.0, -4, 0.5)
    #expect(GamutCompression.aces13.undo(beyond) == beyond)
    #expect(GamutCompression.aces13(.zero) == .zero)
    #expect(GamutCompression.aces13.undo(.zero) == .zero)
  }

  /// As a mapping it runs in ACEScg for any target; colors still out of gamut are clipped.
  @Test func mappingRunsInACEScg() {
    let lamp = ColorPoint(-0.1, 0.05, 0.9, in: .acescg)
    let film = GamutCompression.aces13(lamp.components)
    let expected = ColorPoint(film, in: .acescg).converted(to: .linearSRGB).components
      .clamped(lowerBound: .zero, upperBound: .one)
    let mapped = GamutMapping.compressed().map(lamp, into: .linearSRGB)
    // One matrix in each direction.
    #expect((mapped.components - expected).largest < 1e-14)
    #expect(GamutMapping.compressed().map(lamp, into: .acescg).components == film)
  }
}
