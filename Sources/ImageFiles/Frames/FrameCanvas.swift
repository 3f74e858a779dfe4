internal import ImageBuffer

/// All pixels of the screen on which the frames of an animation are drawn, at first transparent. Alpha is the last sample of a pixel.
final class FrameCanvas {
  let size: PixelSize
  private let pixels: MemoryBlock
  /// The distance between the beginnings of rows.
  let bytesPerRow: Int
  private let pixelBytes: Int

  init(_ size: PixelSize, pixelBytes: Int, for file: String) throws(ImageFileError) {
    (self.size, self.pixelBytes) = (size, pixelBytes)
    bytesPerRow = size.width * pixelBytes
    pixels = try MemoryBlock(byteCount: size.height * bytesPerRow, isZeroed: true, for: file)
  }

  /// A row, from the pixel `x` on.
  func row(_ y: Int, from x: Int = 0) -> UnsafeMutableRawBufferPointer {
    pixels[y * bytesPerRow + x * pixelBytes..<(y + 1) * bytesPerRow]
  }

  /// The rows from the first pixel of a region on, to the end of the screen.
  func rows(from region: Region) -> UnsafeMutableRawBufferPointer {
    pixels[region.y * bytesPerRow + region.x * pixelBytes..<size.height * bytesPerRow]
  }

  /// Copies a row without its alpha where the target has no place for it.
  func copyRow(_ y: Int, to target: UnsafeMutableRawBufferPointer) {
    let source = UnsafeRawBufferPointer(row(y))
    if target.count == bytesPerRow { return target.copyMemory(from: source) }
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
