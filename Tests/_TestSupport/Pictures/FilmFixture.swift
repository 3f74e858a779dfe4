internal import ColorSpaces
package import FilterGraph
public import ImageBuffer

/// A simulated scan of color negative film, computed from a scene and the film's characteristic curves.
public enum FilmFixture {
  /// The film: an orange base, layers of unequal contrast, and a toe at 1/50 of white.
  package static func film() throws -> NegativeDevelopment {
    let base = SIMD3(0.82, 0.47, 0.28)
    let contrast = SIMD3(0.60, 0.66, 0.70)
    // White has the density γ · log₁₀(1 + 50) above the film base.
    let white = SIMD3(
      base.x * power(51, -contrast.x), base.y * power(51, -contrast.y),
      base.z * power(51, -contrast.z))
    return try NegativeDevelopment(base: base, white: white, contrast: contrast)
  }

  /// The scene in linear light, with a border of unexposed film.
  public static func scene(_ size: PixelSize) -> Bitmap<Float> {
    let border = size.height / 24
    let (width, height) = (size.width - 2 * border, size.height - 2 * border)
    let light = SampleScene.pixels(width: width, height: height)
    return Bitmap(size, in: .linearDisplayP3, channels: .rgb) { x, y in
      let (column, row) = (x - border, y - border)
      guard (0..<width).contains(column), (0..<height).contains(row) else { return [0, 0, 0] }
      let pixel = light[row * width + column]
      return [pixel.x, pixel.y, pixel.z]
    }
  }

  /// The scan of the negative: 16-bit Display P3.
  public static func scan(_ size: PixelSize = PixelSize(720, 480)) throws -> Bitmap<UInt16> {
    try Picture(scene(size))
      .applying(NegativeExposure(undoneBy: film()))
      .converted(to: .displayP3)
      .render()
  }
}
