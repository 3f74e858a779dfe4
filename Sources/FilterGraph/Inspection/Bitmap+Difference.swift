package import ImageBuffer

extension Bitmap where Sample == Float {
  /// The largest difference of any sample from another bitmap of the same size and channels, weighted by alpha and
  /// relative to values above 1. Infinite where one value is NaN and the other is not.
  package func largestDifference(from other: Bitmap) -> Float {
    var largest: Float = 0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let coverage = channels == .rgba ? min(1, abs(other[x, y, 3])) : 1
        for channel in 0..<channels.count {
          let (a, b) = (self[x, y, channel], other[x, y, channel])
          if a.bitPattern == b.bitPattern || a.isNaN && b.isNaN { continue }
          // Where alpha is nearly 0, the color is the quotient of two rounded values.
          if coverage < 1e-3, channel != 3 { continue }
          let difference = abs(a - b) * coverage / max(1, abs(b))
          largest = max(largest, difference.isNaN ? .infinity : difference)
        }
      }
    }
    return largest
  }
}
