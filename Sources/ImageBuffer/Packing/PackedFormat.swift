/// Formats that pack the channels of a pixel into one integer, little-endian in memory.
@nonexhaustive
public enum PackedFormat: Hashable, Sendable, CaseIterable {
  /// From the lowest bit: blue, green and red of 10 bits, −0.753 to 1.253 in steps of 1/510 (Apple, `MTLPixelFormat.bgr10_xr`).
  case bgr10XR
  /// From the lowest bit: blue, green, red and alpha, each in the upper 10 of 16 bits, in the same steps; alpha from 0 to 1 (Apple,
  /// `MTLPixelFormat.bgra10_xr`).
  case bgra10XR
  /// From the lowest bit: red, green and blue of 10 bits, alpha of 2 (Vulkan, `A2B10G10R10_UNORM_PACK32`).
  case rgb10A2
  /// From the lowest bit: blue, green and red of 10 bits, alpha of 2 (Vulkan, `A2R10G10B10_UNORM_PACK32`).
  case bgr10A2
  /// From the lowest bit: red, green and blue of 9 bits, and a shared exponent of 5 bits (OpenGL,
  /// `EXT_texture_shared_exponent`). Unsigned.
  case rgb9E5
  /// Red, green and blue of 8 bits, and a shared exponent of 8 bits (Ward, “Real pixels”, Graphics Gems II, 1991;
  /// Walter's `rgbe.c`). Unsigned.
  case rgbe

  /// The bytes of a pixel.
  public var byteCount: Int { self == .bgra10XR ? 8 : 4 }

  /// The channels that the format stores.
  public var channels: Channels {
    switch self {
    case .bgra10XR, .rgb10A2, .bgr10A2: .rgba
    case .bgr10XR, .rgb9E5, .rgbe: .rgb
    }
  }

  /// Packs the nearest color of the format, ties to even. NaN counts as zero, and values out of range are clamped.
  /// Shared exponents are rounded as their specifications say: `rgb9E5` rounds ties up, `rgbe` always rounds down.
  public func pack(_ color: SIMD4<Float>) -> UInt64 {
    switch self {
    case .bgr10XR: fields(extended(color.z), extended(color.y), extended(color.x), width: 10)
    case .bgra10XR:
      fields(
        extended(color.z), extended(color.y), extended(color.x),
        extended(min(max(color.w, 0), 1)), width: 16) << 6
    case .rgb10A2:
      fields(
        unit(color.x, 1023), unit(color.y, 1023), unit(color.z, 1023), unit(color.w, 3),
        width: 10)
    case .bgr10A2: PackedFormat.rgb10A2.pack(color.bgra)
    case .rgb9E5: packedWithNineBits(color)
    case .rgbe: packedWithEightBits(color)
    }
  }

  /// Unpacks a color; alpha is 1 where the format has none. Correctly rounded in single precision.
  public func unpack(_ bits: UInt64) -> SIMD4<Float> {
    func field(_ shift: UInt64, _ width: UInt64) -> Float {
      let mask: UInt64 = 1 << width - 1
      return Float(bits >> shift & mask)
    }
    switch self {
    case .bgr10XR: return SIMD4((SIMD3(field(20, 10), field(10, 10), field(0, 10)) - 384) / 510, 1)
    case .bgra10XR:
      let color = (SIMD4(field(38, 10), field(22, 10), field(6, 10), field(54, 10)) - 384) / 510
      return SIMD4(color.x, color.y, color.z, min(max(color.w, 0), 1))
    case .rgb10A2:
      return SIMD4(
        SIMD3(field(0, 10), field(10, 10), field(20, 10)) / 1023, field(30, 2) / 3)
    case .bgr10A2: return PackedFormat.rgb10A2.unpack(bits).bgra
    case .rgb9E5:
      let scale = power(Int(field(27, 5)) - 15 - 9)
      return SIMD4(SIMD3(field(0, 9), field(9, 9), field(18, 9)) * scale, 1)
    case .rgbe:
      let exponent = Int(field(24, 8))
      if exponent == 0 { return SIMD4(0, 0, 0, 1) }
      return SIMD4(SIMD3(field(0, 8), field(8, 8), field(16, 8)) * power(exponent - 128 - 8), 1)
    }
  }
}

extension SIMD4<Float> {
  fileprivate var bgra: Self { Self(z, y, x, w) }
}

/// Adjacent bit fields, the first one lowest, `width` bits apart.
private func fields(
  _ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64 = 0, width: UInt64
) -> UInt64 {
  first | second << width | third << (2 * width) | fourth << (3 * width)
}

/// 2 to an integer power.
private func power(_ exponent: Int) -> Float {
  Float(sign: .plus, exponent: exponent, significand: 1)
}

/// A value of 0…1 as a code of 0…largest.
private func unit(_ number: Float, _ largest: Double) -> UInt64 {
  guard number > 0 else { return 0 }
  return UInt64((Double(min(number, 1)) * largest).rounded(.toNearestOrEven))
}

/// A value as a code of Apple's extended range: 384 for 0, 894 for 1.
private func extended(_ number: Float) -> UInt64 {
  guard !number.isNaN else { return 384 }
  return UInt64(min(max(Double(number) * 510 + 384, 0), 1023).rounded(.toNearestOrEven))
}

/// EXT_texture_shared_exponent, section 3.8.x: N = 9, B = 15, Emax = 31.
private func packedWithNineBits(_ color: SIMD4<Float>) -> UInt64 {
  let largest: Double = 511 / 512 * 65_536
  func clamped(_ number: Float) -> Double { number > 0 ? min(Double(number), largest) : 0 }
  let (red, green, blue) = (clamped(color.x), clamped(color.y), clamped(color.z))
  let most = max(red, green, blue)
  var exponent = max(-16, most == 0 ? -16 : Int(most.exponent)) + 1 + 15
  func code(_ number: Double) -> UInt64 {
    let step = Double(sign: .plus, exponent: exponent - 15 - 9, significand: 1)
    return UInt64((number / step + 0.5).rounded(.down))
  }
  if code(most) == 512 { exponent += 1 }
  return fields(code(red), code(green), code(blue), UInt64(exponent), width: 9)
}

/// Walter's `float2rgbe`: values below 10⁻³² become black.
private func packedWithEightBits(_ color: SIMD4<Float>) -> UInt64 {
  let largest = 255 * power(127 - 8)
  func clamped(_ number: Float) -> Float { number > 0 ? min(number, largest) : 0 }
  let (red, green, blue) = (clamped(color.x), clamped(color.y), clamped(color.z))
  let most = max(red, green, blue)
  guard most >= 1e-32 else { return 0 }
  let exponent = Int(most.exponent) + 1
  func code(_ number: Float) -> UInt64 {
    UInt64(Double(number) * Double(sign: .plus, exponent: 8 - exponent, significand: 1))
  }
  return fields(code(red), code(green), code(blue), UInt64(exponent + 128), width: 8)
}
