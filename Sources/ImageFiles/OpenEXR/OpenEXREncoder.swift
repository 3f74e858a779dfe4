#if COLORLOOM_OPENEXR
  internal import COpenEXR
  internal import ColorSpaces
  internal import ImageBuffer

  /// Encodes OpenEXR files with OpenEXRCore, in bands of rows with ZIP compression.
  final class OpenEXREncoder: ImageEncoder {
    private let job: EncodingJob
    private let output: PlacedOutput
    private let writer: UnsafeMutablePointer<cexr_writer>
    private let band: MemoryBlock
    private var rowsWritten = 0

    init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
      if let space = job.space, !space.transfer.isLinear {
        throw .notLinear(space.name, format: .openEXR)
      }
      let output = PlacedOutput(sink)
      let bandBytes = wholeBytes(job.openEXRBandBytes)
      let band = try MemoryBlock(byteCount: bandBytes, for: job.file)
      guard
        let writer = cexr_writer_create(
          PlacedOutput.put, output.context, job.encoderBytes - bandBytes)
      else {
        throw .cannotWrite(file: job.file, reason: "OpenEXR could not allocate memory")
      }
      (self.job, self.output, self.writer, self.band) = (job, output, writer, band)
      var framing = try cexr_framing(job)
      try check(cexr_writer_begin(writer, job.options.compression == .none ? 0 : 1, &framing))
      for channel in job.openEXRChannels {
        try check(
          cexr_writer_channel(
            writer, channel.name, channel.samples == .float32 ? 1 : 0, channel.offset,
            job.count(channel.pixelStride)))
      }
      try check(
        cexr_writer_color(
          writer, job.space?.primaries.openEXRNumbers,
          Float(job.options.metadata.whiteLuminance ?? 0)))
      if ImageFileFormat.openEXR.hasEffort(job.options), let level = job.options.deflateLevel {
        try check(cexr_writer_zip_level(writer, Int32(level)))
      }
      if let id = job.space?.interopID {
        try check(cexr_writer_text(writer, ImageMetadata.interopKeyword, id))
      }
      for attribute in job.metadata.openEXRTexts {
        try check(cexr_writer_text(writer, attribute.name, attribute.text))
      }
      try check(cexr_writer_end_header(writer))
    }

    deinit { cexr_writer_destroy(writer) }

    func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
      let bandHeight = Int(writer.pointee.band_height)
      let bandRow = rowsWritten % bandHeight
      band[bandRow * row.count..<(bandRow + 1) * row.count].copyMemory(from: row)
      rowsWritten += 1
      if bandRow == bandHeight - 1 || rowsWritten == job.size.height {
        try check(
          cexr_writer_band(
            writer, job.count(rowsWritten - 1 - bandRow), band.bytes.baseAddress, row.count))
      }
    }

    func finish() throws(ImageFileError) { try check(cexr_writer_end(writer)) }

    private func check(_ result: Int32) throws(ImageFileError) {
      guard result != 1 else { return }
      let message = String(cString: cexr_writer_message(writer))
      throw job.failure(
        of: "OpenEXR", message, writingTo: output.sink, heap: writer.pointee.file.heap)
    }
  }

  extension EncodingJob {
    /// The channels of the picture and of its layers, and where their samples are in a row.
    fileprivate var openEXRChannels:
      [(name: String, samples: SampleFormat, offset: Int, pixelStride: Int)]
    {
      let names = isGray ? ["Y", "A"] : ["R", "G", "B", "A"]
      let all =
        [(Array(names.prefix(channels.count)), samples)]
        + layers.map { ($0.channelNames, $0.samples) }
      return zip(all, rowParts).flatMap { part, bytes in
        let (names, samples) = part
        return names.enumerated().map { index, name in
          (
            name, samples, bytes.lowerBound + index * samples.byteCount,
            names.count * samples.byteCount
          )
        }
      }
    }

    /// As many rows as a chunk has: those that ZIP packs together, or one.
    private var openEXRBandHeight: Double { options.compression == .none ? 1 : 16 }

    fileprivate var openEXRBandBytes: Double { rowBytes * openEXRBandHeight }

    /// The header, the places of all chunks, one of them as it is handed over, on its way and packed, and zlib's window and tables.
    var openEXREncoderBytes: Double {
      // The names of channels are kept twice.
      let texts =
        2 * Double(options.metadata.byteCount)
        + layers.reduce(0) { $0 + 1024 * Double($1.channels.count) }
      let chunks = Double(size.height) / openEXRBandHeight + 1
      return 0x1p19 + texts + 16 * chunks + 5 * openEXRBandBytes
    }
  }

  extension cexr_framing {
    /// The framing of the metadata, if it belongs to a picture of this size.
    fileprivate init(_ job: EncodingJob) throws(ImageFileError) {
      let metadata = job.options.metadata
      let plain = ImageMetadata.Framing(job.size)
      let framing = metadata.framing.flatMap { $0.dataWindow.size == job.size ? $0 : nil } ?? plain
      guard framing.fitsOpenEXR else {
        throw .cannotWrite(
          file: job.file,
          reason:
            "OpenEXR holds windows of a pixel or more within 2³⁰ of the origin, and pixels "
            + "\(ImageMetadata.Framing.pixelAspectRatios.lowerBound) to "
            + "\(ImageMetadata.Framing.pixelAspectRatios.upperBound) times as wide as high; "
            + "ImageMetadata.framing has its pixels \(framing)")
      }
      func corners(_ window: Region) -> (Int32, Int32, Int32, Int32) {
        (
          Int32(clamping: window.x), Int32(clamping: window.y),
          Int32(clamping: window.x + window.width - 1),
          Int32(clamping: window.y + window.height - 1)
        )
      }
      self.init(
        data: corners(framing.dataWindow), display: corners(framing.displayWindow),
        pixel_aspect: Float(framing.pixelAspectRatio))
    }
  }

  extension ImageMetadata.Framing {
    fileprivate var fitsOpenEXR: Bool {
      [dataWindow, displayWindow].allSatisfy {
        $0.width > 0 && $0.height > 0 && Region.everywhere.contains($0)
      } && Self.pixelAspectRatios.contains(pixelAspectRatio)
    }
  }

  extension Primaries {
    /// Red, green, blue, white.
    fileprivate var openEXRNumbers: [Float] {
      [red, green, blue, white].flatMap { [Float($0.x), Float($0.y)] }
    }
  }
#endif
