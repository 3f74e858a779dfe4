internal import CJPEG
internal import ICCProfiles
internal import ImageBuffer

/// Encodes JPEG files with libjpeg.
final class JPEGEncoder: ImageEncoder {
  private let job: EncodingJob
  private let output: OrderedOutput
  private let writer: UnsafeMutablePointer<cjpeg_writer>
  /// A row of inverted CMYK values.
  private let inkRow: MemoryBlock?
  /// Where the body of the index of pictures begins; nil for a file of one picture.
  private var indexPosition: Int?

  init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
    guard max(job.size.width, job.size.height) <= Int(JPEG_MAX_DIMENSION) else {
      throw .cannotWrite(
        file: job.file,
        reason: "it has \(job.size) pixels, and a JPEG file up to \(JPEG_MAX_DIMENSION) a side")
    }
    let output = OrderedOutput(sink)
    let profile = try job.profile
    guard let writer = cjpeg_writer_create(OrderedOutput.put, output.context, job.encoderBytes)
    else {
      throw .cannotWrite(file: job.file, reason: "libjpeg could not allocate memory")
    }
    (self.job, self.output, self.writer) = (job, output, writer)
    do throws(ImageFileError) {
      inkRow =
        job.inks == nil
        ? nil : try MemoryBlock(byteCount: wholeBytes(job.rowBytes), for: job.file)
    } catch {
      cjpeg_writer_destroy(writer)
      throw error
    }
    let metadata = job.metadata
    let density = metadata.resolution?.jfifDensity ?? (0, 1, 1)
    let (options, subsampling) = (job.options, job.options.chromaInUse.step)
    try check(
      cjpeg_writer_begin(
        writer, job.count(job.size.width), job.count(job.size.height),
        Int32(job.channels.count), Int32(clamping: options.quality), Int32(subsampling.across),
        Int32(subsampling.down), options.isProgressive ? 1 : 0, density.unit, density.across,
        density.down))
    if let exif = metadata.exif { try write("EXIF", JPEGSegments.exifName, exif) }
    if let xmp = job.jpegXMP { try write("XMP", JPEGSegments.xmpName, xmp) }
    try write(
      resources: PhotoshopResources.bytes(of: metadata, withIPTC: true))
    // COM is marker 0xFE, which is APP0 + 30.
    for text in metadata.text { try write(segment: 30, Array(text.value.utf8)) }
    if let profile { try write(profile.bytes) }
    if let description = job.options.mapDescription {
      try write(segment: 2, GainMapDescription.segmentName + description.iso)
    }
    if job.holdsGainMap {
      try write(segment: 2, GainMapDescription.segmentName + GainMapDescription.version)
      // Two bytes of marker and two of length precede the body, which is written again when all lengths are known.
      indexPosition = cjpeg_writer_position(writer) + 4
      try write(segment: 2, [UInt8](repeating: 0, count: MultiPictureIndex.segmentBytes))
    }
  }

  deinit { cjpeg_writer_destroy(writer) }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    guard let inkRow else { return try check(cjpeg_writer_row(writer, row.baseAddress)) }
    // Files with Adobe's marker, which libjpeg writes for CMYK, store inverted values.
    for index in row.indices { inkRow.bytes[index] = ~row[index] }
    try check(cjpeg_writer_row(writer, UnsafeRawPointer(inkRow.bytes.baseAddress)))
  }

  func finish() throws(ImageFileError) {
    try check(cjpeg_writer_end(writer))
    guard let indexPosition, let map = job.gainMapFile else { return }
    let primary = output.position
    guard
      let index = MultiPictureIndex.segment(primary: primary, second: map.count, at: indexPosition)
    else {
      throw .cannotWrite(
        file: job.file,
        reason:
          "a JPEG file with a gain map counts lengths of up to \(UInt32.max) bytes, and its picture "
          + "has \(primary) and its gain map \(map.count)")
    }
    try output.append(map, file: job.file)
    try output.sink.store(index, at: indexPosition, file: job.file)
  }

  /// Writes metadata that must fit into one segment. ``WrittenMetadata`` leaves out what does not.
  private func write(
    _ kind: String, _ name: [UInt8], _ content: [UInt8]
  ) throws(ImageFileError) {
    let limit = JPEGSegments.capacity - name.count
    guard content.count <= limit else {
      throw .tooMuchToHold(kind, byteCount: content.count, limit: limit, format: .jpeg)
    }
    try write(segment: 1, name + content)
  }

  /// Writes image resource blocks in as many segments as they need; readers concatenate them.
  private func write(resources: [UInt8]) throws(ImageFileError) {
    let capacity = JPEGSegments.capacity - JPEGSegments.photoshopName.count
    for start in stride(from: 0, to: resources.count, by: capacity) {
      let part = resources[start..<min(start + capacity, resources.count)]
      try write(segment: 13, JPEGSegments.photoshopName + part)
    }
  }

  private func write(segment number: Int32, _ body: [UInt8]) throws(ImageFileError) {
    try check(cjpeg_writer_marker(writer, number, body, body.count))
  }

  /// Writes a profile in as many segments as it needs (ICC.1:2022, B.4).
  private func write(_ profile: [UInt8]) throws(ImageFileError) {
    let capacity = JPEGSegments.capacity - JPEGSegments.profileName.count - 2
    let count = (profile.count + capacity - 1) / capacity
    guard count <= 255 else {
      throw .cannotWrite(
        file: job.file,
        reason: "its ICC profile has \(profile.count) bytes, and JPEG files hold \(255 * capacity)")
    }
    for number in 1...count {
      let part = profile[(number - 1) * capacity..<min(number * capacity, profile.count)]
      try write(segment: 2, JPEGSegments.profileName + [UInt8(number), UInt8(count)] + part)
    }
  }

  private func check(_ result: Int32) throws(ImageFileError) {
    guard result != 1 else { return }
    let message = String(cString: cjpeg_writer_message(writer))
    throw job.failure(
      of: "libjpeg", message, writingTo: output.sink, heap: writer.pointee.errors.heap)
  }
}

