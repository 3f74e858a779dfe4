public import ColorSpaces
internal import ImageBuffer

/// The measured differences between two pictures.
public struct PictureComparison: Hashable, Sendable {
  /// The color difference: its mean, 95th percentile and maximum.
  ///
  /// Mean and maximum are NaN where ``pixelsWithoutDifference`` is not 0. The percentile counts such pixels as the most
  /// different ones.
  public let mean, percentile95, maximum: Double
  /// The number of pixels whose color difference is NaN, as where a sample is NaN or infinite.
  public let pixelsWithoutDifference: Int
  /// Of encoded samples in the standard's space, premultiplied by alpha, and of alpha: the maximum difference of any two, NaN if any is
  /// NaN, and the peak signal-to-noise ratio in decibels, for a peak of 1, infinite for equal pictures.
  ///
  /// The colors of fully transparent pixels, which nobody sees, do not count.
  public let largestStep, peakSignalToNoise: Double
  /// The maximum difference of alpha, 0…1; nil where both pictures are opaque.
  package let largestAlphaStep: Double?

  /// Compares `sample` with `standard`, which must have its size.
  ///
  /// One value per pixel is kept in memory, and counts for the memory limit of the options.
  public init(
    of sample: Picture, with standard: Picture, by formula: ColorDifference = .ciede2000(),
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    let tallies = try ComparisonTallies(sample, standard, by: formula)
    try tallies.count(options)
    self.init(tallies)
  }

  /// Also returns the structural similarity, from the same rendering; nil for pictures of fewer than 11 × 11 pixels.
  package static func withSimilarity(
    of sample: Picture, with standard: Picture, by formula: ColorDifference,
    options: RenderOptions
  ) throws(RenderError) -> (comparison: PictureComparison, similarity: Double?) {
    let tallies = try ComparisonTallies(sample, standard, by: formula)
    let isLarge = min(sample.size.width, sample.size.height) > 2 * SimilarityMap.radius
    let similarities: Tally<Statistics>? =
      if isLarge {
        Tally(Picture.similarityReduction, try tallies.standard.similarityMap(to: tallies.sample))
      } else {
        nil
      }
    try tallies.count(options, with: similarities.map { [$0] } ?? [])
    return (PictureComparison(tallies), similarities.map { $0.value.mean.sum() / 3 })
  }

  private init(_ tallies: ComparisonTallies) {
    let (differences, steps) = (tallies.differences.differences, tallies.steps)
    let missing = differences.missing
    let count = differences.values.count + missing
    let rank = (count * 95 + 99) / 100 - 1
    mean = missing > 0 ? .nan : differences.sum / Double(count)
    percentile95 =
      rank < differences.values.count ? Double(differences.values.value(ofRank: rank)) : .nan
    maximum = missing > 0 ? .nan : Double(differences.largest)
    pixelsWithoutDifference = missing
    // Without the payload that a NaN of a file may have, which descriptions show.
    func number(_ value: Float) -> Double { value.isNaN ? .nan : Double(value) }
    largestStep = number(steps.largest)
    let hasAlpha = tallies.hasAlpha
    largestAlphaStep = hasAlpha ? number(steps.largestAlpha) : nil
    let squares = steps.squares
    let meanSquare = squares.isNaN ? .nan : squares / Double(count * (hasAlpha ? 4 : 3))
    peakSignalToNoise =
      meanSquare == 0 ? .infinity : -10 * naturalLogarithm(meanSquare) / naturalLogarithm(10)
  }
}

extension PictureComparison: CustomStringConvertible {
  /// The color differences, the largest step and the peak signal-to-noise ratio, in one line.
  public var description: String {
    let missing = pixelsWithoutDifference
    return "ΔE mean \(inWords(mean)), 95 % within \(inWords(percentile95)), "
      + "largest \(inWords(maximum))"
      + (missing > 0 ? ", undefined for \(missing) \(missing == 1 ? "pixel" : "pixels")" : "")
      + "; largest step \(inWords(largestStep)), PSNR \(inWords(peakSignalToNoise)) dB"
  }
}

/// The measurements of a comparison, which one rendering makes.
private struct ComparisonTallies {
  let standard, sample: Picture
  let differences: DifferenceTally
  let steps: StepTally

  init(_ sample: Picture, _ standard: Picture, by formula: ColorDifference) throws(RenderError) {
    guard sample.size == standard.size else {
      throw .incomparable(standard.size, sample.size)
    }
    (self.standard, self.sample) = (standard.placed(at: .zero), sample.placed(at: .zero))
    differences = DifferenceTally(self.sample.difference(from: self.standard, by: formula))
    steps = StepTally(self.standard.applying(StepMap(), with: [self.sample]))
  }

  var hasAlpha: Bool { sample.hasAlpha || standard.hasAlpha }

  func count(_ options: RenderOptions, with others: [any Counting] = []) throws(RenderError) {
    for picture in [standard, sample] { try picture.checkRenders(options) }
    try Picture.count([differences, steps] + others, options: options)
  }
}

/// The absolute differences of encoded samples, premultiplied, and of alpha.
///
/// The result is no picture: its differences of colors may exceed that of alpha. The filter therefore computes in straight alpha, and
/// premultiplies itself.
private struct StepMap: BlendFilter {
  var domain: PixelDomain { .encoded }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { step(inputs[0], inputs[1]) }

