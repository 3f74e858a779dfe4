import ColorSpaces
import ImageBuffer
import _TestSupport

/// The layout and channels of a small bitmap.
struct Shape: Sendable, CustomStringConvertible {
  var size: PixelSize
  var channels: Channels
  var arrangement: Arrangement

  var description: String { "\(size) \(channels) \(arrangement)" }

  static let allChannels: [Channels] =
    [.gray, .grayAlpha] + lights + [
      .cmyk, .cmyk.adding(.alpha), .named("depth", "mask"),
      Channels((1...16).map { .named("light \($0)") }),
    ]

  /// Red, green and blue in all orders, with and without further channels.
  static let lights: [Channels] = [
    .rgb, .rgba, .bgr, .bgra, .argb, .abgr, .rgbx, .bgrx, .rgba.adding(.named("depth")),
  ]

  /// Widths on both sides of a cache line, a few rows, all channels, both arrangements.
  static let any = Generator<((Int, Int), Channels, Arrangement)>.zip(
    .zip(.int(in: 1...70), .int(in: 1...6)), .element(of: allChannels),
    .element(of: [.interleaved, .planar])
  ).map { Shape(size: PixelSize($0.0.0, $0.0.1), channels: $0.1, arrangement: $0.2) }

  /// A bitmap of this shape in which every sample differs from its neighbors.
  func bitmap<Sample: PixelSample & FixedWidthInteger>(of _: Sample.Type = Sample.self)
    -> Bitmap<Sample>
  {
    Bitmap(size, in: .sRGB, channels: channels, arrangement: arrangement) { x, y in
      (0..<channels.count).map { Self.code(x, y, $0) }
    }
  }

  /// The sample of ``bitmap(of:)`` at a position.
  static func code<Sample: FixedWidthInteger>(_ x: Int, _ y: Int, _ channel: Int) -> Sample {
    Sample(truncatingIfNeeded: x &* 7 &+ y &* 31 &+ channel &* 101 &+ 5)
  }

  /// The positions of all samples.
  var places: [(x: Int, y: Int, channel: Int)] {
    (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x in (0..<channels.count).map { (x, y, $0) } }
    }
  }
}

extension Bitmap {
  /// The address of a row, to check whether bitmaps share memory.
  func address(_ y: Int = 0, plane: Int = 0) -> UInt {
    withUnsafeRow(y, plane: plane) { UInt(bitPattern: $0.baseAddress) }
  }
}
