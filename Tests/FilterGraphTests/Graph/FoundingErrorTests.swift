import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Errors in the articles and programs that this project grew from: the right result, and that it differs from theirs.
///
/// T1 to T14 are their numbers in the project's list of such errors; of T13, a misspelt name and a context created per
/// picture, only the orientation that it keeps in a wrapper can be checked.
@Suite struct FoundingErrorTests {
  /// T1: the article's shader returns the weights (0.3, 0.59, 0.11) and discards the luminance: all in-gamut pixels
  /// have one color.
  @Test func highlightedGraysAreNotOneColor() throws {
    let ramp = Bitmap<Float>(PixelSize(11, 1), in: .displayP3, channels: .rgb) { x, _ in
      [Float](repeating: Float(x) / 10, count: 3)
    }
    let mask = try Picture(ramp).gamutMask(outside: .sRGB).render(as: Float.self)
    for x in 0...10 {
      // Grays equal their luminance: two conversions of 4 ulp.
      for channel in 0..<3 { #expect(abs(mask[x, 0, channel] - Float(x) / 10) <= 1e-6) }
      #expect((0..<3).map { mask[x, 0, $0] } != [0.3, 0.59, 0.11])
    }
  }

  /// T2: the article calls the 16-bit format “full-float pixels”.
  @Test func halfFloatsAreHalf() {
    #expect(SampleFormat.float16.byteCount == 2)
    #expect(SampleFormat.float32.byteCount == 4)
  }

  /// T3: the weights 0.30, 0.59, 0.11 apply to encoded values of Rec. 601, and are used for any values. The gray of a
  /// color is that of its luminance, in any space.
  @Test func graysEqualTheLuminance() throws {
    let red = ColorPoint(0.8, 0.1, 0.1, in: .sRGB)
    let luminance = red.converted(to: .xyzD65).components.y
    for space in [ColorSpace.sRGB, .linearSRGB, .displayP3, .rec2020] {
      let stored = red.converted(to: space).components
      let source = Bitmap<Float>(PixelSize(1, 1), in: space, channels: .rgb) { _, _ in
        (0..<3).map { Float(stored[$0]) }
      }
      let gray = try Picture(source).gamutMask(outside: .sRGB).render(as: Float.self)[0, 0, 0]
      // Single precision through a curve and its inverse.
      #expect(abs(space.transfer.decode(Double(gray)) - luminance) <= 1e-6, "\(space)")
      let luma = (stored * [0.30, 0.59, 0.11]).sum()
      #expect(abs(Double(gray) - luma) > 0.01, "\(space)")
    }
  }

  /// T4: “v > 1 or v < 0” reports colors that only rounding has moved out of gamut; a tolerance does not.
  @Test func roundingIsNotWideColor() throws {
    func grid<Sample: PixelSample>(as _: Sample.Type) throws -> Bitmap<Sample> {
      let codes = Bitmap<Float>(PixelSize(18 * 18, 18), in: .sRGB, channels: .rgb) { x, y in
        [Float(x / 18) / 17, Float(x % 18) / 17, Float(y) / 17]
      }
      return try Picture(codes).converted(to: .displayP3).render(as: Sample.self)
    }
    func wide(_ grid: Bitmap<some PixelSample>, _ tolerance: Double) throws -> Int {
      try Picture(grid).reduced(by: GamutCoverage(of: [.sRGB], tolerance: tolerance)).outside[0]
    }
    let (single, half, bytes) = (
      try grid(as: Float.self), try grid(as: Float16.self), try grid(as: UInt8.self)
    )
    #expect(try wide(single, 0.001) == 0)
    #expect(try wide(single, 1e-6) == 0)
    #expect(try wide(half, 0.001) == 0)
    // In double precision (NumPy) 805 half-float colors are out of gamut by more than 10⁻⁷, and 59 so close to the
    // boundary that single precision decides; of 8-bit colors 827 are out of gamut, and 17 on the boundary within
    // rounding.
    #expect((805...864).contains(try wide(half, 0)))
    #expect((827...844).contains(try wide(bytes, 0)))
    // Half an 8-bit code is 0.005 in linear light at the bright end, times 1.22 and more in the conversion to sRGB.
    #expect(try wide(bytes, 0.01) == 0)
  }

  #if !DEBUG
    /// T4: none of the 2²⁴ colors of sRGB is out of gamut after a round trip through Display P3 in single precision.
    @Test func noColorOfSRGBIsOutOfGamut() throws {
      for blues in stride(from: 0, to: 256, by: 16) {
        let codes = Bitmap<UInt8>(PixelSize(256, 256 * 16), in: .sRGB, channels: .rgb) { x, y in
          [UInt8(x), UInt8(y % 256), UInt8(blues + y / 256)]
        }
        let wide = try Picture(codes).converted(to: .displayP3).render(as: Float.self)
        #expect(try Picture(wide).fractionOutside(.sRGB) == 0)
      }
    }
  #endif

  /// T5: the rows of the article's four-digit matrix sum to 1.0002, 0.9999 and 0.9996, so that white is out of gamut.
  @Test func whiteConvertsToWhite() throws {
    let published = [
      SIMD3(1.2249, -0.2247, 0.0), SIMD3(-0.0420, 1.0419, 0.0), SIMD3(-0.0197, -0.0786, 1.0979),
    ]
    for (row, sum) in zip(published, [1.0002, 0.9999, 0.9996]) {
      #expect(abs(row.sum() - sum) < 1e-12)
    }
    let white = ColorSpace.displayP3.matrix(to: .sRGB) * SIMD3(1, 1, 1)
    #expect(white == SIMD3(1, 1, 1))
    let ours = ColorSpace.displayP3.matrix(to: .sRGB).rows
    for (row, exact) in zip(published, ours) {
      // The article's figures are those of colorants with four digits.
      #expect((row - exact).largest < 5e-4)
      #expect(row != exact)
    }
    let page = Bitmap<Float>(PixelSize(2, 2), in: .displayP3, channels: .rgb) { _, _ in [1, 1, 1] }
    #expect(try Picture(page).fractionOutside(.sRGB, tolerance: 0) == 0)
  }

  /// T6: the article's “columns” are rows. A matrix here multiplies its color from the left: linear red is its first
  /// column.
  @Test func matricesMultiplyFromTheLeft() {
    let matrix = ColorSpace.displayP3.matrix(to: .sRGB)
    #expect(matrix * SIMD3(1, 0, 0) == matrix.column0)
    #expect((matrix.column0 - [1.2249402, -0.0420570, -0.0196376]).largest < 5e-8)
    #expect((matrix.column0 - matrix.rows[0]).largest > 0.1)
  }

  /// T7: the text has “(r: 0.9175, b: 0.2003, g: 0.1387)” for sRGB's red in Display P3, with green and blue exchanged.
  @Test func channelsAreNotSwapped() {
    let red = ColorPoint(1, 0, 0, in: .sRGB).converted(to: .displayP3).components
    #expect((red - [0.9175, 0.2003, 0.1387]).largest < 2e-4)
    #expect((red - [0.9175, 0.1387, 0.2003]).largest > 0.05)
  }

  /// T8: a widespread value for Display P3's red in extended sRGB that cannot be derived.
  @Test func redOfP3DiffersFromTheForumsValue() {
    let red = ColorPoint(1, 0, 0, in: .displayP3)
    for space in [ColorSpace.sRGB, .linearSRGB] {
      #expect((red.converted(to: space).components - [1.358, -0.074, -0.012]).largest > 0.1)
    }
  }

  /// T9: “Display P3 is 25 % larger” holds in one plane only. A measure must be stated.
  @Test func gamutSizesNeedAMeasure() {
    let (wide, narrow) = (ColorSpace.displayP3, ColorSpace.sRGB)
    #expect(abs(wide.gamutArea(in: .uv) / narrow.gamutArea(in: .uv) - 1.2556) < 1e-4)
    #expect(abs(wide.gamutArea(in: .xy) / narrow.gamutArea(in: .xy) - 1.3565) < 1e-4)
    let volumes = [ColorSpace.linearSRGB, .labD65, .luv, .oklab].map {
      wide.gamutVolume(in: $0).value / narrow.gamutVolume(in: $0).value
    }
    for (volume, expected) in zip(volumes, [1.3915, 1.5006, 1.3557, 1.3520]) {
      #expect(abs(volume - expected) < 1e-3)
      #expect(abs(volume - 1.25) > 0.05)
    }
  }

  /// T10: “29 % of Display P3 is outside of sRGB, so it is 42 % larger”: a count of 128³ linear colors, where the
  /// fraction is 1 − 1/1.3915.
  @Test func countsOfGridsAreNotVolumes() throws {
    let last = 127
    let matrix = ColorSpace.displayP3.matrix(to: .sRGB)
    var outside = 0
    for red in 0...last {
      for green in 0...last {
        // Red and green to which blue may be added: X, Y and Z of linear sRGB are linear in blue, so the ends decide.
        let start = matrix * (SIMD3(Double(red), Double(green), 0) / Double(last))
        let step = matrix.column2 / Double(last)
        for blue in 0...last {
          let light = start + step * Double(blue)
          // A rounding error of the sum; the nearest points off the surface are 10⁻⁵ away.
          if light.min() < -1e-12 || light.max() > 1 + 1e-12 { outside += 1 }
        }
      }
    }
    let part = Double(outside) / Double(128 * 128 * 128)
    #expect(outside == 625_362)
    #expect(outside != 625_154, "The published count.")
    let exact = 1 - 1 / matrix.determinant
    #expect(abs(exact - 0.28136) < 5e-6)
    #expect(part - exact > 0.01, "Points on the surface count whole.")
  }

  /// T11: the program joins channels with an alpha of 1: where one picture ends its result is black, not transparent.
  @Test func missingPixelsAreTransparent() throws {
    func part(_ x: Int, _ y: Int) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(10, 10), in: .linearSRGB, channels: .rgb) { _, _ in
          [0.5, 0.5, 0.5]
        }
      ).moved(by: Offset(x, y))
    }
    let parts = [part(0, 0), part(3, 3), part(6, 6)]
    let anywhere = try Picture(red: parts[0], green: parts[1], blue: parts[2])
      .render(as: Float.self)
    #expect(anywhere.size == PixelSize(16, 16))
    #expect((anywhere[15, 0, 3], anywhere[0, 0, 3], anywhere[8, 8, 3]) == (0, 1, 1))
    let everywhere = try Picture(
      red: parts[0], green: parts[1], blue: parts[2], alpha: .least
    ).render(as: Float.self)
    #expect((everywhere[15, 0, 3], everywhere[0, 0, 3], everywhere[8, 8, 3]) == (0, 0, 1))
  }

  /// T11: the program takes channels from premultiplied pixels, and declares the result opaque, so that
  /// half-transparent pixels become half as bright. A channel here is that of the straight color.
  @Test(arguments: ChannelAlpha.allCases)
  func channelsComeFromStraightColors(alpha: ChannelAlpha) throws {
    func veil(_ color: [Float], _ format: Alpha) -> Picture {
      Picture(
        Bitmap<Float>(PixelSize(2, 1), in: .linearSRGB, alpha: format) { _, _ in
          color.prefix(3).map { format == .premultiplied ? $0 * color[3] : $0 } + [color[3]]
        })
    }
    for format in [Alpha.straight, .premultiplied] {
      let joined = try Picture(
        red: veil([0.8, 0.1, 0.3, 0.5], format), green: veil([0.2, 0.6, 0.7, 0.25], format),
        blue: veil([0.9, 0.5, 0.4, 0.75], format), alpha: alpha
      ).render(as: Float.self)
      for (channel, expected) in [Float(0.8), 0.6, 0.4].enumerated() {
        // Alphas are binary fractions; 0.4 · ¾ and its quotient are rounded once each. The program has 0.4, 0.15 and
        // 0.3.
        #expect(abs(joined[1, 0, channel] - expected) <= 1e-7, "\(alpha), \(format)")
      }
      switch alpha {
      case .opaque: #expect(joined.channels == .rgb)
      case .first: #expect(joined[1, 0, 3] == 0.5)
      case .least: #expect(joined[1, 0, 3] == 0.25)
      case .greatest, .last: #expect(joined[1, 0, 3] == 0.75)
      }
    }
  }

  /// T12: the program's tone curves are defined in the square root of linear light, as Core Image documents: its
  /// reversal is neither one minus the linear value nor one minus the encoded value.
  @Test func reversalsStateTheirScale() throws {
    let source = Bitmap<Float>(PixelSize(1, 1), in: .linearSRGB, channels: .rgb) { _, _ in
      [0.18, 0.18, 0.18]
    }
    func reversed(over scale: ToneScale) throws -> Float {
      try Picture(source).toneCurve(.fallingDiagonal, over: scale).render(as: Float.self)[0, 0, 0]
    }
    // Five published decimals; single precision is finer.
    #expect(abs(try reversed(over: .squareRoot) - 0.33147) < 1e-5)
    #expect(abs(try reversed(over: .encoded(.sRGB)) - 0.25157) < 1e-5)
    #expect(abs(try reversed(over: .light) - 0.82) < 1e-6)
  }

  /// T13: the program keeps a photo's orientation in a wrapper that loses it. Here it is a step like any other, and has
  /// its inverse.
  @Test(arguments: Orientation.allCases)
  func orientationIsAStep(orientation: Orientation) throws {
    let source = TestPictures.floats(PixelSize(5, 3))
    let upright = Picture(source).oriented(orientation)
    #expect(upright.size.pixelCount == 15)
    #expect(
      try upright.oriented(orientation.inverse).render(as: Float.self).isIdentical(to: source))
  }

  /// T14: colorants rounded to four digits give −0.2247 and 1.0979 where −0.224940 and 1.098274 are exact.
  @Test func roundedColorantsAreAnotherReference() {
    let matrix = ColorSpace.displayP3.matrix(to: .sRGB)
    for (exact, rounded, ours) in [
      (-0.224_940_176, -0.2247, matrix.rows[0].y), (1.098_273_600, 1.0979, matrix.rows[2].z),
    ] {
      #expect(abs(ours - exact) < 1e-9)
      #expect(abs(ours - rounded) < 5e-4)
      #expect(abs(ours - rounded) > 2e-4)
    }
  }
}
