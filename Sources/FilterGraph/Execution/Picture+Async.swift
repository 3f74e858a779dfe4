public import ImageBuffer

extension Picture {
  /// Renders the picture without blocking the caller; cancelling the task cancels the rendering within one tile.
  ///
  /// At most one asynchronous rendering per available processor runs at once: those on which this process may run, or fewer where a control
  /// group (cgroup) limits its processor time. The others wait in order, without threads or memory.
  ///
  /// A rendering that is awaited inside of another one, for example by a row source, does not wait for a slot. A row source or a filter
  /// must not wait for a rendering that other code starts later, because that rendering may be waiting for a slot behind it. See
  /// ``render(as:channels:arrangement:dither:options:)`` for the parameters.
  public func renderInBackground<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) async throws(RenderError) -> Bitmap<Sample> {
    try await renderInBackground(options: options) { picture, options throws(RenderError) in
      try picture.render(
        channels: channels, arrangement: arrangement, dither: dither, options: options)
    }
  }

  /// Queues a rendering that a closure performs.
  func renderInBackground<Sample: PixelSample>(
    options: RenderOptions,
    _ render: @escaping @Sendable (Picture, RenderOptions) throws(RenderError) -> Bitmap<Sample>
  ) async throws(RenderError) -> Bitmap<Sample> {
    let result = await queued(options) { picture, options in
      Result { () throws(RenderError) -> Bitmap<Sample> in try render(picture, options) }
    }
    guard let result else { throw .cancelled }
    return try result.get()
  }

  /// Does blocking work with the picture, such as measuring it, without blocking the caller, in turn with other asynchronous renderings.
  ///
  /// ```swift
  /// let counts = try await picture.inBackground { try $0.histogram(options: $1) }
  /// ```
  ///
  /// - Parameters:
  ///   - options: The options that `work` receives. Cancelling the task cancels what is rendered with them.
  ///   - work: The work, with the picture and the options. It must pass the options on, so that it can be cancelled.
  /// - Throws: What `work` throws, and ``RenderError/cancelled`` if the task was cancelled before its turn.
  public func inBackground<Value: Sendable>(
    options: RenderOptions = RenderOptions(),
    _ work: @escaping @Sendable (Picture, RenderOptions) throws -> Value
  ) async throws -> Value {
    let result = await queued(options) { picture, options in
      Result { try work(picture, options) }
    }
    guard let result else { throw RenderError.cancelled }
    return try result.get()
  }

  /// Waits for a turn; nil where the task was cancelled before.
  private func queued<Value: Sendable>(
    _ options: RenderOptions, _ work: @escaping @Sendable (Picture, RenderOptions) -> Value
  ) async -> Value? {
    await RenderQueue.current.run(isCancelled: options.isCancelled) { isCancelled in
      var options = options
      options.isCancelled = isCancelled
      return work(self, options)
    }
  }

  /// Starts rendering the picture and reports progress. See ``render(as:channels:arrangement:dither:options:)`` for the parameters.
  ///
  /// The rendering is cancelled once nothing holds the result or a copy of it.
  public func startRendering<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) -> Rendering<Sample> {
    let (progress, report) = AsyncStream.makeStream(
      of: Double.self, bufferingPolicy: .bufferingNewest(1))
    var options = options
    let told = options.progress
    options.progress = {
      report.yield($0)
      told?($0)
    }
    let chosen = options
    let task = Task { () -> Result<Bitmap<Sample>, RenderError> in
      defer { report.finish() }
      do throws(RenderError) {
        return .success(
          try await renderInBackground(
            channels: channels, arrangement: arrangement, dither: dither, options: chosen))
      } catch {
        return .failure(error)
      }
    }
    return Rendering(progress: progress, owner: TaskOwner(task))
  }
}

/// A rendering in progress.
///
/// When its last copy is released, it is cancelled: nobody could receive its bitmap. Holding ``progress`` alone does not keep it going.
public struct Rendering<Sample: PixelSample>: Sendable {
  /// The finished fraction, increasing to 1. The stream ends early when the rendering fails or is cancelled.
  public let progress: AsyncStream<Double>

  fileprivate let owner: TaskOwner<Result<Bitmap<Sample>, RenderError>>

  /// The finished bitmap. Cancelling the task that waits for it cancels the rendering.
  public var bitmap: Bitmap<Sample> {
    get async throws(RenderError) {
      // The owner would otherwise be released, and the task cancelled, as soon as the task is known.
      defer { withExtendedLifetime(owner) {} }
      let result = await withTaskCancellationHandler {
        await owner.task.value
      } onCancel: {
        owner.task.cancel()
      }
      return try result.get()
    }
  }

  /// Stops within one tile; ``bitmap`` then throws ``RenderError/cancelled``.
  public func cancel() { owner.task.cancel() }
}

/// A task that is cancelled when its owner is released.
private final class TaskOwner<Value: Sendable>: Sendable {
  let task: Task<Value, Never>

  init(_ task: Task<Value, Never>) { self.task = task }

  deinit { task.cancel() }
}
