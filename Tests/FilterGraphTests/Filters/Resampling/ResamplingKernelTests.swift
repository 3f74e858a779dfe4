import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Properties of resampling kernels that are independent of their coefficients.
@Suite struct ResamplingKernelTests {
  @Test func kernelsEndAtTheirSupportAndAreSymmetric() {
    for kernel in ResamplingKernel.named {
      #expect(kernel(kernel.reach + 0.001) == 0, "\(kernel)")
      #expect(kernel(-kernel.reach - 0.001) == 0, "\(kernel)")
      for step in 0..<100 {
        let x = Double(step) / 100 * kernel.reach
        if kernel != .box, kernel != .nearest { #expect(kernel(x) == kernel(-x), "\(kernel)") }
      }
    }
  }

  /// Polynomial kernels preserve flat areas at any position; windowed sincs are normalized when used.
  @Test func weightsOfPixelsSumToOne() {
    for kernel in ResamplingKernel.named
    where !kernel.name.hasPrefix("Lanczos") && kernel != .hamming {
      for step in 0..<64 {
        let x = Double(step) / 64
        let sum = (-6...6).reduce(0) { $0 + kernel(x + Double($1)) }
        // A dozen rounding errors of polynomials below 10.
        #expect(abs(sum - 1) < 1e-14, "\(kernel) at \(x)")
      }
    }
  }

  /// Kernels except box and nearest are continuous.
  @Test func kernelsAreContinuous() {
    for kernel in ResamplingKernel.named where kernel != .box && kernel != .nearest {
      for step in 0...9 {
        let x = Double(step) / 2
        // No kernel's slope exceeds 3.
        #expect(abs(kernel(x + 1e-9) - kernel(x - 1e-9)) < 6e-9, "\(kernel) at \(x)")
      }
    }
  }

  @Test func lanczosHasAsManyLobesAsNamed() throws {
    #expect(try ResamplingKernel.lanczos(3) == .lanczos3)
    #expect(try ResamplingKernel.lanczos(16) == ResamplingKernel(named: "Lanczos 16"))
    #expect(ResamplingKernel(named: "lanczos-5")?.name == "Lanczos 5")
    for name in ["lanczos1.5", "lanczos 1e1", "lanczos"] {
      #expect(ResamplingKernel(named: name) == nil, "\(name)")
    }
    for lobes in [Int.min, 0, 17] {
      #expect(throws: RecipeError.self) { try ResamplingKernel.lanczos(lobes) }
    }
  }

  /// The name is all that recipes hold of a cubic.
  @Test(arguments: [1e16, -1e16, 1e-5, 0.2, 1e100])
  func namesOfCubicsStateTheirNumbers(number: Double) {
    for kernel in [ResamplingKernel.cubic(b: number, c: 0), .cubic(b: -0.5, c: number)] {
      #expect(ResamplingKernel(named: kernel.name) == kernel, "\(kernel)")
    }
  }

  @Test(arguments: [
    "cubic (x, 1, 2)", "cubic (1, 2, x)", "cubic (1e, 16)", "cubic (nan, 0)", "cubic (1, 1e999)",
    "cubic (0x1, 2)",
  ])
  func cubicsOfOtherWordsHaveNoName(name: String) {
    #expect(ResamplingKernel(named: name) == nil)
  }

  @Test(arguments: ["Cubic(0.2, 0.4)", "cubic 0.2,.4", "cubic:+0.2,4e-1", "cubic0.2 0.4"])
  func formsOfCubicsAreRead(name: String) {
    #expect(ResamplingKernel(named: name) == .cubic(b: 0.2, c: 0.4))
  }

  @Test func interpolatingKernelsKeepPixels() {
    let interpolating: [ResamplingKernel] = [
      .nearest, .box, .triangle, .hermite, .hamming, .catmullRom, .lanczos2, .lanczos3,
      .lanczos4, .spline16, .spline36, .spline64,
    ]
    for kernel in interpolating {
      // Splines sum quotients that are not exact in binary.
      #expect(abs(kernel(0) - 1) < 1e-15, "\(kernel)")
      for pixel in 1...4 { #expect(abs(kernel(Double(pixel))) < 1e-15, "\(kernel)") }
    }
  }

  /// Spline kernels of 16, 36 and 64 pixels are natural cubic splines through 4, 6 and 8 points, in their middle
  /// interval.
  @Test func splinesAreNaturalSplines() throws {
    for (kernel, half) in [
      (ResamplingKernel.spline16, 2), (.spline36, 3), (.spline64, 4),
    ] {
      for pixel in 1 - half...half {
        let spline = try CubicCurve(
          through: (1 - half...half).map { SIMD2(Double($0), $0 == pixel ? 1 : 0) })
        for step in 0...16 {
          let x = Double(step) / 16
          // Two ways of solving the same equations.
          #expect(abs(kernel(Double(pixel) - x) - spline(x)) < 1e-12, "\(kernel)")
        }
      }
    }
  }

  /// Magic Kernel Sharp is a quadratic B-spline, convolved with weights that compensate its blur.
  @Test func magicKernelsAreSharpenedBSplines() {
    func spline(_ x: Double) -> Double {
      let distance = abs(x)
      if distance <= 0.5 { return 0.75 - distance * distance }
      return distance < 1.5 ? 0.5 * (distance - 1.5) * (distance - 1.5) : 0
    }
    for (kernel, weights) in [
      (ResamplingKernel.magicKernelSharp2013, [-72.0, 432, -72]),
      (.magicKernelSharp2021, [-2, 12, -70, 408, -70, 12, -2]),
    ] {
      for step in -100...100 {
        let x = Double(step) / 20
        let sum = weights.indices.reduce(0.0) {
          $0 + weights[$1] / 288 * spline(x - Double($1 - weights.count / 2))
        }
        #expect(abs(kernel(x) - sum) < 1e-14, "\(kernel) at \(x)")
      }
    }
  }

  @Test func nearestMovesPixelsOnly() throws {
    let source = TestPictures.codes(as: UInt8.self, PixelSize(7, 5))
    let enlarged = try Picture(source).resized(to: .exact(21, 10), by: .nearest)
      .render(as: UInt8.self)
    for y in 0..<10 {
      for x in 0..<21 { #expect(enlarged[x, y, 1] == source[x / 3, y / 2, 1]) }
    }
    let shrunk = try Picture(enlarged).resized(to: .exact(7, 5), by: .nearest)
      .render(as: UInt8.self)
    #expect(shrunk == source)
  }

  /// Along an edge Lanczos overshoots; with limited ringing it stays in the range of its inputs.
  @Test func ringingIsLimited() throws {
    let edge = Bitmap<Float>(PixelSize(20, 8), in: .linearSRGB, channels: .rgb) { x, _ in
      x < 10 ? [0.25, 0, 1] : [0.75, 1, 0]
    }
    let plain = try Picture(edge).resized(to: .exact(71, 31)).render(as: Float.self)
    let limited = try Picture(edge).resized(to: .exact(71, 31), limitsRinging: true)
      .render(as: Float.self)
    var overshoots = false
    for x in 0..<71 {
      if plain[x, 4, 1] > 1.02 { overshoots = true }
      #expect((0.25...0.75).contains(limited[x, 4, 0]))
      #expect((0...1).contains(limited[x, 4, 1]))
      // Away from the edge nothing changes.
      if x < 20 || x > 50 { #expect(abs(limited[x, 4, 0] - plain[x, 4, 0]) < 1e-2) }
    }
    #expect(overshoots)
  }

  /// Limits do not replace NaN, neither in tiles nor in the reference.
  @Test func limitedRingingKeepsNaN() throws {
    let spot = Bitmap<Float>(PixelSize(30, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [x == 15 ? .nan : 0.5, 0.5, 0.5]
    }
    let picture = Picture(spot).resized(to: .exact(60, 1), limitsRinging: true)
    let tiles = try picture.render(as: Float.self)
    let exact = try ReferenceEvaluator().render(picture)
    for x in 0..<60 {
      #expect(tiles[x, 0, 1] == 0.5)
      // The kernel reaches 3 pixels of the source.
      let distance = abs((Double(x) + 0.5) / 2 - 15.5)
      if (2.8...3.2).contains(distance) { continue }
      #expect(tiles[x, 0, 0].isNaN == (distance < 3), "column \(x)")
      #expect(exact[x, 0].x.isNaN == (distance < 3), "column \(x)")
    }
  }

  /// A picture of infinite extent has no columns to compute weights for.
  @Test func infinitePicturesAreNotResampled() throws {
    let endless = Picture(TestPictures.codes(as: UInt8.self)).extended(by: .mirrored)
    for target in [ResizeTarget.scaled(by: 1), .scaled(by: 0.5), .exact(4, 4)] {
      let resize = try Resize(to: target)
      #expect(endless.applying(resize).failure == .endless, "\(target)")
    }
  }

  /// The weight of this cubic is 0 at the only pixel.
  @Test func weightsThatCancelOutGiveTheNearestPixel() throws {
    let pixel = Bitmap<Float>(PixelSize(1, 1), in: .linearSRGB, channels: .rgb) { _, _ in
      [0.25, 0.5, 1]
    }
    let picture = Picture(pixel).resized(to: .exact(3, 3), by: .cubic(b: 3, c: -4))
    let tiles = try picture.render(as: Float.self)
    let exact = try ReferenceEvaluator().render(picture)
    for x in 0..<3 {
      #expect((0..<3).map { tiles[x, 1, $0] } == [0.25, 0.5, 1])
      #expect(abs(exact[x, 1].x - 0.25) < 1e-12)
    }
  }

  @Test func filledSizesAreCovered() throws {
    let photo = Picture(Bitmap<UInt8>(PixelSize(6000, 4000), in: .sRGB))
    #expect(photo.resized(to: .fill(100, 100)).size == PixelSize(100, 100))
    #expect(photo.resized(to: .fill(300, 100)).size == PixelSize(300, 100))
    #expect(
      photo.moved(by: Offset(5, 7)).resized(to: .fill(100, 100)).region
        == Region(x: 5, y: 7, width: 100, height: 100))
    // The excess is cut off equally on both sides, also if nothing is resized.
    let row = Bitmap<UInt8>(PixelSize(9, 3), in: .sRGB, channels: .rgb) { x, _ in
      [UInt8(x), 0, 0]
    }
    let middle = try Picture(row).resized(to: .fill(3, 3)).render(as: UInt8.self)
    #expect((0..<3).map { middle[$0, 1, 0] } == [3, 4, 5])
  }
}
