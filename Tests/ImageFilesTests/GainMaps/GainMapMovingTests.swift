import Colorloom
import ImageFiles
import Testing
import _TestSupport

/// Gain maps that follow the geometry of their base pictures.
@Suite struct GainMapMovingTests {
  private static let base = Picture(
    Bitmap<UInt8>(PixelSize(128, 96), in: .sRGB, channels: .rgb))

  /// A map of a quarter of the sides, whose neighbors differ much.
  private static let values = values { x, y in Float((x * 37 + y * 101) % 256) / 255 }

  private static func values(_ value: (_ x: Int, _ y: Int) -> Float) -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(32, 24), in: .linearSRGB, channels: .rgb) { x, y in
        let value = value(x, y)
        return [value, value, value]
      })
  }

  /// The values of a map that is moved with its base picture.
  private func moved(
    _ values: Picture = values, by geometry: (Picture) -> Picture
  ) throws -> Bitmap<Float> {
    let gain = try GainMap(
      least: .zero, greatest: SIMD3(repeating: 3), alternateHeadroom: 3, displayHeadroom: 3)
    let map = PictureGainMap(values, gain, isGray: true)
    return try map.moved(with: Self.base, by: geometry).picture.render(as: Float.self)
  }

  private func expect(_ found: Bitmap<Float>, _ picture: Picture) throws {
    let expected = try picture.render(as: Float.self)
    try #require(found.size == expected.size)
    #expect(found.isIdentical(to: expected))
  }

  @Test(arguments: Orientation.allCases)
  func turnsAndReflectionsKeepEveryValue(orientation: Orientation) throws {
    try expect(
      moved { $0.oriented(orientation) }, Self.values.oriented(orientation))
  }

  /// A thumbnail is converted to sRGB, which is undone: the map holds no colors.
  @Test func conversionsOfTheMapAreUndone() throws {
    let resized = try moved { $0.resized(to: .exact(48, 36)) }
    let thumbnail = try moved { $0.thumbnail(48) }
    try #require(thumbnail.size == resized.size)
    for y in 0..<resized.size.height {
      for x in 0..<resized.size.width {
        // A round trip in single precision.
        #expect(abs(thumbnail[x, y, 0] - resized[x, y, 0]) < 1e-5)
      }
    }
  }

  /// A quarter turn exchanges the sides of the crop; the rest of the picture is cut off to its right and below.
  @Test func cropsAtEdgesOfPixelsKeepEveryValue() throws {
    let part = Self.values.cropped(to: Region(x: 2, y: 3, width: 16, height: 12))
    let crop = Region(x: 8, y: 12, width: 64, height: 48)
    try expect(moved { $0.cropped(to: crop) }, part)
    try expect(
      moved { $0.cropped(to: crop).oriented(.quarterTurned) }, part.oriented(.quarterTurned))
    try expect(
      moved { $0.oriented(.transverse).cropped(to: Region(x: 0, y: 4, width: 40, height: 80)) },
      Self.values.oriented(.transverse).cropped(to: Region(x: 0, y: 1, width: 10, height: 20)))
  }

  /// The crop begins in the middle of a pixel of the map, so that each new pixel is the mean of two.
  @Test func otherCropsInterpolateAnEdgeOnce() throws {
    let step = Self.values { x, _ in x < 16 ? 0 : 1 }
    let found = try moved(step) { $0.cropped(to: Region(x: 2, y: 0, width: 124, height: 96)) }
    try #require(found.size == PixelSize(31, 24))
    for x in 0..<31 {
      let expected: Float = x < 15 ? 0 : x == 15 ? 0.5 : 1
      #expect(abs(found[x, 12, 0] - expected) < 1e-5, "column \(x)")
    }
  }

  @Test(arguments: [ResamplingKernel.lanczos3, .box, .nearest, .bSpline])
  func resizedPicturesInterpolateMapsOnce(kernel: ResamplingKernel) throws {
    try expect(
      moved { $0.resized(to: .exact(88, 66), by: kernel).mirrored() },
      Self.values.resized(to: .exact(22, 17), by: .triangle).mirrored())
    let part = Self.values.cropped(to: Region(x: 4, y: 4, width: 20, height: 16))
    let crop = Region(x: 16, y: 16, width: 80, height: 64)
    guard kernel != .nearest else { return }
    try expect(
      moved { $0.cropped(to: crop).resized(to: .exact(40, 32), by: kernel) },
      part.resized(to: .exact(10, 8), by: .triangle))
  }

  /// Borders are added to the enlarged map, whose values stay those of single pixels.
  @Test func bordersKeepTheValuesInside() throws {
    let found = try moved { $0.padded(by: 8) }
    try #require(found.size == PixelSize(36, 28))
    let values = try Self.values.render(as: Float.self)
    for y in 0..<24 {
      for x in 0..<32 { #expect(abs(found[x + 2, y + 2, 0] - values[x, y, 0]) < 1e-5) }
    }
  }

  /// The way to the size of the base picture and back leaves a step as steep as it is.
  @Test func slightRotationsKeepSteps() throws {
    let step = Self.values { x, _ in x < 16 ? 0 : 1 }
    let found = try moved(step) {
      $0.rotated(degrees: 1e-3).cropped(to: Region(x: 0, y: 0, width: 128, height: 96))
    }
    try #require(found.size == PixelSize(32, 24))
    #expect(found[15, 12, 0] < 0.01 && found[16, 12, 0] > 0.99)
  }
}
