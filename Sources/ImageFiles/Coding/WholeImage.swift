#if WebP || JPEGXL || HEIF || RAW
  internal import ImageBuffer

  /// A decoder whose library decodes a file only as a whole, which happens when the first row is requested.
  final class WholeImageDecoder: ImageDecoder {
    let info: ImageFileInfo
    private let decode: (UnsafeMutableRawBufferPointer) throws(ImageFileError) -> Void
    private let file: String
    private var pixels: MemoryBlock?
    private var rowsRead = 0

    /// Creates a decoder; `decode` fills all rows in order. The library holds `libraryBytes` at most, or about four bytes per sample.
    init(
      _ info: ImageFileInfo, of job: DecodingJob, libraryBytes: Double? = nil,
      decode: @escaping (UnsafeMutableRawBufferPointer) throws(ImageFileError) -> Void
    ) {
      (self.info, self.decode, file) = (
        info.heldWhole(of: job, libraryBytes: libraryBytes), decode, job.file
      )
    }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      let pixels = try decoded(bytesPerRow: row.count)
      let start = rowsRead * row.count
      row.copyMemory(from: UnsafeRawBufferPointer(pixels[start..<start + row.count]))
      rowsRead += 1
    }

    func finish() throws(ImageFileError) {}

    private func decoded(bytesPerRow: Int) throws(ImageFileError) -> MemoryBlock {
      if let pixels { return pixels }
      let pixels = try MemoryBlock(byteCount: info.storedSize.height * bytesPerRow, for: file)
      try decode(pixels.bytes)
      self.pixels = pixels
      return pixels
    }
  }

  extension ImageFileInfo {
    /// Adds to the info the peak memory of whole-file decoding: the parsed file, all rows, and the library's own.
    fileprivate func heldWhole(of job: DecodingJob, libraryBytes: Double?) -> ImageFileInfo {
      var info = self
      let sampleCount = Double(storedSize.pixelCount) * Double(channels.count)
      info.readingBytes =
        2 * Double(job.bytes.count) + sampleCount * Double(samples.byteCount)
        + (libraryBytes ?? 4 * sampleCount)
      return info
    }
  }

  extension EncodingJob {
    /// The peak memory in bytes of whole-file encoding: all pixels, about 16 bytes per sample for the library, and the file.
    var wholeImageBytes: Double {
      Double(size.pixelCount) * Double(channels.count * (2 * samples.byteCount + 16))
    }
  }

  /// An encoder whose library encodes a file only as a whole, which happens when all rows are present.
  final class WholeImageEncoder: ImageEncoder {
    private let job: EncodingJob
    private let sink: any ByteSink
    private let encode: (EncodingJob, UnsafeRawBufferPointer) throws(ImageFileError) -> [UInt8]
    private var rows = KeptRows()

    /// Creates an encoder; `encode` makes the file from all rows in order.
    init(
      _ job: EncodingJob, _ sink: any ByteSink,
      encode: @escaping (EncodingJob, UnsafeRawBufferPointer) throws(ImageFileError) -> [UInt8]
    ) {
      (self.job, self.sink, self.encode) = (job, sink, encode)
    }

    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
      try rows.append(row, of: job)
    }

    func finish() throws(ImageFileError) {
      guard let pixels = rows.bytes else { return }
      try sink.store(try encode(job, pixels), at: 0, file: job.file)
    }
  }
#endif
