internal import ImageBuffer

extension FrameDecoder {
  /// Decodes a frame of a GIF file in which others show, or whose rows are interlaced.
  convenience init(_ gif: GIFStructure, _ job: DecodingJob) {
    let (bytes, stop, wanted) = (job.bytes, job.stop, gif.frame.number)
    self.init(gif.info, of: bytes.name) { canvas throws(ImageFileError) in
      var blocks = gif.firstVisible
      // The first error for indices beyond a palette.
      var paletteError: ImageFileError?
      let damage = try canvas.compose(
        upTo: wanted, unless: stop,
        next: { () throws(ImageFileError) in try blocks.nextFrame(upTo: wanted, of: bytes) }
      ) { frame throws(ImageFileError) in
        if frame.isEmpty { return nil }
        let rows = try GIFFrameRows(frame, gif, bytes)
        defer { paletteError = paletteError ?? rows.paletteError }
        return try rows.draw(onto: canvas, unless: stop)
      }
      return damage
        ?? (gif.missingEnd ?? paletteError).map { (rows: canvas.size.height, error: $0) }
    }
  }
}

extension GIFBlocks {
  /// Returns the next frame up to the one that is read; nil behind it.
  fileprivate mutating func nextFrame(
    upTo wanted: Int, of bytes: ByteSource
  ) throws(ImageFileError) -> GIFFrame? {
    while let block = try next() {
      guard case .frame(let frame) = block else { continue }
      // Many frames of a few bytes, each of which clears a large screen, would take hours.
      if frame.disposal == .clear, frame.number < wanted {
        try frame.checkByteCount(file: bytes.name)
      }
      return frame
    }
    return nil
  }
}

extension GIFFrameRows {
  /// Draws the frame. Returns damage of its pixels, and how many rows of the screen are intact above.
  fileprivate func draw(
    onto canvas: FrameCanvas, unless stop: ReadingStop
  ) throws(ImageFileError) -> FrameDamage? {
    let (region, height) = (frame.region, canvas.size.height)
    let order = GIFRowOrder(height: region.height, isInterlaced: frame.isInterlaced)
    // Rows below the screen may be missing, and may be too many to unpack.
    var rowsLeft = min(region.height, height - region.y)
    for index in 0..<region.height where rowsLeft > 0 {
      try stop.check()
      do throws(GIFDamage) {
        guard try next() else { throw .lackingPixels }
      } catch {
        let intact = min(region.y + order.firstMissing(after: index), height)
        return (intact, self.error(error, afterRows: intact))
      }
      let y = region.y + order[index]
      guard y < height else { continue }
      draw(onto: canvas.row(y), channels: Channels.rgba.count)
      rowsLeft -= 1
    }
    return nil
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
