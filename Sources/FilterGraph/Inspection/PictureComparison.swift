public import ColorSpaces
internal import ImageBuffer
internal import Synchronization

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
    guard sample.size == standard.size else {
      throw .incomparable(standard.size, sample.size)
    }
    for picture in [standard, sample] { try picture.checkRenders(options) }
    let (a, b) = (standard.placed(at: .zero), sample.placed(at: .zero))
    let pictures = [b.difference(from: a, by: formula), a.applying(StepMap(), with: [b])]
    let rendering = try BandRendering(
      pictures.map { BandedResult($0, as: .float32, alpha: .straight) },
      besides: ComparisonTally.byteCount(of: standard.size), options: options)
    let tally = ComparisonTally(pixelCount: standard.size.pixelCount)
    try rendering.run { picture, _, band in
      let rows = Bitmap<Float>(band, in: pictures[picture].space, alpha: .straight)
      if picture == 0 { tally.add(differences: rows) } else { tally.add(steps: rows) }
    }
    var (differences, missing, largest, largestAlpha, squares) = tally.results
    differences.sort()
    let count = differences.count + missing
    let rank = (count * 95 + 99) / 100 - 1
    mean = missing > 0 ? .nan : differences.reduce(0) { $0 + Double($1) } / Double(count)
    percentile95 = rank < differences.count ? Double(differences[rank]) : .nan
    maximum = missing > 0 ? .nan : Double(differences[count - 1])
    pixelsWithoutDifference = missing
    // Without the payload that a NaN of a file may have, which descriptions show.
    largestStep = largest.isNaN ? .nan : Double(largest)
    let hasAlpha = sample.hasAlpha || standard.hasAlpha
    largestAlphaStep = hasAlpha ? largestAlpha.isNaN ? .nan : Double(largestAlpha) : nil
    let channels = hasAlpha ? 4 : 3
    let meanSquare = squares.isNaN ? .nan : squares / Double(count * channels)
    peakSignalToNoise =
      meanSquare == 0 ? .infinity : -10 * naturalLogarithm(meanSquare) / naturalLogarithm(10)
  }
}

/// The absolute differences of encoded samples, premultiplied, and of alpha.
///
/// The result is no picture: its differences of colors may exceed that of alpha. The filter therefore computes in straight alpha, and
/// premultiplies itself.
private struct StepMap: BlendFilter {
  var domain: PixelDomain { .encoded }

  func hasAlpha(_ inputs: [Bool]) -> Bool { true }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> { step(inputs[0], inputs[1]) }

  /// Computes row by row.
  func render(into output: Tile, from inputs: [Tile]) {
    for y in output.region.rows {
      let (a, b, steps) = (TileRow(inputs[0], y), TileRow(inputs[1], y), TileRow(output, y))
      for index in 0..<output.region.width {
        steps[index] = SIMD4<Float>(step(SIMD4<Double>(a[index]), SIMD4<Double>(b[index])))
      }
    }
  }

  private func step(_ a: SIMD4<Double>, _ b: SIMD4<Double>) -> SIMD4<Double> {
    let step = premultiplied(a) - premultiplied(b)
    return step.replacing(with: -step, where: step .< 0)
  }

  /// Returns a pixel with its colors multiplied by alpha; those of alpha 0 are zero, also where they are infinite or NaN.
  private func premultiplied(_ pixel: SIMD4<Double>) -> SIMD4<Double> {
    pixel.w == 0 ? .zero : pixel * SIMD4(pixel.w, pixel.w, pixel.w, 1)
  }
}

/// The accumulated values of the bands so far.
private final class ComparisonTally: Sendable {
  private struct Seen {
    /// All differences but NaN.
    var differences: [Float] = []
    var missing = 0
    var largest: Float = 0
    var largestAlpha: Float = 0
    var squares = 0.0
  }
  private let seen: Mutex<Seen>

  init(pixelCount: Int) {
    var seen = Seen()
    seen.differences.reserveCapacity(pixelCount)
    self.seen = Mutex(seen)
  }

  /// The memory for a picture of a size: a value per pixel, and the half of them that sorting copies.
  static func byteCount(of size: PixelSize) -> Int {
    let valueBytes = MemoryLayout<Float>.stride
    return (valueBytes + valueBytes / 2) * min(size.pixelCount, Int.max / 16)
  }

  /// Returns the values, and keeps none.
  var results:
    (
      differences: [Float], missing: Int, largest: Float, largestAlpha: Float, squares: Double
    )
  {
    seen.withLock { seen in
      let taken = seen
      seen = Seen()
      return (
        taken.differences, taken.missing, taken.largest, taken.largestAlpha, taken.squares
      )
    }
  }

  /// Adds rows of color differences, in hundredths.
  func add(differences band: Bitmap<Float>) {
    seen.withLock { seen in
      for y in 0..<band.size.height {
        band.withRow(y) { row in
          for x in 0..<band.size.width {
            let difference = row[3 * x] * 100
            if difference.isNaN {
              seen.missing += 1
            } else {
              seen.differences.append(difference)
            }
          }
        }
      }
    }
  }

  /// Adds rows of sample differences.
  func add(steps band: Bitmap<Float>) {
    seen.withLock { seen in
      for y in 0..<band.size.height {
        band.withRow(y) { row in
          for index in row.indices {
            // A NaN is kept: comparisons with it are false.
            if row[index].isNaN || row[index] > seen.largest { seen.largest = row[index] }
            if index % 4 == 3, row[index].isNaN || row[index] > seen.largestAlpha {
              seen.largestAlpha = row[index]
            }
            seen.squares += Double(row[index]) * Double(row[index])
          }
        }
      }
    }
  }
}
