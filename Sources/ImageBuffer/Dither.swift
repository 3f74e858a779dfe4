internal import ColorSpaces

/// How numbers are rounded to few levels so that their mean stays: neighbours of a pixel are rounded the other way.
///
/// The levels divide 0…1 evenly; what lies beyond is clamped. Numbers that are levels stay what they are, unless noise is asked for.
/// Alpha is rounded to the nearest level.
public struct Dither: Hashable, Sendable {
  /// Which neighbours are rounded the other way.
  @nonexhaustive
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// By a regular pattern of 8 × 8 pixels (Bayer, “An optimum method for two-level rendition of continuous-tone pictures”, 1973).
    case ordered
    /// By a pattern of 64 × 64 pixels without low frequencies (Ulichney, “The void-and-cluster method for dither array generation”,
    /// 1993): even grain, no texture.
    case blueNoise
    /// What rounding a pixel adds or takes is taken from or added to the ones after it, from left to right and from top to bottom
    /// (Floyd and Steinberg, “An adaptive algorithm for spatial grey scale”, 1976). One row follows from the one above.
    case errorDiffusion
    /// By noise of each pixel, the difference of two random numbers of one level each (Lipshitz, Wannamaker and Vanderkooy,
    /// “Quantization and dither: a theoretical survey”, 1992). What rounding adds has the same mean and the same spread whatever the
    /// number is, a level too: the grain does not change with the tone. It is the same for all channels, so grays stay gray.
    case triangularNoise
  }

  /// Which neighbours are rounded the other way.
  public let method: Method
  /// How many levels there are; nil for all that the samples have. Samples of floating point then stay what they are.
  public let levels: Int?
  /// Another seed is other noise, for the next frame of a film; patterns and diffusion have none.
  public let seed: UInt64

  /// Rounding to so many levels, from 2 to 65,536.
  public init(_ method: Method, levels: Int? = nil, seed: UInt64 = 0) {
    precondition(
      levels.map((2...65_536).contains) ?? true,
      "A dither has 2 to 65,536 levels; got \(levels ?? 0).")
    (self.method, self.levels, self.seed) = (method, levels, seed)
  }

  /// By a regular pattern, to all levels that the samples have.
  public static let ordered = Dither(.ordered)
  /// By a pattern without low frequencies, to all levels that the samples have.
  public static let blueNoise = Dither(.blueNoise)
  /// Row by row, to all levels that the samples have.
  public static let errorDiffusion = Dither(.errorDiffusion)
  /// By noise of a triangular distribution, to all levels that the samples have.
  public static let triangularNoise = Dither(.triangularNoise)
}

extension Dither {
  /// From the lowest level to the highest, where samples of this format are rounded.
  package func steps(for format: SampleFormat) -> Float? {
    if let levels { return Float(levels - 1) }
    return switch format {
    case .uint8: 255
    case .uint16: 65_535
    case .float16, .float32: nil
    }
  }

  /// What is added to each pixel before it is rounded, in levels; nil where that is not known beforehand.
  package var pattern: DitherPattern? {
    switch method {
    case .ordered: .bayer
    case .blueNoise: .voidAndCluster
    case .errorDiffusion: nil
    case .triangularNoise: .triangularNoise(seed: seed)
    }
  }
}

/// What is added to each pixel before it is rounded.
package enum DitherPattern: Sendable {
  /// Numbers from −½ to ½ of a square that is repeated in both directions.
  case square(side: Int, offsets: [Float])
  /// Numbers from −1 to 1, those near 0 more often.
  case triangularNoise(seed: UInt64)

  /// A square of ranks: each of 0..<n² once. Their order becomes one of 64 thresholds in equal numbers, so that the rounding of a
  /// number that is a level, within single precision, is never turned by one.
  fileprivate init(side: Int, ranks: [Int]) {
    let thresholds = 64
    self = .square(
      side: side,
      offsets: ranks.map { rank in
        (Float(rank * thresholds / ranks.count) + 0.5) / Float(thresholds) - 0.5
      })
  }

  /// What is added to a pixel, in levels.
  package subscript(x: Int, y: Int) -> Float {
    switch self {
    case .square(let side, let offsets):
      return offsets[(y & (side - 1)) * side + (x & (side - 1))]
    case .triangularNoise(let seed):
      let random = PixelRandom(seed: seed, x: x, y: y)
      return random[0] - random[1]
    }
  }

  /// A number rounded to the nearest of the levels, which are 1 / `steps` apart, after `offset` levels were added.
  package static func rounded(_ number: Float, offset: Float, steps: Float) -> Float {
    let level = (min(max(number, 0), 1) * steps + offset).rounded(.toNearestOrEven)
    return min(max(level, 0), steps) / steps
  }

  /// Bayer's: the bits of x ⊕ y and of y, interleaved from the lowest ones on, which count most.
  fileprivate static let bayer: DitherPattern = {
    let side = 8
    return DitherPattern(
      side: side,
      ranks: (0..<side * side).map { index in
        let (x, y) = (index % side, index / side)
        return (0..<3).reduce(0) { rank, bit in
          rank << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1
        }
      })
  }()

  fileprivate static let voidAndCluster = DitherPattern(
    side: VoidAndCluster.side, ranks: VoidAndCluster.ranks())
}

