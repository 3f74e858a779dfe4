internal import CPixelKernels
internal import ColorSpaces

/// Dithering: rounding to few levels that preserves the local mean, by rounding neighboring pixels in opposite
/// directions.
///
/// The levels divide 0…1 uniformly; values outside are clamped. Values on a level are unchanged, except by noise,
/// which also shifts the mean near black and white (see ``Method/triangularNoise``). Alpha is rounded to the nearest level.
public struct Dither: Hashable, Sendable {
  /// The dithering method.
  @nonexhaustive
  public enum Method: String, Hashable, Sendable, CaseIterable {
    /// Ordered dithering by an 8 × 8 Bayer matrix (Bayer, “An optimum method for two-level rendition of continuous-tone
    /// pictures”, 1973).
    case ordered
    /// A 64 × 64 blue-noise threshold matrix (Ulichney, “The void-and-cluster method for dither array generation”,
    /// 1993): uniform grain without texture.
    case blueNoise
    /// Error diffusion from left to right and from top to bottom (Floyd and Steinberg, “An adaptive algorithm for
    /// spatial grey scale”, 1976). Each row depends on the one above.
    case errorDiffusion
    /// Triangular (TPDF) noise of each pixel, the difference of two uniform random values of one level each (Lipshitz,
    /// Wannamaker and Vanderkooy, “Quantization and dither: a theoretical survey”, 1992). From
    /// half a level above the lowest level to half a level below the highest, the mean and the variance of the error do
    /// not depend on the value, so the grain does not change with the tone. Nearer to the ends the clamp cuts off one
    /// side of the noise: an eighth of the pixels of pure black become one level lighter, so that the mean shifts by up
    /// to 1/8 level, and likewise at white. The noise is the same for all channels, so grays stay gray.
    case triangularNoise
  }

  /// The dithering method.
  public let method: Method
  /// The number of levels; nil for all levels of the sample format. Floating-point samples are then not rounded.
  public let levels: Int?
  /// The seed of the noise, to vary it between the frames of a film. Matrices and error diffusion ignore it.
  public let seed: UInt64

  /// Creates a dither.
  ///
  /// - Precondition: `levels` is nil or 2 to 65,536.
  public init(_ method: Method, levels: Int? = nil, seed: UInt64 = 0) {
    precondition(
      levels.map((2...65_536).contains) ?? true,
      "A dither has 2 to 65,536 levels; got \(levels ?? 0).")
    (self.method, self.levels, self.seed) = (method, levels, seed)
  }

  /// Ordered dithering, to all levels of the sample format.
  public static let ordered = Dither(.ordered)
  /// Blue-noise dithering, to all levels of the sample format.
  public static let blueNoise = Dither(.blueNoise)
  /// Error diffusion, to all levels of the sample format.
  public static let errorDiffusion = Dither(.errorDiffusion)
  /// Triangular noise, to all levels of the sample format.
  public static let triangularNoise = Dither(.triangularNoise)
}

extension Dither {
  /// The number of steps from the lowest level to the highest in a sample format; nil where it is not rounded.
  package func steps(for format: SampleFormat) -> Float? {
    if let levels { return Float(levels - 1) }
    return switch format {
    case .uint8: 255
    case .uint16: 65_535
    case .float16, .float32: nil
    }
  }

  /// The offsets that are added before rounding, in levels; nil for error diffusion, whose offsets depend on the
  /// pixels.
  package var pattern: DitherPattern? {
    switch method {
    case .ordered: .bayer
    case .blueNoise: .voidAndCluster
    case .errorDiffusion: nil
    case .triangularNoise: .triangularNoise(seed: seed)
    }
  }
}

