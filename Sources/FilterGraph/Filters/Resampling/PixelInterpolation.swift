internal import CPixelKernels
internal import ColorSpaces
internal import ImageBuffer

/// The value between pixels: the mean of those around a place, each by its weight.
///
/// Where neighbors of the result lie far apart in the picture, the kernel grows with their distance, up to sixteen times. Beyond that
/// it misses the pixels between, and detail aliases: the limit bounds the work for a pixel.
struct PixelInterpolation {
  let kernel: ResamplingKernel

  /// How much the kernel grows.
  func scale(_ stretch: Double) -> Double {
    // In this order of arguments, NaN becomes 1.
    kernel == .nearest ? 1 : min(max(1, stretch), 16)
  }

  /// The pixels that count for places from `least` to `most`.
  func pixels(_ least: Double, _ most: Double, scale: Double) -> Range<Int> {
    let reach = kernel.reach * scale
    // Far outside, all places look alike, and counting stays within what whole numbers hold.
    // In this order of arguments, NaN is held at the least place.
    // A middle within 2⁻²⁴ of where two kernels meet counts for the left one, however the places were rounded: neither for both
    // nor for none.
    func held(_ value: Double) -> Int {
      Int((min(max(-0x1p40, value), 0x1p40) + 0x1p-24).rounded(.down))
    }
    let first = held(least - reach + 0.5)
    return first..<max(held(most + reach + 0.5), first + 1)
  }

  /// A place that lies no farther than 2³¹ from (0, 0), beyond every picture: a Double represents distances to it in
  /// fractions of a pixel.
  static func limited(_ place: SIMD2<Double>) -> SIMD2<Double> {
    place.clamped(lowerBound: SIMD2(repeating: -0x1p31), upperBound: SIMD2(repeating: 0x1p31))
  }

  /// The weight of a pixel that counts.
  func weight(_ distance: Double) -> Double { kernel.isFlat ? 1 : kernel(distance) }

  /// The value at a place, in double precision.
  func pixel(
    at place: SIMD2<Double>, stretch: SIMD2<Double>, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let place = Self.limited(place)
    let scale = SIMD2(scale(stretch.x), scale(stretch.y))
    let columns = pixels(place.x, place.x, scale: scale.x)
    let rows = pixels(place.y, place.y, scale: scale.y)
    var (sum, total) = (SIMD4<Double>.zero, 0.0)
    for row in rows {
      let rowWeight = weight((Double(row) + 0.5 - place.y) / scale.y)
      for column in columns {
        let weight = rowWeight * weight((Double(column) + 0.5 - place.x) / scale.x)
        if weight == 0 { continue }
        sum += read(column, row) * weight
        total += weight
      }
    }
    return sum / total
  }

  /// The region that counts for places from `least` to `most` in a picture: no more than there is, and at least one pixel.
  func region(
    _ least: SIMD2<Double>, _ most: SIMD2<Double>, stretch: SIMD2<Double>, in bounds: Region
  ) -> Region {
    func clamped(_ axis: Int, _ bounds: Range<Int>) -> Range<Int> {
      let all = pixels(least[axis], most[axis], scale: scale(stretch[axis]))
      let first = min(max(all.lowerBound, bounds.lowerBound), bounds.upperBound - 1)
      return first..<min(max(all.upperBound, first + 1), bounds.upperBound)
    }
    return Region(columns: clamped(0, bounds.columns), rows: clamped(1, bounds.rows))
  }
}

/// A filter whose pixels are interpolated between those of the input, by the weights of a kernel.
protocol InterpolatingFilter: AreaFilter where Preparation == TabulatedInterpolation {
  /// The resampling kernel.
  var kernel: ResamplingKernel { get }
}

extension InterpolatingFilter {
  /// Returns the bytes of the kernel's weights.
  package func preparationByteCount(for input: PixelSize) -> Int {
    TabulatedInterpolation.byteCount(kernel)
  }

  /// Computes the kernel's weights.
  package func prepare(for input: PixelSize) -> TabulatedInterpolation {
    TabulatedInterpolation(kernel)
  }

