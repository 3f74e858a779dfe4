import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Blurs and windows that reach further than the picture: what they mean, in every tile, and work bounded by the picture's size.
@Suite struct WideReachTests {
  private static let sizes = [
    PixelSize(1, 1), PixelSize(3, 70), PixelSize(90, 2), PixelSize(61, 40),
  ]

  private func noise(_ size: PixelSize) -> Bitmap<Float> {
    var random = SeededGenerator(seed: 5)
    return Bitmap<Float>(size, in: .linearSRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in Float.random(in: -0.5...2, using: &random) }
    }
  }

  /// The sum of `weight` over all distances up to `reach`, along columns and then rows, in double precision. Beyond the edges those repeat.
  private func sums(
    _ source: Bitmap<Float>, reach: Int, channel: Int, weight: (Int) -> Double
  ) -> [Double] {
    let (width, height) = (source.size.width, source.size.height)
    let weights = (-reach...reach).map(weight)
    let total = weights.reduce(0, +)
    /// The shares of all places of an axis in each of them.
    func shares(_ count: Int) -> [[Double]] {
      (0..<count).map { place in
        var shares = [Double](repeating: 0, count: count)
        for (index, weight) in weights.enumerated() {
          shares[min(max(place + index - reach, 0), count - 1)] += weight / total
        }
        return shares
      }
    }
    let (across, down) = (shares(width), shares(height))
    let columns = (0..<width * height).map { place in
      (0..<height).reduce(0.0) {
        $0 + down[place / width][$1] * Double(source[place % width, $1, channel])
      }
    }
    return (0..<width * height).map { place in
      (0..<width).reduce(0.0) {
        $0 + across[place % width][$1] * columns[place / width * width + $1]
      }
    }
  }

  /// The largest difference of a picture from exact sums; its tiles must have the same bits as the whole.
  private func error(
    _ picture: Picture, _ exact: (Int) -> [Double]
  ) throws -> Double {
    var options = RenderOptions()
    options.tile = picture.size
    let whole: Bitmap<Float> = try picture.render(options: options)
    options.tile = PixelSize(16, 16)
    #expect(try (picture.render(options: options) as Bitmap<Float>).isIdentical(to: whole))
    var worst = 0.0
    for channel in 0..<3 {
      for (place, value) in exact(channel).enumerated() {
        let (x, y) = (place % whole.size.width, place / whole.size.width)
        worst = larger(worst, abs(Double(whole[x, y, channel]) - value))
      }
    }
    return worst
  }

  /// 10⁻⁶ of the brightest pixel, which is 2.
  @Test(arguments: [5, 19.7, 64, 300, 10_000])
  func blursWiderThanThePicture(sigma: Double) throws {
    for size in Self.sizes {
      let source = noise(size)
      let error = try error(Picture(source).blurred(sigma: sigma)) { channel in
        sums(source, reach: Int(7 * sigma), channel: channel) {
          exponential(-Double($0 * $0) / (2 * sigma * sigma))
        }
      }
      #expect(error < 2e-6, "\(sigma) of \(size): \(error)")
    }
  }

  /// Means of up to (2 · 10⁴ + 1)² pixels: sums are rounded once along each axis.
  @Test(arguments: [33, 50, 89, 10_000])
  func squaresWiderThanThePicture(radius: Int) throws {
    for size in Self.sizes {
      let source = noise(size)
      let error = try error(Picture(source).boxBlurred(radius: radius)) { channel in
        sums(source, reach: radius, channel: channel) { _ in 1 }
      }
      #expect(error < 1e-6, "\(radius) of \(size): \(error)")
    }
  }

  /// Infinity at an edge that the window does not reach beyond is counted once, and not multiplied by zero.
  @Test func infinityAtAnEdgeStaysInfinite() throws {
    let source = Bitmap<Float>(PixelSize(41, 1), in: .linearSRGB, channels: .gray) { x, _ in
      [x == 0 ? .infinity : 1]
    }
    let mean = try Picture(source).boxBlurred(radius: 40).render(as: Float.self)
    for x in 0..<41 { #expect(mean[x, 0, 0] == .infinity) }
  }

  @Test func extremesOfWholePictures() throws {
    for size in Self.sizes {
      let source = noise(size)
      let places = (0..<size.pixelCount).map { ($0 % size.width, $0 / size.width) }
      for radius in [2, 39, 60, 10_000] {
        let dilated = try Picture(source).dilated(by: radius).render(as: Float.self)
        for (x, y) in places where (x + y) % 7 == 0 {
          let seen = places.filter { abs($0.0 - x) <= radius && abs($0.1 - y) <= radius }
          let greatest = seen.map { source[$0.0, $0.1, 1] }.max()
          #expect(dilated[x, y, 1] == greatest, "\(radius) of \(size) at \(x), \(y)")
        }
      }
    }
  }

  /// A square of a guided filter reaches no further than the picture is wide, or high.
  @Test func guidedFiltersReachThePicture() throws {
    for size in [PixelSize(1, 1), PixelSize(1, 5), PixelSize(4, 3)] {
      let source = noise(size)
      let filter = try GuidedFilter(radius: 2000, contrast: 0.3)
      let result = try Picture(source).applying(filter).render(as: Float.self)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let exact = filter.pixel(x: x, y: y, of: size) {
            let (x, y) = (min(max($0, 0), size.width - 1), min(max($1, 0), size.height - 1))
            return SIMD4((0..<4).map { $0 < 3 ? Double(source[x, y, $0]) : 1 })
          }
          for channel in 0..<3 {
            // Roundings of results of up to 2.
            #expect(abs(Double(result[x, y, channel]) - exact[channel]) < 1e-6)
          }
        }
      }
    }
  }

  /// What a plan reserves for the widest filters is a multiple of the picture, which has 2,440 pixels.
  @Test func memoryIsThatOfThePicture() throws {
    let source = Picture(noise(PixelSize(61, 40)))
    for (name, picture) in [
      ("blur", source.blurred(sigma: 10_000)), ("mean", source.boxBlurred(radius: 10_000)),
      ("dilation", source.dilated(by: 10_000)), ("erosion", source.eroded(by: 10_000)),
      ("guided", source.guidedSmoothed(radius: 2000, contrast: 0.1)),
      ("sharpening", source.sharpened(sigma: 10_000, amount: 1)),
    ] {
      var options = RenderOptions()
      options.threads = 1
      let bytes = try picture.planReport(as: Float.self, options: options).peakBytes
      // The weights of a blur are some for each pixel of its deviation.
      let weights = name == "blur" || name == "sharpening" ? 2 * 32 * 20 * 10_000 : 0
      #expect(bytes < 200 * 16 * source.size.pixelCount + weights, "\(name): \(bytes)")
    }
  }
}
