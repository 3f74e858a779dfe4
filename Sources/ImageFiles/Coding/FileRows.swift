internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// The rows of a file as the source of a picture. They are decoded when the picture is rendered, and only as far as it needs them.
final class FileRows: ReducedRowSource {
  private let job: DecodingJob
  private let info: ImageFileInfo
  let space: ColorSpace

  /// Creates rows of a file whose header is `info`.
  init(_ job: DecodingJob, _ info: ImageFileInfo, _ space: ColorSpace) {
    (self.job, self.info, self.space) = (job, info, space)
  }

  var wholeSize: PixelSize { info.storedSize }
  var reduction: Int { job.reduction }
  var size: PixelSize { wholeSize.divided(by: reduction) }
  var channels: Channels { inks?.channels ?? info.channels }
  var alpha: Alpha { info.alpha }
  var format: SampleFormat { inks?.format ?? info.samples }

  /// The ink channels, where rows are passed on unconverted.
  private var inks: ImageFileInks? { job.keepsInks ? info.inks : nil }

  var readingBytes: Int { job.memoryBytes(of: info) }

  var compressionError: Double { info.compressionError }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? { fewer(toAtLeast: size) }

  /// Returns a reduced version of these rows.
  func fewer(toAtLeast size: PixelSize) -> FileRows? {
    guard info.format.readsReduced else { return nil }
    return [8, 4, 2].first { reduction in
      let reduced = info.storedSize.divided(by: reduction)
      return reduced.width >= size.width && reduced.height >= size.height
    }.map { reduction in
      var job = job
      job.reduction = reduction
      return FileRows(job, info, space)
    }
  }

  func makeReader() throws -> any RowReader { try makeReader(for: Region(size)) }

  func makeReader(for region: Region) throws -> any RowReader {
    try job.checkMemory(for: info)
    var job = job
    job.stop = ReadingStop()
    let decoder = try info.format.decoder(job)
    let found = decoder.info
    // The buffers have the size of the header that was read first.
    guard found.storedSize == size, found.channels == info.channels,
      found.samples == info.samples, found.inks == info.inks
    else {
      throw ImageFileError.cannotRead(file: job.file, reason: "it changed while it was read")
    }
    return FileRowReader(
      decoder, from: decoder.begin(with: region), to: size.height, of: info.storedSize.height,
      salvaging: job)
  }
}

/// The rows of a CMYK file, with the conversion to colors.
struct InkFileRows: InkSource, ReducedRowSource {
  private let rows: FileRows
  let colors: PointProgram

  /// Creates CMYK rows with their conversion to colors.
  init(
    _ job: DecodingJob, _ info: ImageFileInfo, _ conversion: InkConversion
  ) {
    var job = job
    job.keepsInks = true
    rows = FileRows(job, info, InkConversion.space)
    colors = conversion.program
  }

  private init(_ rows: FileRows, _ colors: PointProgram) {
    (self.rows, self.colors) = (rows, colors)
  }

  var size: PixelSize { rows.size }
  var wholeSize: PixelSize { rows.wholeSize }
  var reduction: Int { rows.reduction }
  var space: ColorSpace { rows.space }
  var channels: Channels { rows.channels }
  var alpha: Alpha { rows.alpha }
  var format: SampleFormat { rows.format }
  var readingBytes: Int { rows.readingBytes }
  var compressionError: Double { rows.compressionError }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? {
    rows.fewer(toAtLeast: size).map { InkFileRows($0, colors) }
  }

  func makeReader() throws -> any RowReader { try rows.makeReader() }

  func makeReader(for region: Region) throws -> any RowReader {
    try rows.makeReader(for: region)
  }
}

extension PixelSize {
  /// Returns the size after reduction by a factor, rounded as decoders round.
  fileprivate func divided(by reduction: Int) -> PixelSize {
    PixelSize((width + reduction - 1) / reduction, (height + reduction - 1) / reduction)
  }
}

private final class FileRowReader: StoppableRowReader {
  let firstRow: Int
  private let decoder: any ImageDecoder
  private let job: DecodingJob
  private let height: Int
  /// The height of the file's picture, before any reduction.
  private let storedHeight: Int
  private var rowsLeft: Int
  /// Whether reading has failed, so that no further row can be read.
  private var isOver = false

  init(
    _ decoder: any ImageDecoder, from firstRow: Int, to height: Int, of storedHeight: Int,
    salvaging job: DecodingJob
  ) {
    (self.decoder, self.job, self.storedHeight) = (decoder, job, storedHeight)
    (self.firstRow, self.height, rowsLeft) = (firstRow, height, height - firstRow)
  }

  func readRow(
    into row: UnsafeMutableRawBufferPointer, isCancelled: (@Sendable () -> Bool)?
  ) throws {
    do throws(ImageFileError) {
      try job.stop.asking(isCancelled) { () throws(ImageFileError) in try readNext(into: row) }
    } catch .rendering(.cancelled) {
      throw RenderError.cancelled
    }
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws { try readNext(into: row) }

  private func readNext(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    do throws(ImageFileError) {
      if !isOver { try decoder.readRow(into: row) }
    } catch {
      try salvage(rows: height - rowsLeft, error)
    }
    if isOver { row.initializeMemory(as: UInt8.self, repeating: 0) }
    rowsLeft -= 1
    guard rowsLeft == 0, !isOver else { return }
    // The data behind the last row tells whether the file is complete.
    do throws(ImageFileError) { try decoder.finish() } catch {
      try salvage(rows: height, error)
    }
  }

  /// Records that only some rows can be read. Throws where salvaging is off, or no row can be read.
  private func salvage(rows: Int, _ error: ImageFileError) throws(ImageFileError) {
    guard error.isDamage, rows > 0 else { throw error }
    job.damage.note(
      Salvage(
        rows: job.storedRows(rows, of: storedHeight), count: storedHeight, error: error))
    guard job.salvages else { throw error }
    isOver = true
  }
}
