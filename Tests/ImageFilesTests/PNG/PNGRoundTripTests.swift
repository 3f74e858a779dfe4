import ColorSpaces
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Written files read bit for bit, with their color space.
@Suite struct PNGRoundTripTests {
  func noise<Sample: PixelSample & FixedWidthInteger & UnsignedInteger>(
    _ size: PixelSize, in space: ColorSpace, _ channels: Channels,
    _ arrangement: Arrangement = .interleaved
  ) -> Bitmap<Sample> {
    var random = SeededGenerator(seed: 7)
    return Bitmap(size, in: space, channels: channels, arrangement: arrangement) { _, _ in
      (0..<channels.count).map { _ in Sample.random(in: .min ... .max, using: &random) }
    }
  }

  /// A space has a profile or code points if it has a curve for each channel; others are an error.
  @Test(arguments: ColorSpace.all)
  func everyNamedSpaceKeepsItsNameAndItsBits(space: ColorSpace) throws {
    let channels: Channels = space.isGray ? .grayAlpha : .rgba
    let bitmap: Bitmap<UInt16> = noise(PixelSize(13, 7), in: space, channels)
    guard space.transfer.curves != nil else {
      #expect(throws: ImageFileError.self) { try ImageFile.encode(AnyBitmap(bitmap), as: .png) }
      return
    }
    let read = try ImageFile.read(bytes: ImageFile.encode(AnyBitmap(bitmap), as: .png))
    guard case .uint16(let pixels) = read else {
      Issue.record("16 bits became \(read.format)")
      return
    }
    #expect(pixels == bitmap)
  }

  @Test(arguments: [ColorSpace.rec2100PQ, .rec2100HLG, .displayP3PQ])
  func highDynamicRangeKeepsItsSpaceByCodePoints(space: ColorSpace) throws {
    let bitmap: Bitmap<UInt16> = noise(PixelSize(13, 7), in: space, .rgb)
    let read = try ImageFile.read(bytes: ImageFile.encode(AnyBitmap(bitmap), as: .png))
    #expect(read.space == space)
  }

  @Test(arguments: [Channels.gray, .grayAlpha, .rgb, .rgba], [Arrangement.interleaved, .planar])
  func allChannelsAndArrangements(channels: Channels, arrangement: Arrangement) throws {
    let small: Bitmap<UInt8> = noise(PixelSize(70, 3), in: .sRGB, channels, arrangement)
    guard
      case .uint8(let read) = try ImageFile.read(
        bytes: ImageFile.encode(AnyBitmap(small), as: .png))
    else {
      Issue.record("8 bits became something else")
      return
    }
    #expect(read == small)
    let large: Bitmap<UInt16> = noise(PixelSize(1, 300), in: .displayP3, channels, arrangement)
    guard
      case .uint16(let read) = try ImageFile.read(
        bytes: ImageFile.encode(AnyBitmap(large), as: .png))
    else {
      Issue.record("16 bits became something else")
      return
    }
    #expect(read == large)
  }

  @Test func grayInASpaceWithoutCodePointsKeepsItsCurve() throws {
    let bitmap: Bitmap<UInt8> = noise(PixelSize(4, 4), in: .adobeRGB, .gray)
    let read = try ImageFile.read(bytes: ImageFile.encode(AnyBitmap(bitmap), as: .png))
    #expect(read.space.transfer == ColorSpace.adobeRGB.transfer)
  }

  @Test func customSpaceRoundTrips() throws {
    let space = ColorSpace("Prüf", primaries: .p3, transfer: .gamma(2.2))
    let bitmap: Bitmap<UInt8> = noise(PixelSize(4, 4), in: space, .rgb)
    let read = try ImageFile.read(bytes: ImageFile.encode(AnyBitmap(bitmap), as: .png))
    #expect(read.space.isInterchangeable(with: space))
    #expect(read.space.name == "Prüf")
  }

  @Test func unsupportedPicturesAreRefused() throws {
    let float = AnyBitmap(Bitmap<Float>(PixelSize(2, 2), in: .sRGB))
    #expect(throws: ImageFileError.unsupportedSamples(.float32, format: .png)) {
      try ImageFile.encode(float, as: .png)
    }
    let premultiplied = AnyBitmap(Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, alpha: .premultiplied))
    #expect(throws: ImageFileError.unsupportedAlpha(.premultiplied, format: .png)) {
      try ImageFile.encode(premultiplied, as: .png)
    }
    // Without alpha there is nothing to premultiply.
    let opaque = Bitmap<UInt8>(PixelSize(2, 2), in: .sRGB, channels: .rgb, alpha: .premultiplied)
    _ = try ImageFile.encode(AnyBitmap(opaque), as: .png)
  }

  @Test func progressRisesToOne() throws {
    let bitmap: Bitmap<UInt8> = noise(PixelSize(16, 1000), in: .sRGB, .rgb)
    var steps: [Double] = []
    let bytes = try ImageFile.encode(AnyBitmap(bitmap), as: .png) { steps.append($0) }
    #expect(steps.count > 10 && steps == steps.sorted() && steps.last == 1)
    steps = []
    _ = try ImageFile.read(bytes: bytes) { steps.append($0) }
    #expect(steps.count > 10 && steps == steps.sorted() && steps.last == 1)
  }
}
