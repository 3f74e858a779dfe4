import ColorSpaces
import Testing
import _TestSupport

/// Gamut mapping.
@Suite struct GamutMappingTests {
  private struct Row: Decodable {
    var space: String
    var `in`: [Double]
    var srgb, p3: [Double]?
  }

  /// The errors of a mapping for the out-of-gamut colors of a table; in-gamut colors must be unchanged.
  private func errors(of mapping: GamutMapping, in table: String) throws -> [Double] {
    try Fixtures.json(table, as: [Row].self).flatMap { row -> [Double] in
      // Coloraide, which computed the table, rounds ProPhoto's primaries to four digits; CSS has six.
      let name = row.space == "prophoto-rgb" ? "prophoto-4digit" : row.space
      let color = ColorPoint(SIMD3(row.in), in: try ColorSpace(named: name))
      return [(ColorSpace.sRGB, row.srgb), (.displayP3, row.p3)].compactMap { target, expected in
        let result = mapping.map(color, into: target).components
        guard let expected else {
          // Colors on the surface may be out of gamut by a rounding error.
          #expect((result - color.converted(to: target).components).largest < 1e-14)
          return nil
        }
        return (result - SIMD3(expected)).largest
      }
    }
  }

  @Test func chromaIsReducedAsInTheTable() throws {
    let errors = try errors(of: .reducedChroma, in: "Tables/gamut_mapping.json")
    #expect(errors.count > 150)
    // The table's tolerance: the search stops at chroma steps of 1e-4, so rounding may change its path.
    #expect(errors.allSatisfy { $0 <= 1e-3 })
    // Nearly all take the same path, to the last step of the search.
    #expect(errors.count { $0 < 1e-9 } > errors.count * 99 / 100)
  }

  @Test func raysMeetTheSurfaceAsInTheTable() throws {
    let errors = try errors(of: .rayTraced, in: "Tables/ray_tracing.json")
    #expect(errors.count > 150)
    // There is no search whose path rounding could change: only the last digits differ, which sRGB's curve amplifies
    // where a channel is almost 0.
    #expect(errors.allSatisfy { $0 <= 1e-9 })
  }

  @Test func inGamutColorsAreUnchanged() {
    let channel = Generator<Double>.double(in: 0...1)
    checkProperty("inside stays", .zip(channel, channel, channel)) { r, g, b in
      let color = ColorPoint(r, g, b, in: .sRGB)
      return [.clipped, .reducedChroma, .rayTraced].allSatisfy { (mapping: GamutMapping) in
        mapping.map(color, into: .sRGB) == color
      }
    }
  }

  static let mappings: [GamutMapping] = [
    .clipped, .reducedChroma, .rayTraced, .softKnee(), .softKnee(threshold: 0), .compressed(),
  ]

  @Test(arguments: mappings)
  func resultsAreInGamut(by mapping: GamutMapping) {
    // Pure powers are the most sensitive targets: a linear −1e-16 is an encoded −2e-7.
    let targets: [ColorSpace] = [.sRGB, .rec2020, .rec709, .linearDisplayP3]
    checkProperty("mapped is held", Generator<SIMD3<Double>>.color(limit: 1e30)) { components in
      let color = ColorPoint(components, in: .acescg)
      for target in targets {
        let mapped = mapping.map(color, into: target)
        guard target.holds(mapped.components, tolerance: 0) else {
          throw Failure("\(mapped.components) is outside of \(target)")
        }
      }
      return true
    }
  }

  /// Infinite channels are clipped; NaN stays in its channel.
  @Test(arguments: mappings)
  func infinityIsMappedAndNaNIsKept(by mapping: GamutMapping) {
    func mapped(_ components: SIMD3<Double>) -> SIMD3<Double> {
      mapping.map(ColorPoint(components, in: .linearSRGB), into: .linearSRGB).components
    }
    for number in [Double.infinity, -.infinity, .greatestFiniteMagnitude] {
      for components in [SIMD3(number, 0.2, 0.3), SIMD3(repeating: number)] {
        let result = mapped(components)
        #expect(result.isWithin(0...1), "\(components) becomes \(result)")
      }
    }
    let partial = mapped([.nan, 0.2, 0.3])
    #expect(partial.x.isNaN && partial.y == 0.2 && partial.z == 0.3, "\(partial)")
    let none = mapped(SIMD3(repeating: .nan))
    #expect((0..<3).allSatisfy { none[$0].isNaN }, "\(none)")
  }

