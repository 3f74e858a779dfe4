internal import ImageBuffer

/// Copies one of several interleaved channels to a channel of another layout. A channel that the source lacks becomes zero; one that the
/// target lacks is skipped.
func copyChannel(
  _ source: UnsafeRawBufferPointer, _ from: Int, of sourceCount: Int,
  to target: UnsafeMutableRawBufferPointer, _ to: Int, of targetCount: Int, pixels: Int,
  bytesPerSample: Int
) {
  func copy<Bits: FixedWidthInteger>(_: Bits.Type) {
    let source = source.assumingMemoryBound(to: Bits.self)
    let target = target.bindMemory(to: Bits.self)
    guard to < targetCount else { return }
    guard from < sourceCount else {
      for pixel in 0..<pixels { target[pixel * targetCount + to] = 0 }
      return
    }
    for pixel in 0..<pixels {
      target[pixel * targetCount + to] = source[pixel * sourceCount + from]
    }
  }
  switch bytesPerSample {
  case 1: copy(UInt8.self)
  case 2: copy(UInt16.self)
  default: copy(UInt32.self)
  }
}

extension Channels {
  /// The channels of a file that states only how many a pixel has; nil where there is no such layout.
  init?(count: Int) {
    let known: [Channels] = [.gray, .grayAlpha, .rgb, .rgba]
    guard known.indices.contains(count - 1) else { return nil }
    self = known[count - 1]
  }
}
