import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

/// Profiles with colorants or a gray curve beside a table without a grid: tables take precedence (ICC.1:2022, 8.10), and pictures and
/// transforms mean the same colors.
@Suite struct TablePrecedenceTests {
  /// A profile of Adobe RGB, with a table of its colorants and of a power in place of its curves.
  static func profile(exponent: Double) throws -> ParsedProfile {
    try profile(curve: power(exponent))
  }

  /// A profile of Adobe RGB, with a table of its colorants and of another curve.
  static func profile(curve: [UInt8]) throws -> ParsedProfile {
    var parsed = ParsedProfile(try ICCProfile(describing: .adobeRGB).bytes)
    parsed.tags["cicp"] = nil
    let columns = ["rXYZ", "gXYZ", "bXYZ"].map { parsed.integers(in: $0) }
    // In tables, XYZ of 1 + 32,767/32,768 is 1.
    let matrix = (0..<3).flatMap { row in
      columns.map { Int((Double($0[row]) * 32_768 / 65_535).rounded()) }
    }
    parsed.tags["A2B0"] = table([power(1), curve], matrix + [0, 0, 0])
    return parsed
  }

  private static func power(_ exponent: Double) -> [UInt8] {
    Array("para".utf8) + [UInt8](repeating: 0, count: 8)
      + ParsedProfile.bytes(Int((exponent * 65_536).rounded()))
  }

  /// The bytes of a `lutAToBType` of B curves, a matrix and M curves, each the same for all channels.
  private static func table(_ curves: [[UInt8]], _ matrix: [Int]) -> [UInt8] {
    let curves = curves.map { curve in (0..<3).flatMap { _ in curve } }
    let parts = [curves[0], matrix.flatMap(ParsedProfile.bytes), curves[1]]
    let offsets = [32, 32 + parts[0].count, 32 + parts[0].count + parts[1].count, 0, 0]
    return Array("mAB ".utf8) + [0, 0, 0, 0, 3, 3, 0, 0] + offsets.flatMap(ParsedProfile.bytes)
      + parts.flatMap(\.self)
  }

  private func lab(_ color: ColorPoint) -> SIMD3<Double> { color.converted(to: .lab).components }

  @Test func tablesThatDifferFromTheColorantsDefineTheSpace() throws {
    let profile = try ICCProfile(bytes: Self.profile(exponent: 1.8).bytes)
    let space = try profile.colorSpace()
    #expect(profile.recognized == nil && space != .adobeRGB)
    let toLab = try ICCTransform(
      from: .profile(profile), to: .space(.lab), intent: profile.intent)
    for color in [[0.2, 0.5, 0.8], [0.5, 0.5, 0.5], [1, 0, 0], [1, 1, 1]] {
      let expected = SIMD3(toLab(color))
      let found = lab(ColorPoint(SIMD3(color), in: space))
      #expect(ColorDifference.ciede2000()(found, expected) < 0.01, "\(found), \(expected)")
      // A stored picture keeps its colors, although there is no table from the PCS.
      let back = space.transfer.encode(space.transfer.decode(SIMD3(color)))
      #expect((back - SIMD3(color)).largest < 1e-7, "\(back)")
      // Little CMS agrees.
      let theirs = try LittleCMS.convert(
        [color], from: .profile(profile), to: .lab, intent: profile.intent)
      #expect(ColorDifference.ciede2000()(found, SIMD3(theirs[0])) < 0.02, "\(found), \(theirs)")
    }
    let byColorants = lab(ColorPoint(SIMD3(0.5, 0.5, 0.5), in: .adobeRGB))
    let byTable = lab(ColorPoint(SIMD3(0.5, 0.5, 0.5), in: space))
    #expect(byTable.x > byColorants.x + 3)
  }

  @Test func tablesThatAgreeWithTheColorantsLeaveTheNamedSpace() throws {
    let profile = try ICCProfile(bytes: Self.profile(exponent: 563 / 256.0).bytes)
    #expect(try profile.colorSpace() == .adobeRGB)
  }

