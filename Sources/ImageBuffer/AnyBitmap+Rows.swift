package import ColorSpaces

extension AnyBitmap {
  /// Creates a bitmap with undefined samples. The caller must write each of them, through ``surface``, before it shares
  /// the bitmap.
  package init(
    uninitialized size: PixelSize, in space: ColorSpace, channels: Channels, format: SampleFormat,
    alpha: Alpha
  ) throws(BitmapError) {
    func bitmap<Sample: PixelSample>(of _: Sample.Type) throws(BitmapError) -> Bitmap<Sample> {
      try Bitmap(
        uninitialized: size, in: space, channels: channels, alpha: alpha, arrangement: .interleaved)
    }
    switch format {
    case .uint8: self = .uint8(try bitmap(of: UInt8.self))
    case .uint16: self = .uint16(try bitmap(of: UInt16.self))
    case .float16: self = .float16(try bitmap(of: Float16.self))
    case .float32: self = .float32(try bitmap(of: Float.self))
    }
  }
}

extension AnyBitmap {
  /// Returns the same pixels with other channels, or with the same ones in another order.
  package func with(_ channels: Channels) throws(BitmapError) -> AnyBitmap {
    if channels == self.channels { return self }
    return switch self {
    case .uint8(let bitmap): .uint8(try bitmap.converted(channels: channels))
    case .uint16(let bitmap): .uint16(try bitmap.converted(channels: channels))
    case .float16(let bitmap): .float16(try bitmap.converted(channels: channels))
    case .float32(let bitmap): .float32(try bitmap.converted(channels: channels))
    }
  }
}

extension SampleFormat {
  /// Returns the bytes of a bitmap of such samples with rows aligned to 64 bytes. Throws if there can be no such
  /// bitmap.
  package func byteCount(
    of size: PixelSize, _ channels: Channels, _ arrangement: Arrangement = .interleaved
  ) throws(BitmapError) -> Int {
    let byteCount = try layoutByteCount(of: size, channels, arrangement)
    try AlignedBuffer.checkRoom(for: byteCount)
    return byteCount
  }

  /// Returns the bytes of such a bitmap, whether or not this machine has so much memory.
  package func layoutByteCount(
    of size: PixelSize, _ channels: Channels, _ arrangement: Arrangement = .interleaved
  ) throws(BitmapError) -> Int {
    try BitmapLayout(
      size, channels, self, arrangement, bytesPerRow: nil, alignment: PixelStorage.alignment
    ).byteCount
  }
}

extension BitmapSurface {
  /// The bytes of a pixel of an interleaved bitmap.
  package var bytesPerPixel: Int { channels.count * format.byteCount }

  /// Returns a row of an interleaved bitmap, or of one plane of a planar one.
  package func bytes(ofRow y: Int, plane: Int = 0) -> UnsafeMutableRawBufferPointer {
    let samples = arrangement == .interleaved ? channels.count : 1
    precondition(
      (0..<size.height).contains(y) && (0..<channels.count / samples).contains(plane),
      "Row \(y) of plane \(plane) is outside of \(size) pixels of \(channels.count) samples.")
    return UnsafeMutableRawBufferPointer(
      start: base.map { $0 + (plane * bytesPerPlane + y * bytesPerRow) },
      count: size.width * samples * format.byteCount)
  }
}
