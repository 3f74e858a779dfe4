internal import CPNG
internal import ImageBuffer

/// Encodes PNG files with libpng.
final class PNGEncoder: ImageEncoder {
  private let job: EncodingJob
  private let output: OrderedOutput
  private let writer: UnsafeMutablePointer<cpng_writer>

  init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
    let output = OrderedOutput(sink)
    let chunks =
      try job.pngColorChunks + pngMetadataChunks(job.metadata)
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
      case .gray: PNG_COLOR_TYPE_GRAY
      case .grayAlpha: PNG_COLOR_TYPE_GRAY_ALPHA
      case .rgb: PNG_COLOR_TYPE_RGB
      default: PNG_COLOR_TYPE_RGB_ALPHA
      }
    try check(
      cpng_writer_begin(
        writer, job.count(job.size.width), job.count(job.size.height),
        Int32(8 * job.samples.byteCount), colorType))
    for chunk in chunks {
      try check(cpng_writer_chunk(writer, Array(chunk.name.utf8), chunk.body, chunk.body.count))
    }
  }

  deinit { cpng_writer_destroy(writer) }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    try check(cpng_writer_row(writer, row.baseAddress))
  }

  func finish() throws(ImageFileError) { try check(cpng_writer_end(writer)) }

  private func check(_ result: Int32) throws(ImageFileError) {
    guard result != 1 else { return }
    let message = String(cString: cpng_writer_message(writer))
    throw job.failure(of: "libpng", message, writingTo: output.sink, heap: writer.pointee.heap)
  }
}
