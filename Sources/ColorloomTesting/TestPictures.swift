public import ColorSpaces
internal import FilterGraph
public import ImageBuffer

/// Small bitmaps with edge cases: values beyond 0…1, transparent pixels, sizes that no tile size divides.
public enum TestPictures {
  /// Colors mostly in 0…1, some below and above; alpha 0, 1 and in between.
  public static func floats(
    _ size: PixelSize = PixelSize(271, 19), in space: ColorSpace = .displayP3,
    channels: Channels = .rgba, arrangement: Arrangement = .interleaved, seed: UInt64 = 1
  ) -> Bitmap<Float> {
    var generator = SeededGenerator(seed: seed)
    return Bitmap(size, in: space, channels: channels, arrangement: arrangement) { _, _ in
      (0..<channels.count).map { channel in
        if channels.roles[channel] == .alpha {
          return [0, 1, 1, 1, Float.random(in: 0...1, using: &generator)]
            .randomElement(using: &generator) ?? 1
        }
        return Int.random(in: 0..<8, using: &generator) == 0
          ? Float.random(in: -0.25...1.75, using: &generator)
          : Float.random(in: 0...1, using: &generator)
      }
    }
  }

  /// An opaque picture of one color.
  static func even(_ color: SIMD3<Float>) -> Picture {
    Picture(
      Bitmap<Float>(PixelSize(9, 9), in: .displayP3, channels: .rgb) { _, _ in
        [color.x, color.y, color.z]
      })
  }

  /// Random codes in every sample.
  public static func codes<Sample: PixelSample & FixedWidthInteger>(
    as _: Sample.Type = Sample.self, _ size: PixelSize = PixelSize(61, 43),
    in space: ColorSpace = .sRGB, channels: Channels = .rgb,
    arrangement: Arrangement = .interleaved, seed: UInt64 = 2
  ) -> Bitmap<Sample> {
    var generator = SeededGenerator(seed: seed)
    return Bitmap(size, in: space, channels: channels, arrangement: arrangement) { _, _ in
      (0..<channels.count).map { _ in Sample.random(in: .min ... .max, using: &generator) }
    }
  }
}

extension Bitmap {
  /// Returns the same pixels in another arrangement.
  public func rearranged(_ arrangement: Arrangement) -> Bitmap {
    func place(_ channel: Int, _ arrangement: Arrangement) -> (plane: Int, first: Int, step: Int) {
      arrangement == .planar ? (channel, 0, 1) : (0, channel, channels.count)
    }
    var result = Bitmap(
      size, in: space, channels: channels, alpha: alpha, arrangement: arrangement)
    for y in 0..<size.height {
      for channel in 0..<channels.count {
        let (from, to) = (place(channel, self.arrangement), place(channel, arrangement))
        withUnsafeRow(y, plane: from.plane) { source in
          result.withUnsafeMutableRow(y, plane: to.plane) { target in
            for x in 0..<size.width {
              target[to.first + x * to.step] = source[from.first + x * from.step]
            }
          }
        }
      }
    }
    return result
  }
}

extension Bitmap where Sample == Float {
  /// Whether every bit agrees, with all NaNs considered equal.
  public func isIdentical(to other: Bitmap) -> Bool { firstDifference(from: other) == nil }

  /// Describes the first difference; nil for identical bitmaps.
  public func firstDifference(from other: Bitmap) -> String? {
    if size != other.size || channels != other.channels {
      return "\(size) \(channels) instead of \(other.size) \(other.channels)"
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        for channel in 0..<channels.count {
          let (a, b) = (self[x, y, channel], other[x, y, channel])
          if a.bitPattern != b.bitPattern, !(a.isNaN && b.isNaN) {
            return "(\(x), \(y)) channel \(channel): \(a) instead of \(b)"
          }
        }
      }
    }
    return nil
  }
}
