import ColorSpaces
import FilterGraph
import ICCProfiles
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The kernels' conversion through profile tables, against double precision.
@Suite struct ProfileKernelTests {
  /// The largest error of a channel of the result, in sRGB, for in-gamut colors.
  ///
  /// Coordinates of grid cells, and the interpolation between their corners, are rounded in single precision: some
  /// units of 2⁻²⁴ for each input of a table, times the steepest step between two grid points, and the same again for
  /// curves and for the conversion through Lab. Near black the encoding of sRGB multiplies all of that by 13. The
  /// largest error found is 7.4e-6.
  private static let bound = 1e-5

  /// All corners, colors close to them, and some in between.
  private static func colors(_ channels: Int, count: Int) -> [[Float]] {
    var random = SeededGenerator(seed: 20_261_122)
    var colors = (0..<1 << channels).map { corner in
      (0..<channels).map { Float(corner >> $0 & 1) }
    }
    while colors.count < count {
      let isNearEdge = colors.count % 4 == 0
      colors.append(
        (0..<channels).map { _ in
          isNearEdge
            ? (Bool.random(using: &random) ? 1 : 0)
              + Float.random(in: -1e-3...1e-3, using: &random)
            : Float.random(in: 0...1, using: &random)
        })
    }
    return colors
  }

  /// With black point compensation, which requires a profile with tables in both directions.
  private static func rendering(_ intent: RenderingIntent, hasWayBack: Bool) -> ProfileRendering {
    ProfileRendering(
      intent: intent, blackPointCompensation: hasWayBack && intent == .relativeColorimetric)
  }

  /// The profile without PCS-to-device tables.
  private static let oneWay = "rgb-mAB-matrix"

  private static let tableProfiles = [
    "rgb-mAB-8bit", "rgb-mAB-lab", "rgb-mAB-matrix", "rgb-mft1-lab", "rgb-mft2-lab-v2",
    "rgb-mft2-lab-v4", "rgb-mft2-xyz",
  ]

  /// The conversion of a picture of some colors.
  private static func converted(
    _ colors: [[Float]], in space: ColorSpace, to link: ICCTransform.Link,
    _ rendering: ProfileRendering
  ) throws -> [[Float]] {
    let bitmap = Bitmap<Float>(PixelSize(colors.count, 1), in: space, channels: .rgb) { x, _ in
      colors[x]
    }
    let result = try Picture(bitmap).converted(to: link, by: rendering).render(as: Float.self)
    return colors.indices.map { x in (0..<3).map { result[x, 0, $0] } }
  }

  private func check(
    _ found: [[Float]], _ colors: [[Float]], _ exact: ICCTransform, times factor: Double = 1,
    _ name: String
  ) {
    var worst = 0.0
    for (color, found) in zip(colors, found) {
      for (a, b) in zip(found, exact(color.map(Double.init))) {
        worst = larger(worst, abs(Double(a) - b) / max(1, abs(b)))
      }
    }
    #expect(worst <= factor * Self.bound, "\(name): \(worst)")
  }

  @Test(arguments: tableProfiles) func tablesToColors(_ name: String) throws {
    let profile = try Fixtures.profile(name)
    let colors = Self.colors(3, count: 600)
    for intent in RenderingIntent.allCases {
      let space = try profile.colorSpace(intent: intent)
      let rendering = Self.rendering(intent, hasWayBack: name != Self.oneWay)
      let found = try Self.converted(colors, in: space, to: .space(.sRGB), rendering)
      let exact = try ICCTransform(
        from: .profile(profile), to: .space(.sRGB), intent: intent,
        blackPointCompensation: rendering.blackPointCompensation)
      check(found, colors, exact, "\(name), \(intent)")
    }
  }

  @Test(arguments: tableProfiles.filter { $0 != oneWay }) func colorsToTables(_ name: String) throws
  {
    let profile = try Fixtures.profile(name)
    let colors = Self.colors(3, count: 600)
    for intent in RenderingIntent.allCases {
      let rendering = Self.rendering(intent, hasWayBack: true)
      let found = try Self.converted(colors, in: .sRGB, to: .profile(profile), rendering)
      let exact = try ICCTransform(
        from: .space(.sRGB), to: .profile(profile), intent: intent,
        blackPointCompensation: rendering.blackPointCompensation)
      check(found, colors, exact, "\(name), \(intent)")
    }
  }

  /// A gray is three equal channels of a picture and one of a profile, at either end.
  @Test(arguments: TableProfile.Kind.allCases) func grayTables(_ kind: TableProfile.Kind) throws {
    let profile = try ICCProfile(
      bytes: TableProfile.profile(
        kind, space: "GRAY", channels: 1, version: kind == .mAB ? 4 : 2
      ).bytes)
    let space = try profile.colorSpace(intent: .relativeColorimetric)
    let grays = (0...200).map { [Float($0) / 200] }
    let colors = grays.map { [$0[0], $0[0], $0[0]] }
    let (toColors, toGrays) = (
      try ICCTransform(from: .profile(profile), to: .space(.linearSRGB)),
      try ICCTransform(from: .space(.linearSRGB), to: .profile(profile))
    )
    let found = try Self.converted(colors, in: space, to: .space(.linearSRGB), ProfileRendering())
    check(found, grays, toColors, "\(kind)")
    let back = try Self.converted(
      colors, in: .linearSRGB, to: .profile(profile), ProfileRendering())
    // The lightness of dark grays is steep.
    check(back, colors, toGrays, times: 10, "\(kind), back")
    #expect(back.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] })
  }

  /// Pictures have the colors of code points, also where an intent is asked for.
  @Test func codePointsDefineTheTargetOfAConversion() throws {
    var parsed = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
    parsed.header.replaceSubrange(12..<16, with: Array("mntr".utf8))
    parsed.tags["cicp"] = Array("cicp".utf8) + [0, 0, 0, 0, 9, 16, 0, 1]
    let profile = try ICCProfile(bytes: parsed.bytes)
    let colors = Self.colors(3, count: 20)
    let found = try Self.converted(
      colors, in: .sRGB, to: .profile(profile), ProfileRendering(intent: .perceptual))
    let expected = try Self.converted(
      colors, in: .sRGB, to: .space(.rec2100PQ), ProfileRendering())
    #expect(found == expected)
  }

  @Test(arguments: ["cmyk-mft1", "cmyk-mft2", "cmyk-mAB", "cmyk-mft2-pale-black"])
  func inksToColors(_ name: String) throws {
    let profile = try Fixtures.profile(name)
    let colors = Self.colors(4, count: 1000)
    for intent in RenderingIntent.allCases {
      for space in [ColorSpace.sRGB, .proPhoto, .lab] {
        let exact = try ICCTransform(
          from: .profile(profile), to: .space(space), intent: intent,
          blackPointCompensation: intent == .relativeColorimetric)
        let rows = InkRows(exact.program.pointProgram, .float32)
        let stored = colors.flatMap(\.self)
        var result = [Float](repeating: 0, count: 3 * colors.count)
        stored.withUnsafeBytes { stored in
          result.withUnsafeMutableBytes { rows.convert(stored, to: $0) }
        }
        let found = colors.indices.map { Array(result[3 * $0..<3 * $0 + 3]) }
        // Lab is in hundredths.
        check(found, colors, exact, times: space == .lab ? 100 : 1, "\(name), \(intent), \(space)")
      }
    }
  }
}
