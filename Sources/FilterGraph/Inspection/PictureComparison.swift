public import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// The measured differences between two pictures.
public struct PictureComparison: Hashable, Sendable {
  /// The color difference: its mean, 95th percentile and maximum.
  public let mean, percentile95, maximum: Double
  /// The maximum difference of any two encoded samples, in the standard's space, including alpha.
  public let largestStep: Double
  /// The peak signal-to-noise ratio of encoded samples in decibels, for a peak of 1; infinite for equal pictures.
  public let peakSignalToNoise: Double

  /// Compares `sample` with `standard`, which must have its size. One value per pixel is kept in memory.
  public init(
    of sample: Picture, with standard: Picture, by formula: ColorDifference = .ciede2000(),
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    guard sample.size == standard.size else {
      throw .incomparable(standard.size, sample.size)
    }
    let tally = ComparisonTally()
    let (a, b) = (standard.placed(at: .zero), sample.placed(at: .zero))
    try Picture.renderBands(
      [b.difference(from: a, by: formula), a.applying(StepMap(), with: [b])], as: Float.self,
      options: options
    ) { picture, _, band in
      picture == 0 ? tally.add(differences: band) : tally.add(steps: band)
    }
    var (differences, largest, squares) = tally.results
    differences.sort()
    let count = differences.count
    mean = differences.reduce(0) { $0 + Double($1) } / Double(count)
    percentile95 = Double(differences[(count * 95 + 99) / 100 - 1])
    maximum = Double(differences[count - 1])
    largestStep = Double(largest)
    let channels = sample.hasAlpha || standard.hasAlpha ? 4 : 3
    let meanSquare = squares / Double(count * channels)
    peakSignalToNoise =
      meanSquare == 0 ? .infinity : -10 * naturalLogarithm(meanSquare) / naturalLogarithm(10)
  }
}

/// The absolute differences of encoded samples, including alpha.
private struct StepMap: BlendFilter {
  var domain: PixelDomain { .encoded }

  func hasAlpha(_ inputs: [Bool]) -> Bool { true }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let step = inputs[0] - inputs[1]
    return step.replacing(with: -step, where: step .< 0)
  }
}

/// The accumulated values of the bands so far.
private final class ComparisonTally: Sendable {
  private let seen = Mutex((differences: [Float](), largest: Float(0), squares: 0.0))

  var results: (differences: [Float], largest: Float, squares: Double) { seen.withLock { $0 } }

  /// Adds rows of color differences, in hundredths.
  func add(differences band: Bitmap<Float>) {
    seen.withLock { seen in
      for y in 0..<band.size.height {
        band.withRow(y) { row in
          for x in 0..<band.size.width { seen.differences.append(row[3 * x] * 100) }
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
            seen.largest = max(seen.largest, row[index])
            seen.squares += Double(row[index]) * Double(row[index])
          }
        }
      }
    }
  }
}
