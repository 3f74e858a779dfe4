import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

@Suite struct LittleCMSOracleTests {
  static let spaces = RoundTripTests.spaces

  @Test(arguments: spaces.filter { !$0.isGray }, [ICCProfile.FormatVersion.v2, .v4])
  func littleCMSReadsOurProfilesAsTheirSpaces(
    space: ColorSpace, version: ICCProfile.FormatVersion
  ) throws {
    let source = try ICCProfile(describing: space, version: version)
    let target = ColorSpace.linearSRGB
    var random = SeededGenerator(seed: 20_260_101)
    let colors = (0..<200).map { _ in SIMD3<Double>.random(in: 0...1, using: &random) }
    let theirs = try LittleCMS.convert(
      colors.map { [$0.x, $0.y, $0.z] }, from: .profile(source),
      to: .profile(try ICCProfile(describing: target)), intent: .relativeColorimetric)
    let largest = max(space.transfer.decode(1), 1)
    for (color, theirs) in zip(colors, theirs) {
      // Curves of profiles have no negative linear values.
      let light = space.transfer.decode(color)
      let ours = space.matrix(to: target) * pointwiseMax(light, .zero)
      // Colorants are stored in steps of 1/65,536, curves beyond white in steps of 1/65,535 of their largest value, and
      // mixed with factors up to 5 for the widest space; Little CMS computes in single precision, and quantizes the
      // input of tables.
      let steps = largest > 1 ? 5 * largest / 65_535 : 0
      for channel in 0..<3 {
        #expect(abs(ours[channel] - theirs[channel]) < steps + 3e-4 * max(1, abs(ours[channel])))
      }
    }
  }

  @Test(arguments: spaces, [ICCProfile.FormatVersion.v2, .v4])
  func littleCMSReadsOurGrayProfilesAsTheirSpaces(
    space: ColorSpace, version: ICCProfile.FormatVersion
  ) throws {
    guard let source = try? ICCProfile(describingGraysOf: space, version: version) else {
      // Gray profiles have only a curve, which ends at white.
      #expect(space.transfer.decode(1) > 1)
      return
    }
    let numbers = (0...100).map { Double($0) / 100 }
    let theirs = try LittleCMS.convert(
      numbers.map { [$0] }, from: .profile(source),
      to: .profile(try ICCProfile(describing: .linearSRGB)), intent: .relativeColorimetric)
    for (number, channels) in zip(numbers, theirs) {
      let light = space.transfer.decode(number)
      for channel in channels { #expect(abs(channel - light) < 3e-4 * max(1, abs(light))) }
    }
  }

  /// A display whose darkest color is lighter than L* 50, which black point compensation treats as a black of L* 50
  /// (ISO 18619:2015, 4.2.4).
  @Test(arguments: [0.02, 0.15, 0.25, 0.5])
  func blackPointCompensationLimitsBlackToMiddleGray(darkest: Double) throws {
    var parsed = ParsedProfile(try ICCProfile(describing: .sRGB, version: .v2).bytes)
    parsed.setCurves(
      ParsedProfile.table(
        (0...16).map { UInt16((darkest + (1 - darkest) * Double($0) / 16) * 65_535) }))
    let (source, target) = (
      try ICCProfile(bytes: parsed.bytes), try ICCProfile(describing: .linearSRGB)
    )
    let transform = try ICCTransform(
      from: .profile(source), to: .profile(target), intent: .relativeColorimetric,
      blackPointCompensation: true)
    let colors = [[0, 0, 0], [0.25, 0.5, 0.1], [0.5, 0.5, 0.5], [1, 1, 1], [1, 0, 0.5]]
    let theirs = try LittleCMS.convert(
      colors, from: .profile(source), to: .profile(target), intent: .relativeColorimetric,
      blackPointCompensation: true)
    for (color, theirs) in zip(colors, theirs) {
      for (ours, theirs) in zip(transform(color), theirs) {
        // Little CMS computes in single precision, and our linear profile stores colorants in steps of 1/65,536.
        #expect(abs(ours - theirs) < 3e-4, "\(darkest) \(color)")
      }
    }
  }

  struct Case: CustomStringConvertible, Sendable {
    let kind: TableProfile.Kind
    let space: String
    let channels: Int
    let connection: String
    let version: UInt8

    var description: String { "\(kind) \(space) \(connection) \(version)" }

    var profile: ICCProfile {
      get throws {
        try ICCProfile(
          bytes: TableProfile.profile(
            kind, space: space, channels: channels, connection: connection, version: version
          ).bytes)
      }
    }

    static let all: [Case] = TableProfile.Kind.allCases.flatMap { kind in
      [("GRAY", 1), ("RGB ", 3), ("CMYK", 4), ("5CLR", 5), ("8CLR", 8)].flatMap { space, channels in
        ["Lab ", "XYZ "].map {
          Case(
            kind: kind, space: space, channels: channels, connection: $0,
            version: kind == .mAB ? 4 : 2)
        }
      }
    }
  }

  @Test(arguments: Case.all)
  func deviceToPCSTablesAgreeWithLittleCMS(profile table: Case) throws {
    let profile = try table.profile
    var random = SeededGenerator(seed: 20_260_102)
    let colors = (0..<100).map { _ in
      (0..<table.channels).map { _ in Double.random(in: 0...1, using: &random) }
    }
    for intent in [RenderingIntent.relativeColorimetric, .perceptual, .absoluteColorimetric] {
      let ours = try ICCTransform(from: .profile(profile), to: .space(.lab), intent: intent)
      let theirs = try LittleCMS.convert(
        colors, from: .profile(profile), to: .lab, intent: intent)
      for (color, theirs) in zip(colors, theirs) {
        // Compared in linear light; Little CMS rounds to 16 bits before and after each table.
        #expect(distance(xyz(ours(color)), xyz(theirs)) < 1e-4, "\(intent) \(color)")
      }
    }
  }

  @Test(arguments: Case.all)
  func pcsToDeviceTablesAgreeWithLittleCMS(profile table: Case) throws {
    let profile = try table.profile
    var random = SeededGenerator(seed: 20_260_103)
    let colors = (0..<100).map { _ in
      [Double.random(in: 0...100, using: &random)]
        + (0..<2).map { _ in Double.random(in: -60...60, using: &random) }
    }
    for intent in [RenderingIntent.relativeColorimetric, .perceptual, .absoluteColorimetric] {
      let ours = try ICCTransform(from: .space(.lab), to: .profile(profile), intent: intent)
      let theirs = try LittleCMS.convert(
        colors, from: .lab, to: .profile(profile), intent: intent)
      for (color, theirs) in zip(colors, theirs) {
        // 16-bit steps before a table, which may be steeper than its inputs.
        #expect(
          distance(ours(color), theirs) < 2e-4, "\(intent) \(color): \(ours(color)), \(theirs)")
      }
    }
  }

  private func xyz(_ lab: [Double]) -> [Double] {
    let color = ColorPoint(lab[0], lab[1], lab[2], in: .lab).converted(to: .xyzD50).components
    return [color.x, color.y, color.z]
  }

  private func distance(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { larger($0, abs($1.0 - $1.1)) }
  }
}
