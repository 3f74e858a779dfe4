internal import ImageBuffer

/// The layout of uncompressed rows in a file.
struct RawLayout {
  /// The first byte of the rows.
  var start: Int
  let size: PixelSize
  let channels: Channels
  let samples: SampleFormat
  var isBigEndian: Bool
  /// Whether the last row comes first.
  var isBottomUp = false

  var bytesPerRow: Int { size.width * channels.count * samples.byteCount }

  func position(ofRow y: Int) -> Int {
    start + (isBottomUp ? size.height - 1 - y : y) * bytesPerRow
  }

  var swapsBytes: Bool { samples.byteCount > 1 && isBigEndian == (1.littleEndian == 1) }
}

/// Reads rows of plain samples.
final class RawDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let bytes: ByteSource
  private let layout: RawLayout
  private var rowsRead = 0

  init(
    _ bytes: ByteSource, _ layout: RawLayout, format: ImageFileFormat, storage: String,
    notes: [ImageFileNote] = []
  ) throws(ImageFileError) {
    (self.bytes, self.layout) = (bytes, layout)
    info = ImageFileInfo(
      format: format, storedSize: layout.size, channels: layout.channels, samples: layout.samples,
      storage: storage, color: .unstated, notes: notes)
    // Samples are not compressed, so the file must be as large as the header says.
    let rowBytes = layout.size.width.multipliedReportingOverflow(
      by: layout.channels.count * layout.samples.byteCount)
    let all = rowBytes.partialValue.multipliedReportingOverflow(by: layout.size.height)
    guard !rowBytes.overflow, !all.overflow, all.partialValue <= bytes.count - layout.start else {
      let present = max(bytes.count - layout.start, 0)
      throw .truncated(
        file: bytes.name, rows: rowBytes.overflow ? 0 : present / rowBytes.partialValue,
        of: layout.size.height)
    }
  }

  func begin(with region: Region) -> Int {
    rowsRead = region.y
    return rowsRead
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    try bytes.copy(to: row, from: layout.position(ofRow: rowsRead))
    if layout.swapsBytes { swapBytes(of: row, layout.samples.byteCount) }
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {}
}

/// Writes a header and rows of plain samples.
final class RawEncoder: ImageEncoder {
  private let job: EncodingJob
  private let sink: any ByteSink
  private let layout: RawLayout
  private var rowsWritten = 0

  /// The rows follow the header.
  init(
    _ job: EncodingJob, _ sink: any ByteSink, header: [UInt8], isBigEndian: Bool,
    isBottomUp: Bool = false
  ) throws(ImageFileError) {
    (self.job, self.sink) = (job, sink)
    layout = RawLayout(
      start: header.count, size: job.size, channels: job.channels, samples: job.samples,
      isBigEndian: isBigEndian, isBottomUp: isBottomUp)
    try sink.store(header, at: 0, file: job.file)
  }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    var bytes = Array(row)
    if layout.swapsBytes {
      bytes.withUnsafeMutableBytes { swapBytes(of: $0, layout.samples.byteCount) }
    }
    try sink.store(bytes, at: layout.position(ofRow: rowsWritten), file: job.file)
    rowsWritten += 1
  }

  func finish() throws(ImageFileError) {}
}

private func swapBytes(of row: UnsafeMutableRawBufferPointer, _ byteCount: Int) {
  func swap<Bits: FixedWidthInteger>(_: Bits.Type) {
    let samples = row.bindMemory(to: Bits.self)
    for index in samples.indices { samples[index] = samples[index].byteSwapped }
  }
  byteCount == 2 ? swap(UInt16.self) : swap(UInt32.self)
}
