internal import CPNG

/// Reads a PNG stream with libpng: a file, or a frame of an animation as a file of its own.
final class PNGReader {
  private let reader: UnsafeMutablePointer<cpng_reader>
  private let bytes: ByteSource
  /// The stream, which libpng reads by a pointer.
  private let stream: AnyObject
  /// Kept for libpng, which asks it.
  private let stop: ReadingStop
  /// What names a part of the file in errors, before the damage.
  private let part: String

  /// Creates a reader of a file.
  convenience init(_ bytes: ByteSource, unless stop: ReadingStop) throws(ImageFileError) {
    try self.init(bytes, bytes, ByteSource.read, bytes.context, stop, part: "")
  }

  /// Creates a reader of a frame of the file `bytes`.
  convenience init(
    _ stream: APNGStream, of frame: APNGFrame, in bytes: ByteSource, unless stop: ReadingStop
  ) throws(ImageFileError) {
    try self.init(
      bytes, stream, APNGStream.read, stream.context, stop, part: "its frame \(frame.number): ")
  }

  private init(
    _ bytes: ByteSource, _ stream: AnyObject, _ read: cpng_source,
    _ context: UnsafeMutableRawPointer, _ stop: ReadingStop, part: String
  ) throws(ImageFileError) {
    guard let reader = cpng_reader_create(read, context) else {
      throw .damaged(file: bytes.name, reason: "libpng could not allocate memory")
    }
    (reader.pointee.stop, reader.pointee.stop_context) = (ReadingStop.ask, stop.context)
    (self.reader, self.bytes, self.stream) = (reader, bytes, stream)
    (self.stop, self.part) = (stop, part)
  }

  deinit { cpng_reader_destroy(reader) }

  // MARK: Layout

  var width: Int { Int(reader.pointee.width) }
  var height: Int { Int(reader.pointee.height) }
  /// The channels, and the bits of a sample, after expansion of palettes.
  var channelCount: Int { Int(reader.pointee.channels) }
  var bits: Int { Int(reader.pointee.bits) }
  /// 1, or 7 where the picture is interlaced.
  var passes: Int { Int(reader.pointee.passes) }
  var bytesPerRow: Int { reader.pointee.bytes_per_row }
  /// The most bytes that libpng and zlib may take.
  var heapLimit: Int { Int(reader.pointee.heap.limit) }

  // MARK: Reading

  /// Reads up to the first pixel; returns whether it succeeded.
  func begin() -> Bool { cpng_reader_begin(reader) == 1 }

  /// Goes back to the first row, also after a failure; returns whether it succeeded.
  func restart() -> Bool { cpng_reader_restart(reader) == 1 }

  /// Reads the next row; returns whether it succeeded. Of an interlaced picture, `row` holds what the passes before left there.
  func readRow(into row: UnsafeMutableRawPointer?) -> Bool { cpng_reader_row(reader, row) == 1 }

  /// Reads what follows the pixels; returns whether it succeeded.
  func end() -> Bool { cpng_reader_end(reader) == 1 }

  /// Makes libpng read pixel data in parts of so many bytes from now on.
  func takeParts(ofBytes count: Int) { cpng_reader_take_parts(reader, count) }

  /// The largest index of a pixel so far, and the number of colors that it exceeds; nil where the palette has a color for each pixel.
  var indexBeyondPalette: (largest: Int, colors: Int)? {
    let (indices, colors) = (reader.pointee.index_count, reader.pointee.palette_count)
    return indices > colors ? (Int(indices) - 1, Int(colors)) : nil
  }

  /// Whether libpng asked for more bytes than the file has.
  var isTruncated: Bool { reader.pointee.ended == 1 }

  /// Whether the last call failed because the rendering is cancelled.
  var isStopped: Bool { reader.pointee.stopped == 1 }

  /// The error of the last call, after some rows of the picture or of a part of it.
  func failure(afterRows rows: Int, of count: Int) -> ImageFileError {
    CodecFailure(
      damage: "\(part)libpng says “\(String(cString: cpng_reader_message(reader)))”",
      isEnd: isTruncated, isStopped: isStopped, heap: reader.pointee.heap
    ).error(in: bytes, afterRows: rows, of: count)
  }
}
