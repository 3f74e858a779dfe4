/// The destination of an encoder's bytes.
protocol ByteSink: AnyObject {
  /// Whether earlier bytes can be overwritten.
  var canGoBack: Bool { get }
  /// The reason why bytes could not be written.
  var failure: String? { get }
  /// Writes bytes at an offset; returns whether that succeeded. Where ``canGoBack`` is false, the offset is always the end.
  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool
}

/// Discards all bytes.
final class DiscardingSink: ByteSink {
  let canGoBack = true
  let failure: String? = nil

  func put(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Bool { true }
}
