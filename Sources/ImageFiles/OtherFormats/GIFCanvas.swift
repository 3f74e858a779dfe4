internal import ImageBuffer

/// The logical screen of a GIF file, on which frames are drawn in their order: red, green, blue and alpha of a byte each.
final class GIFCanvas {
  private let canvas: FrameCanvas
  private let file: String
  /// The damage of the frame that is read, and how many rows from the top it leaves intact.
  private(set) var damage: (rows: Int, error: ImageFileError)?
  /// The first error for indices beyond a palette.
  private(set) var paletteError: ImageFileError?

  /// The bytes of a pixel.
  static let pixelBytes = 4

  /// Draws the frames from the first one that shows in the frame that is read.
  init(_ gif: GIFStructure, _ bytes: ByteSource) throws(ImageFileError) {
    file = bytes.name
    canvas = try FrameCanvas(gif.screen, pixelBytes: Self.pixelBytes, for: file)
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
  func copyRow(_ y: Int, to row: UnsafeMutableRawBufferPointer) { canvas.copyRow(y, to: row) }

  /// Draws a frame. Returns damage of its pixels, and how many rows of the screen are intact above.
  private func draw(
    _ frame: GIFFrame, _ gif: GIFStructure, _ bytes: ByteSource
  ) throws(ImageFileError) -> (rows: Int, error: ImageFileError)? {
    let (region, height) = (frame.region, canvas.size.height)
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
      rows.draw(onto: canvas.row(y), channels: Self.pixelBytes)
      rowsLeft -= 1
    }
    return nil
  }

  /// Makes the pixels of a frame transparent, also those that it has not drawn.
  private func clear(_ frame: GIFFrame) throws(ImageFileError) {
    // Many frames of a few bytes, each of which clears a large screen, would take hours.
    try frame.checkByteCount(file: file)
    canvas.clear(frame.region)
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