  /// A table has no inverse by formula where a curve rises and falls, or where it has a grid, as in profiles of scanners: no gamut is
  /// measured by the colorants. ``TableInverseTests`` has the colors.
  @Test(arguments: [false, true]) func tablesWithoutAWayBackHaveNoGamut(hasGrid: Bool) throws {
    var parsed = try Self.profile(
      curve: ParsedProfile.table([0, 40_000, 30_000, 65_535]))
    if hasGrid {
      let grid = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
      parsed.tags["A2B0"] = grid.tags["A2B0"]
      parsed.header = grid.header
    }
    let profile = try ICCProfile(bytes: parsed.bytes)
    #expect(throws: ICCProfileError.self) { try profile.gamut() }
  }

  /// A table of another intent alone is not asked.
  @Test func colorantsDefineTheSpaceWhereTheIntentHasNoTable() throws {
    var parsed = try Self.profile(exponent: 1.8)
    parsed.tags["A2B1"] = parsed.tags["A2B0"]
    parsed.tags["A2B0"] = nil
    let profile = try ICCProfile(bytes: parsed.bytes)
    #expect(try profile.colorSpace(intent: .perceptual) == .adobeRGB)
    #expect(try profile.colorSpace(intent: .relativeColorimetric) != .adobeRGB)
  }

  @Test(arguments: TableProfile.Kind.allCases)
  func grayTablesDefineAGraySpace(kind: TableProfile.Kind) throws {
    var parsed = TableProfile.profile(
      kind, space: "GRAY", channels: 1, version: kind == .mAB ? 4 : 2)
    for hasWayBack in [true, false] {
      if !hasWayBack { (parsed.tags["B2A0"], parsed.tags["B2A1"]) = (nil, nil) }
      let profile = try ICCProfile(bytes: parsed.bytes)
      let space = try profile.colorSpace(intent: .relativeColorimetric)
      #expect(space.isGray && profile.recognized == nil)
      let toLab = try ICCTransform(from: .profile(profile), to: .space(.lab))
      #expect(toLab.inputCount == 1)
      for gray in [0, 0.3, 0.5, 1] {
        let (found, expected) = (
          lab(ColorPoint(SIMD3(repeating: gray), in: space)), SIMD3(toLab([gray]))
        )
        #expect(ColorDifference.ciede2000()(found, expected) < 0.01, "\(found), \(expected)")
        let light = space.transfer.decode(SIMD3(repeating: gray))
        let back = space.transfer.encode(light)
        #expect(back.x == back.y && back.y == back.z)
        // The tables of both directions are not inverse to each other; the search is.
        if !hasWayBack { #expect(abs(back.x - gray) < 1e-9, "\(back), \(gray)") }
        // The grays of the table are tinted, and neutral ones are others.
        let (own, tinted) = (
          ColorPoint(SIMD3(repeating: gray), in: space),
          ColorPoint(found, in: .lab)
        )
        #expect(own.isInside(space) && tinted.isInside(space), "\(kind), \(gray)")
        let neutral = ColorPoint(found.x, 0, 0, in: .lab)
        #expect(neutral.isInside(space) == (abs(found.y) + abs(found.z) < 1e-6), "\(found)")
      }
      let white = lab(ColorPoint(1, 1, 1, in: space)), black = lab(ColorPoint(0, 0, 0, in: space))
      for (end, step) in [(white, white - black), (black, black - white)] {
        #expect(!ColorPoint(end + 0.01 * step, in: .lab).isInside(space))
      }
      #expect(try ICCProfile(describing: space) == profile)
    }
  }

  /// A curve beside the table of a gray profile, with other colors.
  @Test func grayTablesTakePrecedenceOverTheCurve() throws {
    var parsed = TableProfile.profile(.mft2, space: "GRAY", channels: 1, version: 2)
    parsed.tags["kTRC"] = ParsedProfile.table([0, 65_535])
    let profile = try ICCProfile(bytes: parsed.bytes)
    let toLab = try ICCTransform(from: .profile(profile), to: .space(.lab), intent: profile.intent)
    for hasWayBack in [true, false] {
      if !hasWayBack { (parsed.tags["B2A0"], parsed.tags["B2A1"]) = (nil, nil) }
      let space = try ICCProfile(bytes: parsed.bytes).colorSpace()
      let found = lab(ColorPoint(SIMD3(repeating: 0.25), in: space))
      #expect(ColorDifference.ciede2000()(found, SIMD3(toLab([0.25]))) < 0.01)
      let back = space.transfer.encode(space.transfer.decode(SIMD3(repeating: 0.25)))
      #expect(hasWayBack || abs(back.x - 0.25) < 1e-9, "\(back)")
    }
  }
}
