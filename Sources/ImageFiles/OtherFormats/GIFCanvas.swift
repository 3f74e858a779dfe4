internal import ImageBuffer

/// All pixels of the logical screen, on which frames are drawn in their order: red, green, blue and alpha of a byte each.
final class GIFCanvas {
  private let pixels: MemoryBlock
  private let width: Int
  private let height: Int
  private let file: String
  /// The damage of the frame that is read, and how many rows from the top it leaves intact.
  private(set) var damage: (rows: Int, error: ImageFileError)?
  /// The first error for indices beyond a palette.
  private(set) var paletteError: ImageFileError?

  /// The bytes of a pixel.
  static let pixelBytes = 4

  /// Draws the frames from the first one that shows in the frame that is read.
  init(_ gif: GIFStructure, _ bytes: ByteSource) throws(ImageFileError) {
    (width, height, file) = (gif.screen.width, gif.screen.height, bytes.name)
    pixels = try MemoryBlock(
      byteCount: gif.screen.pixelCount * Self.pixelBytes, isZeroed: true, for: bytes.name)
    var blocks = gif.firstVisible
    while let block = try blocks.next() {
      guard case .frame(let frame) = block else { continue }
      if frame.number == gif.frame.number {
        damage = try draw(frame, gif, bytes)
        break
      }
      switch frame.disposal {
      // What is undone need not be drawn.
      case .restore: continue
      case .clear: try clear(frame)
      case .keep: if let damage = try draw(frame, gif, bytes) { throw damage.error }
      }
    }
  }

  /// Copies a row without its alpha where the target has three channels.
  func copyRow(_ y: Int, to row: UnsafeMutableRawBufferPointer, channels: Int) {
    let source = pixels[y * width * Self.pixelBytes..<(y + 1) * width * Self.pixelBytes]
    if channels == Self.pixelBytes {
      return row.copyMemory(from: UnsafeRawBufferPointer(source))
    }
    for x in 0..<width {
      for channel in 0..<3 { row[3 * x + channel] = source[Self.pixelBytes * x + channel] }
    }
  }

  /// Draws a frame. Returns damage of its pixels, and how many rows of the screen are intact above.
  private func draw(
    _ frame: GIFFrame, _ gif: GIFStructure, _ bytes: ByteSource
  ) throws(ImageFileError) -> (rows: Int, error: ImageFileError)? {
    let region = frame.region
    if frame.isEmpty { return nil }
    let rows = try GIFFrameRows(frame, gif, bytes)
    defer { paletteError = paletteError ?? rows.paletteError }
    let order = GIFRowOrder(height: region.height, isInterlaced: frame.isInterlaced)
    // Rows below the screen may be missing, and may be too many to unpack.
    var rowsLeft = min(region.height, height - region.y)
    for index in 0..<region.height where rowsLeft > 0 {
      do throws(GIFDamage) {
        guard try rows.next() else { throw .lackingPixels }
      } catch {
        let intact = min(region.y + order.firstMissing(after: index), height)
        return (intact, rows.error(error, afterRows: intact))
      }
      let y = region.y + order[index]
      guard y < height else { continue }
      let row = pixels[y * width * Self.pixelBytes..<(y + 1) * width * Self.pixelBytes]
      rows.draw(onto: row, channels: Self.pixelBytes)
      rowsLeft -= 1
    }
    return nil
  }

  /// Makes the pixels of a frame transparent, also those that it has not drawn.
  private func clear(_ frame: GIFFrame) throws(ImageFileError) {
    // Many frames of a few bytes, each of which clears a large screen, would take hours.
    try frame.checkByteCount(file: file)
    let visible = frame.region.intersection(Region(PixelSize(width, height)))
    for y in visible.rows where visible.width > 0 {
      let start = (y * width + visible.x) * Self.pixelBytes
      pixels[start..<start + visible.width * Self.pixelBytes]
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
  }
}

/// The rows of a frame in the order in which the file has them (GIF89a, appendix E).
struct GIFRowOrder {
  let height: Int
  let isInterlaced: Bool

  /// The first row and the distance of rows of each pass.
  private static let passes: [(first: Int, step: Int)] = [(0, 8), (4, 8), (2, 4), (1, 2)]

  /// The row that comes at a place of the order.
  subscript(index: Int) -> Int {
    guard isInterlaced else { return index }
    var index = index
    for pass in Self.passes {
      let count = max((height - pass.first + pass.step - 1) / pass.step, 0)
      if index < count { return pass.first + index * pass.step }
      index -= count
    }
    return height - 1
  }

  /// The first row from the top that is missing where the first `count` of the order are there.
  func firstMissing(after count: Int) -> Int {
    isInterlaced ? (count..<height).map { self[$0] }.min() ?? height : count
  }
}