/// Ranks the pixels of a square that repeats itself so that those below any rank are spread evenly (Ulichney 1993).
private struct VoidAndCluster {
  static let side = 64
  private static let mask = side - 1

  // How crowded each pixel's neighbourhood is: a sum of Gaussians around the pixels that are on, in whole numbers, so that no order of
  // additions matters.
  private var energy = [Int](repeating: 0, count: side * side)
  private var isOn = [Bool](repeating: false, count: side * side)

  // σ = 1.5 pixels, Ulichney's choice; beyond six pixels nothing is left of it.
  private static let reach = 6
  private static let gaussian: [Int] = (-reach...reach).flatMap { y in
    (-reach...reach).map { x in
      Int(exponential(-Double(x * x + y * y) / (2 * 1.5 * 1.5)) * 0x1p30)
    }
  }

  private mutating func set(_ pixel: Int, _ on: Bool) {
    let sign = on ? 1 : -1
    isOn[pixel] = on
    let (x, y) = (pixel & Self.mask, pixel / Self.side)
    var weight = 0
    for dy in -Self.reach...Self.reach {
      let row = ((y + dy) & Self.mask) * Self.side
      for dx in -Self.reach...Self.reach {
        energy[row + (x + dx) & Self.mask] += sign * Self.gaussian[weight]
        weight += 1
      }
    }
  }

  /// The most crowded pixel of those that are on, or the loneliest of those that are off; the first of equals.
  private func extreme(on: Bool) -> Int {
    var (found, best) = (-1, Int.max)
    for pixel in energy.indices where isOn[pixel] == on {
      let value = on ? -energy[pixel] : energy[pixel]
      if value < best { (found, best) = (pixel, value) }
    }
    return found
  }

  static func ranks() -> [Int] {
    let count = side * side
    var start = VoidAndCluster()
    // A tenth of the pixels in no order: steps of a linear congruential generator (Numerical Recipes' constants), then spread until
    // the most crowded pixel is also the loneliest place.
    var random: UInt32 = 1993
    var on = 0
    while on < count / 10 {
      random = random &* 1_664_525 &+ 1_013_904_223
      let pixel = Int(random >> 20)
      if !start.isOn[pixel] {
        start.set(pixel, true)
        on += 1
      }
    }
    while true {
      let cluster = start.extreme(on: true)
      start.set(cluster, false)
      let void = start.extreme(on: false)
      start.set(void, true)
      if void == cluster { break }
    }
    var ranks = [Int](repeating: 0, count: count)
    var below = start
    for rank in (0..<on).reversed() {
      let cluster = below.extreme(on: true)
      below.set(cluster, false)
      ranks[cluster] = rank
    }
    var above = start
    for rank in on..<count {
      let void = above.extreme(on: false)
      above.set(void, true)
      ranks[void] = rank
    }
    return ranks
  }
}

/// Rounds rows of numbers by a dither. With error diffusion the rows must come in order.
struct DitheredRows {
  private let steps: Float
  private let pattern: DitherPattern?
  // What the row above left for each pixel of each channel, in levels, with one more pixel on either side.
  private var errors: [[Float]]
  private var next: [Float]

  init(_ dither: Dither, steps: Float, width: Int, channelCount: Int) {
    (self.steps, pattern) = (steps, dither.pattern)
    next = pattern == nil ? [Float](repeating: 0, count: width + 2) : []
    errors = [[Float]](repeating: next, count: channelCount)
  }

  /// Rounds the row `y` of a channel; to no more than `alpha`, rounded, where there is one.
  mutating func round(
    _ row: UnsafeMutableBufferPointer<Float>, channel: Int, y: Int,
    notAbove alpha: UnsafeMutableBufferPointer<Float>?
  ) {
    if let pattern {
      for x in row.indices {
        row[x] = DitherPattern.rounded(row[x], offset: pattern[x, y], steps: steps)
      }
    } else {
      diffuse(row, channel)
    }
    guard let alpha else { return }
    for x in row.indices {
      row[x] = min(row[x], DitherPattern.rounded(alpha[x], offset: 0, steps: steps))
    }
  }

  private mutating func diffuse(_ row: UnsafeMutableBufferPointer<Float>, _ channel: Int) {
    for x in next.indices { next[x] = 0 }
    for x in row.indices {
      // A number that is none leaves nothing to its neighbours.
      let number = row[x].isNaN ? 0 : min(max(row[x], 0), 1)
      let level = (number * steps).rounded(.toNearestOrEven)
      let wanted = (level / steps == number ? level : number * steps) + errors[channel][x + 1]
      let rounded = min(max(wanted.rounded(.toNearestOrEven), 0), steps)
      let error = wanted - rounded
      errors[channel][x + 2] += error * (7 / 16)
      next[x] += error * (3 / 16)
      next[x + 1] += error * (5 / 16)
      next[x + 2] += error * (1 / 16)
      row[x] = rounded / steps
    }
    swap(&errors[channel], &next)
  }
}
