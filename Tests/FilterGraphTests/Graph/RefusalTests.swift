import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// What cannot be rendered is an error of the picture, with the parameter named, and nothing else.
@Suite struct RefusalTests {
  private let photo = Picture(TestPictures.floats(PixelSize(8, 6), channels: .rgb))

  private func message(of picture: Picture) -> String {
    do { _ = try picture.render(as: UInt8.self) } catch { return "\(error)" }
    return ""
  }

  @Test(arguments: [
    (Double.nan, "NaN"), (.infinity, "infinity"), (-.infinity, "-infinity"),
  ])
  func numbersAreFinite(number: Double, word: String) {
    let pictures: [(name: String, picture: Picture)] = [
      ("level of threshold", photo.threshold(level: number)),
      ("meaning of invert", photo.inverted(.density(range: number))),
      ("amount of brightness", photo.brightness(number)),
      ("factor of saturation", photo.saturation(number)),
      ("hue-rotation", photo.hueRotation(number)),
      ("exposure", photo.exposure(number)),
    ]
    for (name, picture) in pictures {
      let message = message(of: picture)
      #expect(message.contains("must"), "\(name): \(message)")
      #expect(message.contains("got \(word)."), "\(name): \(message)")
    }
    #expect(
      message(of: photo.threshold(level: number))
        == "The level of threshold must be a finite number; got \(word).")
  }

  /// The first error of a chain is kept.
  @Test func theFirstErrorIsKept() {
    let message = message(of: photo.threshold(level: .nan).saturation(.infinity))
    #expect(message.hasPrefix("The level of threshold"))
  }

  @Test func filtersNeedTheirPictures() {
    #expect(
      message(of: photo.applying(AlphaMask(), with: []))
        == "The number of pictures of linear alpha mask must be 2; got 1.")
    #expect(message(of: photo.applying(AlphaMask(), with: [photo])).isEmpty)
  }

  /// “Any” values are those of the step before, which may be linear, encoded or premultiplied.
  @Test func mixturesNeedADomain() throws {
    let pictures = [
      photo.convolved([[1]], in: .any), photo.channelMix(.identity, in: .any),
      photo.channelMix(alpha: [0, 0, 0, 0.5], in: .any),
    ]
    for picture in pictures {
      #expect(message(of: picture).hasPrefix("A filter that mixes values needs their domain"))
    }
    for name in ["convolution", "channel-mix", "four-channel-mix"] {
      let entry = try #require(FilterCatalog.builtIn[name])
      guard case .object(let members)? = entry.sample else { continue }
      let changed = members.filter { $0.name != "in" } + [RecipeValue.Member("in", .string("any"))]
      #expect(throws: RecipeDecodingError.self) { try entry.filter(.object(changed), at: name) }
    }
  }

  @Test(arguments: [Double.nan, .infinity]) func matricesAreFinite(number: Double) {
    let matrix = ColorMatrix(rows: [1, 0, 0], [0, number, 0], [0, 0, 1])
    #expect(
      message(of: photo.channelMix(matrix)).hasPrefix("The matrix of channel mix must be a finite"))
    let mixed = photo.channelMix(red: [0, number, 0, 0])
    #expect(message(of: mixed).hasPrefix("The red of four channel mix must be a finite"))
    let raised = photo.channelMix(offset: [0, 0, 0, number])
    #expect(message(of: raised).hasPrefix("The alpha of four channel mix must be a finite"))
  }

  @Test func blendsOfPicturesThatDoNotOverlapHaveNoPixels() {
    let far = photo.moved(by: Offset(100, -7))
    #expect(
      message(of: photo.applying(Mean(extent: .intersection), with: [far]))
        == "The pictures do not overlap: they are 8 × 6 at (0, 0), 8 × 6 at (100, -7). "
        + "Move one onto the others.")
    #expect(message(of: photo.applying(Mean(extent: .first), with: [far])).isEmpty)
  }

  /// Colors of filters have no alpha, which recipes would drop.
  @Test(arguments: ["rgb(255 0 0 / 0.5)", "transparent", "#ff000080", "rgb(0 0 0 / none)"])
  func colorsOfRecipesAreOpaque(color: String) {
    func recipe(_ color: String) throws -> Recipe {
      try Recipe(
        json: """
          {"version": 1, "inputs": ["photo"], "steps": [{"flatten": {"onto": "\(color)"}}]}
          """)
    }
    #expect(throws: Never.self) { try recipe("rgb(255 0 0)") }
    do {
      _ = try recipe(color)
      Issue.record("\(color) was read.")
    } catch {
      #expect("\(error)".contains("an opaque color"))
    }
  }

  /// Sizes below zero remain errors, whatever is done with them.
  @Test(arguments: [PixelSize(.min, 4), PixelSize(-5, 0)])
  func failedPicturesCanBeResized(size: PixelSize) {
    let bars = Picture.colorBars(in: .sRGB, size: size)
    for picture in [bars.resized(to: .scaled(by: 2)), bars.resized(to: .fill(10, 10))] {
      #expect(!message(of: picture).isEmpty)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func findingsOfFilmHaveATextForEveryDensity(density: Double) {
    let blank = "\(FilmRoll.Finding.blank(density: density))"
    #expect(blank.contains("∞"))
    #expect("\(FilmRoll.Finding.otherBase(density: SIMD3(repeating: density)))".contains("∞"))
  }

  /// A film's contrast is checked before its tones are measured.
  @Test(arguments: [0, Double.nan, 100]) func contrastsOfFilmAreChecked(contrast: Double) {
    var film = NegativeFilm.colorNegative()
    film.contrast = SIMD3(repeating: contrast)
    #expect(throws: RenderError.self) { try film.measured(on: photo) }
    #expect(throws: RenderError.self) { try film.frame("1", of: photo) }
    let frame = FilmRoll.Frame(name: "1", base: [0.8, 0.5, 0.3], densest: [0.1, 0.05, 0.02])
    #expect(throws: RecipeError.self) { try FilmRoll(measuring: film, on: [frame]) }
  }

  /// A curve that is flat up to its threshold has no inverse that a plan could cancel.
  @Test func flatCurvesAreNotCancelled() throws {
    let curve = PowerCurve(shift: -0.05, exponent: 2.4, slope: 0, threshold: 0.05)
    let space = ColorSpace(
      "flat", primaries: .rec709, transfer: TransferFunction("flat", decoding: curve))
    let dark = Bitmap<Float>(PixelSize(2, 1), in: space, channels: .rgb) { _, _ in
      [0.03, 0.03, 0.03]
    }
    let picture = Picture(dark).exposure(1).exposure(-1)
    var options = RenderOptions()
    let usual = try picture.render(as: Float.self, options: options)
    options.fusion = .withoutLaws
    #expect(try picture.render(as: Float.self, options: options) == usual)
  }

  /// A plan report names the error of a picture that cannot be rendered, and is made for pictures larger than the machine's memory.
  @Test func forecastsOfWhatCannotBeRendered() throws {
    #expect(throws: RenderError.recipe(.endless)) {
      try Picture.constant(ColorPoint(1, 1, 1, in: .sRGB), in: .sRGB).planReport(as: Float.self)
    }
    let huge = Picture.constant(ColorPoint(1, 1, 1, in: .sRGB), in: .sRGB)
      .cropped(to: Region(x: 0, y: 0, width: 1 << 20, height: 1 << 20))
    var options = RenderOptions()
    options.pixelLimit = 1 << 41
    let report = try huge.planReport(as: Float.self, inBands: true, options: options)
    #expect(report.refusal == nil)
    #expect(!report.json.contains("refusal"))
    let refused = try huge.planReport(as: Float.self, options: options)
    let refusal = try #require(refused.refusal)
    guard case .object(let members) = try RecipeValue(json: refused.json) else {
      Issue.record("\(refused.json)")
      return
    }
    #expect(members.contains(RecipeValue.Member("refusal", .string("\(refusal)"))))
  }

  @Test(arguments: [Double.nan, .infinity, 1e300])
  func weightsAreFinite(weight: Double) {
    #expect(message(of: photo.convolved([[weight]])).hasPrefix("A weight of a convolution must"))
    if weight == 1e300 { return }
    for kernel in [ResamplingKernel.cubic(b: weight, c: 0), .cubic(b: 0, c: weight)] {
      #expect(
        message(of: photo.resized(to: .exact(5, 4), by: kernel)).contains("be a finite number"))
    }
  }

  /// The picture's own error comes before those of the bitmap to render into.
  @Test func failuresComeBeforeMismatches() {
    var bitmap = Bitmap<UInt8>(PixelSize(3, 3), in: .sRGB, channels: .rgb)
    let failed = photo.exposure(.nan)
    let error = #expect(throws: RenderError.self) { try failed.render(into: &bitmap) }
    #expect(error.map { "\($0)".contains("exposure") } == true)
    let endless = Picture.noise(seed: 1, in: .sRGB)
    #expect(throws: RenderError.recipe(.endless)) { try endless.render(into: &bitmap) }
  }

  /// Rows whose source states what no source can.
  private struct OddRows: RowSource {
    var readingBytes = 0
    var fewer = PixelSize(4, 3)
    let size = PixelSize(8, 6)
    let space = ColorSpace.sRGB
    let channels = Channels.rgb
    let alpha = Alpha.straight
    let format = SampleFormat.uint8

    func reduced(toAtLeast size: PixelSize) -> (any RowSource)? {
      Smaller(size: fewer)
    }

    func makeReader() throws -> any RowReader { throw RenderError.cancelled }

    struct Smaller: RowSource {
      let size: PixelSize
      let space = ColorSpace.sRGB
      let channels = Channels.rgb
      let alpha = Alpha.straight
      let format = SampleFormat.uint8

      func makeReader() throws -> any RowReader { throw RenderError.cancelled }
    }
  }

  @Test func oddSourcesAreErrors() {
    let hungry = Picture(OddRows(readingBytes: .max))
    let error = #expect(throws: RenderError.self) { try hungry.render(as: UInt8.self) }
    #expect(error.map { if case .moreThanMachineMemory = $0 { true } else { false } } == true)
    let empty = Picture(OddRows(fewer: PixelSize(0, 0))).reduced(toAtLeast: PixelSize(2, 2))
    #expect(throws: RenderError.recipe(.emptySize(width: 0, height: 0))) {
      try empty.render(as: UInt8.self)
    }
  }
}
