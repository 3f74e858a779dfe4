internal import FilterGraph
internal import ImageBuffer
internal import Synchronization

/// The quality that ``WritingOptions/maximumBytes`` led to.
package final class QualitySearch: Sendable {
  /// An encoding of the file.
  package struct Encoding: Sendable {
    /// Nil of a file without loss.
    package let quality: Int?
    package let byteCount: Int
    /// Whether it is within the limit. An encoding that is not has the lowest quality.
    package let fits: Bool
  }

  private let state = Mutex<Encoding?>(nil)

  package init() {}

  /// The last encoding; nil before the search ends.
  package var result: Encoding? { state.withLock { $0 } }

  fileprivate func end(with encoding: Encoding) { state.withLock { $0 = encoding } }
}

/// An encoder that keeps all rows, and encodes them at lower qualities until the file is within a limit.
///
/// The sizes of the encodings alone decide which qualities are tried, so that the file is the same for every thread count.
final class SizeLimitedEncoder: ImageEncoder {
  private let job: EncodingJob
  private let limit: Int
  private let sink: any ByteSink
  private var rows = KeptRows()

  init(_ job: EncodingJob, _ sink: any ByteSink, limit: Int) throws(ImageFileError) {
    // Encoders check what their formats can state while they write the header.
    _ = try job.format.encoder(job, DiscardingSink())
    (self.job, self.sink, self.limit) = (job, sink, limit)
  }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    try rows.append(row, of: job)
  }

  func finish() throws(ImageFileError) {
    let requested = job.options.qualityInUse
    let lowest = min(job.options.minimumQuality, requested)
    var (quality, last) = (requested, try encoded(at: requested))
    var best = last.bytes.map { (quality: requested, bytes: $0) }
    // Bisection between a quality that fits, or the one below the lowest, and one that does not fit.
    var (fitting, failing) = (max(lowest, 1) - 1, requested)
    while best?.quality != requested, failing - fitting > 1 {
      quality = (fitting + failing) / 2
      last = try encoded(at: quality)
      if let bytes = last.bytes {
        best = (quality, bytes)
        fitting = quality
      } else {
        failing = quality
      }
    }
    rows = KeptRows()
    let record = job.options.qualitySearch
    guard let best else {
      record?.end(with: .init(quality: quality, byteCount: last.count, fits: false))
      throw .cannotWrite(
        file: job.file,
        reason: "it has \(last.count) bytes at quality \(quality), the lowest one allowed, and "
          + "WritingOptions.maximumBytes is \(limit); resize the picture"
          + (quality > 1 ? ", or allow a lower quality" : ""))
    }
    try sink.store(best.bytes, at: 0, file: job.file)
    record?.end(with: .init(quality: best.quality, byteCount: best.bytes.count, fits: true))
  }

  /// Returns the size of the file at a quality, and its bytes if they are within the limit.
  private func encoded(at quality: Int) throws(ImageFileError) -> (count: Int, bytes: [UInt8]?) {
    var trial = job
    trial.options.quality = quality
    let output = LimitedSink(limit: limit)
    let encoder = try trial.stoppableEncoder(into: output)
    for y in 0..<rows.count {
      if job.isCancelled?() == true { throw .rendering(.cancelled) }
      if let row = rows[y] { try encoder.writeRow(row) }
    }
    if job.isCancelled?() == true { throw .rendering(.cancelled) }
    try encoder.finish()
    return (output.count, output.bytes)
  }
}

/// An encoder of a file without a quality that could be lowered, which keeps the file until it is known to be within a limit.
private final class SizeCheckedEncoder: ImageEncoder {
  private let job: EncodingJob
  private let limit: Int
  private let sink: any ByteSink
  private let output: LimitedSink
  private let encoder: any ImageEncoder

  init(_ job: EncodingJob, _ sink: any ByteSink, limit: Int) throws(ImageFileError) {
    output = LimitedSink(limit: limit)
    encoder = try job.stoppableEncoder(into: output)
    (self.job, self.sink, self.limit) = (job, sink, limit)
  }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    try encoder.writeRow(row)
  }

  func finish() throws(ImageFileError) {
    try encoder.finish()
    let bytes = output.bytes
    job.options.qualitySearch?.end(
      with: .init(quality: nil, byteCount: output.count, fits: bytes != nil))
    guard let bytes else {
      throw .cannotWrite(
        file: job.file,
        reason: "it has \(output.count) bytes, WritingOptions.maximumBytes is \(limit), and "
          + "\(job.format.kindInWords(job.options)) files have no quality that could be lowered; "
          + "resize the picture, or write a lossy format, such as JPEG")
    }
    try sink.store(bytes, at: 0, file: job.file)
  }
}

/// Counts all bytes, and keeps them as long as there are no more than a limit.
private final class LimitedSink: ByteSink {
  let canGoBack = true
  let failure: String? = nil
  private(set) var count = 0
  private let limit: Int
  private var memory = MemorySink()

  init(limit: Int) { self.limit = limit }

  /// The bytes; nil where there are more than the limit.
  var bytes: [UInt8]? { count <= limit ? memory.bytes : nil }

  func put(_ new: UnsafeRawBufferPointer, at position: Int) -> Bool {
    count = max(count, position.addingSaturated(new.count))
    if count <= limit { return memory.put(new, at: position) }
    memory = MemorySink()
    return true
  }
}

extension EncodingJob {
  /// Returns the encoder of the file, which lowers the quality where the options limit the number of bytes.
  func encoder(into sink: any ByteSink) throws(ImageFileError) -> any ImageEncoder {
    guard let limit = options.maximumBytes else { return try stoppableEncoder(into: sink) }
    return format.hasQuality(options)
      ? try SizeLimitedEncoder(self, sink, limit: limit)
      : try SizeCheckedEncoder(self, sink, limit: limit)
  }

  /// The peak memory in bytes that a limit of the file's size takes beside the encoder: where the quality may be lowered, all rows and the
  /// smallest file that was found; and the growing buffer of another one. Files are estimated at no more than twice their samples.
  var sizeLimitBytes: Double {
    guard let limit = options.maximumBytes else { return 0 }
    let samples = rowBytes * Double(size.height)
    let file = min(Double(max(limit, 0)), 2 * samples + 0x1p16)
    return format.hasQuality(options) ? samples + 5 * file : 4 * file
  }
}

extension ImageFileFormat {
  /// The name of the format, behind “lossless” where it could also be lossy.
  package func kindInWords(_ options: WritingOptions) -> String {
    hasQuality(WritingOptions()) && !hasQuality(options) ? "lossless \(self)" : name
  }
}

extension EncodingJob {
  /// The note on a quality that a limit of the file's size lowered, once the file is written.
  var qualityNotes: [ImageFileNote] {
    guard let limit = options.maximumBytes, let found = options.qualitySearch?.result, found.fits,
      let quality = found.quality, quality < options.qualityInUse
    else { return [] }
    return [
      .reducedQuality(
        quality, requested: options.qualityInUse, byteCount: found.byteCount, limit: limit)
    ]
  }
}

extension WritingOptions {
  /// The quality of the first encoding.
  fileprivate var qualityInUse: Int { min(max(quality, 1), 100) }

  /// These options with a record of the search for a quality, if there will be one.
  var recordingQuality: WritingOptions {
    guard maximumBytes != nil, qualitySearch == nil else { return self }
    var options = self
    options.qualitySearch = QualitySearch()
    return options
  }
}
