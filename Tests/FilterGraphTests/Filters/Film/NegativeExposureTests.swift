import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Scenes exposed on film: the inverse of development.
@Suite struct NegativeExposureTests {
  /// Transmittances from a density of 3 to light far above the base, in single precision.
  @Test func exposureIsTheInverseAboveTheBase() throws {
    let film = try FilmFixture.film()
    let scan = Bitmap<Float>(PixelSize(1800, 1), in: .linearDisplayP3, channels: .rgb) { x, _ in
      [Float](repeating: Float(1e-3 * power(1.005, Double(x))), count: 3)
    }
    let known = NegativeFilm(
      base: .transmittance(film.base), white: .transmittance(film.white), contrast: film.contrast)
    let light = Picture(scan).developed(known)
    let back = try light.exposed(on: known).render(as: Float.self)
    let scene = try light.render(as: Float.self)
    #expect((0..<3).allSatisfy { scene[1799, 0, $0] < 0 })
    for x in 0..<1800 {
      for channel in 0..<3 {
        let (meant, found) = (Double(scan[x, 0, channel]), Double(back[x, 0, channel]))
        let ratio = meant / film.base[channel]
        // Near −H₀ the sum 1 + H/H₀ has the rounding of H: 2⁻²⁴ over that sum, times γ, and as much of each curve.
        let sum = power(max(ratio, 1), -1 / film.contrast[channel])
        #expect(abs(found / meant - 1) < 1e-6 + 4e-7 / sum, "\(meant) became \(found)")
      }
    }
  }

  /// Values of the film itself are those of a power, and the base of 0 is exact.
  @Test func theBaseIsExact() throws {
    let film = try FilmFixture.film()
    let black = Bitmap<Float>(PixelSize(2, 1), in: .linearDisplayP3, channels: .rgb) { _, _ in
      [0, 0, 0]
    }
    let scan = try Picture(black).applying(NegativeExposure(undoneBy: film)).render(as: Float.self)
    for channel in 0..<3 { #expect(scan[0, 0, channel] == Float(film.base[channel])) }
  }

  /// No value is infinite where the formula is not defined.
  @Test(arguments: [0.05, 0.6, 3, 20]) func allValuesAreFinite(contrast: Double) throws {
    let film = try NegativeDevelopment(
      base: [0.8, 0.5, 0.3], white: [0.1, 0.05, 0.02], contrast: SIMD3(repeating: contrast))
    let values: [Float] = [-1e30, -2, -1, -0.1, -0.01, -0.001, -1e-6, 0, 1e-6, 1, 1e30]
    let scene = Bitmap<Float>(PixelSize(values.count, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float](repeating: values[x], count: 3)
    }
    let scan = try Picture(scene).applying(NegativeExposure(undoneBy: film)).render(as: Float.self)
    for channel in 0..<3 {
      for x in values.indices { #expect(scan[x, 0, channel].isFinite) }
      for x in 1..<values.count { #expect(scan[x, 0, channel] <= scan[x - 1, 0, channel]) }
    }
  }

  /// Film at the ends of the allowed ranges, and a white that is hardly darker than the base.
  @Test(arguments: [0.05, 0.4, 0.6, 3, 20]) func extremeFilmKeepsValuesFinite(
    contrast: Double
  ) throws {
    let values: [Float] = [-1e4, -1, -1e-6, 0, 1e-10, 1e-6, 1e-3, 0.03, 0.3, 1, 3, 70, 600, 1e4]
    let bitmap = Bitmap<Float>(
      PixelSize(values.count, 1), in: .linearSRGB, channels: .rgb
    ) { x, _ in [Float](repeating: values[x], count: 3) }
    for base in [NegativeFilm.bases.lowerBound, 1, NegativeFilm.bases.upperBound] {
      for ratio in [1e-9, 0.01, 0.999_999] {
        let film = try NegativeDevelopment(
          base: SIMD3(repeating: base), white: SIMD3(repeating: base * ratio),
          contrast: SIMD3(repeating: contrast))
        for picture in [
          Picture(bitmap).applying(film),
          Picture(bitmap).applying(NegativeExposure(undoneBy: film)),
        ] {
          let row = try picture.render(as: Float.self).row(0)
          let isFinite = row.allSatisfy { $0.isFinite }
          #expect(isFinite, "base \(base), ratio \(ratio): \(row)")
        }
      }
    }
  }

  @Test func unknownTonesAreRefused() throws {
    let scene = Picture(FilmFixture.scene(PixelSize(24, 24)))
    let error = #expect(throws: RenderError.self) {
      try scene.exposed(on: .colorNegative()).render(as: Float.self)
    }
    #expect(error.map { "\($0)".contains("known base and white") } == true)
  }
}
