#if WebP || JPEGXL || HEIF
  internal import ImageBuffer

  /// A file whose library only decodes it as a whole: that happens when the first row is asked for.
  final class WholeImageDecoder: ImageDecoder {
    let info: ImageFileInfo
    private let decode: (UnsafeMutableRawBufferPointer) throws(ImageFileError) -> Void
    private var pixels: UnsafeMutableRawBufferPointer?
    private var rowsRead = 0

    /// `decode` fills all rows, one after the other.
    init(
      _ info: ImageFileInfo,
      decode: @escaping (UnsafeMutableRawBufferPointer) throws(ImageFileError) -> Void
    ) {
      (self.info, self.decode) = (info.heldWhole, decode)
    }

    deinit { pixels?.deallocate() }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws(ImageFileError) {
      let pixels = try decoded(bytesPerRow: row.count)
      let start = rowsRead * row.count
      row.copyMemory(from: UnsafeRawBufferPointer(rebasing: pixels[start..<start + row.count]))
      rowsRead += 1
    }

    func finish() throws(ImageFileError) {}

    private func decoded(
      bytesPerRow: Int
    ) throws(ImageFileError) -> UnsafeMutableRawBufferPointer {
      if let pixels { return pixels }
      let pixels = UnsafeMutableRawBufferPointer.allocate(
        byteCount: info.storedSize.height * bytesPerRow, alignment: 64)
      do throws(ImageFileError) { try decode(pixels) } catch {
        pixels.deallocate()
        throw error
      }
      self.pixels = pixels
      return pixels
    }
  }

  extension ImageFileInfo {
    /// Rows of all pixels, and what the library holds of them: at most a number of four bytes for each sample.
    fileprivate var heldWhole: ImageFileInfo {
      var info = self
      info.readingBytes =
        Double(storedSize.pixelCount) * Double(channels.count * (samples.byteCount + 4))
      return info
    }
  }

  /// A file whose library only encodes it as a whole: that happens when all rows are there.
  final class WholeImageEncoder: ImageEncoder {
    private let job: EncodingJob
    private let sink: any ByteSink
    private let encode: (EncodingJob, [UInt8]) throws(ImageFileError) -> [UInt8]
    private var pixels: [UInt8] = []

    /// `encode` makes a file of all rows, one after the other.
    init(
      _ job: EncodingJob, _ sink: any ByteSink,
      encode: @escaping (EncodingJob, [UInt8]) throws(ImageFileError) -> [UInt8]
    ) {
      (self.job, self.sink, self.encode) = (job, sink, encode)
    }

    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
      if pixels.isEmpty { pixels.reserveCapacity(job.size.height * row.count) }
      pixels.append(contentsOf: row)
    }

    func finish() throws(ImageFileError) {
      try sink.store(try encode(job, pixels), at: 0, file: job.file)
    }
  }
#endif
