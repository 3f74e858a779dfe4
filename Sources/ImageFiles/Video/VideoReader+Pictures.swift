public import ColorSpaces
public import FilterGraph

extension VideoReader {
  /// Returns the frames that are still to be read as an asynchronous sequence of pictures in `space`, such as for a `FrameStream`.
  ///
  /// ```swift
  /// let stream = FrameStream(reader.pictures(in: .displayP3), when: .block, as: Float.self) {
  ///   $0.gamutMask(outside: .sRGB)
  /// }
  /// ```
  public func pictures(in space: ColorSpace) -> Pictures { Pictures(reader: self, space: space) }

  /// The frames of a video as pictures with the precision of their codes, as ``VideoReader/nextPicture(in:)`` returns them.
  ///
  /// A frame is read when it is requested, on a thread of its own, which may wait for a pipe without blocking the caller or other tasks.
  /// The reader keeps the memory of up to three pictures, and reads new frames into it once nobody else holds the pictures.
  ///
  /// Iterators of the same reader share its frames: each frame is given to one of them. Where several request a frame at once, they get the
  /// next frames in the order of their requests. Those that wait for others hold no thread.
  public struct Pictures: AsyncSequence, Sendable {
    fileprivate let reader: VideoReader
    fileprivate let space: ColorSpace

    /// Begins to request frames.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Requests the frames of a reader one after another.
    public struct Iterator: AsyncIteratorProtocol {
      private let pictures: Pictures
      /// Nil where the process may open no more files. Cancelling a task then ends no wait.
      private let interruption = InputStop()
      private var isOver = false

      fileprivate init(_ pictures: Pictures) { self.pictures = pictures }

      /// Returns the next frame; nil after the last one, and after an error.
      ///
      /// Cancelling the task ends the wait, also while a pipe gives nothing and stays open, or while another iterator waits for the pipe.
      /// What was read of the frame is kept: other iterators and calls of the reader continue with it. A call that blocks, such as
      /// ``VideoReader/nextPicture(in:)`` on another thread, is waited for first; cancelling takes effect once it ends.
      ///
      /// - Throws: An error of the video, after the frames before it; ``ImageFileError/rendering(_:)`` of `RenderError.cancelled` where the
      ///   task is cancelled.
      public mutating func next(
        isolation actor: isolated (any Actor)? = #isolation
      ) async throws(ImageFileError) -> Picture? {
        if isOver { return nil }
        guard await pictures.reader.order.enter() else {
          isOver = true
          throw .rendering(.cancelled)
        }
        let result = await withTaskCancellationHandler { [pictures, interruption] in
          await RenderQueue.withoutSlot {
            // On this thread, so that nobody else waits for the caller's actor.
            defer { pictures.reader.order.leave() }
            return Result { () throws(ImageFileError) in
              try pictures.reader.nextPicture(
                in: pictures.space, options: RenderOptions(), until: interruption)
            }
          }
        } onCancel: { [interruption] in
          interruption?.request()
        }
        isOver = if case .success(.some) = result { false } else { true }
        return try result.get()
      }
    }
  }
}
