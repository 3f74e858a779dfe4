internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// A counter of the samples that an integer format clips while a picture is stored.
package final class ClippingCount: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// The number of samples that were NaN, or out of 0…1 by more than rounding.
  package var value: Int { count.load(ordering: .relaxed) }

  fileprivate func add(_ samples: Int) { count.add(samples, ordering: .relaxed) }
}

extension Picture {
  /// Returns this picture, about to be stored, with a step that counts the samples the format clips.
  ///
  /// Unchanged values of an integer source cannot be clipped, and keep their direct path.
  func counting(_ count: ClippingCount?, in channels: Channels, _ format: SampleFormat) -> Picture {
    guard let count, format == .uint8 || format == .uint16, !isIntegerSource else { return self }
    let step: Float = format == .uint8 ? 255 : 65_535
    // Values that round to the first or the last code are not clipped.
    let range = -0.5 / step...1 + 0.5 / step
    let (isGray, hasAlpha) = (channels.isGray, channels.hasAlpha && self.hasAlpha)
    var program = PointProgram()
    program.rows("count clipped samples") { strip in
      func clipped(_ channel: PixelStrip.Channel) -> Int {
        var found: Int32 = 0
        for i in strip.indices {
          let value = channel[i]
          found += value >= range.lowerBound && value <= range.upperBound ? 0 : 1
        }
        return Int(found)
      }
      var found = clipped(strip.red)
      if !isGray { found += clipped(strip.green) + clipped(strip.blue) }
      if hasAlpha { found += clipped(strip.alpha) }
      if found > 0 { count.add(found) }
    }
    return appending(program)
  }

  private var isIntegerSource: Bool {
    node.samples.map { $0.format == .uint8 || $0.format == .uint16 } ?? false
  }
}
