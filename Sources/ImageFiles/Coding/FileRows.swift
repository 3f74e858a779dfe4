internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// A file's rows as the source of a picture: decoded when the picture is rendered, and as far as it needs them.
struct FileRows: RowSource {
  private var job: DecodingJob
  private let info: ImageFileInfo
  let space: ColorSpace

  /// What the job's header says is `info`.
  init(_ job: DecodingJob, _ info: ImageFileInfo, _ space: ColorSpace) {
    (self.job, self.info, self.space) = (job, info, space)
  }

  var size: PixelSize { info.storedSize.divided(by: job.reduction) }
  var channels: Channels { info.channels }
  var alpha: Alpha { info.alpha }
  var format: SampleFormat { info.samples }

  var readingBytes: Int { job.memoryBytes(of: info) }

  var compressionError: Double { info.compressionError }

  func reduced(toAtLeast size: PixelSize) -> (any RowSource)? {
    guard info.format.readsReduced else { return nil }
    return [8, 4, 2].first { reduction in
      let reduced = info.storedSize.divided(by: reduction)
      return reduced.width >= size.width && reduced.height >= size.height
    }.map { reduction in
      var rows = self
      rows.job.reduction = reduction
      return rows
    }
  }

  func makeReader() throws -> any RowReader { try makeReader(for: Region(size)) }

  func makeReader(for region: Region) throws -> any RowReader {
    try job.checkMemory(for: info)
    let decoder = try info.format.decoder(job)
    let found = decoder.info
    // Rows are as long as the header says that was read first.
    guard found.storedSize == size, found.channels == channels, found.samples == format else {
      throw ImageFileError.cannotRead(file: job.file, reason: "it changed while it was read")
    }
    return FileRowReader(decoder, from: decoder.begin(with: region), to: size.height)
  }
}

extension PixelSize {
  /// The size of a picture of which every so many columns and rows are one.
  fileprivate func divided(by reduction: Int) -> PixelSize {
    PixelSize((width + reduction - 1) / reduction, (height + reduction - 1) / reduction)
  }
}

private final class FileRowReader: RowReader {
  let firstRow: Int
  private let decoder: any ImageDecoder
  private var rowsLeft: Int

  init(_ decoder: any ImageDecoder, from firstRow: Int, to height: Int) {
    (self.decoder, self.firstRow, rowsLeft) = (decoder, firstRow, height - firstRow)
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws {
    try decoder.readRow(into: row)
    rowsLeft -= 1
    // What follows the last row tells whether the file is whole.
    if rowsLeft == 0 { try decoder.finish() }
  }
}
