import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Pictures from and to bitmaps of any format.
@Suite struct BitmapFormTests {
  private static let lights: [Channels] = [
    .rgba, .bgra, .argb, .abgr, Channels([.green, .alpha, .unused, .red, .blue]),
  ]
  private static let arrangements: [Arrangement] = [.interleaved, .planar]

  private func numbers(_ size: PixelSize = PixelSize(271, 19)) -> Bitmap<Float> {
    TestPictures.floats(size, channels: .rgba)
  }

  /// Steps of each kind: alone, fused, and with neighborhoods.
  private static let recipes: [@Sendable (Picture) -> Picture] = [
    { $0 }, { $0.exposure(0.5) }, { $0.converted(to: .sRGB) },
    { $0.resized(to: .exact(90, 30)).inverted() },
  ]

  @Test(arguments: lights, arrangements)
  func theOrderOfASourceDoesNotMatter(channels: Channels, arrangement: Arrangement) throws {
    func check<Sample: PixelSample>(_: Sample.Type) throws {
      let usual: Bitmap<Sample> = try numbers().converted()
      let other = try usual.converted(channels: channels, arrangement: arrangement)
      for recipe in Self.recipes {
        let a = try recipe(Picture(usual)).render(as: UInt16.self)
        #expect(try recipe(Picture(other)).render(as: UInt16.self) == a)
      }
    }
    try check(UInt8.self)
    try check(UInt16.self)
    try check(Float.self)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      try check(Float16.self)
    #endif
  }

  @Test(arguments: lights, arrangements)
  func theOrderOfAResultDoesNotMatter(channels: Channels, arrangement: Arrangement) throws {
    func check<Sample: PixelSample>(_: Sample.Type) throws {
      for recipe in Self.recipes {
        let picture = recipe(Picture(numbers()))
        let usual: Bitmap<Sample> = try picture.render()
        let other: Bitmap<Sample> = try picture.render(
          channels: channels, arrangement: arrangement)
        #expect(other.channels == channels && other.arrangement == arrangement)
        #expect(try other.converted(channels: .rgba) == usual)
      }
    }
    try check(UInt8.self)
    try check(UInt16.self)
    try check(Float.self)
  }

  @Test func viewIsIndependentOfItsBitmap() throws {
    let bitmap = numbers()
    let region = Region(x: 33, y: 5, width: 101, height: 11)
    let view = bitmap.view(of: region)
    let copy = Bitmap<Float>(region.size, in: view.space) { x, y in (0..<4).map { view[x, y, $0] } }
    for recipe in Self.recipes {
      #expect(try recipe(Picture(view)).render(as: UInt16.self) == recipe(Picture(copy)).render())
    }
    // A view as the target, which leaves the rest of its bitmap unchanged.
    var target = try numbers().converted(arrangement: .planar).view(of: region)
    try Picture(copy).render(into: &target)
    #expect(target == copy)
  }

  @Test func otherChannelsAreUnchanged() throws {
    let channels = Channels([.named("depth"), .blue, .green, .red])
    var target = TestPictures.codes(as: UInt8.self, PixelSize(40, 8), channels: channels)
    let before = target
    let picture = Picture(TestPictures.floats(PixelSize(40, 8), in: .sRGB, channels: .rgb))
    try picture.render(into: &target)
    #expect(try target.converted(channels: .rgb) == picture.render())
    let depth = Channels.named("depth")
    #expect(try target.converted(channels: depth) == before.converted(channels: depth))
  }

