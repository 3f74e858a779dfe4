import ColorSpaces
import ICCProfiles
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: ColorSpace.named)
  func everyNamedSpaceComesBackFromItsProfile(space: ColorSpace) throws {
    let profile = try ICCProfile(describing: space)
    #expect(profile.description == space.name)
    let read = try ICCProfile(bytes: profile.bytes)
    #expect(read == profile)
    #expect(try read.colorSpace() == space)
  }

  @Test(arguments: ColorSpace.named)
  func theSameSpaceMakesTheSameBytes(space: ColorSpace) throws {
    let (first, second) = (try ICCProfile(describing: space), try ICCProfile(describing: space))
    #expect(first.bytes == second.bytes)
  }

  @Test(arguments: ColorSpace.named)
  func theLightsAddUpToTheWhiteExactly(space: ColorSpace) throws {
    let profile = ParsedProfile(try ICCProfile(describing: space).bytes)
    for (index, white) in [0xF6D6, 0x1_0000, 0xD32D].enumerated() {
      let sum = ["rXYZ", "gXYZ", "bXYZ"].reduce(0) { $0 + profile.integers(in: $1)[index] }
      #expect(sum == white)
    }
  }

  @Test(arguments: [(ColorSpace.sRGB, [1, 13, 0, 1]), (.displayP3, [12, 13, 0, 1])])
  func spacesWithCodePointsCarryThem(space: ColorSpace, points: [UInt8]) throws {
    let profile = ParsedProfile(try ICCProfile(describing: space).bytes)
    #expect(Array(try #require(profile.tags["cicp"]).suffix(4)) == points)
  }

  @Test func aSpaceOfOnesOwnKeepsItsNumbers() throws {
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

  @Test func aTableKeepsItsValues() throws {
    let values = (0..<300).map { Float($0 * $0) / (299 * 299) }
    let space = ColorSpace(
      "Table", primaries: .p3, transfer: TransferFunction("squares", decodingTable: values))
    let read = try ICCProfile(describing: space).colorSpace()
    for step in 0...1000 {
      let x = Double(step) / 1000
      #expect(abs(read.transfer.decode(x) - space.transfer.decode(x)) < 1 / 65_535)
    }
  }

  @Test func aSpaceThatNoProfileCanHoldIsRefused() throws {
    let curve = PowerCurve(scale: 40_000, exponent: 1, slope: 40_000)
    let space = ColorSpace(
      "Too steep", primaries: .rec709, transfer: TransferFunction("steep", decoding: curve))
    #expect(throws: ICCProfileError.self) { try ICCProfile(describing: space) }
  }

  @Test(arguments: ColorSpace.named)
  func grayProfilesKeepTheCurve(space: ColorSpace) throws {
    let profile = try ICCProfile(describingGraysOf: space)
    #expect(profile.isGray)
    #expect(try profile.colorSpace().transfer.isInterchangeable(with: space.transfer, within: 1e-4))
  }
}
