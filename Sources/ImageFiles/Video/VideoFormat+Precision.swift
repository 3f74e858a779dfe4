internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

extension VideoFormat {
  /// Returns the precision of a frame whose red, green and blue are those of `space`: half a code of each sample, and the rounding of
  /// the samples to those of the bitmap. Nil for matrices that are not linear in encoded red, green and blue.
  func precision(in space: ColorSpace) -> ColorPrecision? {
    let samples: SampleFormat = layout.bits > 8 ? .uint16 : .uint8
    if layout.isRGB, !isConvertedInFloats { return ColorPrecision(samples, in: space) }
    let largest = Double(1 << layout.bits - 1)
    let half = 0.5 * (1 + largest * (isConvertedInFloats ? 0x1p-24 : 1 / 65_535))
    if layout.isRGB {
      return ColorPrecision(samples, in: space, channelErrors: SIMD3(repeating: half / largest))
    }
    guard let weights = matrix.chromaWeights else { return nil }
    // The codes of luma from 0 to 1, and those of chroma from −½ to ½ (Rec. ITU-T H.273, 8.3).
    let part = Double(1 << (layout.bits - 8))
    let (luma, chroma) = isFullRange ? (largest, largest) : (219 * part, 224 * part)
    // A box of half a code around luma and chroma is a parallelepiped of encoded red, green and blue. This is the box around it, an
    // upper bound: each channel is luma plus chroma times its coefficients.
    let errors = SIMD3(repeating: half / luma) + weights * (half / chroma)
    return ColorPrecision(samples, in: space, channelErrors: errors)
  }
}

extension VideoEncoding.Matrix {
  /// The sums of the magnitudes of the coefficients with which red, green and blue are computed from chroma; nil where they are not
  /// linear in it.
  fileprivate var chromaWeights: SIMD3<Double>? {
    switch self {
    case .identity: .zero
    case .weighted(let red, let blue):
      2 * SIMD3(1 - red, (red * (1 - red) + blue * (1 - blue)) / (1 - red - blue), 1 - blue)
    case .yCgCo: SIMD3(2, 1, 2)
    default: nil
    }
  }
}
