import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

@Suite struct TransformTests {
  let press = { (version: UInt8) throws in
    try ICCProfile(
      bytes: TableProfile.profile(
        version == 4 ? .mAB : .mft2, space: "CMYK", channels: 4, version: version
      ).bytes)
  }

  @Test func pixelsInRowsAreTheSameAsOneByOne() throws {
    let transform = try ICCTransform(from: .profile(press(2)), to: .space(.displayP3))
    var random = SeededGenerator(seed: 1)
    // More than one strip, and not a multiple of its length.
    let pixels = (0..<4 * 150).map { _ in Float.random(in: 0...1, using: &random) }
    var result = [Float](repeating: 0, count: 3 * 150)
    var span = result.mutableSpan
    transform(pixels.span, into: &span)
    for index in 0..<150 {
      let color = transform(pixels[4 * index..<4 * index + 4].map(Double.init))
      #expect(result[3 * index..<3 * index + 3].elementsEqual(color.map(Float.init)))
    }
  }

  @Test func fifteenInksAreLinearBetweenTheirCorners() throws {
    var profile = ParsedProfile(
      version: 2, profileClass: "prtr", space: "FCLR", connection: "XYZ ")
    profile.tags["A2B0"] = TableProfile.table(.mft2, "", inputs: 15, outputs: 3, grid: 2) { inks in
      let sum = inks.reduce(0, +) / 15
      return [sum, sum / 2, 1 - sum]
    }
    let transform = try ICCTransform(
      from: .profile(ICCProfile(bytes: profile.bytes)), to: .space(.xyzD50))
    let inks = (0..<15).map { Double($0) / 14 }
    // The results of the test's own input curves.
    let bent = (0..<15).map { index in
      let (x, step) = (inks[index] * 16, (inks[index] * 16).rounded(.down))
      func curve(_ x: Double) -> Double { x / 16 * (1.2 - 0.2 * x / 16) }
      return curve(step) + (curve(step + 1) - curve(step)) * (x - step)
    }
    let sum = bent.reduce(0, +) / 15 * 65_535 / 32_768
    // Half a 16-bit step for each stored value, times the range of almost 2.
    #expect(abs(transform(inks)[0] - sum) < 4e-5)
  }

  @Test func compensationMapsWhiteToWhiteAndBlackToBlack() throws {
    let source = try press(2)
    let plain = try ICCTransform(
      from: .profile(source), to: .space(.xyzD50), intent: .perceptual)
    let compensated = try ICCTransform(
      from: .profile(source), to: .space(.xyzD50), intent: .perceptual,
      blackPointCompensation: true)
    let (ink, paper) = ([1.0, 1, 1, 1], [0.0, 0, 0, 0])
    #expect(plain(ink)[1] > 1e-5)
    #expect(compensated(ink).allSatisfy { abs($0) < 1e-12 })
    for (before, after) in zip(plain(paper), compensated(paper)) {
      // Only the PCS white is fixed; the paper is darker by a twelfth, which is scaled with the black.
      #expect(abs(before - after) < 5e-4)
    }
  }

