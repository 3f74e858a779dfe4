import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Properties of single filters beyond the laws.
@Suite struct FilterTests {
  @Test func wholeStopsAreExact() throws {
    let source = TestPictures.floats(in: .linearSRGB)
    let brighter = try Picture(source).exposure(2).render(as: Float.self)
    for x in 0..<source.size.width { #expect(brighter[x, 3, 1] == 4 * source[x, 3, 1]) }
  }

  @Test func invertedCodesAreExact() throws {
    let codes = TestPictures.codes(as: UInt16.self)
    let negative = try Picture(codes).inverted().render(as: UInt16.self)
    for y in 0..<codes.size.height {
      for x in 0..<codes.size.width { #expect(negative[x, y, 2] == 65535 - codes[x, y, 2]) }
    }
  }

  /// A curve through five points of the falling diagonal is 1 − x, in the square root of linear light.
  @Test func fallingDiagonalIsAnInversion() throws {
    let falling = try CubicCurve(through: [
      [0, 1], [0.25, 0.75], [0.5, 0.5], [0.75, 0.25], [1, 0],
    ])
    let gamma2 = ColorSpace("gamma 2", primaries: .rec709, transfer: .gamma(2))
    let ramp = Bitmap<Float>(PixelSize(1001, 1), in: gamma2, channels: .rgb) { x, _ in
      [Float(x) / 1000, Float(x) / 1000, Float(x) / 1000]
    }
    let result = try Picture(ramp).toneCurve(falling).render(as: Float.self)
    for x in 0...1000 {
      #expect(ulpDistance(result[x, 0, 0], 1 - ramp[x, 0, 0]) <= 1, "at \(x)")
    }
  }

  /// Curves are extrapolated linearly, to infinity.
  @Test func highlightsExtrapolateLinearly() throws {
    let curve = try CubicCurve(through: [[0, 0], [0.5, 0.4], [1, 1]])
    let source = Bitmap<Float>(PixelSize(2, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      x == 0 ? [.infinity, 1e20, -.infinity] : [4, 1, 0]
    }
    let result = try Picture(source).toneCurve(curve).render(as: Float.self)
    #expect(result[0, 0, 0] == .infinity)
    #expect(result[0, 0, 1] > 1e20)
    #expect(result[0, 0, 2] == -.infinity)
    #expect(curve(.infinity) > 1e300)
    #expect(curve(-.infinity) < -1e300)
  }

  @Test func flatAreasStayFlat() throws {
    for value in [Float(1), 0.5, 0.1, 7] {
      let flat = Bitmap<Float>(PixelSize(64, 40), in: .linearSRGB, channels: .rgb) { _, _ in
        [value, value, value]
      }
      for target in [ResizeTarget.exact(17, 9), .exact(32, 20), .exact(200, 123)] {
        let resized = try Picture(flat).resized(to: target).render(as: Float.self)
        // Each of two axes sums up to 23 products: 1 ulp for each rounding that does not cancel.
        for y in 0..<resized.size.height {
          for x in 0..<resized.size.width {
            #expect(ulpDistance(resized[x, y, 0], value) <= 8)
          }
        }
      }
    }
  }

  /// Transparent green next to opaque red does not tint the edge.
  @Test func transparentColorsDoNotFringe() throws {
    let edge = Bitmap<Float>(PixelSize(20, 20), in: .sRGB) { x, _ in
      x < 10 ? [1, 0, 0, 1] : [0, 1, 0, 0]
    }
    let small = try Picture(edge).resized(to: .exact(7, 7)).render(as: Float.self)
    for x in 0..<7 where small[x, 3, 3] > 0 { #expect(small[x, 3, 1] == 0) }
  }

  /// Out-of-gamut red stays red; in-gamut red becomes the gray of its luminance.
  @Test func outOfGamutColorsAreHighlighted() throws {
    let inside = ColorPoint(1, 0, 0, in: .sRGB).converted(to: .displayP3).components
    let source = Bitmap<Float>(PixelSize(4, 1), in: .displayP3, channels: .rgb) { x, _ in
      switch x {
      case 0: [1, 0, 0]
      case 1: [Float(inside.x), Float(inside.y), Float(inside.z)]
      case 2: [1, 1, 1]
      default: [0, 0, 0]
      }
    }
    let mask = try Picture(source).gamutMask(outside: .sRGB).render(as: Float.self)
    #expect((0..<3).map { mask[0, 0, $0] } == [1, 0, 0])
    // The luminance of sRGB's red is 0.2126 (IEC 61966-2-1); encoded by sRGB's curve.
    let gray = TransferFunction.sRGB.encode(0.212_639)
    for channel in 0..<3 {
      #expect(abs(Double(mask[1, 0, channel]) - gray) < 1e-6)
      #expect(mask[2, 0, channel] == 1)
      #expect(mask[3, 0, channel] == 0)
    }
    // No color is out of gamut in its own space.
    let none = try Picture(source).gamutMask(outside: .displayP3).render(as: Float.self)
    #expect(none[0, 0, 0] == none[0, 0, 1])
  }

  /// The middle of red and green: the mean of linear light, or of encoded values.
  @Test func trianglesMixLightOrNumbers() throws {
    func middle(_ mixing: TriangleMixing) throws -> [Float] {
      let picture = Picture.triangle(
        top: ColorPoint(0, 0, 1, in: .displayP3), left: ColorPoint(1, 0, 0, in: .displayP3),
        right: ColorPoint(0, 1, 0, in: .displayP3), mixing: mixing, in: .displayP3,
        size: PixelSize(1001, 1001))
      let painted = try picture.render(as: Float.self)
      #expect(painted[500, 10, 3] == 1)
      #expect(painted[0, 0, 3] == 0)
      return (0..<4).map { painted[500, 999, $0] }
    }
    let (light, stored) = (try middle(.light), try middle(.encoded))
    // The row's center lies 1.5 pixels above the edge: a part of 1.5/1001 is the top's, the rest is red and green in
    // equal parts.
    let part = (1 - 1.5 / 1001) / 2
    #expect(abs(Double(light[0]) - TransferFunction.sRGB.encode(part)) < 1e-6)
    #expect(abs(Double(light[1]) - TransferFunction.sRGB.encode(part)) < 1e-6)
    #expect(abs(Double(stored[0]) - part) < 1e-6)
    #expect(light[3] == 1)
    #expect(stored[3] == 1)
  }

  @Test func proportionsAreKept() throws {
    let photo = Picture(Bitmap<UInt8>(PixelSize(6000, 4000), in: .sRGB))
    #expect(photo.resized(to: .fit(2048, 2048)).size == PixelSize(2048, 1365))
    #expect(photo.resized(to: .fit(100, 10)).size == PixelSize(15, 10))
    #expect(photo.resized(to: .scaled(by: 0.001)).size == PixelSize(6, 4))
    #expect(photo.resized(to: .fit(1, 1)).size == PixelSize(1, 1))
  }

  @Test func developmentUndoesExposure() throws {
    let film = try NegativeDevelopment(
      base: [0.82, 0.47, 0.28], white: [0.1, 0.05, 0.03], contrast: [0.6, 0.66, 0.7])
    let light = TestPictures.floats(in: .linearDisplayP3, channels: .rgb)
    let print = Picture(light).applying(NegativeExposure(undoneBy: film)).applying(film)
    let result = try print.render(as: Float.self)
    // The formula ends where the exposure is −H₀.
    let end = Float(-1 / (power(0.82 / 0.1, 1 / 0.6) - 1))
    for x in 0..<light.size.width {
      let expected = max(light[x, 2, 0], end)
      // Through float transmittances: an error of 2⁻²³ in T is 2⁻²³/γ in the linear value plus the toe, which is 1/31
      // of white here.
      #expect(abs(result[x, 2, 0] - expected) <= 2e-6 * (abs(expected) + 1))
    }
  }

  @Test func baseAndWhiteAreMeasured() throws {
    // A strip of the film base, the brightest exposure, and every neutral exposure between.
    let film = NegativeFilm.colorNegative()
    let base = SIMD3(0.8, 0.5, 0.3)
    let scan = Bitmap<UInt16>(PixelSize(100, 100), in: .linearSRGB, channels: .rgb) { x, _ in
      let light = 1 + 50 * min(max(Double(x - 5) / 90, 0), 1)
      return (0..<3).map { channel in
        UInt16((65535 * base[channel] * power(light, -film.contrast[channel])).rounded())
      }
    }
    let tones = try Picture(scan).reduced(by: Histogram(steps: 65_536, domain: .linear))
    let (darkest, brightest) = (tones.percentile(0.02), tones.percentile(0.98))
    let print = try Picture(scan).developed(film).render(as: Float.self)
    for channel in 0..<3 {
      // Half a code of 65,535.
      #expect(abs(brightest[channel] - base[channel]) < 1e-5)
      #expect(
        abs(darkest[channel] - base[channel] * power(51, -film.contrast[channel])) < 1e-5)
      #expect(abs(print[2, 50, channel]) < 1e-4)
      for x in 6..<95 {
        // Half a code at the dense end is 4·10⁻⁴ of the transmittance there, and twice that of the linear value.
        #expect(abs(print[x, 50, channel] - Float(x - 5) / 90) < 1e-3)
      }
    }
  }

  @Test func flatScansAreNotNegatives() {
    let gray = Picture(Bitmap<UInt8>(PixelSize(10, 10), in: .sRGB))
    #expect(throws: RenderError.self) {
      try gray.developed(.colorNegative()).render(as: UInt8.self)
    }
  }
}
