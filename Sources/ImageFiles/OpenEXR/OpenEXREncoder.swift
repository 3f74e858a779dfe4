internal import COpenEXR
internal import ColorSpaces
internal import ImageBuffer

/// OpenEXRCore at work on a new file: bands of rows, packed as ZIP does.
final class OpenEXREncoder: ImageEncoder {
  private let job: EncodingJob
  private let output: PlacedOutput
  private let writer: UnsafeMutablePointer<cexr_writer>
  private var band: [UInt8] = []
  private var rowsWritten = 0

  init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
    if let space = job.space, !space.transfer.isLinear {
      throw .notLinear(space.name, format: .openEXR)
    }
    let output = PlacedOutput(sink)
    guard let writer = cexr_writer_create(PlacedOutput.put, output.context) else {
      throw .cannotWrite(file: job.file, reason: "OpenEXR found no memory to begin with")
    }
    (self.job, self.output, self.writer) = (job, output, writer)
    try check(
      cexr_writer_begin(
        writer, Int32(clamping: job.size.width), Int32(clamping: job.size.height),
        Int32(job.channels.count), job.samples == .float32 ? 1 : 0,
        job.options.compression == .none ? 0 : 1, job.space?.primaries.openEXRNumbers))
  }

  deinit { cexr_writer_destroy(writer) }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    band.append(contentsOf: row)
    rowsWritten += 1
    if rowsWritten % Int(writer.pointee.band_height) == 0 || rowsWritten == job.size.height {
      let first = rowsWritten - band.count / row.count
      try check(cexr_writer_band(writer, Int32(first), band, row.count))
      band.removeAll(keepingCapacity: true)
    }
  }

  func finish() throws(ImageFileError) { try check(cexr_writer_end(writer)) }

  private func check(_ result: Int32) throws(ImageFileError) {
    guard result != 1 else { return }
    let message = "OpenEXR says “\(String(cString: cexr_writer_message(writer)))”"
    throw .cannotWrite(file: job.file, reason: output.sink.failure ?? message)
  }
}

extension Primaries {
  /// Red, green, blue, white.
  fileprivate var openEXRNumbers: [Float] {
    [red, green, blue, white].flatMap { [Float($0.x), Float($0.y)] }
  }
}
