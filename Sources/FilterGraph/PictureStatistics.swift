public import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// What the pixels of a picture are like, in numbers.
public struct PictureStatistics: Hashable, Sendable {
  /// The stored numbers of one channel.
  public struct Channel: Hashable, Sendable {
    /// The smallest, the mean, the largest.
    public var minimum, mean, maximum: Double
  }

  /// Red, green, blue and, if there is coverage, alpha, as the picture's space stores them.
  public let channels: [Channel]
  /// Which part of the pixels, 0…1, each of the asked gamuts cannot hold, in their order.
  public let partsOutside: [Double]

  /// Looks at all pixels, band by band.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - gamuts: The spaces whose gamuts are asked about.
  ///   - tolerance: How far beyond 0…1, in linear light, a channel must lie to count as outside: above the noise of stored
  ///     numbers.
  ///   - options: How to render.
  public init(
    of picture: Picture, outside gamuts: [ColorSpace] = [], tolerance: Double = 0.001,
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) {
    guard !picture.isEndless else { throw .recipe(.endless) }
    let count = picture.hasAlpha ? 4 : 3
    let tally = StatisticsTally(count, gamuts.map { picture.space.matrix(to: $0) }, tolerance)
    try Picture.renderBands(
      [picture, picture.converted(to: picture.space.linear)], as: Float.self, options: options
    ) { picture, _, band in
      picture == 0 ? tally.add(numbers: band) : tally.add(light: band)
    }
    (channels, partsOutside) = tally.results(ofPixels: Double(picture.size.pixelCount))
  }
}

/// What was seen so far, band by band.
private final class StatisticsTally: Sendable {
  private let channelCount: Int
  private let toGamuts: [ColorMatrix]
  private let allowed: ClosedRange<Double>
  /// With sums in the place of means, and counts in the place of parts.
  private let seen: Mutex<(channels: [PictureStatistics.Channel], outside: [Int])>

  init(_ channelCount: Int, _ toGamuts: [ColorMatrix], _ tolerance: Double) {
    (self.channelCount, self.toGamuts) = (channelCount, toGamuts)
    allowed = -tolerance...1 + tolerance
    let nothing = PictureStatistics.Channel(minimum: .infinity, mean: 0, maximum: -.infinity)
    seen = Mutex(
      (
        channels: [PictureStatistics.Channel](repeating: nothing, count: channelCount),
        outside: [Int](repeating: 0, count: toGamuts.count)
      ))
  }

  func results(
    ofPixels count: Double
  ) -> (channels: [PictureStatistics.Channel], partsOutside: [Double]) {
    seen.withLock { seen in
      for channel in seen.channels.indices { seen.channels[channel].mean /= count }
      return (seen.channels, seen.outside.map { Double($0) / count })
    }
  }

  /// Rows of stored numbers.
  func add(numbers band: Bitmap<Float>) {
    seen.withLock { seen in
      for y in 0..<band.size.height {
        band.withRow(y) { row in
          for index in row.indices {
            let (channel, number) = (index % channelCount, Double(row[index]))
            seen.channels[channel].minimum = min(seen.channels[channel].minimum, number)
            seen.channels[channel].maximum = max(seen.channels[channel].maximum, number)
            seen.channels[channel].mean += number
          }
        }
      }
    }
  }

  /// Rows of linear light.
  func add(light band: Bitmap<Float>) {
    seen.withLock { seen in
      for y in 0..<band.size.height {
        band.withRow(y) { row in
          for start in stride(from: 0, to: row.count, by: channelCount) {
            let color = SIMD3<Double>(SIMD3(row[start], row[start + 1], row[start + 2]))
            for index in toGamuts.indices {
              let mixed = toGamuts[index] * color
              let isHeld = allowed.contains(mixed.min()) && allowed.contains(mixed.max())
              if !isHeld { seen.outside[index] += 1 }
            }
          }
        }
      }
    }
  }
}
