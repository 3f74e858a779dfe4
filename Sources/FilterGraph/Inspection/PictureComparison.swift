public import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// How far two pictures are apart, in numbers.
public struct PictureComparison: Hashable, Sendable {
  /// The color difference: its mean, what 95 % of the pixels stay within, and its largest.
  public let mean, percentile95, maximum: Double
  /// The largest difference of any two stored numbers, in the standard's space; coverage counts too.
  public let largestStep: Double
  /// The ratio of 1 to the root of the mean squared difference of stored numbers, in decibels; infinite where there is none.
  public let peakSignalToNoise: Double

  /// Compares `sample` with `standard`, which must have its size. One number a pixel is kept in memory.
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

/// How far stored numbers are apart, coverage in the place of coverage.
private struct StepMap: BlendFilter {
  var domain: PixelDomain { .encoded }

  func hasAlpha(_ inputs: [Bool]) -> Bool { true }

  func pixel(_ inputs: [SIMD4<Double>]) -> SIMD4<Double> {
    let step = inputs[0] - inputs[1]
    return step.replacing(with: -step, where: step .< 0)
  }
}

/// What was seen so far, band by band.
private final class ComparisonTally: Sendable {
  private let seen = Mutex((differences: [Float](), largest: Float(0), squares: 0.0))

  var results: (differences: [Float], largest: Float, squares: Double) { seen.withLock { $0 } }

  /// Rows of color differences, in hundreds.
  func add(differences band: Bitmap<Float>) {
    seen.withLock { seen in
      for y in 0..<band.size.height {
        band.withRow(y) { row in
          for x in 0..<band.size.width { seen.differences.append(row[3 * x] * 100) }
        }
      }
    }
  }

  /// Rows of steps.
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
