import Colorloom
import ColorloomTesting
import Testing

/// Filters that read the neighborhood of each pixel in several pictures.
@Suite struct AreaBlendTests {
  private static let size = PixelSize(97, 61)
  private let picture = Picture(TestPictures.floats(Self.size))
  private let map = Picture(TestPictures.floats(PixelSize(50, 80), channels: .rgb, seed: 3))

  private var displaced: Picture {
    picture.applying(Displacement(reach: 5), with: [map.moved(by: Offset(20, -10))])
      .applying(MaskedMean(reach: 2), with: [map])
  }

  @Test(arguments: [PixelSize(1, 1), PixelSize(7, 5), PixelSize(97, 1), PixelSize(64, 64)])
  func resultIsIndependentOfTilesAndThreads(tile: PixelSize) throws {
    let whole = try displaced.render(as: Float.self)
    for threads in [1, 2, 4] {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      let tiled = try displaced.render(as: Float.self, options: options)
      #expect(tiled == whole, "\(tile), \(threads) threads")
    }
  }

  @Test func displacementReadsTheMapAndThePicture() throws {
    // A ramp of columns: where the map is 1, each pixel is taken from three columns to the right.
    let ramp = Bitmap<Float>(Self.size, in: .linearSRGB) { x, _ in
      [Float(x), 0, 0, 1]
    }
    let map = Bitmap<Float>(PixelSize(40, 61), in: .linearSRGB) { _, _ in [1, 1, 1, 1] }
    let result = try Picture(ramp).applying(Displacement(reach: 3), with: [Picture(map)])
      .render(as: Float.self)
    #expect(result[10, 7, 0] == 13)
    // Outside of the map its red is 0; beyond the edge the last column is repeated.
    #expect(result[60, 7, 0] == 57)
    #expect(result[39, 7, 0] == 42)
  }

  @Test func equalFiltersOfEqualInputsAreEvaluatedOnce() {
    let twice = displaced.applying(Average(), with: [displaced])
    #expect(twice.plan.split(separator: "Displacement").count == 2, "\(twice.plan)")
  }

  @Test func plansPromiseEnoughMemory() throws {
    var options = RenderOptions()
    options.threads = 1
    let report = try displaced.planReport(as: Float.self, options: options)
    options.memoryLimit = report.peakBytes
    #expect(try displaced.render(as: Float.self, options: options).size == Self.size)
    options.memoryLimit = report.peakBytes / 2
    #expect(throws: RenderError.self) { try displaced.render(as: Float.self, options: options) }
  }

  @Test func recipesKeepAllInputs() throws {
    let result = picture.applying(Displacement(reach: 3), with: [map])
    let recipe = try result.recipe().recipe
    var catalog = FilterCatalog.builtIn
    catalog.add(Displacement.self)
    let decoded = try RecipeDecoder(catalog: catalog).recipe(json: recipe.json)
    #expect(decoded == recipe)
    #expect(recipe.inputs.count == 2)
  }

  @Test func failuresOfOtherPicturesAreThrown() {
    let failed = map.cropped(to: Region(x: 0, y: 0, width: 0, height: 0))
    #expect(throws: RenderError.self) {
      try picture.applying(Displacement(reach: 3), with: [failed]).render(as: Float.self)
    }
  }
}