  @Test(arguments: mappings)
  func colorsAboveWhiteBecomeWhite(by mapping: GamutMapping) {
    let light = ColorPoint(3, 3, 3, in: .linearSRGB)
    #expect(mapping.map(light, into: .sRGB).components == .one)
  }

  /// Log spaces encode values above white and below black; a mapping must preserve those.
  @Test(arguments: mappings)
  func logSpacesKeepTheirHeadroom(by mapping: GamutMapping) {
    let camera = ColorSpace.arriWideGamut3
    let grays = [5, -0.01].map { ColorPoint(SIMD3(repeating: $0), in: camera.linear) }
    for color in grays {
      let mapped = mapping.map(color, into: camera).converted(to: camera.linear).components
      // 1e-9 of the linear value: the round trip through a logarithm.
      #expect((mapped - color.components).largest < 1e-9)
    }
    let outside = mapping.map(ColorPoint(1e3, 1e3, 1e3, in: camera.linear), into: camera)
    #expect(outside.components == .one)
  }

  private static let steep = try? GamutCompression(
    threshold: [0.8, 0.8, 0.8], limit: [1.2, 1.2, 1.2], power: 3)

  /// The gamut lies between the linear values of 0 and 1, in either order.
  @Test func fallingCurvesHaveAGamut() throws {
    let target = ColorSpace(
      "falling", primaries: .rec709, transfer: TransferFunction("falling", decodingTable: [1, 0]))
    let color = ColorPoint(2, -1, 0.5, in: .linearSRGB)
    #expect(GamutMapping.clipped.map(color, into: target).components == [0, 1, 0.5])
    let steep = try #require(Self.steep)
    for mapping in Self.mappings + [.compressed(by: steep)] {
      let mapped = mapping.map(color, into: target).components
      #expect(mapped.isWithin(0...1), "\(mapping): \(mapped)")
    }
  }

  /// Curves whose ends are infinite or NaN have a gamut without that limit.
  @Test func curvesWithoutFiniteEndsDoNotTrap() throws {
    let steep = try #require(Self.steep)
    let compressed = GamutMapping.compressed(by: steep)
    func light(_ mapping: GamutMapping, _ transfer: TransferFunction) -> SIMD3<Double> {
      let target = ColorSpace(transfer.name, primaries: .rec709, transfer: transfer)
      return PointProgram([mapping.stage(into: target)])(SIMD3(2, -1, 0.5))
    }
    let none = TransferFunction("none", decoding: { _ in .nan }, encoding: { $0 })
    #expect(light(.clipped, none) == [2, -1, 0.5])
    #expect(light(compressed, none).sum().isFinite)
    let reciprocal = TransferFunction("1/x", decoding: { 1 / $0 }, encoding: { 1 / $0 })
    #expect(light(.clipped, reciprocal) == [2, 1, 1])
    #expect(light(compressed, reciprocal).min() >= 1)
  }

  /// XYZ and spaces based on it contain every color.
  @Test(arguments: [ColorSpace.oklab, .lab, .xyzD65, .luv])
  func spacesBasedOnXYZContainEveryColor(target: ColorSpace) {
    let color = ColorPoint(1, -0.2, 0.1, in: .linearRec2020)
    for mapping in [GamutMapping.clipped, .reducedChroma, .rayTraced, .softKnee()] {
      #expect(mapping.map(color, into: target) == color.converted(to: target))
    }
    let inHue = GamutMapping.rayTraced.map(color, into: .hsl)
    #expect(ColorSpace.sRGB.holds(inHue.converted(to: .sRGB).components, tolerance: 1e-9))
  }
}