/// The offsets that are added to pixels before rounding.
package enum DitherPattern: Sendable {
  /// Offsets from −½ to ½ of a matrix that is tiled.
  case square(side: Int, offsets: [Float])
  /// Random offsets from −1 to 1 with a triangular distribution.
  case triangularNoise(seed: UInt64)

  /// Creates a matrix from ranks: each of 0..<n² once. They are quantized to 64 thresholds of equal frequency, so that
  /// within single precision no offset changes the rounding of a value on a level.
  fileprivate init(side: Int, ranks: [Int]) {
    let thresholds = 64
    self = .square(
      side: side,
      offsets: ranks.map { rank in
        (Float(rank * thresholds / ranks.count) + 0.5) / Float(thresholds) - 0.5
      })
  }

  /// Calls `body` with the offsets of `count` pixels from (x, y) on, in parts: where each begins, and its offsets in levels.
  package func forEachPart(
    of count: Int, x: Int, y: Int, _ body: (Int, UnsafeBufferPointer<Float>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 256) { buffer in
      for start in stride(from: 0, to: count, by: buffer.count) {
        let part = UnsafeMutableBufferPointer(rebasing: buffer.prefix(count - start))
        write(to: part, x: x + start, y: y)
        body(start, UnsafeBufferPointer(part))
      }
    }
  }

  private func write(to offsets: UnsafeMutableBufferPointer<Float>, x: Int, y: Int) {
    guard let base = offsets.baseAddress else { return }
    switch self {
    case .square(let side, let matrix):
      let row = (y & (side - 1)) * side
      var end = min(side, offsets.count)
      for i in 0..<end { offsets[i] = matrix[row + (x + i) & (side - 1)] }
      // The offsets repeat: twice as many are copied each time.
      while end < offsets.count {
        let count = min(end, offsets.count - end)
        (base + end).update(from: base, count: count)
        end += count
      }
    case .triangularNoise(let seed):
      cpk_active().pointee.triangular_noise(base, offsets.count, seed, Int64(x), Int64(y))
    }
  }

  /// Rounds values to the nearest of the levels that are 1 / `steps` apart, after offsets were added; with `alpha`, to none above the
  /// nearest level of that.
  package static func round(
    _ values: UnsafeMutablePointer<Float>, count: Int, offsets: UnsafePointer<Float>?,
    notAbove alpha: UnsafePointer<Float>?, steps: Float
  ) {
    cpk_active().pointee.round_to_levels(values, offsets, alpha, steps, count)
  }

  /// The Bayer matrix: the bits of x ⊕ y and of y interleaved, the lowest bits most significant.
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

/// Ranks the pixels of a tileable square so that those below any rank are spread uniformly (Ulichney 1993).
private struct VoidAndCluster {
  static let side = 64
  private static let mask = side - 1

  // The density around each pixel: a sum of Gaussians around the pixels that are on, in integers, so that it does not
  // depend on the order of additions.
  private var energy = [Int](repeating: 0, count: side * side)
  private var isOn = [Bool](repeating: false, count: side * side)

  // σ = 1.5 pixels, Ulichney's choice; beyond six pixels the Gaussian is negligible.
  private static let reach = 6
  private static let gaussian: [Int] = (-reach...reach).flatMap { (y: Int) -> [Int] in
    (-reach...reach).map { (x: Int) -> Int in
      let squaredDistance = Double(x * x + y * y)
      return Int(exponential(-squaredDistance / (2 * 1.5 * 1.5)) * 0x1p30)
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

  /// The tightest cluster among pixels that are on, or the largest void among those that are off; the first of equals.
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
    // A tenth of the pixels at random, by a linear congruential generator (Numerical Recipes' constants), then relaxed
    // until the tightest cluster is also the largest void.
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

/// Rounds rows by a dither. With error diffusion the rows must come in order.
struct DitheredRows {
  /// A row of one channel.
  typealias Row = (channel: Int, values: UnsafeMutableBufferPointer<Float>)

  private let steps: Float
  private let pattern: DitherPattern?
  // Whether there are fewer levels than the format has.
  private let hasLevels: Bool
  private let width: Int
  // The errors that the row above passes on to each pixel, in levels, one channel after the other, with a value before each.
  private var errors: [Float]

  init(_ dither: Dither, steps: Float, width: Int, channelCount: Int) {
    (self.steps, pattern, hasLevels) = (steps, dither.pattern, dither.levels != nil)
    self.width = width
    errors = [Float](repeating: 0, count: pattern == nil ? channelCount * (width + 1) : 0)
  }

  /// Rounds the row `y` of up to three channels. With `alpha`, the rounded alpha is the upper bound.
  mutating func round(
    _ rows: UnsafeBufferPointer<Row>, y: Int, notAbove alpha: UnsafeMutableBufferPointer<Float>?
  ) {
    let limits = alpha?.baseAddress.map { UnsafePointer($0) }
    guard let pattern else {
      diffuse(rows)
      // A level is rounded to itself.
      if let limits { round(rows, from: 0, count: width, offsets: nil, notAbove: limits) }
      return
    }
    pattern.forEachPart(of: width, x: 0, y: y) { start, offsets in
      round(rows, from: start, count: offsets.count, offsets: offsets, notAbove: limits)
    }
  }

  /// Rounds alpha to the nearest level, where there are others than those of the format.
  func roundAlpha(_ row: UnsafeMutableBufferPointer<Float>) {
    guard hasLevels, let base = row.baseAddress else { return }
    DitherPattern.round(base, count: row.count, offsets: nil, notAbove: nil, steps: steps)
  }

  private func round(
    _ rows: UnsafeBufferPointer<Row>, from start: Int, count: Int,
    offsets: UnsafeBufferPointer<Float>?,
    notAbove limits: UnsafePointer<Float>?
  ) {
    for row in rows {
      guard let base = row.values.baseAddress else { continue }
      DitherPattern.round(
        base + start, count: count, offsets: offsets?.baseAddress,
        notAbove: limits.map { $0 + start }, steps: steps)
    }
  }

  /// Diffuses the errors of all channels together: each pixel waits for the one before it in its channel only.
  private mutating func diffuse(_ rows: UnsafeBufferPointer<Row>) {
    let (steps, width, count) = (steps, width, rows.count)
    errors.withUnsafeMutableBufferPointer { errors in
      withUnsafeTemporaryAllocation(
        of: UnsafeMutablePointer<Float>?.self, capacity: 2 * count
      ) { pointers in
        for (index, row) in rows.enumerated() {
          let passed = errors.baseAddress.map { $0 + row.channel * (width + 1) }
          pointers.initializeElement(at: index, to: row.values.baseAddress)
          pointers.initializeElement(at: count + index, to: passed)
        }
        guard let values = pointers.baseAddress else { return }
        cpk_active().pointee.diffuse(values, values + count, count, steps, width)
      }
    }
  }
}
