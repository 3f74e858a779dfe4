internal import ImageBuffer

/// All pixels of the screen on which the frames of an animation are drawn, at first transparent. Alpha is the last sample of a pixel.
final class FrameCanvas {
  let size: PixelSize
  private let pixels: MemoryBlock
  private let rowBytes: Int
  private let pixelBytes: Int

  init(_ size: PixelSize, pixelBytes: Int, for file: String) throws(ImageFileError) {
    (self.size, self.pixelBytes) = (size, pixelBytes)
    rowBytes = size.width * pixelBytes
    pixels = try MemoryBlock(byteCount: size.height * rowBytes, isZeroed: true, for: file)
  }

  /// A row, from the pixel `x` on.
  func row(_ y: Int, from x: Int = 0) -> UnsafeMutableRawBufferPointer {
    pixels[y * rowBytes + x * pixelBytes..<(y + 1) * rowBytes]
  }

  /// Copies a row without its alpha where the target has no place for it.
  func copyRow(_ y: Int, to target: UnsafeMutableRawBufferPointer) {
    let source = UnsafeRawBufferPointer(row(y))
    if target.count == rowBytes { return target.copyMemory(from: source) }
    let kept = target.count / size.width
    for x in 0..<size.width {
      for byte in 0..<kept { target[kept * x + byte] = source[pixelBytes * x + byte] }
    }
  }

  /// Makes the pixels of a region transparent, also those that its frame has not drawn.
  func clear(_ region: Region) {
    let visible = region.intersection(Region(size))
    for y in visible.rows where visible.width > 0 {
      let row = row(y, from: visible.x)
      UnsafeMutableRawBufferPointer(rebasing: row[..<(visible.width * pixelBytes)])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}