extension EncodingJob {
  /// The peak memory in bytes: an output buffer, tables, and the rows of an MCU row with context; for progressive files all coefficients.
  var jpegEncoderBytes: Double {
    let (width, height) = (Double(size.width), Double(size.height))
    let bytes =
      0x1p19 + 64 * (width + 64) * Double(channels.count) + (inks == nil ? 0 : rowBytes)
    guard options.isProgressive else { return bytes }
    let step = channels.count == 3 ? options.chromaInUse.step : (across: 1, down: 1)
    // Blocks of 64 coefficients, rounded up to whole MCUs.
    let columns = (width / Double(8 * step.across)).rounded(.up)
    let rows = (height / Double(8 * step.down)).rounded(.up)
    return (0..<channels.count).reduce(bytes) { bytes, component in
      let blocks = component == 0 ? step : (across: 1, down: 1)
      let row = 128 * columns * Double(blocks.across) + Double(CJPEG_ROW_OVERHEAD)
      return bytes + rows * Double(blocks.down) * row
    }
  }
}

extension EncodingJob {
  /// The XMP packet of a JPEG file: the metadata's, with what a gain map or a picture with one needs.
  fileprivate var jpegXMP: [UInt8]? {
    if let map = options.mapDescription { return map.usesBaseSpace ? map.xmp : nil }
    guard holdsGainMap, options.gainMap?.space == nil else { return metadata.xmp }
    let announcement = GainMapDescription.announcement(ofBytes: gainMapFile?.count ?? 0)
    return metadata.xmp.flatMap { XMP($0).adding(announcement) } ?? XMP.packet(announcement)
  }
}

extension ChromaSampling {
  fileprivate var step: (across: Int, down: Int) {
    switch self {
    case .full: (1, 1)
    case .half: (2, 1)
    case .quarter: (2, 2)
    }
  }
}
