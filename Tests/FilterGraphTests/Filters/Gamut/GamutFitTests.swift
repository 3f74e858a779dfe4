import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Gamut mapping of pictures.
@Suite struct GamutFitTests {
  /// Each pixel of a picture becomes what the mapping makes of its color.
  @Test(arguments: [
    GamutMapping.clipped, .reducedChroma, .rayTraced, .softKnee(), .compressed(),
  ])
  func picturesAreMappedAsColors(mapping: GamutMapping) throws {
    let source = TestPictures.floats(PixelSize(61, 11), channels: .rgb).tagged(as: .rec2020)
    let targets: [ColorSpace] = [.sRGB, .linearDisplayP3, .oklab, .hsl]
    for target in targets {
      let fitted = try ReferenceEvaluator().render(
        Picture(source).fitted(into: target, by: mapping))
      for y in 0..<11 {
        for x in 0..<61 {
          let components = SIMD3((0..<3).map { Double(source[x, y, $0]) })
          let color = mapping.map(ColorPoint(components, in: .rec2020), into: target)
          let pixel = fitted[x, y]
          // The surface's 0 and 1 are exact for a color; in a picture they pass through the curve, and as hues through
          // two.
          for channel in 0..<3 where !color.components[channel].isNaN {
            let (value, expected) = (pixel[channel], color.components[channel])
            #expect(
              abs(value - expected) <= 1e-12 * max(1, abs(expected)),
              "(\(x), \(y)) channel \(channel) in \(target)")
          }
        }
      }
    }
  }

  @Test func clippingFusesIntoOneConversion() {
    let photo = Picture(Bitmap<UInt8>(PixelSize(4, 4), in: .displayP3, channels: .rgb))
    #expect(
      photo.fitted(into: .sRGB, by: .clipped).plan.contains("matrix → encode sRGB → clamp 0…1"))
    #expect(photo.fitted(into: .sRGB, by: .rayTraced).plan.contains("ray traced → encode sRGB"))
  }
}
