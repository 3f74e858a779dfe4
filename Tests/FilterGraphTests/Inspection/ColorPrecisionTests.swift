import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The precision of the source determines the colors that count as out of gamut.
@Suite struct ColorPrecisionTests {
  private static let spaces: [ColorSpace] = [
    .displayP3, .rec2020, .adobeRGB, .proPhoto, .rec2100PQ, .rec2100HLG, .displayP3.linear,
    .acescg,
  ]

  /// Colors of sRGB, many of them on its surface.
  private static let narrow = Bitmap<Float>(
    PixelSize(18 * 18, 18), in: .sRGB, channels: .rgb
  ) { x, y in [Float(x / 18) / 17, Float(x % 18) / 17, Float(y) / 17] }

  private func stored<Sample: PixelSample>(
    as _: Sample.Type, in space: ColorSpace
  ) throws -> Picture {
    Picture(try Picture(Self.narrow).converted(to: space).render(as: Sample.self))
  }

  /// Quantization moves no color of sRGB out of gamut; without the tolerance it moves many.
  @Test(arguments: spaces) func quantizationMovesNoColorOutOfGamut(space: ColorSpace) throws {
    let pictures = [
      try stored(as: UInt8.self, in: space), try stored(as: UInt16.self, in: space),
      try stored(as: Float16.self, in: space), try stored(as: Float.self, in: space),
    ]
    for picture in pictures {
      let format = picture.sourcePrecisions[0].format
      #expect(try picture.fractionOutside(.sRGB) == 0, "\(format)")
      #expect(try picture.firstPixel(outside: .sRGB) == nil, "\(format)")
      let mask = try picture.gamutMask(outside: .sRGB, marking: .mask).render(as: UInt8.self)
      #expect((0..<mask.size.height).allSatisfy { y in mask.row(y).allSatisfy { $0 == 0 } })
      if format != .float32 {
        #expect(try picture.fractionOutside(.sRGB, tolerance: 0) > 0.01, "\(format)")
      }
    }
  }

  /// Half a code in each channel, exactly: the lowest green to which a color of sRGB may have been rounded is in gamut,
  /// the next lower one is not.
  @Test func toleranceIsHalfACode() throws {
    let transfer = ColorSpace.displayP3.transfer
    let row = ColorSpace.displayP3.matrix(to: .sRGB).rows[1]
    for red in stride(from: 100, through: 220, by: 10) {
      // Of the reds that round to this one, sRGB needs the least green for the darkest; and half a code less may be
      // stored.
      let light = transfer.decode((Double(red) - 0.5) / 255)
      let lowest = 255 * transfer.encode(-row.x * light / row.y) - 0.5
      for code in Int(lowest) - 1...Int(lowest) + 2 where abs(Double(code) - lowest) > 0.1 {
        let pixel = Bitmap<UInt8>(PixelSize(1, 1), in: .displayP3, channels: .rgb) { _, _ in
          [UInt8(red), UInt8(code), UInt8(code)]
        }
        let isOutside = try Picture(pixel).firstPixel(outside: .sRGB) != nil
        #expect(isOutside == (Double(code) < lowest), "red \(red), green \(code) of \(lowest)")
      }
    }
  }

