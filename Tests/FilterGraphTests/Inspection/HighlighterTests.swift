import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Out-of-gamut colors in video frames, as half floats of extended sRGB.
@Suite struct HighlighterTests {
  /// Every half float as red, with a green out of sRGB's gamut, passes unchanged, bit for bit.
  @Test func outOfGamutColorsPassUnchanged() throws {
    let halves = (0..<UInt32(65_536)).map { Float16(bitPattern: UInt16($0)) }
      .filter(\.isFinite)
    let width = 256
    let frame = Bitmap<Float16>(
      PixelSize(width, halves.count / width), in: .sRGB, channels: .rgb
    ) { x, y in [halves[y * width + x], -0.25, 0.5] }
    let marked = try Picture(frame).gamutMask(outside: .sRGB).render(as: Float16.self)
    var changed = 0
    for y in 0..<frame.size.height {
      for x in 0..<width {
        for channel in 0..<3
        where marked[x, y, channel].bitPattern != frame[x, y, channel].bitPattern {
          changed += 1
        }
      }
    }
    #expect(changed == 0)
  }

  /// The whole path of a frame in one pass: 8-bit Display P3, extended sRGB, mask, halves. Where the mask passes a
  /// color, it equals the conversion alone, bit for bit.
  @Test(arguments: [ColorSpace.linearSRGB, .sRGB])
  func outOfGamutColorsOfFramesPassUnchanged(working: ColorSpace) throws {
    let frame = Picture(
      TestPictures.codes(as: UInt8.self, PixelSize(256, 64), in: .displayP3, channels: .rgb))
    let converted = frame.converted(to: working)
    let plain = try converted.render(as: Float16.self)
    let marked = try converted.gamutMask(outside: .sRGB).render(as: Float16.self)
    let mask = try converted.gamutMask(outside: .sRGB, marking: .mask).render(as: UInt8.self)
    var (wide, changed) = (0, 0)
    for y in 0..<64 {
      for x in 0..<256 {
        if mask[x, y, 0] == 255 {
          wide += 1
          changed += (0..<3).count {
            marked[x, y, $0].bitPattern != plain[x, y, $0].bitPattern
          }
        } else {
          // Gray, of one luminance with one rounding.
          #expect(marked[x, y, 0] == marked[x, y, 1] && marked[x, y, 1] == marked[x, y, 2])
        }
      }
    }
    #expect(changed == 0)
    #expect(wide > 1000 && wide < 256 * 64 - 1000)
  }

  /// A camera's codes, through extended sRGB and back: out-of-gamut ones are preserved within the rounding of halves,
  /// all others are gray.
  @Test func cameraFramesArePreserved() throws {
    let frame = TestPictures.codes(
      as: UInt8.self, PixelSize(120, 80), in: .displayP3, channels: .rgb)
    let working = try Picture(frame).converted(to: .sRGB).render(as: Float16.self)
    let shown = try Picture(working).gamutMask(outside: .sRGB).converted(to: .displayP3)
      .render(as: UInt8.self)
    let mask = try Picture(working).gamutMask(outside: .sRGB, marking: .mask).render(as: UInt8.self)
    var wide = 0
    for y in 0..<frame.size.height {
      for x in 0..<frame.size.width {
        let (before, after) = (frame.row(y)[3 * x..<3 * x + 3], shown.row(y)[3 * x..<3 * x + 3])
        if mask[x, y, 0] == 255 {
          wide += 1
          // Near 1 halves are 1/2048 apart, and two spaces' curves and matrices lie between: ±1 code.
          for (code, again) in zip(before, after) { #expect(abs(Int(code) - Int(again)) <= 1) }
        } else {
          // Gray in extended sRGB is gray in Display P3, within the rounding of halves.
          #expect((after.max() ?? 0) - (after.min() ?? 0) <= 1)
        }
      }
    }
    let part = try Picture(working).reduced(by: GamutCoverage(of: [.sRGB]))
    #expect(part.outside[0] == wide)
    #expect(wide > 100 && wide < frame.size.pixelCount)
  }

  /// Colors on sRGB's surface, stored as halves of Display P3: rounding moves about half of them out of gamut, by less
  /// than 0.001.
  @Test func roundingIsNotOutOfGamut() throws {
    let surface = Bitmap<Float>(PixelSize(256, 6 * 256), in: .sRGB, channels: .rgb) { x, y in
      let (face, row) = y.quotientAndRemainder(dividingBy: 256)
      var color = [Float(x) / 255, Float(row) / 255]
      color.insert(face < 3 ? 0 : 1, at: face % 3)
      return color
    }
    let stored = Picture(try Picture(surface).converted(to: .displayP3).render(as: Float16.self))
    #expect(try stored.fractionOutside(.sRGB) == 0)
    let part = try stored.fractionOutside(.sRGB, tolerance: 0)
    #expect(part > 0.4 && part < 0.6, "\(part)")
  }

  @Test func tintsAndMasks() throws {
    let pair = Bitmap<Float>(PixelSize(2, 1), in: .displayP3, channels: .rgb) { x, _ in
      x == 0 ? [1, 0, 0] : [0.5, 0.4, 0.3]
    }
    let blue = ColorPoint(0, 0, 1, in: .displayP3)
    let tinted = try Picture(pair).gamutMask(outside: .sRGB, marking: .tintOutside(blue))
      .render(as: Float.self)
    #expect((0..<3).map { tinted[0, 0, $0] } == [0, 0, 1])
    // Encoded by one curve and decoded.
    for channel in 0..<3 { #expect(abs(tinted[1, 0, channel] - pair[1, 0, channel]) < 1e-6) }
    let mask = try Picture(pair).gamutMask(outside: .sRGB, marking: .mask).render(as: Float.self)
    #expect((mask[0, 0, 1], mask[1, 0, 1]) == (1, 0))
  }
}
