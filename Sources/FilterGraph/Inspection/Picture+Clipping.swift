internal import CPixelKernels
internal import ColorSpaces
internal import ImageBuffer
internal import Synchronization

/// A counter of the samples that a format clips while a picture is stored: integers all that is out of range, halves what overflows.
package final class ClippingCount: Sendable {
  private let count = Atomic(0)
  private let encodingCount = Atomic(0)

  package init() {}

  /// The number of samples that an integer format clipped, because they were NaN or out of 0…1 by more than rounding, or that became
  /// infinite in half precision.
  ///
  /// Colors of pixels that are stored as fully transparent are not counted. Neither is alpha out of 0…1, which means the same as 0 or 1.
  package var value: Int { count.load(ordering: .relaxed) }

  /// The number of samples of a floating-point format that lost their linear values, because the transfer function of the space clamps
  /// these by more than rounding. Fully transparent pixels are not counted.
  package var valueOfEncoding: Int { encodingCount.load(ordering: .relaxed) }

  fileprivate func add(_ samples: Int) { count.add(samples, ordering: .relaxed) }
  fileprivate func addOfEncoding(_ samples: Int) { encodingCount.add(samples, ordering: .relaxed) }
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
      ? Float(-65_520).nextUp...Float(65_520).nextDown
      : min(-0.5 / step, roundingBelowBlack)...1 + 0.5 / step
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

  /// The encoded value of what conversions in single precision round below black; 0 where black is not encoded as 0.
  ///
  /// A pure power is infinitely steep at black: 4·10⁻⁸ below it are 1.5 codes of 10 bits with an exponent of 2.6.
  private var roundingBelowBlack: Float {
    guard state.light == .encoded, space.transfer.curves != nil,
      abs(space.transfer.encode(0)) < 1e-5
    else { return 0 }
    let value = Float(space.transfer.encode(-0x1p-22))
    return value.isFinite ? value : 0
  }

  /// Returns this picture, about to be encoded for a floating-point format, with a step that counts the linear values that the transfer
  /// function of its space clamps.
  ///
  /// Integers count what is out of their own range instead. Values that an earlier step encoded are no longer linear, and do not count.
  func countingEncoding(
    _ count: ClippingCount?, in channels: Channels, _ format: SampleFormat
  ) -> Picture {
    guard let count, format == .float16 || format == .float32, state.light == .linear,
      let kept = space.transfer.keptRange, space.transfer.curves != nil || kept.mix != nil
    else { return self }
    // Conversions round in single precision, and the sums of a mix do so once more.
    let rounding = kept.mix == nil ? 1e-6 : 2e-6
    func margin(_ bound: Double) -> Double { rounding * max(bound.magnitude, 1) }
    let low = Float(kept.values.lowerBound - margin(kept.values.lowerBound))
    let high = Float(kept.values.upperBound + margin(kept.values.upperBound))
    let (isGray, hasAlpha) = (channels.isGray, channels.hasAlpha && self.hasAlpha)
    var program = PointProgram()
    program.rows("count clamped samples") { strip in
      let planes = strip.planes
      if kept.mix != nil {
        var found = 0
        for x in 0..<strip.count where !hasAlpha || !(planes.3[x] <= 0) {
          let light = SIMD3(
            Double(planes.0[x]), Double(planes.1[x]), Double(planes.2[x]))
          let layers = SIMD3<Float>(kept.channels(of: light))
          let beyond = (0..<3).count {
            layers[$0].isFinite && (layers[$0] < low || layers[$0] > high)
          }
          found += isGray ? min(beyond, 1) : beyond
        }
        if found > 0 { count.addOfEncoding(found) }
        return
      }
      func clamped(_ plane: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
        // NaN and infinity are kept.
        kernels.count_beyond(plane, count, low, high, true)
      }
      let colors = isGray ? [planes.0] : [planes.0, planes.1, planes.2]
      var found = colors.reduce(0) { $0 + clamped($1, strip.count) }
      if found > 0, hasAlpha {
        for pixel in 0..<strip.count where planes.3[pixel] <= 0 {
          found -= colors.reduce(0) { $0 + clamped($1 + pixel, 1) }
        }
      }
      if found > 0 { count.addOfEncoding(found) }
    }
    return entering(PixelState(light: .linear, isPremultiplied: false)).appending(program)
  }

  /// Whether it is a source, unchanged, whose values all lie in the range of a format.
  private func hasSourceWithin(_ format: SampleFormat) -> Bool {
    guard let source = node.samples?.format else { return false }
    return source == .uint8 || source == .uint16 || format == .float16 && source == .float16
  }
}