  /// Out-of-gamut colors are found in every format and space that represents them.
  @Test(arguments: spaces) func outOfGamutColorsAreFound(space: ColorSpace) throws {
    let primaries = Bitmap<Float>(PixelSize(3, 1), in: .displayP3, channels: .rgb) { x, _ in
      (0..<3).map { $0 == x ? 1 : 0 }
    }
    let converted = Picture(primaries).converted(to: space)
    // Adobe RGB represents the green alone.
    let expected = space == .adobeRGB ? 1.0 / 3 : 1
    for part in [
      try Picture(converted.render(as: UInt8.self)).fractionOutside(.sRGB),
      try Picture(converted.render(as: UInt16.self)).fractionOutside(.sRGB),
      try Picture(converted.render(as: Float16.self)).fractionOutside(.sRGB),
    ] { #expect(part >= expected, "\(space)") }
  }

  @Test func precisionsAreThoseOfTheSources() throws {
    let bytes = Picture(TestPictures.codes(as: UInt8.self, in: .displayP3))
    let halves = Picture(
      try Picture(TestPictures.floats(in: .rec2020)).render(as: Float16.self))
    #expect(
      bytes.exposure(1).converted(to: .sRGB).sourcePrecisions
        == [ColorPrecision(.uint8, in: .displayP3)])
    #expect(bytes.tagged(as: .adobeRGB).sourcePrecisions == [ColorPrecision(.uint8, in: .adobeRGB)])
    #expect(
      Set(halves.composited(onto: bytes).sourcePrecisions) == [
        ColorPrecision(.uint8, in: .displayP3), ColorPrecision(.float16, in: .rec2020),
      ])
    let painted = Picture(Canary(size: PixelSize(96, 32)), in: .displayP3)
    #expect(painted.sourcePrecisions == [ColorPrecision(.float32, in: .displayP3)])
    #expect(
      bytes.sourcePrecisions[0].description == "half a code of 8 bits in Display P3")
    #expect(
      ColorPrecision(.uint8, in: .sRGB, compressionError: 20.0 / 255).description
        == "half a code of 8 bits and 20.0 codes for compression in sRGB")
  }

  /// Half a code of a premultiplied sample is a larger part of the color for a lower alpha.
  @Test func premultipliedSamplesAreLessPrecise() throws {
    let source = Bitmap<Float>(PixelSize(256, 40), in: .sRGB) { x, y in
      [Float(x) / 255, 0, 1, Float(y + 1) / 40]
    }
    var stored = Bitmap<UInt8>(
      source.size, in: .displayP3, channels: .rgba, alpha: .premultiplied)
    try Picture(source).render(into: &stored)
    #expect(try Picture(stored).fractionOutside(.sRGB) == 0)
    #expect(try Picture(stored).fractionOutside(.sRGB, tolerance: 0) > 0)
  }

  /// Infinite and huge values are out of gamut in any channel, beside whatever others, by every measure; NaN is not.
  @Test(arguments: [Double?.none, 0, 1000])
  func infiniteValuesAreOutOfGamut(tolerance: Double?) throws {
    let values: [Float] = [.infinity, -.infinity, 3e38, -3e38]
    var colors: [[Float]] = []
    for value in values {
      colors += [[value, 0, 0], [0, value, 0], [0.5, 3, value], [value, value, value]]
      colors += [[value, -value, 0.25], [value, 0, value]]
    }
    colors += [[.nan, 0, 0], [0.5, .nan, .infinity]]
    // More than a block of kernels, most of it in gamut.
    let width = 700
    for space in [ColorSpace.linearSRGB, .linearDisplayP3] {
      let picture = Picture(
        Bitmap<Float>(PixelSize(width, 1), in: space, channels: .rgb) { x, _ in
          x % 20 == 3 && x / 20 < colors.count ? colors[x / 20] : [0.5, 0.4, 0.45]
        })
      let outside = Double(colors.count - 2) / Double(width)
      for gamut in [ColorSpace.sRGB, .displayP3] {
        #expect(
          abs(try picture.fractionOutside(gamut, tolerance: tolerance) - outside) < 1e-9,
          "\(space) in \(gamut)")
      }
    }
  }

  /// Stored values that decode to infinity, with a curve that saturates too, as PQ does.
  @Test(arguments: [ColorSpace.sRGB, .displayP3, .rec2100PQ])
  func infiniteSamplesAreOutOfGamut(space: ColorSpace) throws {
    let stored = Picture(
      Bitmap<Float>(PixelSize(1, 1), in: space, channels: .rgb) { _, _ in [.infinity, 0, 0] })
    #expect(try stored.fractionOutside(.sRGB) == 1)
  }
}
