internal import CTIFF
internal import ICCProfiles
internal import ImageBuffer

/// libtiff at work on a new file: strips of whole rows.
final class TIFFEncoder: ImageEncoder {
  private let job: EncodingJob
  private let output: PlacedOutput
  private let writer: UnsafeMutablePointer<ctiff_writer>
  private var rowsWritten: UInt32 = 0
  private var row: [UInt8] = []

  /// What a strip holds at least, so that it is worth packing.
  private static let stripBytes = 1 << 18
  /// From here on offsets of 32 bits may not be enough.
  private static let largestClassicFile = 4_000_000_000

  init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
    let output = PlacedOutput(sink)
    let profile = try job.profile?.bytes ?? []
    guard let writer = ctiff_writer_create(PlacedOutput.put, output.context) else {
      throw .cannotWrite(file: job.file, reason: "libtiff found no memory to begin with")
    }
    (self.job, self.output, self.writer) = (job, output, writer)
    let xmp = job.options.metadata.xmp ?? []
    let result = profile.withUnsafeBytes { profile in
      xmp.withUnsafeBytes { xmp in
        var header = job.tiffHeader
        header.rows_per_strip = UInt32(clamping: max(1, Self.stripBytes / job.bytesPerRow))
        header.is_big =
          job.bytesPerRow.multipliedReportingOverflow(by: job.size.height).partialValue
            > Self.largestClassicFile ? 1 : 0
        // libtiff copies both.
        header.profile = profile.isEmpty ? nil : profile.baseAddress
        header.profile_count = UInt32(clamping: profile.count)
        header.xmp = xmp.isEmpty ? nil : xmp.baseAddress
        header.xmp_count = UInt32(clamping: xmp.count)
        return ctiff_writer_begin(writer, header)
      }
    }
    try check(result)
  }

  deinit { ctiff_writer_destroy(writer) }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    // libtiff's predictors compute in place.
    self.row.removeAll(keepingCapacity: true)
    self.row.append(contentsOf: row)
    try check(ctiff_writer_row(writer, self.row, rowsWritten))
    rowsWritten += 1
  }

  func finish() throws(ImageFileError) { try check(ctiff_writer_end(writer)) }

  private func check(_ result: Int32) throws(ImageFileError) {
    guard result != 1 else { return }
    let message = "libtiff says “\(String(cString: ctiff_writer_message(writer)))”"
    throw .cannotWrite(file: job.file, reason: output.sink.failure ?? message)
  }
}

extension EncodingJob {
  fileprivate var bytesPerRow: Int { size.width * channels.count * samples.byteCount }

  fileprivate var tiffHeader: ctiff_header {
    var header = ctiff_header()
    (header.width, header.height) = (UInt32(clamping: size.width), UInt32(clamping: size.height))
    header.bits = UInt16(8 * samples.byteCount)
    header.samples = UInt16(channels.count)
    let isFloat = samples == .float16 || samples == .float32
    header.sample_format = UInt16(isFloat ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT)
    header.photometric = UInt16(isGray ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB)
    if channels.hasAlpha {
      header.alpha = UInt16(
        alpha == .premultiplied ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA)
    }
    switch options.compression {
    case .none: header.compression = UInt16(COMPRESSION_NONE)
    case .deflate: header.compression = UInt16(COMPRESSION_ADOBE_DEFLATE)
    case .lzw: header.compression = UInt16(COMPRESSION_LZW)
    }
    if options.compression != .none {
      header.predictor = UInt16(isFloat ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL)
    }
    return header
  }
}
