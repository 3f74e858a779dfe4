internal import ColorSpaces
internal import FilterGraph
internal import ImageBuffer

/// Encodes PNG files with a palette.
///
/// The palette is known after the last row. Until then, colors are counted, and pixels are kept in memory or in a temporary file.
final class PNGPaletteEncoder: ImageEncoder {
  /// The most bytes of pixels in memory.
  fileprivate static let memoryBytes = 1 << 22

  private let job: EncodingJob
  private let sink: any ByteSink
  /// The most colors of the palette.
  private let count: Int
  private let counts: PNGColorCounts
  private let pixels: SpillingSink
  private var byteCount = 0

  init(_ job: EncodingJob, _ sink: any ByteSink, count: Int) throws(ImageFileError) {
    // A color space that the file cannot state is an error before the first row.
    _ = try job.pngColorChunks
    (self.job, self.sink, self.count) = (job, sink, count)
    counts = try PNGColorCounts(file: job.file)
    pixels = SpillingSink(memoryLimit: Self.memoryBytes, for: job.file)
  }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    let row = UnsafeRawBufferPointer(rebasing: row.prefix(job.size.width * job.channels.count))
    try counts.add(row, channels: job.channels.count)
    guard pixels.put(row, at: byteCount) else {
      throw .cannotWrite(file: job.file, reason: pixels.failure ?? "its pixels cannot be kept")
    }
    byteCount += row.count
  }

  func finish() throws(ImageFileError) {
    let (size, channels) = (job.size, job.channels.count)
    let palette = try PNGPalette(
      of: counts, count: count, in: job.space ?? .sRGB, width: size.width,
      isDithered: job.options.isPaletteDithered, file: job.file)
    let encoder = try PNGEncoder(job, sink, palette: palette)
    let row = try MemoryBlock(byteCount: size.width * channels, for: job.file)
    let entries = try MemoryBlock(byteCount: size.width, for: job.file)
    for y in 0..<size.height {
      if job.isCancelled?() == true { throw .rendering(.cancelled) }
      try pixels.read(into: row.bytes, at: y * row.bytes.count)
      palette.find(
        UnsafeRawBufferPointer(row.bytes), channels: channels, into: entries.bytes)
      try encoder.writeRow(UnsafeRawBufferPointer(entries.bytes))
    }
    try encoder.finish()
  }
}

extension ImageFileFormat {
  /// Whether files with these options have a palette.
  package func hasPalette(_ options: WritingOptions) -> Bool {
    holdsPalettes && options.paletteColors != nil
  }
}

extension EncodingJob {
  /// The most colors of the file's palette; nil for a file without one.
  var paletteColors: Int? {
    format.holdsPalettes ? options.paletteColors.map { min(max($0, 2), 256) } : nil
  }

  /// The memory in bytes that a palette takes beside the encoder: pixels, which the growing buffer holds twice, the table of colors, which
  /// is copied to count similar ones together, and their clusters.
  var paletteBytes: Double { 2 * Double(PNGPaletteEncoder.memoryBytes) + 0x1p25 + 6 * rowBytes }
}
