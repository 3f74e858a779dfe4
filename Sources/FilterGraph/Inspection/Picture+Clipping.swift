internal import CPixelKernels
internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// A counter of the samples that a format clips while a picture is stored: integers all that is out of range, halves what overflows.
package final class ClippingCount: Sendable {
  private let count = Atomic(0)

  package init() {}

  /// The number of samples that an integer format clipped, because they were NaN or out of 0…1 by more than rounding, or that became
  /// infinite in half precision.
  ///
  /// Colors of pixels that are stored as fully transparent are not counted. Neither is alpha out of 0…1, which means the same as 0 or 1.
  package var value: Int { count.load(ordering: .relaxed) }

  fileprivate func add(_ samples: Int) { count.add(samples, ordering: .relaxed) }
}

extension Picture {
  /// Returns this picture, about to be stored, with a step that counts the samples the format clips.
  ///
  /// Unchanged values of a source within the format's range cannot be clipped, and keep their direct path.
  func counting(_ count: ClippingCount?, in channels: Channels, _ format: SampleFormat) -> Picture {
    guard let count, format != .float32, !hasSourceWithin(format) else { return self }
    let isHalf = format == .float16
    let step: Float = format == .uint8 ? 255 : 65_535
    // Values that round to the first or the last code are not clipped. Halves round to infinity from 65,520 up.
    let range =
      isHalf
      ? Float(-65_520).nextUp...Float(65_520).nextDown : -0.5 / step...1 + 0.5 / step
    let opacities = isHalf ? range : -.infinity...(.infinity)
    let (isGray, hasAlpha) = (channels.isGray, channels.hasAlpha && self.hasAlpha)
    // Premultiplied colors add light even where alpha is 0.
    let leastAlpha: Float? =
      !hasAlpha || state.isPremultiplied ? nil : isHalf ? .leastNonzeroMagnitude : 0.5 / step
    var program = PointProgram()
    program.rows("count clipped samples") { strip in
      func clipped(
        _ plane: UnsafeMutablePointer<Float>, _ count: Int, _ range: ClosedRange<Float>
      ) -> Int {
        // Half precision has NaN and infinity.
        kernels.count_beyond(plane, count, range.lowerBound, range.upperBound, isHalf)
      }
      let planes = strip.planes
      let colors = isGray ? [planes.0] : [planes.0, planes.1, planes.2]
      var found = colors.reduce(0) { $0 + clipped($1, strip.count, range) }
      if found > 0, let leastAlpha {
        for pixel in 0..<strip.count where planes.3[pixel] < leastAlpha {
          found -= colors.reduce(0) { $0 + clipped($1 + pixel, 1, range) }
        }
      }
      if hasAlpha { found += clipped(planes.3, strip.count, opacities) }
      if found > 0 { count.add(found) }
    }
    return appending(program)
  }

  /// Whether it is a source, unchanged, whose values all lie in the range of a format.
  private func hasSourceWithin(_ format: SampleFormat) -> Bool {
    guard let source = node.samples?.format else { return false }
    return source == .uint8 || source == .uint16 || format == .float16 && source == .float16
  }
}
