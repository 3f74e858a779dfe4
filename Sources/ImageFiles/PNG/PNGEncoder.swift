internal import CPNG
internal import ImageBuffer

/// Encodes PNG files with libpng.
final class PNGEncoder: ImageEncoder {
  private let job: EncodingJob
  private let output: OrderedOutput
  private let writer: UnsafeMutablePointer<cpng_writer>

  /// With a palette, rows are the entries of pixels, a byte each.
  init(
    _ job: EncodingJob, _ sink: any ByteSink, palette: PNGPalette? = nil
  ) throws(ImageFileError) {
    let output = OrderedOutput(sink)
    let (colorChunks, metadataChunks) = (try job.pngColorChunks, pngMetadataChunks(job.metadata))
    guard let writer = cpng_writer_create(OrderedOutput.put, output.context, job.encoderBytes)
    else {
      throw .cannotWrite(file: job.file, reason: "libpng could not allocate memory")
    }
    (self.job, self.output, self.writer) = (job, output, writer)
    if let level = job.options.pngLevel {
      try check(cpng_writer_set_level(writer, Int32(level)))
    }
    let colorType: Int32 =
      switch job.channels {
      case _ where palette != nil: PNG_COLOR_TYPE_PALETTE
      case .gray: PNG_COLOR_TYPE_GRAY
      case .grayAlpha: PNG_COLOR_TYPE_GRAY_ALPHA
      case .rgb: PNG_COLOR_TYPE_RGB
      default: PNG_COLOR_TYPE_RGB_ALPHA
      }
    try check(
      cpng_writer_begin(
        writer, job.count(job.size.width), job.count(job.size.height),
        palette?.bits ?? Int32(8 * job.samples.byteCount), colorType))
    for chunk in colorChunks { try write(chunk) }
    if let palette {
      try check(cpng_writer_palette(writer, palette.colors, Int32(palette.colors.count / 4)))
    }
    for chunk in metadataChunks { try write(chunk) }
  }

  deinit { cpng_writer_destroy(writer) }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    try check(cpng_writer_row(writer, row.baseAddress))
  }

  func finish() throws(ImageFileError) { try check(cpng_writer_end(writer)) }

  private func write(_ chunk: (name: String, body: [UInt8])) throws(ImageFileError) {
    try check(cpng_writer_chunk(writer, Array(chunk.name.utf8), chunk.body, chunk.body.count))
  }

  private func check(_ result: Int32) throws(ImageFileError) {
    guard result != 1 else { return }
    let message = String(cString: cpng_writer_message(writer))
    throw job.failure(of: "libpng", message, writingTo: output.sink, heap: writer.pointee.heap)
  }
}