  /// Returns the number of floats in the input, four to a pixel.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    TabulatedInterpolation.scratchCount(input: input)
  }
}

/// An interpolation by the kernels of the instruction set, whose weights stand in a table.
package struct TabulatedInterpolation: Sendable {
  private let kernel: ResamplingKernel
  /// Empty where all weights are 1.
  private let weights: [Float]
  /// The weights of all pixels around a place, for kernels of few pixels; empty for others.
  private let phases: [Float]
  /// Entries to one pixel. Kernels are cubics or smoother, so a line between entries is off by less than 10⁻⁷.
  private static let density = Double(CPK_WARP_DENSITY)

  init(_ kernel: ResamplingKernel) {
    self.kernel = kernel
    weights =
      kernel.isFlat
      ? [] : (0..<Self.count(kernel)).map { Float(kernel(Double($0) / Self.density)) }
    phases = Self.phases(kernel, weights)
  }

  /// For the distances of a place from the last pixel before it, a row of the weights of all pixels around it, in whole vectors.
  private static func phases(_ kernel: ResamplingKernel, _ weights: [Float]) -> [Float] {
    let (steps, width) = (Int(density), rowWidth(kernel))
    if width == 0 { return [] }
    let half = Int(kernel.reach)
    return [Float](unsafeUninitializedCapacity: (steps + 1) * width) { rows, count in
      for phase in 0...steps {
        for tap in 0..<width {
          let entry =
            tap < half ? phase + steps * (half - 1 - tap) : steps * (tap - half + 1) - phase
          rows[phase * width + tap] = tap < 2 * half ? weights[entry] : 0
        }
      }
      count = rows.count
    }
  }

  /// The floats in a row of the phases: of 2, 4 or 6 pixels, or none.
  private static func rowWidth(_ kernel: ResamplingKernel) -> Int {
    kernel.isFlat || ![1, 2, 3].contains(kernel.reach) ? 0 : (Int(kernel.reach) + 1) / 2 * 4
  }

  /// The entries up to the reach, and two beyond it, which are zero.
  private static func count(_ kernel: ResamplingKernel) -> Int { Int(kernel.reach * density) + 3 }

  /// The bytes of both tables for a kernel.
  static func byteCount(_ kernel: ResamplingKernel) -> Int {
    MemoryLayout<Float>.stride * (count(kernel) + (Int(density) + 1) * rowWidth(kernel))
  }

  /// The floats of scratch memory that rendering takes.
  static func scratchCount(input: Region) -> Int { InterleavedPixels.floatCount(input) }

  /// Calls a closure with what the kernels read of an input; beyond `bounds`, a part of the picture, its edge goes on.
  func withWarp(
    _ input: Tile, in bounds: Region, scratch output: Tile,
    _ body: (UnsafePointer<cpk_warp>) -> Void
  ) {
    let pixels = InterleavedPixels(input, scratch: output)
    let bounds = bounds.intersection(input.region)
    withTables { weights, phases in
      var warp = cpk_warp()
      (warp.weights, warp.phases) = (weights, phases)
      (warp.last, warp.reach) = (Double(Self.count(kernel) - 2), kernel.reach)
      warp.widens = kernel != .nearest
      warp.pixels = UnsafePointer(pixels.pointer(bounds.x, bounds.y))
      warp.stride = pixels.rowStride
      warp.first = (Double(bounds.x), Double(bounds.y))
      warp.end = (Double(bounds.columns.upperBound), Double(bounds.rows.upperBound))
      body(&warp)
    }
  }

  private func withTables(
    _ body: (_ weights: UnsafePointer<Float>?, _ phases: UnsafePointer<Float>?) -> Void
  ) {
    weights.withUnsafeBufferPointer { weights in
      phases.withUnsafeBufferPointer { phases in
        body(
          weights.isEmpty ? nil : weights.baseAddress, phases.isEmpty ? nil : phases.baseAddress)
      }
    }
  }
}
