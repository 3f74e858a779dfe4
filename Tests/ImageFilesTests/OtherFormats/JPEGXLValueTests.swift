#if JPEGXL
  import Colorloom
  import ImageFiles
  import Testing
  import _TestSupport

  /// Floating-point values for which libjxl's lossy encoder ends the process.
  @Suite struct JPEGXLValueTests {
    private static let size = PixelSize(16, 16)

    private func bitmap(_ value: Float, in space: ColorSpace = .linearSRGB) -> Bitmap<Float> {
      Bitmap(Self.size, in: space, channels: .rgb) { x, y in
        [x == 3 && y == 2 ? value : 0.5, 0.25, Float(x) / 16]
      }
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, 1e10, -1e10, 3e38, 20_000])
    func valuesThatCannotBeQuantizedAreRefused(value: Float) throws {
      let bitmap = bitmap(value)
      let error = ImageFileError.unsupportedValues(
        file: "JPEG XL data", 1, of: 3 * 256, limit: 10_000, format: .jpegXL)
      #expect(throws: error) { try ImageFile.encode(.float32(bitmap), as: .jpegXL) }
      #expect("\(error)".contains("1 of 768 samples are NaN, infinite or beyond ±10000"))
      let lossless = try ImageFile.encode(
        .float32(bitmap), as: .jpegXL, options: WritingOptions(isLossless: true))
      guard case .float32(let read) = try ImageFile.read(bytes: lossless) else {
        throw Failure("Floats became something else.")
      }
      #expect(read[3, 2, 0].bitPattern == value.bitPattern)
    }

    /// A few pixels of a few values, of which the lossless encoder made others.
    @Test(arguments: [Float.nan, 1, 1000, -65_504, 1e10])
    func smallLosslessPicturesAreKept(value: Float) throws {
      for side in [3, 4, 8, 9] {
        let bitmap = Bitmap<Float>(
          PixelSize(side, side), in: .linearSRGB, channels: .rgb
        ) { x, y in
          [x == 1 && y == 0 ? value : 0.5, 0.5, Float(x) / 8]
        }
        let bytes = try ImageFile.encode(
          .float32(bitmap), as: .jpegXL, options: WritingOptions(isLossless: true))
        guard case .float32(let read) = try ImageFile.read(bytes: bytes) else {
          throw Failure("Floats became something else.")
        }
        for y in 0..<side {
          #expect(read.row(y).map(\.bitPattern) == bitmap.row(y).map(\.bitPattern))
        }
      }
    }

    /// libjxl alters subnormal halves, so files with some hold single precision.
    @Test(arguments: [false, true]) func losslessHalvesAreKept(withSubnormals: Bool) throws {
      let bits = (0...UInt16.max).filter {
        let exponent = $0 >> 10 & 31
        return exponent != 31 && (withSubnormals || exponent != 0 || $0 & 1023 == 0)
      }
      let halves = Bitmap<Float16>(PixelSize(256, 83), in: .linearSRGB, channels: .rgb) { x, y in
        (0..<3).map { Float16(bitPattern: bits[(3 * (256 * y + x) + $0) % bits.count]) }
      }
      let bytes = try ImageFile.encode(
        .float16(halves), as: .jpegXL, options: WritingOptions(isLossless: true))
      let read = try ImageFile.read(bytes: bytes)
      let isHalf = if case .float16 = read { true } else { false }
      #expect(isHalf != withSubnormals)
      #expect(try read.converted(to: Float.self).samples == halves.samples.map { Float($0) })
    }

    @Test func halvesAreCheckedToo() throws {
      let halves = Bitmap<Float16>(Self.size, in: .linearSRGB, channels: .rgb) { x, y in
        [x == 3 && y == 2 ? .nan : 0.5, 0.25, 0]
      }
      #expect(throws: ImageFileError.self) { try ImageFile.encode(.float16(halves), as: .jpegXL) }
      // Without loss, libjxl makes infinity of NaN.
      let error = #expect(throws: ImageFileError.self) {
        try ImageFile.encode(
          .float16(halves), as: .jpegXL, options: WritingOptions(isLossless: true))
      }
      #expect(error?.description.contains("1 of 768 samples are NaN") == true)
    }

    /// Floats of 16 bits, of which 8 or 4 are exponent: half precision has too small a range, or too short a mantissa. libjxl's encoder
    /// wrote the file of 8, whose fifth byte states them.
    @Test(arguments: [(0x76, [0.5, 131_072]), (0x36, [1.875, 4])] as [(UInt8, [Float])])
    func floatsThatHalfPrecisionCannotHoldAreKept(exponents: UInt8, values: [Float]) throws {
      let bytes: [UInt8] = [
        0xFF, 0x0A, 0x00, 0x70, exponents, 0x40, 0xD1, 0x22, 0x08, 0x02, 0x01, 0x00,
        0x28, 0x00, 0x4B, 0x20, 0x24, 0xA8, 0x07, 0x07, 0x80, 0x1F, 0x00, 0x02,
      ]
      guard case .float32(let read) = try ImageFile.read(bytes: bytes) else {
        throw Failure("The values were reduced to half precision.")
      }
      #expect(read.row(0).map(\.self) == values)
    }

    /// The limit is one of linear values: 100 encoded by a power of 2.2 is more than 10,000.
    @Test func limitIsOneOfLinearValues() throws {
      #expect(throws: ImageFileError.self) {
        try ImageFile.encode(.float32(bitmap(100, in: .adobeRGB)), as: .jpegXL)
      }
      let usable: [(Float, ColorSpace)] = [
        (9000, .linearSRGB), (40, .adobeRGB), (1, .rec2100PQ),
      ]
      for (value, space) in usable {
        #expect(throws: Never.self) {
          try ImageFile.encode(.float32(bitmap(value, in: space)), as: .jpegXL)
        }
      }
    }
  }
#endif
