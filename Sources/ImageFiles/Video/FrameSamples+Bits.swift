internal import ColorSpaces
internal import ImageBuffer

extension FrameSamples {
  /// Stores the samples of a frame of another bit depth or order, each converted independently.
  func store(
    _ source: UnsafeRawBufferPointer, as sourceFormat: VideoFormat,
    in target: UnsafeMutableRawBufferPointer
  ) {
    let samples = FrameSamples(sourceFormat)
    let luma = codes(for: sourceFormat, areChroma: false)
    // With the identity matrix, H.273, 8.3 has the equations of luma for all components.
    let hasChroma = format.layout.chroma != nil && format.matrix != .identity
    let chroma = hasChroma ? codes(for: sourceFormat, areChroma: true) : luma
    for (index, (from, to)) in zip(samples.components, components).enumerated() {
      let codes = index == 0 ? luma : chroma
      for y in 0..<to.size.height {
        for x in 0..<to.size.width {
          let code = samples.code(from.start + y * from.stride + x * from.step, in: source)
          put(codes[code], to.start + y * to.stride + x * to.step, in: target)
        }
      }
    }
  }

  /// Returns a code of a frame.
  private func code(_ index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    if format.bytesPerSample == 1 { return Int(bytes[index]) }
    return code(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
  }

  private func put(_ code: Int, _ index: Int, in bytes: UnsafeMutableRawBufferPointer) {
    if format.bytesPerSample == 1 {
      bytes[index] = stored(code)
    } else {
      bytes.storeBytes(of: stored(code), toByteOffset: 2 * index, as: UInt16.self)
    }
  }

  /// Returns the code of this format for each code of another bit depth (Rec. ITU-T H.273, 8.3): narrow-range codes are shifted,
  /// full-range ones scaled, chroma about its midpoint.
  private func codes(for source: VideoFormat, areChroma: Bool) -> [Int] {
    let (from, to) = (source.layout.bits, format.layout.bits)
    let (most, largest) = (1 << from - 1, 1 << to - 1)
    if !format.isFullRange, !format.layout.isRGB {
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
