internal import FilterGraph
internal import Synchronization

/// Tells a decoder, within a call that takes longer than a row, whether the rendering that waits for it is cancelled.
///
/// Each decoder that gives pixels has one of its own, in its ``DecodingJob``.
final class ReadingStop: Sendable {
  private let question = Mutex<(@Sendable () -> Bool)?>(nil)

  /// Returns the result of `body`, within which ``isRequested`` asks `isCancelled`.
  func asking<Value, Failure: Error>(
    _ isCancelled: (@Sendable () -> Bool)?, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    question.withLock { $0 = isCancelled }
    defer { question.withLock { $0 = nil } }
    return try body()
  }

  /// Whether to stop.
  var isRequested: Bool { question.withLock(\.self)?() == true }

  /// Throws where to stop.
  func check() throws(ImageFileError) {
    if isRequested { throw .rendering(.cancelled) }
  }

  /// The context pointer that C passes back to ``ask``. Valid as long as the stop.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Asks for C whether to stop; returns 1 where so.
  static let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
    guard let context else { return 0 }
    return Unmanaged<ReadingStop>.fromOpaque(context).takeUnretainedValue().isRequested ? 1 : 0
  }
}
