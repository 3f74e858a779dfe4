internal import ColorSpaces
package import FilterGraph
public import ImageBuffer

/// A simulated roll of C-41 film: frames of different scenes on one base, all with one gray patch.
public enum FilmRollFixture {
  /// The transmittance of the film base.
  public static let base = SIMD3(0.80, 0.46, 0.27)
  /// The exposure of white, as a multiple of that at the toe.
  public static let whiteExposure = 50.0
  /// The size of a frame, with its border.
  public static let size = PixelSize(72, 48)
  /// A pixel of the gray patch that all exposed frames show.
  public static let patch = Offset(36, 10)
  /// The linear value of that patch.
  public static let gray = 0.18

  /// The names of the frames: three with a border, of which one is dim; one without unexposed film, and one blank.
  public static let names = ["1-bright", "2-dim", "3-borderless", "4-blank", "5-bright"]

  /// The film as the model has it, with white at 1.
  package static func film() throws -> NegativeDevelopment {
    let contrast = FilmProcess.c41.contrast
    let dense = SIMD3((0..<3).map { base[$0] * power(1 + whiteExposure, -contrast[$0]) })
    return try NegativeDevelopment(base: base, white: dense, contrast: contrast)
  }

  /// The linear value of a frame's scene at a pixel; 0 on the border.
  public static func light(_ frame: Int, x: Int, y: Int) -> SIMD3<Double> {
    if frame == 3 { return .zero }
    let isBorder = x < 3 || y < 3 || x >= size.width - 3 || y >= size.height - 3
    if isBorder { return frame == 2 ? [0.1, 0.1, 0.1] : .zero }
    let peak = frame == 1 ? 0.5 : 1
    if y < 15 {
      // A patch of white, and one of gray.
      return x < 20 ? SIMD3(repeating: peak) : SIMD3(repeating: gray)
    }
    // Ramps, in another order of the channels in each frame.
    let (across, down) = (Double(x - 3) / 66, Double(y - 15) / 30)
    let ramps = [across, down, (1 - across) * (1 - down)].map { peak * (0.03 + 0.9 * $0 * $0) }
    return SIMD3(ramps[frame % 3], ramps[(frame + 1) % 3], ramps[(frame + 2) % 3])
  }

  /// The scene of a frame in linear light.
  public static func scene(_ frame: Int) -> Bitmap<Float> {
    Bitmap(size, in: .linearDisplayP3, channels: .rgb) { x, y in
      let light = light(frame, x: x, y: y)
      return [Float(light.x), Float(light.y), Float(light.z)]
    }
  }

  /// The scan of a frame: 16-bit Display P3.
  public static func scan(_ frame: Int) throws -> Bitmap<UInt16> {
    try Picture(scene(frame)).applying(NegativeExposure(undoneBy: film()))
      .converted(to: .displayP3).render()
  }
}
