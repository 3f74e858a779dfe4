internal import ImageBuffer

extension Orientation {
  /// Copies a stored row's pixels to where they belong in an interleaved, upright bitmap.
  func place(
    _ row: UnsafeRawBufferPointer, y: Int, of stored: PixelSize, in upright: BitmapSurface
  ) {
    let pixelBytes = upright.bytesPerPixel
    for x in 0..<stored.width {
      let position = uprightPosition(x: x, y: y, in: stored)
      let start = position.x * pixelBytes
      UnsafeMutableRawBufferPointer(
        rebasing: upright.bytes(ofRow: position.y)[start..<start + pixelBytes]
      ).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: row[x * pixelBytes..<(x + 1) * pixelBytes]))
    }
  }
}
