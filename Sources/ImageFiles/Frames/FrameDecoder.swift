internal import ImageBuffer

/// Damage of a frame, and how many rows of the screen are intact from the top.
typealias FrameDamage = (rows: Int, error: ImageFileError)

/// Decodes a frame of an animation with all pixels of the screen in memory: it is drawn onto those before it, as browsers do.
final class FrameDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let file: String
  private let compose: (FrameCanvas) throws(ImageFileError) -> FrameDamage?
  private var canvas: FrameCanvas?
  private var rowsRead = 0
  /// The damage of the frame that is read.
  private var damage: FrameDamage?

  /// Creates a decoder; `compose` draws the frame, and those that show in it, and returns the damage of the frame.
  init(
    _ info: ImageFileInfo, of file: String,
    compose: @escaping (FrameCanvas) throws(ImageFileError) -> FrameDamage?
  ) {
    (self.info, self.file, self.compose) = (info, file, compose)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let canvas = try composed()
    if let damage, rowsRead >= damage.rows { throw damage.error }
    canvas.copyRow(rowsRead, to: row)
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {
    if let damage { throw damage.error }
  }

  /// The pixels of the screen after the frame was drawn.
  private func composed() throws(ImageFileError) -> FrameCanvas {
    if let canvas { return canvas }
    let new = try FrameCanvas(
      info.storedSize, pixelBytes: info.channels.composed.count * info.samples.byteCount, for: file)
    damage = try compose(new)
    canvas = new
    return new
  }
}

extension Channels {
  /// The channels of the screen on which frames are drawn.
  var composed: Channels { isGray ? .grayAlpha : .rgba }
}

extension FrameCanvas {
  /// Draws frames in their order up to the one of a number, and returns the damage of that one. Damage of a frame below it is an error.
  ///
  /// All of that happens while one row is read, so `stop` is asked before each frame.
  func compose<Frame: LayeredFrame>(
    upTo wanted: Int, unless stop: ReadingStop, next: () throws(ImageFileError) -> Frame?,
    draw: (Frame) throws(ImageFileError) -> FrameDamage?
  ) throws(ImageFileError) -> FrameDamage? {
    while let frame = try next() {
      try stop.check()
      if frame.number == wanted { return try draw(frame) }
      switch frame.disposal {
      // What is undone need not be drawn.
      case .restore: continue
      case .clear: clear(frame.region)
      case .keep: if let damage = try draw(frame) { throw damage.error }
      }
    }
    return nil
  }
}
