internal import ImageBuffer

extension FrameSamples {
  /// Stores the samples of a frame of another bit depth, each converted independently.
  func store(
    _ source: UnsafeRawBufferPointer, as sourceFormat: VideoFormat,
    in target: UnsafeMutableRawBufferPointer
  ) {
    let lumaCount = format.layout.chroma == nil ? Int.max : format.size.pixelCount
    let count = format.frameBytes / format.bytesPerSample
    let luma = codes(for: sourceFormat, areChroma: false)
    let chroma = codes(for: sourceFormat, areChroma: true)
    for index in 0..<count {
      let code =
        sourceFormat.bytesPerSample == 1
        ? Int(source[index])
        : Int(source[2 * index]) | Int(source[2 * index + 1]) << 8
      let codes = index < lumaCount ? luma : chroma
      let stored = codes[min(code, codes.count - 1)]
      if format.bytesPerSample == 1 {
        target[index] = UInt8(truncatingIfNeeded: stored)
      } else {
        target[2 * index] = UInt8(truncatingIfNeeded: stored)
        target[2 * index + 1] = UInt8(truncatingIfNeeded: stored >> 8)
      }
    }
  }

  /// Returns the code of this format for each code of another bit depth (Rec. ITU-T H.273, 8.3): narrow-range codes are shifted,
  /// full-range ones scaled, chroma about its midpoint.
  private func codes(for source: VideoFormat, areChroma: Bool) -> [Int] {
    let (from, to) = (source.layout.bits, format.layout.bits)
    let (most, largest) = (1 << from - 1, 1 << to - 1)
    if !format.isFullRange, format.layout.chroma != nil {
      return (0...most).map { code in
        to >= from
          ? code << (to - from) : min((code + (1 << (from - to - 1))) >> (from - to), largest)
      }
    }
    let (middle, newMiddle) = areChroma ? (1 << (from - 1), 1 << (to - 1)) : (0, 0)
    return (0...most).map { code in
      let value = Double(code - middle) / Double(most) * Double(largest) + Double(newMiddle)
      return min(max(Int(value.rounded()), 0), largest)
    }
  }
}
