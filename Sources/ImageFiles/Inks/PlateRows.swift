internal import ColorSpaces
internal import FilterGraph
internal import ICCProfiles
internal import ImageBuffer

/// Up to three ink channels of a file, unconverted, as the rows of a picture.
struct PlateRows: ReducedRowSource {
  private let rows: FileRows
  private let inks: ImageFileInks
  private let first: Int
  private let file: String

  /// Creates the channels from `first` on.
  init(_ job: DecodingJob, _ info: ImageFileInfo, _ inks: ImageFileInks, from first: Int) {
    var job = job
    job.keepsInks = true
    rows = FileRows(job, info, InkPicture.space)
    (self.inks, self.first, file) = (inks, first, job.file)
  }

  private init(_ rows: FileRows, like other: PlateRows) {
    self.rows = rows
    (inks, first, file) = (other.inks, other.first, other.file)
  }

  var size: PixelSize { rows.size }
  var wholeSize: PixelSize { rows.wholeSize }
  var reduction: Int { rows.reduction }
  var space: ColorSpace { rows.space }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { inks.format }
  var readingBytes: Int { rows.readingBytes + rowBytes }
  var compressionError: Double { rows.compressionError }

  private var rowBytes: Int { size.width * inks.count * inks.format.byteCount }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? {
    rows.fewer(toAtLeast: size).map { PlateRows($0, like: self) }
  }

  func makeReader() throws -> any RowReader { try makeReader(for: Region(size)) }

  func makeReader(for region: Region) throws -> any RowReader {
    PlateReader(
      try rows.makeReader(for: region), try MemoryBlock(byteCount: rowBytes, for: file), inks, first
    )
  }
}

private final class PlateReader: StoppableRowReader {
  private let reader: any RowReader
  private let row: MemoryBlock
  private let inks: ImageFileInks
  private let first: Int

  init(_ reader: any RowReader, _ row: MemoryBlock, _ inks: ImageFileInks, _ first: Int) {
    (self.reader, self.row, self.inks, self.first) = (reader, row, inks, first)
  }

  var firstRow: Int { reader.firstRow }

  func readRow(into plate: UnsafeMutableRawBufferPointer) throws {
    try readRow(into: plate, isCancelled: nil)
  }

  func readRow(
    into plate: UnsafeMutableRawBufferPointer, isCancelled: (@Sendable () -> Bool)?
  ) throws {
    try reader.readStoppableRow(into: row.bytes, isCancelled: isCancelled)
    let stored = UnsafeRawBufferPointer(row.bytes)
    let pixels = min(
      stored.count / (inks.count * inks.format.byteCount), plate.count / (3 * inks.format.byteCount)
    )
    for channel in 0..<3 {
      copyChannel(
        stored, first + channel, of: inks.count, to: plate, channel, of: 3, pixels: pixels,
        bytesPerSample: inks.format.byteCount)
    }
  }
}

extension OpenedImageFile {
  /// Returns the ink channels of the file without any conversion; nil where it holds none.
  ///
  /// A file without a profile uses the one that `assumingInks` gave when it was opened, if any.
  public func inkPicture(isUpright: Bool = true) throws(ImageFileError) -> InkPicture? {
    guard let inks = info.inks else { return nil }
    try info.checkProfileMemory()
    let profile = info.profile ?? job.assumedInks
    if let profile, profile.channelCount != inks.count {
      throw .inkCount(
        file: job.file, inks.count, profile: "\(profile)", channels: profile.channelCount ?? 0)
    }
    let plates = stride(from: 0, to: inks.count, by: 3).map { first in
      let plate = Picture(PlateRows(job, info, inks, from: first))
      return isUpright ? plate.oriented(info.orientation) : plate
    }
    return InkPicture(plates, names: inks.names, profile: profile)
  }
}
