extension FrameCanvas {
  /// Draws pixels from the pixel (`x`, `y`) to the right.
  ///
  /// The screen has the channels of the pixels, and alpha, which is straight.
  ///
  /// - Parameters:
  ///   - row: The pixels. Those of two and four channels have straight alpha.
  ///   - channels: How many channels they have.
  ///   - blends: Whether transparent pixels show what is below.
  func draw<Sample: FixedWidthInteger & UnsignedInteger>(
    _ row: UnsafeBufferPointer<Sample>, channels: Int, x: Int, y: Int, blends: Bool
  ) {
    let target = self.row(y, from: x).bindMemory(to: Sample.self)
    let hasAlpha = channels % 2 == 0
    let colors = hasAlpha ? channels - 1 : channels
    let most = Int(Sample.max)
    for pixel in 0..<row.count / channels {
      let (source, place) = (pixel * channels, pixel * (colors + 1))
      let alpha = hasAlpha ? Int(row[source + colors]) : most
      if !blends || alpha == most {
        for color in 0..<colors { target[place + color] = row[source + color] }
        target[place + colors] = Sample(alpha)
      } else if alpha > 0 {
        // Porter and Duff's “over” of straight alpha (PNG, third edition, 13.16).
        let above = alpha * most
        let below = (most - alpha) * Int(target[place + colors])
        let sum = above + below
        for color in 0..<colors {
          let mixed = Int(row[source + color]) * above + Int(target[place + color]) * below
          target[place + color] = Sample((mixed + sum / 2) / sum)
        }
        target[place + colors] = Sample((sum + most / 2) / most)
      }
    }
  }
}
