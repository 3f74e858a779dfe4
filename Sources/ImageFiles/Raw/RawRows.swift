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
  /// How samples are stored that are not of the format `samples`.
  var encoding: RawEncoding?

  /// Bytes of a stored sample.
  var sampleBytes: Int { encoding?.byteCount ?? samples.byteCount }
  var bytesPerRow: Int { size.width * channels.count * sampleBytes }

  func position(ofRow y: Int) -> Int {
    start + (isBottomUp ? size.height - 1 - y : y) * bytesPerRow
  }

  var swapsBytes: Bool { sampleBytes > 1 && isBigEndian == (1.littleEndian == 1) }
}

/// Stored samples that no bitmap holds, and are converted row by row.
enum RawEncoding {
  /// Floats of 64 bits, which become floats of 32 bits.
  case float64
  /// A byte for each truth value, which becomes 0 or 255.
  case bool

  /// Bytes of a stored sample.
  var byteCount: Int { self == .float64 ? 8 : 1 }

  /// Converts a row of samples in native byte order.
  func convert(_ stored: UnsafeRawBufferPointer, to row: UnsafeMutableRawBufferPointer) {
    switch self {
    case .float64:
      let target = row.bindMemory(to: Float.self)
      for index in target.indices {
        target[index] = Float(stored.loadUnaligned(fromByteOffset: 8 * index, as: Double.self))
      }
    case .bool: for index in row.indices { row[index] = stored[index] == 0 ? 0 : 255 }
    }
  }
}

/// Reads rows of plain samples.
final class RawDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let bytes: ByteSource
  private let layout: RawLayout
  /// The stored bytes of a row, where they are converted.
  private var stored: MemoryBlock?
  private var rowsRead = 0

  init(
    _ bytes: ByteSource, _ layout: RawLayout, format: ImageFileFormat, storage: String,
    notes: [ImageFileNote] = []
  ) throws(ImageFileError) {
    (self.bytes, self.layout) = (bytes, layout)
    info = ImageFileInfo(
      format: format, storedSize: layout.size, channels: layout.channels, samples: layout.samples,
      storage: storage, color: .unstated, notes: notes,
      readingBytes: layout.encoding == nil
        ? 0 : Double(layout.size.width) * Double(layout.channels.count * layout.sampleBytes))
    // Samples are not compressed, so the file must be as large as the header says.
    let rowBytes = layout.size.width.multipliedReportingOverflow(
      by: layout.channels.count * layout.sampleBytes)
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
    let position = layout.position(ofRow: rowsRead)
    if let encoding = layout.encoding {
      let stored = try storedRow()
      try bytes.copy(to: stored, from: position)
      if layout.swapsBytes { swapBytes(of: stored, layout.sampleBytes) }
      encoding.convert(UnsafeRawBufferPointer(stored), to: row)
    } else {
      try bytes.copy(to: row, from: position)
      if layout.swapsBytes { swapBytes(of: row, layout.samples.byteCount) }
    }
    rowsRead += 1
  }

  func finish() throws(ImageFileError) {}

  private func storedRow() throws(ImageFileError) -> UnsafeMutableRawBufferPointer {
    if let stored { return stored.bytes }
    let new = try MemoryBlock(byteCount: layout.bytesPerRow, for: bytes.name)
    stored = new
    return new.bytes
  }
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

/// Reverses the bytes of each sample of 2, 4 or 8 bytes.
func swapBytes(of row: UnsafeMutableRawBufferPointer, _ byteCount: Int) {
  func swap<Bits: FixedWidthInteger>(_: Bits.Type) {
    let samples = row.bindMemory(to: Bits.self)
    for index in samples.indices { samples[index] = samples[index].byteSwapped }
  }
  switch byteCount {
  case 2: swap(UInt16.self)
  case 4: swap(UInt32.self)
  default: swap(UInt64.self)
  }
}
