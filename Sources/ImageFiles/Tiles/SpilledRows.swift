internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer
internal import PlatformLibc

/// Rows of linear light in single precision, premultiplied, in an unnamed temporary file: the level from which smaller ones are made.
///
/// The samples are those of the rendering, unrounded, so that a level that is made from them has the same bits as one that is made in the
/// same rendering.
final class SpilledRows: RowSource {
  let size: PixelSize
  let space: ColorSpace
  let channels: Channels
  let alpha = Alpha.premultiplied
  let format = SampleFormat.float32
  private let file: OpenedSpill

  /// Creates a file for the rows of a picture in a linear space. Errors name the file `name`, for which the rows are.
  init(_ picture: Picture, for name: String) throws(ImageFileError) {
    (size, space) = (picture.size, picture.space)
    channels = picture.hasAlpha ? .rgba : .rgb
    file = try OpenedSpill(for: name)
  }

  private var rowBytes: Int { size.width * channels.count * MemoryLayout<Float>.size }

  /// Stores the row `y`.
  func write(_ row: UnsafeRawBufferPointer, y: Int) throws(ImageFileError) {
    guard writeAll(row, to: file.descriptor, at: y * rowBytes) else {
      throw .cannotWrite(file: file.name, reason: UnnamedFile.refusal(systemReason()))
    }
  }

  func makeReader() throws -> any RowReader { Reader(self, from: 0) }

  func makeReader(for region: Region) throws -> any RowReader { Reader(self, from: region.y) }

  /// An open file, which is removed with this object.
  private final class OpenedSpill: Sendable {
    let descriptor: Int32
    let name: String

    init(for name: String) throws(ImageFileError) {
      guard let descriptor = UnnamedFile.open() else {
        throw .cannotWrite(file: name, reason: UnnamedFile.refusal(systemReason()))
      }
      (self.descriptor, self.name) = (descriptor, name)
    }

    deinit { close(descriptor) }
  }

  private final class Reader: RowReader {
    let firstRow: Int
    private let rows: SpilledRows
    private var next: Int

    init(_ rows: SpilledRows, from first: Int) {
      (self.rows, firstRow, next) = (rows, first, first)
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      let (descriptor, start) = (rows.file.descriptor, next * rows.rowBytes)
      let wanted = UnsafeMutableRawBufferPointer(rebasing: row[..<rows.rowBytes])
      let count = filled(wanted) { rest, done in
        max(
          uninterrupted { pread(descriptor, rest.baseAddress, rest.count, off_t(start + done)) }, 0)
      }
      guard count == rows.rowBytes else {
        throw ImageFileError.cannotRead(file: rows.file.name, reason: systemReason())
      }
      next += 1
    }
  }
}
