import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Resizes of reduced sources whose last column and row stand for fewer of the whole picture's.
@Suite struct ReducedExtentTests {
  /// Waves in linear light, of which each pixel is the mean of what it stands for.
  private struct Waves: ReducedRowSource {
    let wholeSize: PixelSize
    var reduction = 1

    var size: PixelSize {
      PixelSize(
        (wholeSize.width + reduction - 1) / reduction,
        (wholeSize.height + reduction - 1) / reduction)
    }
    let space = ColorSpace.linearSRGB
    let channels = Channels.gray
    let alpha = Alpha.straight
    let format = SampleFormat.float32

    func reduced(toAtLeast wanted: PixelSize) -> (any RowSource)? {
      [8, 4, 2].lazy.map { Waves(wholeSize: wholeSize, reduction: $0) }
        .first { $0.size.width >= wanted.width && $0.size.height >= wanted.height }
    }

    /// The mean of a wave over the columns, or rows, that a pixel stands for.
    private func mean(_ index: Int, of length: Int, waves: Double) -> Double {
      let covered = index * reduction..<min((index + 1) * reduction, length)
      return covered.reduce(0) {
        $0 + sine(ofPi: 2 * (waves * (Double($1) + 0.5) / Double(length) + 0.1))
      } / Double(covered.count)
    }

    final class Reader: RowReader {
      private let columns, rows: [Double]
      private var y = 0

      init(_ source: Waves) {
        let (size, whole) = (source.size, source.wholeSize)
        columns = (0..<size.width).map { source.mean($0, of: whole.width, waves: 3) }
        rows = (0..<size.height).map { source.mean($0, of: whole.height, waves: 2) }
      }

      func readRow(into row: UnsafeMutableRawBufferPointer) {
        let values = row.bindMemory(to: Float.self)
        for (x, value) in columns.enumerated() { values[x] = Float(0.5 + 0.2 * (value + rows[y])) }
        y += 1
      }
    }

    func makeReader() -> any RowReader { Reader(self) }
  }

  private static let sizes = [PixelSize(401, 267), PixelSize(404, 270), PixelSize(407, 264)]

  /// The largest difference of two results of one size.
  private func difference(_ a: Picture, _ b: Picture) throws -> Float {
    let (a, b): (Bitmap<Float>, Bitmap<Float>) = (try a.render(), try b.render())
    #expect(a.size == b.size)
    return zip(a.samples, b.samples).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  /// With each orientation, pixels lie where those of the whole picture lie, up to the edges.
  @Test(arguments: sizes, Orientation.allCases)
  func resultsLieWhereThoseOfTheWholeLie(size: PixelSize, orientation: Orientation) throws {
    let whole = Picture(Waves(wholeSize: size)).oriented(orientation).exposure(-0.1)
    for reduction in [2, 4, 8] {
      let width = (whole.size.width - 1) / reduction / 2
      let target = ResizeTarget.exact(width, (whole.size.height - 1) / reduction / 2)
      let wanted = PixelSize(whole.size.width / reduction, whole.size.height / reduction)
      let reduced = whole.reduced(toAtLeast: wanted)
      #expect(reduced.size.width == (whole.size.width + reduction - 1) / reduction)
      for kernel in [ResamplingKernel.lanczos3, .mitchell, .triangle] {
        let error = try difference(
          reduced.resized(to: target, by: kernel), whole.resized(to: target, by: kernel))
        #expect(error < bound(reduction), "\(kernel), 1/\(reduction): \(error)")
      }
    }
  }

  /// What the triangle, the least smooth kernel, makes of other pixels. A result that is squeezed differs by 0.009 and more.
  private func bound(_ reduction: Int) -> Float { 0.0007 * Float(reduction) }

  /// A target that keeps proportions keeps those of the whole picture.
  @Test func proportionsAreThoseOfTheWhole() throws {
    let whole = Picture(Waves(wholeSize: PixelSize(4001, 17)))
    let reduced = whole.reduced(toAtLeast: PixelSize(500, 3))
    #expect(reduced.size == PixelSize(501, 3))
    for target in [ResizeTarget.fit(240, 240), .fit(999, 1), .fill(200, 1)] {
      #expect(reduced.resized(to: target).size == whole.resized(to: target).size)
    }
    #expect(reduced.resized(to: .exact(501, 3)).size == reduced.size)
  }

  /// Recipes state no extent, and resize every picture by its own: those of `resize`, `resample` and `thumbnail`.
  @Test func recipesReadTheirPicture() throws {
    let whole = Picture(Waves(wholeSize: PixelSize(401, 267)))
    let other = Picture(
      Bitmap<Float>(PixelSize(401, 267), in: .linearSRGB, channels: .gray) { x, _ in [Float(x)] })
    let wanted = PixelSize(48, 32)
    let target = ResizeTarget.exact(24, 16)
    let expected: Bitmap<Float> = try whole.reduced(toAtLeast: wanted).resized(to: target).render()
    func results(of picture: Picture) throws -> [Picture] {
      let reduced = picture.reduced(toAtLeast: wanted)
      return [
        reduced.resized(to: target), reduced.applying(try Resize(to: target)),
        picture.thumbnail(24, in: nil),
      ]
    }
    for (result, same) in zip(try results(of: whole), try results(of: other)) {
      let recipe = try Recipe(result, inputs: ["photo": whole])
      #expect(try recipe.picture(["photo": whole]).render(as: Float.self) == expected)
      #expect(try recipe.contentHash == Recipe(same, inputs: ["photo": other]).contentHash)
    }
  }

  /// What is cut off a reduced picture, or blurred, has whole pixels.
  @Test func otherStepsHaveWholePixels() throws {
    let reduced = Picture(Waves(wholeSize: PixelSize(401, 267))).reduced(
      toAtLeast: PixelSize(51, 34))
    let stored: Bitmap<Float> = try reduced.boxBlurred(radius: 1).render()
    let target = ResizeTarget.exact(20, 13)
    #expect(
      try reduced.boxBlurred(radius: 1).resized(to: target).render(as: Float.self)
        == Picture(stored).resized(to: target).render(as: Float.self))
  }

