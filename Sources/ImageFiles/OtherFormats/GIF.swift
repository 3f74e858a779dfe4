internal import ImageBuffer

extension ImageFileFormat {
  /// GIF87a and GIF89a: a palette of at most 256 colors, straight alpha where pixels are transparent, frames of animations. Read by a
  /// decoder of this package. It cannot be written.
  ///
  /// A frame is read as browsers show it: on the frames before it, as their disposal methods say. Where no frame has drawn, pixels are
  /// transparent; the background color of the file is ignored.
  public static let gif: ImageFileFormat = ImageFileFormat(
    "GIF", fileExtensions: ["gif"], mimeTypes: ["image/gif"], samples: [], channels: [],
    holdsProfiles: false, metadata: [], encoderBytes: { _ in 0 },
    recognizes: { start in GIFStructure.signatures.contains { start.starts(with: $0.utf8) } },
    decoder: { job throws(ImageFileError) in
      let gif = try GIFStructure(job)
      return gif.isComposed ? FrameDecoder(gif, job) : GIFDecoder(gif, job.bytes)
    },
    encoder: { job, _ throws(ImageFileError) in throw .readOnly(file: job.file, .gif) })
}

/// Decodes a frame of a GIF file row by row: one whose rows are in order, and below which nothing shows.
private final class GIFDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let gif: GIFStructure
  private let bytes: ByteSource
  private var rowsRead = 0
  private var frame: GIFFrameRows?

  init(_ gif: GIFStructure, _ bytes: ByteSource) {
    (self.gif, self.bytes, info) = (gif, bytes, gif.info)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let (y, frame) = (rowsRead, try opened())
    defer { rowsRead += 1 }
    if info.channels.hasAlpha { row.initializeMemory(as: UInt8.self, repeating: 0) }
    guard gif.frame.region.rows.contains(y) else { return }
    do throws(GIFDamage) {
      guard try frame.next() else { throw .lackingPixels }
    } catch { throw frame.error(error, afterRows: y) }
    frame.draw(onto: row, channels: info.channels.count)
  }

  /// The rows of the frame.
  private func opened() throws(ImageFileError) -> GIFFrameRows {
    if let frame { return frame }
    let frame = try GIFFrameRows(gif.frame, gif, bytes)
    self.frame = frame
    return frame
  }

  func finish() throws(ImageFileError) {
    if let error = gif.missingEnd ?? frame?.paletteError { throw error }
  }
}

/// Why the pixels of a frame cannot be decoded.
enum GIFDamage: Error {
  /// The file cannot be read.
  case file(ImageFileError)
  /// The data end, by their end mark, before the pixels do.
  case lackingPixels
  /// The file ends before the pixels do.
  case truncated
  /// A code is beyond those that are defined so far.
  case code(Int, limit: Int)
}

/// The rows of a frame in the order in which the file has them, one at a time.
final class GIFFrameRows {
  let frame: GIFFrame
  private let gif: GIFStructure
  private let unpacker: GIFUnpacker
  /// Four bytes for each index that there can be, of which the last one is opaque alpha; black beyond the palette.
  private let colors: [UInt8]
  private let colorCount: Int
  private let indices: UnsafeMutableBufferPointer<UInt8>
  private var largestIndex = 0

  init(_ frame: GIFFrame, _ gif: GIFStructure, _ bytes: ByteSource) throws(ImageFileError) {
    guard let range = frame.palette ?? gif.palette else {
      throw .damaged(
        file: bytes.name,
        reason: "its frame \(frame.number) has no palette, and the file has none for all frames")
    }
    let stored = try bytes.array(range)
    colors = (0..<1024).map { place in
      let (index, channel) = (place / 4, place % 4)
      return channel == 3 ? 255 : 3 * index < stored.count ? stored[3 * index + channel] : 0
    }
    colorCount = stored.count / 3
    unpacker = try GIFUnpacker(frame, bytes)
    (self.frame, self.gif) = (frame, gif)
    indices = .allocate(capacity: frame.region.width)
    indices.initialize(repeating: 0)
  }

  deinit { indices.deallocate() }

  /// Decodes the next row; returns whether it is complete.
  func next() throws(GIFDamage) -> Bool { try unpacker.read(into: indices) == indices.count }

  /// Draws the row that was decoded onto a row of the screen. Transparent pixels leave what is there.
  func draw(onto row: UnsafeMutableRawBufferPointer, channels: Int) {
    let transparent = frame.transparentIndex ?? -1
    let left = frame.region.x
    let visible = min(indices.count, row.count / channels - left)
    var largest = largestIndex
    colors.withUnsafeBufferPointer { colors in
      for x in 0..<max(visible, 0) {
        let index = Int(indices[x])
        if index == transparent { continue }
        largest = max(largest, index)
        let target = channels * (left + x)
        for channel in 0..<channels { row[target + channel] = colors[4 * index + channel] }
      }
    }
    largestIndex = largest
  }

  /// The error for visible pixels whose index is beyond the palette; nil where there are none.
  var paletteError: ImageFileError? {
    guard largestIndex >= colorCount else { return nil }
    return .beyondPalette(
      file: gif.file, frame: frame.number, largest: largestIndex, colors: colorCount)
  }

  /// The error for damage below a number of intact rows of the screen.
  func error(_ damage: GIFDamage, afterRows rows: Int) -> ImageFileError {
    let name = "its frame \(frame.number)"
    switch damage {
    case .file(let error): return error
    case .truncated: return .truncated(file: gif.file, rows: rows, of: gif.screen.height)
    case .lackingPixels:
      return .damaged(
        file: gif.file,
        reason:
          "\(name) ends after \(unpacker.pixelCount) of \(frame.region.size.pixelCount) pixels")
    case .code(let code, let limit):
      return .damaged(
        file: gif.file,
        reason: "\(name) has the code \(code) after \(unpacker.pixelCount) pixels, where \(limit) "
          + "codes are defined")
    }
  }
}
