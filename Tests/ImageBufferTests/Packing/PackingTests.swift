import ColorSpaces
import ImageBuffer
import Testing
import _TestSupport

/// Packed pixel formats.
@Suite struct PackingTests {
  /// Every code of one field, with the other fields zero.
  @Test func tenBitCodesRoundTrip() {
    for code in UInt64(0)..<1024 {
      for shift in [0, 10, 20] as [UInt64] {
        for format in [PackedFormat.bgr10XR, .rgb10A2, .bgr10A2] {
          let bits = code << shift | 3 << (format == .bgr10XR ? 32 : 30)
          #expect(format.pack(format.unpack(bits)) == bits & 0xffff_ffff)
        }
      }
      for shift in [6, 22, 38] as [UInt64] {
        let bits = code << shift | 894 << 54
        #expect(PackedFormat.bgra10XR.pack(PackedFormat.bgra10XR.unpack(bits)) == bits)
      }
    }
    for alpha in UInt64(0)..<4 {
      #expect(PackedFormat.rgb10A2.unpack(alpha << 30).w == Float(alpha) / 3)
      #expect(PackedFormat.rgb10A2.pack(PackedFormat.rgb10A2.unpack(alpha << 30)) == alpha << 30)
    }
  }

  /// Apple's formula, (code − 384) / 510, and its hint: 8-bit codes are 2 · code + 384.
  @Test func extendedRangeEqualsApples() {
    let format = PackedFormat.bgr10XR
    for code in UInt64(0)..<1024 {
      let zero: Float = -384 / 510
      let expected = Float((Double(code) - 384) / 510)
      #expect(format.unpack(code) == SIMD4(zero, zero, expected, 1))
    }
    for byte in 0...255 {
      let color = SIMD4(repeating: Float(byte) / 255)
      let code = UInt64(2 * byte + 384)
      #expect(format.pack(color) == code | code << 10 | code << 20)
      #expect(
        PackedFormat.bgra10XR.pack(color) == (code | code << 16 | code << 32 | code << 48) << 6)
    }
    #expect(format.unpack(1023).z == Float(639) / 510)
    #expect(format.pack(SIMD4(9, -9, .nan, 1)) == 384 | 0 << 10 | 1023 << 20)
    #expect(format.pack(SIMD4(.infinity, -.infinity, 0, 1)) == 384 | 1023 << 20)
    // Alpha is clamped at both ends.
    #expect(PackedFormat.bgra10XR.unpack(0).w == 0)
    #expect(PackedFormat.bgra10XR.unpack(1023 << 54).w == 1)
    #expect(PackedFormat.bgra10XR.pack(SIMD4(0, 0, 0, 2)) >> 54 == 894)
  }

  @Test func unitValuesAreRoundedToNearest() {
    checkProperty("nearest of 1024", .float(in: -0.25...1.25)) { number in
      let code = PackedFormat.rgb10A2.pack(SIMD4(number, 0, 0, 0))
      let exact = min(max(Double(number), 0), 1) * 1023
      return abs(Double(code) - exact) <= 0.5
    }
    #expect(PackedFormat.rgb10A2.pack(SIMD4(1, 0, 0, 0)) == 1023)
    #expect(PackedFormat.bgr10A2.pack(SIMD4(1, 0, 0, 0)) == 1023 << 20)
    #expect(PackedFormat.rgb10A2.pack(SIMD4(.nan, 2, -1, .nan)) == 1023 << 10)
  }

  // MARK: - Shared exponents

  /// Every exponent with every code that is the pixel's largest.
  @Test func normalizedSharedExponentsRoundTrip() {
    for exponent in UInt64(0)..<32 {
      // At the least exponent there is no normalization.
      for code in UInt64(exponent == 0 ? 0 : 256)..<512 {
        for bits in [code, code << 9, code << 18, code | (code >> 1) << 9 | (code >> 2) << 18] {
          let packed = bits | exponent << 27
          #expect(PackedFormat.rgb9E5.pack(PackedFormat.rgb9E5.unpack(packed)) == packed)
        }
      }
    }
  }

  /// The algorithm of the extension's text in integers: the nearest value with the least exponent that represents all
  /// three channels, ties up.
  @Test func sharedExponentsAreRoundedByTheExtension() {
    let numbers = Generator<(Float, Float, Float)>.zip(
      .float(in: 0...2), .float(in: 0...2), .float(in: 0...2))
    checkProperty("rgb9e5", numbers, .int(in: -20...16), cases: 2000) { numbers, scale in
      let factor = Float(sign: .plus, exponent: scale, significand: 1)
      let color = SIMD4(numbers.0 * factor, numbers.1 * factor, numbers.2 * factor, 1)
      let bits = PackedFormat.rgb9E5.pack(color)
      let exponent = Int(bits >> 27)
      for channel in 0..<3 {
        let number = min(Double(color[channel]), 65_408)
        let step = Double(sign: .plus, exponent: exponent - 24, significand: 1)
        let code = Double(bits >> (9 * UInt64(channel)) & 511)
        guard code == (number / step + 0.5).rounded(.down) else { return false }
      }
      let most = min(Double(max(color.x, color.y, color.z)), 65_408)
      let finer = Double(sign: .plus, exponent: exponent - 25, significand: 1)
      return exponent == 0 || (most / finer + 0.5).rounded(.down) > 511
    }
    #expect(
      PackedFormat.rgb9E5.unpack(PackedFormat.rgb9E5.pack(SIMD4(1, 0.5, 0, 1)))
        == SIMD4(1, 0.5, 0, 1))
    #expect(PackedFormat.rgb9E5.pack(SIMD4(.infinity, -1, .nan, 1)) == 511 | 31 << 27)
    #expect(PackedFormat.rgb9E5.unpack(511 | 31 << 27).x == 65_408)
    // The carry into the next exponent.
    #expect(PackedFormat.rgb9E5.unpack(PackedFormat.rgb9E5.pack(SIMD4(0.99999, 0, 0, 1))).x == 1)
  }

  @Test func normalizedRGBERoundTrips() {
    // 10⁻³² has the exponent 22 of 128 − 106; all exponents above have every code.
    for exponent in UInt64(23)..<256 {
      for code in UInt64(128)..<256 {
        for bits in [code, code << 8, code << 16, code | (code >> 1) << 8 | (code >> 2) << 16] {
          let packed = bits | exponent << 24
          #expect(PackedFormat.rgbe.pack(PackedFormat.rgbe.unpack(packed)) == packed)
        }
      }
    }
    for bits in UInt64(0)..<256 { #expect(PackedFormat.rgbe.unpack(bits) == SIMD4(0, 0, 0, 1)) }
  }

  @Test func rgbeIsRoundedDown() {
    let numbers = Generator<(Float, Float, Float)>.zip(
      .float(in: 0...2), .float(in: 0...2), .float(in: 0...2))
    checkProperty("rgbe", numbers, .int(in: -90...120), cases: 2000) { numbers, scale in
      let factor = Float(sign: .plus, exponent: scale, significand: 1)
      let color = SIMD4(numbers.0 * factor, numbers.1 * factor, numbers.2 * factor, 1)
      let seen = PackedFormat.rgbe.unpack(PackedFormat.rgbe.pack(color))
      let step = max(color.x, color.y, color.z) / 128
      return (0..<3).allSatisfy { seen[$0] <= color[$0] && color[$0] - seen[$0] < step }
    }
    // The example of Radiance's file format manual: one half is 128 with the exponent 128.
    #expect(PackedFormat.rgbe.pack(SIMD4(repeating: 0.5)) == 0x8080_8080)
    #expect(PackedFormat.rgbe.pack(SIMD4(1, 0, 0, 1)) == 129 << 24 | 128)
    #expect(PackedFormat.rgbe.pack(SIMD4(.infinity, .nan, -1, 1)) == 255 << 24 | 255)
    #expect(PackedFormat.rgbe.pack(SIMD4(9e-33, 0, 0, 1)) == 0)
  }

  // MARK: - Bitmaps

  @Test(arguments: PackedFormat.allCases) func bitmapsArePackedPixelByPixel(format: PackedFormat)
    throws
  {
    let source = TestPictures.floats(PixelSize(17, 5), channels: .bgra)
    let bytes = try source.packed(as: format)
    #expect(bytes.count == 17 * 5 * format.byteCount)
    let unpacked = try Bitmap<Float>(
      unpacking: bytes, as: format, source.size, in: source.space)
    #expect(unpacked.channels == format.channels)
    let color = try source.converted(channels: .rgba)
    for y in 0..<5 {
      for x in 0..<17 {
        let pixel = SIMD4(color[x, y, 0], color[x, y, 1], color[x, y, 2], color[x, y, 3])
        let expected = format.unpack(format.pack(pixel))
        for channel in 0..<format.channels.count {
          #expect(unpacked[x, y, channel] == expected[channel])
        }
      }
    }
    #expect(try unpacked.packed(as: format) == bytes)
    #expect(try source.converted(arrangement: .planar).packed(as: format) == bytes)
    // Rows may be padded, by any number of bytes.
    for padding in [12, 2, 1] {
      let stride = 17 * format.byteCount + padding
      var apart: [UInt8] = []
      for y in 0..<5 {
        apart +=
          bytes[y * 17 * format.byteCount..<(y + 1) * 17 * format.byteCount]
          + [UInt8](repeating: 9, count: padding)
      }
      #expect(
        try Bitmap<Float>(
          unpacking: apart, as: format, source.size, in: source.space, bytesPerRow: stride)
          == unpacked)
    }
    #expect(throws: BitmapError.self) {
      try Bitmap<Float>(
        unpacking: bytes, as: format, PixelSize(17, 6), in: source.space)
    }
  }
}
