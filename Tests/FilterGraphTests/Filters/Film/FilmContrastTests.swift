import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Contrasts of film, fitted to neutral regions of a scan.
@Suite struct FilmContrastTests {
  /// The film of the scans, computed by its formula alone: no layer has the contrast or the toe of another.
  private let base = SIMD3(0.71, 0.39, 0.22)
  private let contrast = SIMD3(0.57, 0.63, 0.70)
  private let toe = SIMD3(0.021, 0.016, 0.013)
  /// The exposures of the wedge in stops, and that of its first patch.
  private let stops = [0.0, -1, -2, -3, -4, -5, -6]
  private let brightest = 0.9

  private func transmittance(of light: Double) -> SIMD3<Double> {
    SIMD3((0..<3).map { base[$0] * power(1 + light / toe[$0], -contrast[$0]) })
  }

  /// Patches of 12 × 12 pixels below a border of unexposed film.
  private func patch(_ index: Int) -> Region {
    Region(x: 12 * index + 2, y: 10, width: 8, height: 8)
  }

  private func wedge(_ color: (Int) -> SIMD3<Double>) -> Bitmap<Float> {
    Bitmap(PixelSize(12 * stops.count, 20), in: .acescg, channels: .rgb) { x, y in
      let tone = y < 8 ? base : color(x / 12)
      return [Float(tone.x), Float(tone.y), Float(tone.z)]
    }
  }

  private var scan: Bitmap<Float> {
    wedge { transmittance(of: brightest * power(2, stops[$0])) }
  }

  /// The contrasts of color negative film with the right one of green.
  private var film: NegativeFilm {
    NegativeFilm(base: .automatic, white: .automatic, contrast: [0.6, contrast.y, 0.7])
  }

  /// The largest ratio of two channels of a patch in the developed scan, less 1.
  private func tint(_ film: NegativeFilm, of scan: Picture) throws -> Double {
    let light = try scan.developed(film).render(as: Float.self)
    return stops.indices.map { index in
      let tone = (0..<3).map { Double(light[12 * index + 6, 14, $0]) }
      return (tone.max() ?? 0) / (tone.min() ?? 0) - 1
    }.max() ?? .infinity
  }

  /// From two patches, or from all.
  @Test(arguments: [[0, 5], [6, 2], [0, 1, 2, 3, 4, 5, 6]])
  func contrastsOfRedAndBlueAreFound(patches: [Int]) throws {
    let scan = Picture(scan)
    let fitted = try film.fittingContrasts(on: scan, neutral: patches.map(patch))
    // Transmittances are measured with an error of half a bin of 1/65535, and rendered in single precision.
    #expect((fitted.contrast - contrast).largest < 5e-4, "\(fitted.contrast)")
    #expect(fitted.contrast.y == contrast.y)
    #expect(try tint(fitted, of: scan) < 1e-3)
    // Published contrasts tint shadows by much more.
    #expect(try tint(film.measured(on: scan), of: scan) > 0.1)
  }

  /// With a known base, nothing but single precision limits the fit.
  @Test func knownBasesGiveExactContrasts() throws {
    let (scan, patches) = (Picture(scan), [patch(0), patch(4)])
    var film = film
    film.base = .transmittance(base)
    film.white = .region(patch(0))
    let fitted = try film.fittingContrasts(on: scan, neutral: patches)
    #expect((fitted.contrast - contrast).largest < 2e-6, "\(fitted.contrast)")
    #expect(try tint(fitted, of: scan) < 1e-5)
  }

  /// A wrong contrast of green changes that of the print, but tints nothing where it is fitted.
  @Test func otherContrastsOfGreenStayNeutral() throws {
    let (scan, patches) = (Picture(scan), [patch(0), patch(3)])
    let film = FilmProcess.c41.film(base: .transmittance(base))
    let fitted = try film.fittingContrasts(on: scan, neutral: patches)
    #expect(fitted.contrast.y == FilmProcess.c41.contrast.y)
    let light = try scan.developed(fitted).render(as: Float.self)
    for index in [0, 3] {
      let green = light[12 * index + 6, 14, 1]
      for channel in [0, 2] {
        #expect(abs(light[12 * index + 6, 14, channel] / green - 1) < 1e-5)
      }
    }
  }

  @Test func stopsDetermineAllContrasts() throws {
    let (scan, patches) = (Picture(scan), [5, 0, 2])
    for start in [FilmProcess.c41.film(), film] {
      var start = start
      start.base = .transmittance(base)
      let fitted = try start.fittingContrasts(
        on: scan, neutral: patches.map(patch), stops: patches.map { stops[$0] + 7 })
      #expect((fitted.contrast - contrast).largest < 2e-6, "\(fitted.contrast)")
      #expect(try tint(fitted, of: scan) < 1e-5)
      // Exposures have the ratios of the scene.
      let light = try scan.developed(fitted).render(as: Float.self)
      #expect(abs(light[6, 14, 1] / light[4 * 12 + 6, 14, 1] - 16) < 1e-3)
    }
  }

