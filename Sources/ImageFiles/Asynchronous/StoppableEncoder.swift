internal import FilterGraph

/// An encoder that ends early after the last row where the work is cancelled.
///
/// Some libraries encode all or most of a file in one call after the last row, as libjpeg does with the scans of a progressive file. Such a
/// call can be stopped where it hands over bytes: they are refused.
final class StoppableEncoder: ImageEncoder {
  private let encoder: any ImageEncoder
  private let sink: StoppableSink

  init(
    _ job: EncodingJob, _ sink: any ByteSink, isCancelled: @escaping @Sendable () -> Bool
  ) throws(ImageFileError) {
    self.sink = StoppableSink(sink, isCancelled)
    encoder = try job.format.encoder(job, self.sink)
  }

  func writeRow(_ row: UnsafeRawBufferPointer) throws(ImageFileError) {
    try encoder.writeRow(row)
  }

  func finish() throws(ImageFileError) {
    sink.asks = true
    do throws(ImageFileError) { try encoder.finish() } catch {
      throw sink.isStopped ? .rendering(.cancelled) : error
    }
  }
}

/// Passes bytes on, and refuses them once the work is cancelled.
private final class StoppableSink: ByteSink {
  /// Whether to ask. Between rows, the caller does.
  var asks = false
  /// Whether bytes were refused because the work is cancelled.
  private(set) var isStopped = false
  private let sink: any ByteSink
  private let isCancelled: @Sendable () -> Bool

  init(_ sink: any ByteSink, _ isCancelled: @escaping @Sendable () -> Bool) {
    (self.sink, self.isCancelled) = (sink, isCancelled)
  }

  var canGoBack: Bool { sink.canGoBack }
  var failure: String? { isStopped ? "the work is cancelled" : sink.failure }

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool {
    if asks, !isStopped { isStopped = isCancelled() }
    return !isStopped && sink.put(bytes, at: position)
  }
}

extension EncodingJob {
  /// Returns the encoder of the format, which is asked whether to stop where the job can be cancelled.
  func stoppableEncoder(into sink: any ByteSink) throws(ImageFileError) -> any ImageEncoder {
    guard let isCancelled else { return try format.encoder(self, sink) }
    return try StoppableEncoder(self, sink, isCancelled: isCancelled)
  }
}
