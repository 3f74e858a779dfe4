public import ColorSpaces

extension Bitmap {
  /// Returns the packed pixels, row by row without padding. Alpha is dropped if the format has none.
  public func packed(as format: PackedFormat) throws(BitmapError) -> [UInt8] {
    let pixels: Bitmap<Float> = try converted(
      channels: format.channels, arrangement: .interleaved)
    let count = format.channels.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * format.byteCount)
    for y in 0..<size.height {
      pixels.withUnsafeRow(y) { row in
        for x in 0..<size.width {
          let color = SIMD4(
            row[count * x], row[count * x + 1], row[count * x + 2],
            count == 4 ? row[count * x + 3] : 1)
          let packed = format.pack(color)
          for byte in 0..<format.byteCount {
            bytes.append(UInt8(truncatingIfNeeded: packed >> (8 * byte)))
          }
        }
      }
    }
    return bytes
  }
}

extension Bitmap<Float> {
  /// Creates a bitmap from packed pixels.
  ///
  /// - Parameters:
  ///   - bytes: The packed pixels, the first row first.
  ///   - format: The packed format.
  ///   - size: The width and height.
  ///   - space: The color space of the values.
  ///   - alpha: Whether colors are premultiplied by alpha.
  ///   - bytesPerRow: The stride between rows, any number of bytes from the size of a row up; nil for rows without
  ///     padding.
  public init(
    unpacking bytes: [UInt8], as format: PackedFormat, _ size: PixelSize, in space: ColorSpace,
    alpha: Alpha = .straight, bytesPerRow: Int? = nil
  ) throws(BitmapError) {
    // The layout of packed pixels is that of four-byte samples, but they are read byte by byte at any stride.
    let layout = try BitmapLayout(
      size, format.byteCount == 8 ? .grayAlpha : .gray, .float32, .interleaved,
      bytesPerRow: bytesPerRow, alignment: 1, mayBeUnaligned: true)
    guard bytes.count >= layout.byteCount else {
      throw .memoryTooShort(bytes: bytes.count, needed: layout.byteCount)
    }
    try self.init(
      uninitialized: size, in: space, channels: format.channels, alpha: alpha,
      arrangement: .interleaved)
    let count = channels.count
    for y in 0..<size.height {
      withUnsafeMutableRow(y) { row in
        for x in 0..<size.width {
          let start = y * layout.bytesPerRow + x * format.byteCount
          let color = format.unpack(
            (0..<format.byteCount).reduce(0) { bits, byte in
              bits | UInt64(bytes[start + byte]) << (8 * byte)
            })
          for channel in 0..<count { row[count * x + channel] = color[channel] }
        }
      }
    }
  }
}
