package import ColorSpaces

extension AnyBitmap {
  /// A bitmap whose every sample the caller is about to write, through ``surface``, before anybody else holds a copy.
  package init(
    uninitialized size: PixelSize, in space: ColorSpace, channels: Channels, format: SampleFormat,
    alpha: Alpha
  ) {
    func bitmap<Sample: PixelSample>(of _: Sample.Type) -> Bitmap<Sample> {
      Bitmap(
        uninitialized: size, in: space, channels: channels, alpha: alpha, arrangement: .interleaved)
    }
    switch format {
    case .uint8: self = .uint8(bitmap(of: UInt8.self))
    case .uint16: self = .uint16(bitmap(of: UInt16.self))
    case .float32: self = .float32(bitmap(of: Float.self))
    case .float16:
      #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
        self = .float16(bitmap(of: Float16.self))
      #else
        preconditionFailure("Swift has no Float16 on Intel Macs. Use Float there.")
      #endif
    }
  }
}

extension BitmapSurface {
  /// How many bytes a pixel of an interleaved bitmap has.
  package var bytesPerPixel: Int { channels.count * format.byteCount }

  /// A row of an interleaved bitmap, or of one plane of a planar one.
  package func bytes(ofRow y: Int, plane: Int = 0) -> UnsafeMutableRawBufferPointer {
    let samples = arrangement == .interleaved ? channels.count : 1
    precondition(
      (0..<size.height).contains(y) && (0..<channels.count / samples).contains(plane),
      "Row \(y) of plane \(plane) is outside of \(size) pixels of \(channels.count) samples.")
    return UnsafeMutableRawBufferPointer(
      start: base.map { $0 + (plane * size.height + y) * bytesPerRow },
      count: size.width * samples * format.byteCount)
  }
}