  /// Computes row by row.
  func render(into output: Tile, from inputs: [Tile]) {
    if output.planeCount == 3 { return renderOpaque(into: output, from: inputs) }
    for y in output.region.rows {
      let (a, b, steps) = (TileRow(inputs[0], y), TileRow(inputs[1], y), TileRow(output, y))
      for index in 0..<output.region.width {
        steps[index] = SIMD4<Float>(step(SIMD4<Double>(a[index]), SIMD4<Double>(b[index])))
      }
    }
  }

  /// Computes plane by plane. In single precision, as a difference of two floats has the same bits then.
  private func renderOpaque(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      for plane in 0..<3 {
        let (a, b) = (inputs[0].pointer(y, plane), inputs[1].pointer(y, plane))
        let steps = output.pointer(y, plane)
        for index in 0..<output.region.width { steps[index] = (a[index] - b[index]).magnitude }
      }
    }
  }

  private func step(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    (premultiplied(a) - premultiplied(b)).magnitudes
  }

  /// Returns a pixel with its colors multiplied by alpha; those of alpha 0 are zero, also where they are infinite or NaN.
  private func premultiplied(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
    pixel.w == 0 ? .zero : pixel * SIMD4(pixel.w, pixel.w, pixel.w, 1)
  }
}

/// The color differences of all pixels. Rows are added by one thread at a time, hence the unchecked conformance.
private final class DifferenceTally: Counting, @unchecked Sendable {
  let picture: Picture
  private(set) var differences = Differences()

  init(_ map: Picture) { picture = map }

  /// A value per pixel, and the counts that select one of them.
  var stateByteCount: Int {
    let pixels = min(picture.size.pixelCount, Int.max / 16)
    return pixels * MemoryLayout<Float>.stride + [Float].selectionByteCount
  }

  func add(_ row: UnsafeBufferPointer<Float>) {
    if differences.values.isEmpty {
      differences.values.reserveCapacity(picture.size.pixelCount)
    }
    differences.add(row, channels: picture.usualChannels.count)
  }
}

private struct Differences {
  /// All differences but NaN.
  var values: [Float] = []
  var missing = 0
  var largest = -Float.infinity
  /// The sum of the values: that of each row by itself, so that less is rounded.
  var sum = 0.0

  /// Adds a row of a map, which has hundredths.
  mutating func add(_ row: UnsafeBufferPointer<Float>, channels: Int) {
    var sum = 0.0
    for start in stride(from: 0, to: row.count, by: channels) {
      let difference = row[start] * 100
      if difference.isNaN {
        missing += 1
      } else {
        values.append(difference)
        sum += Double(difference)
        if difference > largest { largest = difference }
      }
    }
    self.sum += sum
  }
}

extension [Float] {
  /// The bytes that ``value(ofRank:)`` allocates.
  fileprivate static var selectionByteCount: Int { 0x10000 * MemoryLayout<Int>.stride }

  /// Returns the value at an index of the sorted array, without sorting: a radix selection by the upper half of the bits, then by the
  /// lower half. No value is NaN.
  fileprivate func value(ofRank rank: Int) -> Float {
    /// Bits in the order of the numbers.
    func key(_ value: Float) -> UInt32 {
      let bits = value.bitPattern
      return bits >> 31 == 0 ? bits | 1 << 31 : ~bits
    }
    var counts = [Int](repeating: 0, count: 0x10000)
    var rank = rank
    /// The index of the count that the rank falls into; the rank becomes that among the values counted there.
    func found() -> UInt32 {
      for (index, count) in counts.enumerated() {
        if rank < count { return UInt32(index) }
        rank -= count
      }
      preconditionFailure("There is no value of rank \(rank) among \(self.count).")
    }
    for value in self { counts[Int(key(value) >> 16)] += 1 }
    let upper = found()
    for index in counts.indices { counts[index] = 0 }
    for value in self {
      let key = key(value)
      if key >> 16 == upper { counts[Int(key & 0xffff)] += 1 }
    }
    let key = upper << 16 | found()
    return Float(bitPattern: key >> 31 == 1 ? key & 0x7fff_ffff : ~key)
  }
}

/// The differences of samples. Rows are added by one thread at a time, hence the unchecked conformance.
private final class StepTally: Counting, @unchecked Sendable {
  let picture: Picture
  let stateByteCount = 0
  private var maxima = SIMD4<Float>.zero
  private var sums = SIMD4<Double>.zero

  init(_ map: Picture) { picture = map }

  func add(_ row: UnsafeBufferPointer<Float>) {
    let channels = picture.usualChannels.count
    // The squares of each row by themselves, so that less is rounded.
    var (maxima, sums) = (maxima, SIMD4<Double>.zero)
    for start in stride(from: 0, to: row.count, by: channels) {
      let steps = SIMD4(
        row[start], row[start + 1], row[start + 2], channels == 4 ? row[start + 3] : 0)
      // A NaN is kept: comparisons with it are false.
      maxima.replace(with: steps, where: (steps .> maxima) .| (steps .!= steps))
      let squares = SIMD4<Double>(steps)
      sums += squares * squares
    }
    self.maxima = maxima
    self.sums += sums
  }

  /// The maximum of all samples; NaN if one is.
  var largest: Float {
    (0..<4).map { maxima[$0] }.reduce(0) { $1.isNaN || $1 > $0 ? $1 : $0 }
  }

  var largestAlpha: Float { maxima.w }

  /// The sum of the squares.
  var squares: Double { sums.sum() }
}