  @Test func absoluteColorsIncludeThePaper() throws {
    let source = try press(2)
    let relative = try ICCTransform(from: .profile(source), to: .space(.xyzD50))
    let absolute = try ICCTransform(
      from: .profile(source), to: .space(.xyzD50), intent: .absoluteColorimetric)
    let media = SIMD3(55_000.0, 57_000, 45_000) / SIMD3(Double(0xF6D6), 65_536, Double(0xD32D))
    let (a, b) = (relative([0.1, 0.2, 0.3, 0.1]), absolute([0.1, 0.2, 0.3, 0.1]))
    for channel in 0..<3 { #expect(abs(a[channel] * media[channel] - b[channel]) < 1e-12) }
  }

  @Test func linksAndAbstractProfilesCanBeChained() throws {
    var link = ParsedProfile(version: 4, profileClass: "link", space: "RGB ", connection: "CMYK")
    link.tags["A2B0"] = TableProfile.table(.mft2, "", inputs: 3, outputs: 4, grid: 3) { rgb in
      rgb.map { 1 - $0 } + [0]
    }
    let deviceLink = try ICCProfile(bytes: link.bytes)
    let alone = try ICCTransform([.profile(deviceLink)])
    #expect((alone.inputCount, alone.outputCount) == (3, 4))
    let target = try press(2)
    let chain = try ICCTransform([.profile(deviceLink), .profile(target), .space(.lab)])
    let toLab = try ICCTransform(from: .profile(target), to: .space(.lab))
    let color = [0.2, 0.5, 0.9]
    #expect(zip(chain(color), toLab(alone(color))).allSatisfy { abs($0 - $1) < 1e-9 })

    var effect = ParsedProfile(version: 2, profileClass: "abst", space: "Lab ", connection: "Lab ")
    effect.tags["A2B0"] = TableProfile.table(.mft2, "", inputs: 3, outputs: 3, grid: 2) { lab in
      [lab[0], lab[1], lab[2]]
    }
    let abstract = try ICCProfile(bytes: effect.bytes)
    let through = try ICCTransform([
      .space(.displayP3), .profile(abstract), .space(.displayP3),
    ])
    let parts = try [
      [.space(.displayP3), .space(.lab)], [.profile(abstract)], [.space(.lab), .space(.displayP3)],
    ].map { try ICCTransform($0 as [ICCTransform.Link]) }
    let (found, expected) = (through(color), parts.reduce(color) { $1($0) })
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(found), \(expected)")
    // The test's input curves bend all three channels.
    #expect(zip(found, color).contains { abs($0 - $1) > 0.01 })
  }

  /// Little CMS interpolates tables of four inks to Lab tetrahedrally, in links as in profiles of presses.
  @Test(arguments: [TableProfile.Kind.mft2, .mAB])
  func linksFromInksToLabInterpolateLikePresses(kind: TableProfile.Kind) throws {
    let press = TableProfile.profile(kind, space: "CMYK", channels: 4, version: 4)
    var link = ParsedProfile(version: 4, profileClass: "link", space: "CMYK", connection: "Lab ")
    link.tags["A2B0"] = press.tags["A2B0"]
    let (direct, linked) = (
      try ICCTransform(from: .profile(ICCProfile(bytes: press.bytes)), to: .space(.lab)),
      try ICCTransform([.profile(ICCProfile(bytes: link.bytes))])
    )
    for inks in [[0.1, 0.2, 0.3, 0.4], [0.7, 0.6, 0.1, 0.2], [0.9, 0.3, 0.6, 0]] {
      #expect(zip(direct(inks), linked(inks)).allSatisfy { abs($0 - $1) < 1e-9 }, "\(inks)")
    }
  }

  @Test func mismatchedProfilesAreExplained() throws {
    var link = ParsedProfile(version: 4, profileClass: "link", space: "RGB ", connection: "CMYK")
    link.tags["A2B0"] = TableProfile.table(.mft2, "", inputs: 3, outputs: 4, grid: 2) { _ in
      [0, 0, 0, 0]
    }
    let deviceLink = try ICCProfile(bytes: link.bytes)
    let error = #expect(throws: ICCProfileError.self) {
      try ICCTransform(from: .space(.sRGB), to: .profile(deviceLink))
    }
    #expect(error?.description.contains("RGB") == true)
    let oneWay = try ICCProfile(
      bytes: {
        var profile = TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2)
        profile.tags["B2A0"] = nil
        profile.tags["B2A1"] = nil
        return profile.bytes
      }())
    #expect(throws: ICCProfileError.missingTag("B2A0")) {
      try ICCTransform(from: .space(.sRGB), to: .profile(oneWay))
    }
  }

  @Test func floatingPointElementsAreRefusedForTheirIntentAlone() throws {
    var profile = TableProfile.profile(.mft2, space: "CMYK", channels: 4, version: 2)
    profile.tags["D2B0"] = Array("mpet".utf8) + [0, 0, 0, 0]
    let parsed = try ICCProfile(bytes: profile.bytes)
    let error = #expect(throws: ICCProfileError.self) {
      try ICCTransform(from: .profile(parsed), to: .space(.lab), intent: .perceptual)
    }
    #expect(error?.description.contains("D2B0") == true)
    #expect(throws: Never.self) { try ICCTransform(from: .profile(parsed), to: .space(.lab)) }
  }

  @Test func unsupportedVersionIsRefusedByName() throws {
    let profile = ParsedProfile(version: 5, profileClass: "mntr", space: "RGB ", connection: "XYZ ")
    var filled = profile
    filled.tags["desc"] = Array("text".utf8) + [0, 0, 0, 0]
    let error = #expect(throws: ICCProfileError.self) {
      try ICCTransform(from: .profile(ICCProfile(bytes: filled.bytes)), to: .space(.lab))
    }
    #expect(error?.description.contains("iccMAX") == true)
  }

  @Test(arguments: TableProfile.Kind.allCases)
  func spacesOfLUTProfilesRoundTrip(kind: TableProfile.Kind) throws {
    let profile = try ICCProfile(
      bytes: TableProfile.profile(
        kind, space: "RGB ", channels: 3, version: kind == .mAB ? 4 : 2
      ).bytes)
    let space = try profile.colorSpace(intent: .relativeColorimetric)
    let toLab = try ICCTransform(from: .profile(profile), to: .space(.lab))
    for color in [[0.0, 0, 0], [0.2, 0.6, 0.9], [1, 1, 1]] {
      let ours = ColorPoint(color[0], color[1], color[2], in: space).converted(to: .lab).components
      for (channel, lab) in toLab(color).enumerated() {
        // Through D65 and back: the D50 of Lab and that of profiles differ in the fifth digit.
        #expect(abs(ours[channel] - lab) < 0.01)
      }
    }
    #expect(try ICCProfile(describing: space) == profile)
  }

  @Test func scannerProfilesAreInvertedBySearch() throws {
    var profile = ParsedProfile(version: 2, profileClass: "scnr", space: "RGB ", connection: "Lab ")
    profile.tags["A2B0"] = TableProfile.table(.mft2, "", inputs: 3, outputs: 3, grid: 5) { rgb in
      let light = 0.3 * rgb[0] + 0.6 * rgb[1] + 0.1 * rgb[2]
      return [light, 0.5 + 0.3 * (rgb[0] - rgb[1]), 0.5 + 0.3 * (light - rgb[2])]
    }
    let space = try ICCProfile(bytes: profile.bytes).colorSpace()
    var random = SeededGenerator(seed: 3)
    for _ in 0..<50 {
      let color = SIMD3<Double>.random(in: 0...1, using: &random)
      let back = ColorPoint(color, in: space).converted(to: .lab).converted(to: space).components
      // The accuracy of Newton's method in double precision with differences of 10⁻⁶.
      for channel in 0..<3 { #expect(abs(back[channel] - color[channel]) < 1e-6) }
    }
  }

  @Test func cmykProfilesAreNoSpaces() throws {
    let error = #expect(throws: ICCProfileError.self) { try press(2).colorSpace() }
    #expect(error?.description.contains("4 channels") == true)
  }

  /// A transform takes their values in units of the PCS, and a color space has values of 0…1.
  @Test(arguments: ["Lab ", "XYZ "])
  func profilesOfConnectionValuesAreNoSpaces(space: String) throws {
    var parsed = ParsedProfile(version: 2, profileClass: "spac", space: space, connection: "Lab ")
    let table = TableProfile.table(.mft2, "", inputs: 3, outputs: 3, grid: 2) { $0 }
    parsed.tags = ["A2B0": table, "B2A0": table]
    let profile = try ICCProfile(bytes: parsed.bytes)
    let error = #expect(throws: ICCProfileError.self) { try profile.colorSpace() }
    guard case .unsupported(let sentence) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(sentence.contains("whose values are \(profile.modelName) "), "\(sentence)")
    #expect(try ICCTransform(from: .profile(profile), to: .space(.lab)).inputCount == 3)
  }

  @Test func chainsWithoutLinksAreRefused() {
    #expect(throws: ICCProfileError.self) { try ICCTransform([]) }
  }
}
