internal import ImageBuffer

/// Decodes BMP files row by row. Their rows usually begin with the bottom one, so each is read where it lies.
final class BMPDecoder: ImageDecoder {
  let info: ImageFileInfo
  private let job: DecodingJob
  private let header: BMPHeader
  private var rowsRead = 0
  private let colors: BMPColors
  /// How many rows the file holds, in stored order. Those of run lengths are known after all codes were read.
  private var presentRows: Int
  private var runs: BMPRuns?
  /// The stored bytes of a row.
  private var stored: MemoryBlock?
  private var largestIndex = 0

  init(_ job: DecodingJob) throws(ImageFileError) {
    let bytes = job.bytes
    var header = try BMPHeader(bytes)
    // Rows are as wide as the header says, so nothing is computed with such sizes before they are checked.
    try job.limits.check(header.size, in: bytes.name)
    presentRows =
      header.coding == .runs ? header.size.height : header.presentRows(of: bytes.count)
    // Uncompressed files must be as large as the header says.
    guard presentRows == header.size.height || job.salvages && presentRows > 0 else {
      throw .truncated(file: bytes.name, rows: presentRows, of: header.size.height)
    }
    var notes: [ImageFileNote] = []
    if let alpha = header.masks?.alpha,
      try !Self.hasVisiblePixels(header, alpha.word, bytes)
    {
      header.ignoreAlpha()
      notes.append(.unread("its alpha, which is 0 in all pixels; they are opaque"))
    }
    colors = try BMPColors(header, bytes)
    let (color, profile) = try header.color(job)
    (self.job, self.header) = (job, header)
    info = ImageFileInfo(
      format: .bmp, storedSize: header.size,
      channels: header.masks?.alpha == nil ? .rgb : .rgba,
      samples: header.masks?.samples ?? .uint8, storage: header.storage(colors.count),
      color: color, profile: profile, metadata: header.metadata, notes: notes,
      readingBytes: header.coding == .runs
        ? BMPRuns.memoryBytes(header) : Double(header.rowBytes) + 0x1p16)
  }

  /// Whether any pixel that is present has an alpha above 0. Programs that know no alpha leave zeros in it, and a picture without a visible
  /// pixel is of no use: readers such as Chromium show such files opaque.
  private static func hasVisiblePixels(
    _ header: BMPHeader, _ mask: UInt32, _ bytes: ByteSource
  ) throws(ImageFileError) -> Bool {
    let (width, pixelBytes) = (header.size.width, header.bits / 8)
    let columns = min(width, 1 << 14)
    let part = try MemoryBlock(byteCount: columns * pixelBytes, for: bytes.name)
    defer { withExtendedLifetime(part) {} }
    for y in 0..<header.presentRows(of: bytes.count) {
      for x in Swift.stride(from: 0, to: width, by: columns) {
        let count = min(columns, width - x)
        let wanted = part[0..<count * pixelBytes]
        try bytes.copy(
          to: wanted, from: header.pixelStart + y * header.stride + x * pixelBytes)
        for index in 0..<count {
          let pixel =
            pixelBytes == 2
            ? UInt32(wanted.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self).littleEndian)
            : wanted.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self).littleEndian
          if pixel & mask != 0 { return true }
        }
      }
    }
    return false
  }

  func begin(with region: Region) -> Int {
    // The damage of a truncated file is reported with the rows above it.
    rowsRead = header.isTopDown ? min(region.y, presentRows) : region.y
    return rowsRead
  }

  func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
    let height = header.size.height
    let y = header.isTopDown ? rowsRead : height - 1 - rowsRead
    let runs = try header.coding == .runs ? unpackedRuns() : nil
    if y < presentRows {
      if let runs {
        largestIndex = max(
          largestIndex, colors.convert(try runs.row(y), bits: header.bits == 24 ? 24 : 8, to: row))
      } else {
        let stored = try storedRow()
        try job.bytes.copy(to: stored, from: header.pixelStart + y * header.stride)
        largestIndex = max(
          largestIndex,
          colors.convert(UnsafeRawBufferPointer(stored), bits: header.bits, to: row))
      }
    } else {
      let error = ImageFileError.truncated(file: job.file, rows: presentRows, of: height)
      // A file that begins with the bottom row lacks those at the top, above what can be read.
      guard !header.isTopDown, job.salvages, presentRows > 0 else { throw error }
      job.damage.note(
        Salvage(rows: presentRows, count: height, error: error, lacksTopRows: true))
      row.initializeMemory(as: UInt8.self, repeating: 0)
    }
    rowsRead += 1
  }

  private func unpackedRuns() throws(ImageFileError) -> BMPRuns {
    if let runs { return runs }
    let new = try BMPRuns(header, job.bytes)
    presentRows = new.completeRows
    guard presentRows == header.size.height || job.salvages && presentRows > 0 else {
      throw .truncated(file: job.file, rows: presentRows, of: header.size.height)
    }
    runs = new
    return new
  }

  private func storedRow() throws(ImageFileError) -> UnsafeMutableRawBufferPointer {
    if let stored { return stored.bytes }
    let new = try MemoryBlock(byteCount: header.rowBytes, for: job.file)
    stored = new
    return new.bytes
  }

  func finish() throws(ImageFileError) {
    guard header.bits <= 8, largestIndex >= colors.count else { return }
    throw .beyondPalette(file: job.file, largest: largestIndex, colors: colors.count)
  }
}

extension BMPHeader {
  /// How the pixels are stored, in words.
  fileprivate func storage(_ colorCount: Int) -> String {
    let kind =
      bits <= 8
      ? "palette of \(counted(colorCount, "color")), \(counted(bits, "bit"))" : "\(bits) bits"
    let parts = masks.map { " (\($0))" } ?? ""
    return kind + parts + (coding == .runs ? ", run lengths" : "")
      + (isTopDown ? ", top row first" : "")
  }

  /// The resolution in pixels per metre. BITMAPCOREHEADER has none.
  fileprivate var metadata: ImageMetadata {
    var metadata = ImageMetadata()
    metadata.resolution = .init(
      Double(fields.signed(24)) / 100, Double(fields.signed(28)) / 100, unit: .centimetre)
    return metadata
  }
}