  @Test func nonColorChannelsAreRefused() throws {
    let inks = Picture(Bitmap<UInt8>(PixelSize(4, 4), in: .sRGB, channels: .cmyk))
    #expect(throws: RenderError.recipe(.notLight(channels: "cmyk"))) {
      try inks.exposure(1).render(as: UInt8.self)
    }
    // The same error is that of row sources.
    #expect("\(RecipeError.notLight(channels: "cmyk"))".contains("; this source has cmyk."))
    let five = Bitmap<UInt8>(
      PixelSize(4, 4), in: .sRGB, channels: .rgba.adding(.named("depth")))
    #expect(throws: RenderError.recipe(.notLight(channels: "red green blue alpha “depth”"))) {
      try Picture(five).render(as: UInt8.self)
    }
    #expect(throws: Never.self) {
      try Picture(five.converted(channels: .rgba)).render(as: UInt8.self)
    }
    let picture = Picture(numbers(PixelSize(4, 4)))
    for channels in [Channels.cmyk, .named("depth")] {
      #expect(throws: RenderError.unsupportedChannels(channels)) {
        try picture.render(as: UInt8.self, channels: channels)
      }
    }
    #expect(throws: RenderError.alphaWouldBeLost) {
      try picture.render(as: UInt8.self, channels: .bgr)
    }
  }

  /// Gray is luminance; gray sources are unchanged.
  @Test func grayIsLuminance() throws {
    let picture = Picture(TestPictures.floats(PixelSize(7, 5), channels: .rgb))
    let gray = try picture.render(as: Float.self, channels: .gray)
    let expected = try picture.monochrome().render(as: Float.self)
    #expect(gray.channels == .gray && gray.space == picture.space)
    for y in 0..<5 { for x in 0..<7 { #expect(gray[x, y, 0] == expected[x, y, 2]) } }

    var target = Bitmap<UInt16>(PixelSize(7, 5), in: .displayP3, channels: .gray)
    try picture.render(into: &target)
    let converted = try picture.converted(to: .displayP3).render(as: UInt16.self, channels: .gray)
    #expect(target == converted)

    let spread = Dither(.errorDiffusion)
    let rounded = try picture.render(as: UInt8.self, channels: .gray, dither: spread)
    for y in 0..<5 {
      for x in 0..<7 {
        #expect(abs(Float(rounded[x, y, 0]) / 255 - min(max(gray[x, y, 0], 0), 1)) < 0.01)
      }
    }
    let codes = Bitmap<UInt8>(PixelSize(256, 1), in: .sRGB, channels: .gray) { x, _ in [UInt8(x)] }
    #expect(try Picture(codes).render(as: UInt8.self, channels: .gray) == codes)
    let covered = TestPictures.codes(as: UInt8.self, PixelSize(9, 9), channels: .rgba)
    #expect(throws: RenderError.alphaWouldBeLost) {
      try Picture(covered).render(as: UInt8.self, channels: .gray)
    }
    let both = try Picture(covered).render(as: UInt8.self, channels: .grayAlpha)
    #expect(both[4, 4, 1] == covered[4, 4, 3])
    #expect(throws: RenderError.unsupportedChannels(.gray)) {
      try Picture(codes).converted(to: .lab).render(as: Float.self, channels: .gray)
    }
  }

  @Test func exceedingMemoryIsAnError() throws {
    var options = RenderOptions()
    options.pixelLimit = .max
    // 2⁵² bytes.
    let picture = Picture.constant(ColorPoint(1, 0, 0, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(1 << 24, 1 << 24)))
    #expect(throws: RenderError.bitmap(.notEnoughMemory(bytes: 1 << 52))) {
      try picture.render(as: Float.self, channels: .rgbx, options: options)
    }
  }

  // MARK: - Dither

  @Test(arguments: Dither.Method.allCases)
  func ditherIsIndependentOfTiles(method: Dither.Method) throws {
    let picture = Picture(numbers()).exposure(0.3)
    for dither in [Dither(method), Dither(method, levels: 4)] {
      let expected = try picture.render(as: Float.self).converted(to: UInt8.self, dither: dither)
      for tile in [PixelSize(16, 16), PixelSize(64, 7), PixelSize(1000, 1000)] {
        for threads in [1, 4] {
          var options = RenderOptions()
          (options.tile, options.threads) = (tile, threads)
          #expect(try picture.render(dither: dither, options: options) == expected)
          let all = try picture.render(
            as: UInt8.self, channels: .bgra, arrangement: .planar, dither: dither, options: options)
          #expect(try all.converted(channels: .rgba) == expected)
        }
      }
    }
  }

  /// Sources and targets with the last row first, with filters that read floats in place where they can.
  @Test func bottomUpMemoryRendersLikeItsCopy() throws {
    let size = PixelSize(31, 17)
    for arrangement in [Arrangement.interleaved, .planar] {
      let memory = UnsafeMutableRawBufferPointer.allocate(
        byteCount: 4 * 4 * size.pixelCount, alignment: 64)
      memory.withMemoryRebound(to: Float.self) { floats in
        for index in floats.indices { floats[index] = Float(index % 101) / 101 }
      }
      let address = UInt(bitPattern: memory.baseAddress)
      var bitmap = try Bitmap<Float>(
        wrappingMutable: memory, size, in: .sRGB, arrangement: arrangement,
        bytesPerRow: -4 * size.width * (arrangement == .planar ? 1 : 4)
      ) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
      let copy = try bitmap.converted(arrangement: arrangement)
      #expect(copy.bytesPerRow > 0 && bitmap == copy)
      for filtered in [{ $0.exposure(1) }, { $0.blurred(sigma: 2) }] as [(Picture) -> Picture] {
        let result = try filtered(Picture(bitmap)).render(as: UInt8.self)
        #expect(try result == filtered(Picture(copy)).render(as: UInt8.self))
      }
      let picture = Picture(numbers(size)).exposure(-1)
      var expected = Bitmap<Float>(size, in: .sRGB)
      try picture.render(into: &expected)
      try picture.render(into: &bitmap)
      #expect(try bitmap.converted(arrangement: .interleaved) == expected)
    }
  }

  @Test(arguments: Dither.Method.allCases)
  func ditherIsTheSameInBandsAndInPlace(method: Dither.Method) throws {
    let dither = Dither(method)
    let picture = Picture(numbers(PixelSize(120, 300))).inverted()
    let expected = try picture.render(as: UInt8.self, dither: dither)
    let collected = Collected(expected.size)
    var options = RenderOptions()
    options.tile = PixelSize(120, 13)
    try picture.renderBands(as: UInt8.self, dither: dither, options: options) { row, band in
      collected.add(band, at: row)
    }
    #expect(collected.rows == (0..<300).map { expected.row($0) })

    var straight = Bitmap<UInt8>(picture.size, in: picture.space, channels: .abgr)
    try picture.render(into: &straight, dither: dither)
    #expect(try straight.converted(channels: .rgba) == expected)

    var premultiplied = Bitmap<UInt8>(picture.size, in: picture.space, alpha: .premultiplied)
    try picture.render(into: &premultiplied, dither: dither)
    #expect(
      try premultiplied
        == picture.render(as: Float.self).converted(
          to: UInt8.self, alpha: .premultiplied, dither: dither))
  }

  @Test func jointRenderingDithersEachPictureIndependently() throws {
    let picture = Picture(numbers(PixelSize(64, 96)))
    let pictures = [picture, picture.resized(to: .exact(30, 40)), picture.exposure(1)]
    for method in Dither.Method.allCases {
      let dither = Dither(method)
      let together = try Picture.render(pictures, as: UInt8.self, dither: dither)
      for (one, picture) in zip(together, pictures) {
        #expect(try picture.render(dither: dither) == one)
      }
    }
  }

  /// Padding and channels without a color are zeros in new bitmaps, and stay in others, whichever way values are rounded.
  @Test(arguments: [Dither?.none] + Dither.Method.allCases.map { Dither($0) })
  func otherChannelsAreNotWritten(dither: Dither?) throws {
    let picture = Picture(TestPictures.floats(PixelSize(30, 20), channels: .rgb))
    for channels in [Channels.rgbx, .rgb.adding(.named("depth"))] {
      let made = try picture.render(as: UInt8.self, channels: channels, dither: dither)
      var kept = Bitmap<UInt8>(picture.size, in: picture.space, channels: channels) { _, _ in
        [1, 2, 3, 77]
      }
      try picture.render(into: &kept, dither: dither)
      for y in 0..<20 {
        for x in 0..<30 {
          #expect(made[x, y, 3] == 0)
          #expect(kept[x, y, 3] == 77)
          for channel in 0..<3 { #expect(made[x, y, channel] == kept[x, y, channel]) }
        }
      }
    }
  }

  /// With few levels alpha has them, too, and premultiplied colors are not above it.
  @Test(arguments: Dither.Method.allCases) func alphaHasTheLevels(method: Dither.Method) throws {
    let dither = Dither(method, levels: 3)
    let source = TestPictures.floats(PixelSize(30, 20), channels: .rgba)
    for alpha in [Alpha.straight, .premultiplied] {
      let converted = try source.converted(to: UInt8.self, alpha: alpha, dither: dither)
      var rendered = Bitmap<UInt8>(source.size, in: source.space, alpha: alpha)
      try Picture(source).render(into: &rendered, dither: dither)
      #expect(rendered == converted)
      for y in 0..<20 {
        for x in 0..<30 {
          #expect([0, 128, 255].contains(converted[x, y, 3]))
          if alpha == .premultiplied {
            for channel in 0..<3 { #expect(converted[x, y, channel] <= converted[x, y, 3]) }
          }
        }
      }
    }
  }

  /// A bitmap that shares its memory is copied before it is written, and the copy counts towards the limit.
  @Test func copiesOfSharedBitmapsAreCounted() throws {
    let picture = Picture(TestPictures.floats(PixelSize(600, 600), channels: .rgb))
    var bitmap = Bitmap<Float>(picture.size, in: picture.space)
    var options = RenderOptions()
    options.threads = 1
    options.memoryLimit = 1 << 20
    try picture.render(into: &bitmap, options: options)
    let shared = bitmap
    #expect(throws: RenderError.self) { try picture.render(into: &bitmap, options: options) }
    #expect(shared == bitmap)
    options.memoryLimit = nil
    try picture.render(into: &bitmap, options: options)
  }

  /// The counts of a reduction are as large as the reduction says, and count towards the limit.
  @Test func countsOfReductionsAreCounted() throws {
    let picture = Picture(TestPictures.floats(PixelSize(30, 20), channels: .rgb))
    var options = RenderOptions()
    options.memoryLimit = 64 << 20
    #expect(throws: RenderError.self) {
      try picture.chromaticityDiagram(side: 8192, options: options)
    }
    #expect(throws: RenderError.self) {
      try picture.reduced(by: Histogram(steps: 16_777_216), options: options)
    }
    _ = try picture.chromaticityDiagram(side: 512, options: options)
    _ = try picture.reduced(by: Histogram(steps: 65_536), options: options)
  }

  /// Measurements in several renderings have one progress.
  @Test func progressOfMeasurementsIncreases() throws {
    let picture = Picture(TestPictures.floats(PixelSize(300, 200), channels: .rgb)).exposure(-2)
    func check(_ measure: (RenderOptions) throws -> Void) throws {
      let log = Mutex<[Double]>([])
      var options = RenderOptions()
      options.progress = { part in log.withLock { $0.append(part) } }
      options.tile = PixelSize(50, 50)
      try measure(options)
      let parts = log.withLock { $0 }
      #expect(zip(parts, parts.dropFirst()).allSatisfy(<=))
      #expect(parts.last == 1)
    }
    let (one, other) = (
      Region(x: 0, y: 0, width: 100, height: 100), Region(x: 150, y: 50, width: 100, height: 100)
    )
    var film = NegativeFilm.colorNegative()
    film.base = .region(one)
    try check { _ = try film.frame("1", of: picture, options: $0) }
    try check {
      _ = try Picture.stepLosses(
        of: [("source", picture), ("exposure", picture.exposure(4))], storedAs: .uint8,
        options: $0)
    }
    let ramp = Bitmap<Float>(PixelSize(300, 200), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float](repeating: Float(x + 1) / 300, count: 3)
    }
    try check { _ = try PowerNegative.measured(on: Picture(ramp), one, other, options: $0) }
  }

  /// The plan's memory is sufficient, and a byte less is not: to a bitmap, by error diffusion with its bands, and in
  /// bands alone.
  @Test(arguments: [Dither?.none, .ordered, .errorDiffusion], [false, true])
  func theLimitOfMemoryHolds(dither: Dither?, inBands: Bool) throws {
    let picture = Picture(numbers()).resized(to: .scaled(by: 3))
    var options = RenderOptions()
    options.threads = 2
    let report = try picture.planReport(
      as: UInt8.self, channels: inBands ? nil : .grayAlpha, dither: dither, inBands: inBands,
      options: options)
    func render(limit: Int) throws {
      var options = options
      options.memoryLimit = limit
      if inBands {
        try picture.renderBands(as: UInt8.self, dither: dither, options: options) { _, _ in }
      } else {
        _ = try picture.render(
          as: UInt8.self, channels: .grayAlpha, dither: dither, options: options)
      }
    }
    try render(limit: report.peakBytes)
    #expect(throws: RenderError.self) { try render(limit: report.peakBytes - 1) }
  }
}

/// The collected rows of all bands.
private final class Collected: @unchecked Sendable {
  // Sendable because bands are delivered one at a time.
  private(set) var rows: [[UInt8]]

  init(_ size: PixelSize) { rows = .init(repeating: [], count: size.height) }

  func add(_ band: Bitmap<UInt8>, at first: Int) {
    for y in 0..<band.size.height { rows[first + y] = band.row(y) }
  }
}
