internal import CJPEG
internal import ICCProfiles
internal import ImageBuffer

/// libjpeg at work on a new file.
final class JPEGEncoder: ImageEncoder {
  private let job: EncodingJob
  private let output: OrderedOutput
  private let writer: UnsafeMutablePointer<cjpeg_writer>

  /// What a segment can hold.
  private static let segmentCapacity = 65_533

  init(_ job: EncodingJob, _ sink: any ByteSink) throws(ImageFileError) {
    let output = OrderedOutput(sink)
    let profile = try job.profile
    guard let writer = cjpeg_writer_create(OrderedOutput.put, output.context) else {
      throw .cannotWrite(file: job.file, reason: "libjpeg found no memory to begin with")
    }
    (self.job, self.output, self.writer) = (job, output, writer)
    let (options, subsampling) = (job.options, job.options.chromaInUse.step)
    try check(
      cjpeg_writer_begin(
        writer, UInt32(clamping: job.size.width), UInt32(clamping: job.size.height),
        Int32(job.channels.count), Int32(clamping: options.quality), Int32(subsampling.across),
        Int32(subsampling.down), options.isProgressive ? 1 : 0))
    if let exif = options.metadata.exif.flatMap(EXIF.init) {
      try write("EXIF", JPEGSegments.exifName, exif.describing(job.space))
    }
    if let xmp = options.metadata.xmp { try write("XMP", JPEGSegments.xmpName, xmp) }
    if let profile { try write(profile.bytes) }
  }

  deinit { cjpeg_writer_destroy(writer) }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    try check(cjpeg_writer_row(writer, row.baseAddress))
  }

  func finish() throws(ImageFileError) { try check(cjpeg_writer_end(writer)) }

  /// Metadata of one kind, which has one segment.
  private func write(
    _ kind: String, _ name: [UInt8], _ content: [UInt8]
  ) throws(ImageFileError) {
    let limit = Self.segmentCapacity - name.count
    guard content.count <= limit else {
      throw .tooMuchToHold(kind, byteCount: content.count, limit: limit, format: .jpeg)
    }
    try write(segment: 1, name + content)
  }

  private func write(segment number: Int32, _ body: [UInt8]) throws(ImageFileError) {
    try check(cjpeg_writer_marker(writer, number, body, body.count))
  }

  /// A profile, in as many segments as it needs (ICC.1:2022, B.4).
  private func write(_ profile: [UInt8]) throws(ImageFileError) {
    let capacity = Self.segmentCapacity - JPEGSegments.profileName.count - 2
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
    let message = "libjpeg says “\(String(cString: cjpeg_writer_message(writer)))”"
    throw .cannotWrite(file: job.file, reason: output.sink.failure ?? message)
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
