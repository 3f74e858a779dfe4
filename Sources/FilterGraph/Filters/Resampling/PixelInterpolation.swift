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

  /// Returns the number of weights of a row, and of floats in the input.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    TabulatedInterpolation.scratchCount(kernel, input: input)
  }
}

/// An interpolation whose weights stand in a table.
package struct TabulatedInterpolation: Sendable {
  private let interpolation: PixelInterpolation
  private let isNearest, isFlat: Bool
  private let weights: [Float]
  /// Entries to one pixel. Kernels are cubics or smoother, so a line between entries is off by less than 10⁻⁷.
  private static let density = 4096.0

  init(_ kernel: ResamplingKernel) {
    interpolation = PixelInterpolation(kernel: kernel)
    (isNearest, isFlat) = (kernel == .nearest, kernel.isFlat)
    let count = Int(kernel.reach * Self.density) + 2
    weights = kernel.isFlat ? [] : (0..<count).map { Float(kernel(Double($0) / Self.density)) }
  }

  /// The bytes of the table for a kernel.
  static func byteCount(_ kernel: ResamplingKernel) -> Int {
    MemoryLayout<Float>.stride * (Int(kernel.reach * density) + 2)
  }

  private func weight(_ x: Double) -> Float {
    if isFlat { return 1 }
    let position = abs(x) * Self.density
    guard position < Double(weights.count - 1) else { return 0 }
    let index = Int(position)
    return weights[index] + (weights[index + 1] - weights[index]) * Float(position - Double(index))
  }

  /// The floats of scratch memory that rendering takes.
  static func scratchCount(_ kernel: ResamplingKernel, input: Region) -> Int {
    // 16 more, because scratch buffers are aligned.
    columnLimit(kernel) + InterleavedPixels.floatCount(input) + 16
  }

  /// Scratch memory for the weights of a row.
  func columnWeights(scratch output: Tile) -> UnsafeMutablePointer<Float> {
    output.scratchPointer(Self.columnLimit(interpolation.kernel))
  }

  /// The value at a place of a tile; beyond the picture its edge goes on.
  func pixel(
    at place: SIMD2<Double>, stretch: SIMD2<Double>, of input: InterleavedPixels,
    in bounds: Region, _ columnWeights: UnsafeMutablePointer<Float>
  ) -> SIMD4<Float> {
    let place = PixelInterpolation.limited(place)
    let scale = isNearest ? .one : stretch.clamped(lowerBound: .one, upperBound: .one * 16)
    let columns = interpolation.pixels(place.x, place.x, scale: scale.x)
    let rows = interpolation.pixels(place.y, place.y, scale: scale.y)
    var columnTotal: Float = 0
    for (index, column) in columns.enumerated() {
      columnWeights[index] = weight((Double(column) + 0.5 - place.x) / scale.x)
      columnTotal += columnWeights[index]
    }
    // A weight of 0 would make NaN of an infinite pixel.
    var used = 0..<columns.count
    while let first = used.first, columnWeights[first] == 0 { used.removeFirst() }
    while let last = used.last, columnWeights[last] == 0 { used.removeLast() }
    let isInside =
      columns.lowerBound >= bounds.x && columns.upperBound <= bounds.x + bounds.width
    var (sum, rowTotal) = (SIMD4<Float>.zero, Float(0))
    for row in rows {
      let weight = weight((Double(row) + 0.5 - place.y) / scale.y)
      if weight == 0 { continue }
      rowTotal += weight
      let pixels = input.row(bounds.nearest(bounds.x, row).y)
      var rowSum = SIMD4<Float>.zero
      if isInside {
        let first = pixels + columns.lowerBound
        for index in used { rowSum += first[index] * columnWeights[index] }
      } else {
        for index in used {
          let column = columns.lowerBound + index
          rowSum += pixels[bounds.nearest(column, bounds.y).x] * columnWeights[index]
        }
      }
      sum += rowSum * weight
    }
    return sum / (columnTotal * rowTotal)
  }

  /// The most columns that any place needs.
  private static func columnLimit(_ kernel: ResamplingKernel) -> Int {
    Int(2 * kernel.reach * 16) + 3
  }
}