  /// A code is 0.14 % of the transmittance of the densest patch in blue.
  @Test func scansWith16BitsSuffice() throws {
    let codes = try Picture(scan).render(as: UInt16.self)
    for patches in [[0, 5], [0, 2, 4, 6]] {
      let found = try film.fittingContrasts(on: Picture(codes), neutral: patches.map(patch))
      #expect((found.contrast - contrast).largest < 1e-3, "\(found.contrast)")
      #expect(try tint(found, of: Picture(codes)) < 5e-3)
    }
  }

  /// Fog that development subtracts is a part of the base, and white keeps the exposure of green.
  @Test func fogAndWhiteAreKept() throws {
    var film = film
    film.offset = [0.1, 0.05, 0.02]
    film.base = .transmittance(base * SIMD3((0..<3).map { power(10, film.offset[$0]) }))
    let white = transmittance(of: 0.6)
    film.white = .transmittance([0.5 * white.x, white.y, 0.9 * white.z])
    let fitted = try film.fittingContrasts(on: Picture(scan), neutral: [patch(1), patch(5)])
    #expect((fitted.contrast - contrast).largest < 2e-6)
    #expect(fitted.base == film.base && fitted.offset == film.offset)
    let found = try #require(fitted.white.transmittance)
    #expect(((found - white) / white).largest < 1e-5)
  }

  /// Pixels without opacity do not count.
  @Test func transparentPixelsAreIgnored() throws {
    let opaque = scan
    let holes = Bitmap<Float>(opaque.size, in: .acescg, channels: .rgba) { x, y in
      x % 3 == 0 ? [0, 0, 0, 0] : (0..<3).map { opaque[x, y, $0] } + [1]
    }
    var film = film
    film.base = .transmittance(base)
    film.white = .transmittance(transmittance(of: 0.9))
    let (regions, whole) = ([patch(0), patch(5)], Picture(opaque))
    let found = try film.fittingContrasts(on: Picture(holes), neutral: regions)
    let expected = try film.fittingContrasts(on: whole, neutral: regions)
    #expect((found.contrast - expected.contrast).largest < 1e-9)
  }

  /// A film that is fitted in one color space develops scans of another in it.
  @Test func fittedFilmKnowsItsColorSpace() throws {
    let scan = Picture(scan)
    var film = film
    film.base = .transmittance(base)
    let fitted = try film.fittingContrasts(on: scan, neutral: [patch(0), patch(5)])
    #expect(fitted.space == ColorSpace.acescg.linear)
    let roll = FilmRoll(fitted)
    #expect(try FilmRoll(json: roll.json()) == roll)
    let other = scan.converted(to: .linearSRGB).developed(fitted).converted(to: .acescg)
    let (here, there) = (
      try scan.developed(fitted).render(as: Float.self), try other.render(as: Float.self)
    )
    for x in stride(from: 6, to: 84, by: 12) {
      for channel in 0..<3 {
        #expect(abs(there[x, 14, channel] - here[x, 14, channel]) < 1e-4)
      }
    }
  }

  // MARK: Errors

  private func refusal(
    _ regions: [Region], stops: [Double]? = nil, on scan: Bitmap<Float>? = nil
  ) -> String {
    do throws(RenderError) {
      _ = try film.fittingContrasts(
        on: Picture(scan ?? self.scan), neutral: regions, stops: stops)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func unfitRegionsAreRefusedInSentences() {
    let two = [patch(0), patch(4)]
    for (regions, stops, reason) in [
      ([], nil, "two neutral regions or more, of different exposures; got 0."),
      ([patch(0)], nil, "got 1."),
      ([patch(3), patch(3)], nil, "differ in density by 0.1 or more in each layer; got 0.0 in"),
      ([patch(0), Region(x: 80, y: 10, width: 5, height: 5)], nil, "reaches outside of the scan"),
      ([patch(0), Region(x: 0, y: 10, width: 0, height: 5)], nil, "0 × 5"),
      ([patch(0), Region(x: 0, y: 0, width: 9, height: 5)], nil, "no denser than the film base"),
      (two, [0], "got 1 for 2 regions."),
      (two, [0, 0], "must differ by 0.1 stops or more"),
      (two, [0, .nan], "from −40 to 40 stops; got nan."),
      // The reverse order, and exposures that film of no contrast has.
      (two, [-4, 0], "those of no characteristic curve for these stops"),
      (two, [0, -0.2], "those of no characteristic curve for these stops"),
    ] as [([Region], [Double]?, String)] {
      let found = refusal(regions, stops: stops)
      #expect(found.contains(reason), "\(found)")
    }
  }

  @Test func clippedAndColoredRegionsAreRefused() {
    let regions = [patch(0), patch(2), patch(5)]
    let black = wedge { index in
      index == 0 ? [0.05, 0.02, 0] : transmittance(of: brightest * power(2, stops[index]))
    }
    #expect(refusal(regions, on: black).contains("is clipped: some of it is black in blue"))
    // Patches that were red in the scene have a higher density in red.
    let red = wedge { index in
      let light = brightest * power(2, stops[index])
      var tone = transmittance(of: light)
      if index == 2 { tone.x = transmittance(of: 8 * light).x }
      return tone
    }
    #expect(refusal(regions, on: red).contains("The densities of the neutral regions in red"))
  }
}