  /// Where both sides are multiples of the reduction, results are those of the same pixels in memory, bit for bit.
  @Test func multiplesKeepTheirBits() throws {
    for reduction in [2, 4, 8] {
      let source = Waves(wholeSize: PixelSize(400, 264), reduction: reduction)
      let stored: Bitmap<Float> = try Picture(source).render()
      for target in [ResizeTarget.exact(23, 16), .fit(19, 19), .scaled(by: 0.3)] {
        #expect(
          try Picture(source).resized(to: target).render(as: Float.self)
            == Picture(stored).resized(to: target).render(as: Float.self))
      }
    }
  }

  /// Weights of one side are those of the other in reverse order; none is shared with a pixel that is covered in part, and their number is
  /// that of planning.
  @Test(arguments: [ResamplingKernel.lanczos3, .catmullRom, .triangle])
  func weightsAreMirrored(kernel: ResamplingKernel) throws {
    for whole in 9...80 where whole % 8 > 0 {
      for output in 1...12 {
        let input = whole / 8 + 1
        let sides = try [false, true].map {
          let covered = try #require(ReducedLength(whole, reduction: 8, startsInside: $0))
          return Resampling(from: input, to: output, by: kernel, covering: covered)
        }
        for index in 0..<output {
          let (taps, mirrored) = (sides[0].taps(of: index), sides[1].taps(of: output - 1 - index))
          let places = zip(taps.start..., taps.weights).filter { abs($0.1) > 1e-12 }
          let other = zip(mirrored.start..., mirrored.weights).filter { abs($0.1) > 1e-12 }
            .reversed()
          let isEqual =
            places.count == other.count
            && zip(places, other).allSatisfy {
              $0.0 == input - 1 - $1.0 && abs($0.1 - $1.1) < 1e-9
            }
          #expect(isEqual, "\(whole) to \(output), \(index): \(taps), \(mirrored)")
          #expect(max(taps.weights.count, mirrored.weights.count) <= sides[0].tapCount)
        }
      }
    }
  }

  /// Tiles of any size, and the definition of a pixel, give the same result.
  @Test(arguments: [false, true])
  func tilesAgree(limitsRinging: Bool) throws {
    for orientation in [Orientation.upright, .halfTurned, .quarterTurned] {
      let reduced = Picture(Waves(wholeSize: PixelSize(401, 267), reduction: 8)).oriented(
        orientation)
      let source: Bitmap<Float> = try reduced.render()
      let target = ResizeTarget.exact(17, 31)
      let result = reduced.resized(to: target, limitsRinging: limitsRinging)
      let expected: Bitmap<Float> = try result.render()
      for side in [3, 8] {
        var options = RenderOptions()
        options.tile = PixelSize(side, side + 1)
        #expect(try result.render(as: Float.self, options: options) == expected)
      }
      var resize = try Resize(to: target, limitsRinging: limitsRinging)
      resize.extent = ReducedExtent(of: PixelSize(401, 267), reduction: 8, orientation)
      for (x, y) in [(0, 0), (16, 30), (0, 30), (16, 0), (8, 15)] {
        let exact = resize.pixel(x: x, y: y, of: source.size) {
          SIMD4(repeating: Double(source[$0, $1, 0]))
        }
        #expect(abs(exact.x - Double(expected[x, y, 0])) < 2e-6)
      }
    }
  }
}
