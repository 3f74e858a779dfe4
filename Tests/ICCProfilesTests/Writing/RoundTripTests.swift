import ColorSpaces
import ICCProfiles
import Testing
import _TestSupport

@Suite struct RoundTripTests {
  /// Every named space with a curve per channel.
  static let spaces = ColorSpace.all.filter { $0.transfer.curves != nil }
  @Test(arguments: spaces, [ICCProfile.FormatVersion.v2, .v4])
  func everyNamedSpaceComesBackFromItsProfile(
    space: ColorSpace, version: ICCProfile.FormatVersion
  ) throws {
    let profile = try ICCProfile(describing: space, version: version)
    let read = try ICCProfile(bytes: profile.bytes)
    #expect(read == profile && read.isGray == space.isGray)
    #expect(read.version == (version == .v2 ? "2.4" : profile.version))
    #expect(try read.colorSpace() == space)
  }

  @Test(arguments: spaces)
  func bytesAreReproducible(space: ColorSpace) throws {
    let (first, second) = (try ICCProfile(describing: space), try ICCProfile(describing: space))
    #expect(first.bytes == second.bytes)
  }

  @Test(arguments: spaces.filter { !$0.isGray })
  func colorantsSumToTheWhitePointExactly(space: ColorSpace) throws {
    let profile = ParsedProfile(try ICCProfile(describing: space).bytes)
    let sums = (0..<3).map { index in
      ["rXYZ", "gXYZ", "bXYZ"].reduce(0) { $0 + profile.integers(in: $1)[index] }
    }
    // With tables that exceed white, the colorants are scaled by the largest value; parametric curves exceed white
    // themselves.
    #expect(
      [1, space.transfer.decode(1)].contains { light in
        sums.map(Double.init) == [0xF6D6, 0x1_0000, 0xD32D].map { (Double($0) * light).rounded() }
      })
  }

  @Test func displayP3TakesAsManyBytesAsTheGuideSays() throws {
    #expect(try ICCProfile(describing: .displayP3).bytes.count == 480)
  }

  @Test func profilesStateTheirIdentifier() throws {
    let profile = try ICCProfile(describing: .displayP3)
    #expect(profile.hasValidIdentifier == true)
    var bytes = profile.bytes
    // Embedding may change the intent, but not the values.
    bytes[67] = 1
    #expect(try ICCProfile(bytes: bytes).hasValidIdentifier == true)
    bytes[bytes.count - 1] ^= 1
    #expect(try ICCProfile(bytes: bytes).hasValidIdentifier == false)
    #expect(try ICCProfile(describing: .displayP3, version: .v2).hasValidIdentifier == nil)
  }

  // RFC 1321, A.5.
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
    (
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
      "d174ab98d277d9f5a5611c2c9f419d9f"
    ),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func md5EqualsTheStandard(text: String, digest: String) {
    let bytes = md5(Array(text.utf8))
    let digits = Array("0123456789abcdef")
    #expect(String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }) == digest)
  }

  @Test func recognizedProfilesReportTheirDifference() throws {
    let recognition = try #require(try ICCProfile(describing: .displayP3).recognized)
    #expect(recognition.space == .displayP3)
    // Values are stored in steps of 1/65,536.
    #expect(recognition.distance < 0.01)
    let old = try #require(try ICCProfile(describing: .adobeRGB, version: .v2).recognized)
    #expect(old.space == .adobeRGB && old.distance < 0.01)
    let table = TableProfile.profile(.mft2, space: "RGB ", channels: 3, version: 2)
    #expect(try ICCProfile(bytes: table.bytes).recognized == nil)
    // Steps of 1/65,536 in three colorants and in the curves' constants, and the slope of the curves over a step of the grid.
    #expect(try #require(recognition.bound) < 2e-4)
    #expect(try #require(old.bound) < 2e-4)
  }

  /// The bound holds for colors between those by which it is found, and is not far above the largest difference of them.
  @Test(arguments: [ColorSpace.displayP3, .adobeRGB, .proPhoto, .rec2020])
  func boundsOfRecognitionHold(space: ColorSpace) throws {
    let profile = try ICCProfile(describing: space, version: .v2)
    let recognition = try #require(profile.recognized)
    let bound = try #require(recognition.bound)
    let (own, its) = (
      try ICCTransform(from: .profile(profile), to: .space(.xyzD50)),
      try ICCTransform(from: .space(recognition.space), to: .space(.xyzD50))
    )
    var largest = 0.0
    for index in 0..<20_000 {
      // Spread evenly; two of three beyond the ends too, so that corners and edges, where sums are largest, are met.
      let color = [0.8191725134, 0.6710436067, 0.5497004779].map { step in
        let place = (Double(index) * step).truncatingRemainder(dividingBy: 1)
        return index % 3 == 0 ? place : min(max(2 * place - 0.5, 0), 1)
      }
      for (a, b) in zip(own(color), its(color)) { largest = larger(largest, abs(a - b)) }
    }
    #expect(largest <= bound && bound < 20 * largest + 2e-4, "\(largest), \(bound)")
  }

  /// A table of the profile's own curves and colorants is recognized with them.
  @Test func profilesOfTablesAndGrayProfilesHaveNoBound() throws {
    let recognition = try #require(
      ICCProfile(bytes: TablePrecedenceTests.profile(exponent: 563 / 256.0).bytes).recognized)
    #expect(recognition.space == .adobeRGB && recognition.distance < 0.01)
    #expect(recognition.bound == nil)
    let gray = try #require(ICCProfile(describingGraysOf: .sRGB).recognized)
    #expect(gray.bound == nil)
  }

  @Test(arguments: [(ColorSpace.sRGB, [1, 13, 0, 1]), (.displayP3, [12, 13, 0, 1])])
  func spacesWithCodePointsCarryThem(space: ColorSpace, points: [UInt8]) throws {
    let profile = ParsedProfile(try ICCProfile(describing: space).bytes)
    #expect(Array(try #require(profile.tags["cicp"]).suffix(4)) == points)
  }

  @Test func customSpaceKeepsItsConstants() throws {
    let space = ColorSpace(
      "Studio",
      primaries: Primaries(
        red: .init(0.66, 0.32), green: .init(0.25, 0.66), blue: .init(0.14, 0.07)),
      transfer: TransferFunction(
        "offset",
        decoding: PowerCurve(
          scale: 0.95, shift: 0.02, exponent: 2.3, offset: 0.01, slope: 0.1, intercept: 0.002,
          threshold: 0.05)))
    let read = try ICCProfile(describing: space).colorSpace()
    #expect(read.name == "Studio")
    #expect(read.isInterchangeable(with: space))
  }

  @Test func tableKeepsItsValues() throws {
    let values = (0..<300).map { Float($0 * $0) / (299 * 299) }
    let space = ColorSpace(
      "Table", primaries: .p3, transfer: TransferFunction("squares", decodingTable: values))
    let read = try ICCProfile(describing: space).colorSpace()
    for step in 0...1000 {
      let x = Double(step) / 1000
      #expect(abs(read.transfer.decode(x) - space.transfer.decode(x)) < 1 / 65_535)
    }
  }

  @Test func unrepresentableSpaceIsRefused() throws {
    let curve = PowerCurve(scale: 40_000, exponent: 1, slope: 40_000)
    let space = ColorSpace(
      "Too steep", primaries: .rec709, transfer: TransferFunction("steep", decoding: curve))
    #expect(throws: ICCProfileError.self) { try ICCProfile(describing: space) }
  }

  /// Readers accept parametric curves with exponents of 0.05…20 alone.
  @Test(
    arguments: [25, 21.5, 0.04, 0.000_001], [ICCProfile.FormatVersion.v2, .v4])
  func exponentsBeyondThoseOfReadersBecomeTables(
    exponent: Double, version: ICCProfile.FormatVersion
  ) throws {
    let space = ColorSpace("Steep", primaries: .p3, transfer: .gamma(exponent))
    let read = try ICCProfile(describing: space, version: version).colorSpace()
    for step in 0...4096 {
      let x = Double(step) / 4096
      #expect(abs(read.transfer.decode(x) - space.transfer.decode(x)) < 1 / 65_535)
    }
  }

  @Test(arguments: [1e-12, 1e-6, 2e4], [ICCProfile.FormatVersion.v2, .v4])
  func curvesThatReadersRefuseAreNotWritten(
    scale: Double, version: ICCProfile.FormatVersion
  ) throws {
    let curve = PowerCurve(scale: scale, exponent: 1, slope: scale)
    let space = ColorSpace(
      "Unusual", primaries: .rec709, transfer: TransferFunction("line", decoding: curve))
    // In version 2, values above white are a table of their own unit.
    if scale > 1, version == .v2 {
      #expect(throws: Never.self) { try ICCProfile(describing: space, version: version) }
      return
    }
    let error = #expect(throws: ICCProfileError.self) {
      try ICCProfile(describing: space, version: version)
    }
    guard case .cannotDescribe("Unusual", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// The line through green and blue separates the red primary from the white point, so that the luminance of red is negative.
  @Test(arguments: [ICCProfile.FormatVersion.v2, .v4])
  func spacesWithWhiteOutsideOfTheirTriangleComeBack(version: ICCProfile.FormatVersion) throws {
    let space = ColorSpace(
      "Outside",
      primaries: Primaries(
        red: Chromaticity(0.62, 0.3), green: Chromaticity(0.55, 0.67),
        blue: Chromaticity(0.42, 0.1), white: Chromaticity(0.34, 0.35)), transfer: .gamma(2.2))
    #expect(space.primaries.toXYZ.column0.y < 0)
    let read = try ICCProfile(describing: space, version: version).colorSpace()
    let color = SIMD3(0.2, 0.7, 0.5)
    let (stored, known) = (
      ColorPoint(color, in: read).converted(to: .xyzD50).components,
      ColorPoint(color, in: space).converted(to: .xyzD50).components
    )
    for channel in 0..<3 { #expect(abs(stored[channel] - known[channel]) < 2e-4) }
  }

  /// A white point next to the line through two primaries, and one that is that of no lamp.
  @Test(arguments: [Chromaticity(0.46999, 0.46499), Chromaticity(0.7, 0.29)])
  func profilesThatReadersWouldRefuseAreNotWritten(white: Chromaticity) {
    var primaries = Primaries.rec709
    primaries.white = white
    let space = ColorSpace("Unusual", primaries: primaries, transfer: .gamma(2.2))
    for version in [ICCProfile.FormatVersion.v2, .v4] {
      let error = #expect(throws: ICCProfileError.self) {
        try ICCProfile(describing: space, version: version)
      }
      guard case .cannotDescribe("Unusual", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  /// A custom space with an unnamed curve, with negative values and values far above white.
  @Test(arguments: [ICCProfile.FormatVersion.v2, .v4])
  func customLogCurveKeepsItsLinearValues(version: ICCProfile.FormatVersion) throws {
    let curve = SegmentedCurve([
      .line(slope: 4, intercept: 0.1),
      .log(base: 10, from: 0.01, slope: 5, shift: 0.02, scale: 0.31, offset: 0.497),
    ])
    let space = ColorSpace(
      "Studio log", primaries: .rec2020, transfer: TransferFunction("own", encoding: curve))
    let profile = try ICCProfile(describing: space, version: version)
    let read = try profile.colorSpace()
    #expect(read.linear.isInterchangeable(with: space.linear))
    let largest = space.transfer.decode(1)
    for step in 0...1000 {
      let stored = SIMD3(repeating: Double(step) / 1000)
      let (light, found) = (max(space.transfer.decode(stored.x), 0), read.transfer.decode(stored).x)
      // Half a step of the table, and the interpolation error of its 4,097 entries, one interval of which contains the
      // kink of the linear toe.
      #expect(abs(found - light) <= largest * 0.5 / 65_535 + light * 1e-5 + 2e-4)
    }
    #expect(try ICCProfile(describing: read).bytes == profile.bytes)
  }

  @Test(arguments: spaces)
  func grayProfileOfASpaceRoundTrips(space: ColorSpace) throws {
    let profile: ICCProfile
    do {
      profile = try ICCProfile(describingGraysOf: space)
    } catch ICCProfileError.cannotDescribe(let name, _) {
      // Gray profiles have only a curve, which ends at white.
      #expect(name == space.name && space.transfer.decode(1) > 1)
      return
    }
    #expect(profile.isGray)
    #expect(try profile.colorSpace() == space)
  }

  /// A space that was read from lookup tables, or from a curve for each channel, is written as its RGB profile only.
  @Test(arguments: ["rgb-mft2-lab-v2", "curves-differ"])
  func spacesOfRGBProfilesHaveNoGrayProfile(name: String) throws {
    let profile = try fixture(name)
    let space = try profile.colorSpace()
    #expect(try ICCProfile(describing: space) == profile)
    let error = #expect(throws: ICCProfileError.self) {
      try ICCProfile(describingGraysOf: space)
    }
    guard case .cannotDescribe(space.name, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Lab and XYZ are named spaces, and still no RGB.
  @Test(arguments: [ColorSpace.lab, .xyzD65, .hsl])
  func coordinatesHaveNoProfile(space: ColorSpace) {
    let error = #expect(throws: ICCProfileError.self) { try ICCProfile(describing: space) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("not RGB") && text.contains("Convert to an RGB space"), "\(text)")
  }

  @Test func grayProfileOfLightnessComesBack() throws {
    let profile = try fixture("gray-lab-v2")
    #expect(try ICCProfile(describingGraysOf: profile.colorSpace()) == profile)
  }

  private func fixture(_ name: String) throws -> ICCProfile {
    try ICCProfile(bytes: Fixtures.bytes("Profiles/\(name).icc"))
  }

  @Test func otherGrayProfilesBecomeGraySpaces() throws {
    let space = ColorSpace(
      "Studio gray", primaries: .rec709, transfer: .gamma(1.5), isGray: true)
    let read = try ICCProfile(describing: space).colorSpace()
    #expect(read == space)
    var parsed = ParsedProfile(try ICCProfile(describingGraysOf: .sRGB).bytes)
    parsed.tags["desc"] = nil
    #expect(try ICCProfile(bytes: parsed.bytes).colorSpace() == .sGray)
  }
}
