internal import Dispatch
public import FilterGraph
public import ImageBuffer

// These forms run on the caller's actor until their first wait, so that overlapping calls are admitted in the order of the calls.
extension VideoWriter {
  /// Writes the next frame without blocking the caller; see ``write(_:)``.
  ///
  /// Order and cancellation are those of the asynchronous form for pictures.
  public nonisolated(nonsending) func write(
    _ bitmap: Bitmap<UInt16>
  ) async throws(ImageFileError) {
    try await writeInOrder { (writer, options) throws(ImageFileError) in
      try writer.convert(bitmap, options: options)
    }
  }

  /// Renders a picture as the next frame and writes it, without blocking the caller; see ``write(_:)``.
  ///
  /// Returns when the frame is written, so that a slow pipe holds the caller back. The picture is rendered when its turn comes among the
  /// renderings of the process. A thread of its own then writes the frame and may wait for the pipe. Calls that overlap, such as those of
  /// several tasks of an actor, write their frames in the order of the calls.
  ///
  /// Cancelling the task ends the wait, also while nobody reads from the pipe. The frame is left out if writing it has not begun. Otherwise
  /// it is still written whole, and the next asynchronous call waits until it is.
  ///
  /// - Throws: ``ImageFileError/rendering(_:)`` of `RenderError.cancelled` where the task is cancelled. Once a frame could not be written,
  ///   all further calls throw the error.
  public nonisolated(nonsending) func write(_ picture: Picture) async throws(ImageFileError) {
    try await writeInOrder { (writer, options) throws(ImageFileError) in
      try writer.convert(picture, options: options)
    }
  }

  /// Ends the video without blocking the caller, once all frames are written; see ``finish()``.
  ///
  /// Where the task is cancelled before all frames are written, it throws ``ImageFileError/rendering(_:)`` of `RenderError.cancelled`, and
  /// no file appears. A pipe stays open then, until it is finished or the writer is released.
  public nonisolated(nonsending) func finish() async throws(ImageFileError) {
    guard await order.enter() else { throw .rendering(.cancelled) }
    // The order lets nobody else use the writer meanwhile.
    nonisolated(unsafe) let writer = self
    let result = await RenderQueue.withoutSlot { [order] in
      defer { order.leave() }
      return Result { () throws(ImageFileError) in try writer.commit() }
    }
    try result.get()
  }

  /// Converts a frame in its turn among the renderings of the process, and writes it on a thread of its own, which takes no turn.
  private nonisolated(nonsending) func writeInOrder(
    _ convert:
      @escaping @Sendable (VideoWriter, RenderOptions) throws(ImageFileError) -> Void
  ) async throws(ImageFileError) {
    guard await order.enter() else { throw .rendering(.cancelled) }
    // The order lets nobody else use the writer meanwhile.
    nonisolated(unsafe) let writer = self
    do throws(ImageFileError) {
      try await inTurn(RenderOptions()) { options throws(ImageFileError) in
        // Behind an error, no frame is rendered for nobody.
        try writer.waitForFrame()
        try convert(writer, options)
      }
    } catch {
      order.leave()
      throw error
    }
    if Task.isCancelled {
      order.leave()
      throw .rendering(.cancelled)
    }
    let wait = CancellableWait<Result<Void, ImageFileError>>()
    let write = writing(convertedFrame)
    DispatchQueue(label: "colorloom.frames").async { [order] in
      let error = write()
      order.leave()
      wait.end(with: error.map { .failure($0) } ?? .success(()))
    }
    guard let result = await wait.value() else { throw .rendering(.cancelled) }
    try result.get()
  }
}
