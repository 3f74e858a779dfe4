internal import Dispatch
public import ImageBuffer
internal import Synchronization

extension Picture {
  /// Computes the picture without blocking the caller; cancelling the task cancels it within one tile. See
  /// ``render(as:channels:arrangement:dither:options:)`` for the parameters.
  public func rendered<Sample: PixelSample>(
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions()
  ) async throws(RenderError) -> Bitmap<Sample> {
    let isCancelled = CancellationFlag()
    var options = options
    let asked = options.isCancelled
    options.isCancelled = { isCancelled.isSet || asked?() == true }
    let chosen = options
    let result: Result<Bitmap<Sample>, RenderError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // The threads of the global queue may all be busy with long renderings.
        DispatchQueue(label: "colorloom.rendering").async {
          continuation.resume(
            returning: Result { () throws(RenderError) in
              try render(
                channels: channels, arrangement: arrangement, dither: dither, options: chosen)
            })
        }
      }
    } onCancel: {
      isCancelled.set()
    }
    return try result.get()
  }

  /// Begins to compute the picture, and says how far it is. See ``render(as:channels:arrangement:dither:options:)`` for the parameters.
  public func rendering<Sample: PixelSample>(
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
          try await rendered(
            channels: channels, arrangement: arrangement, dither: dither, options: chosen))
      } catch {
        return .failure(error)
      }
    }
    return Rendering(progress: progress, task: task)
  }
}

/// A picture that is being computed.
public struct Rendering<Sample: PixelSample>: Sendable {
  /// The finished fraction, rising, up to 1. It ends early when the rendering fails or is cancelled.
  public let progress: AsyncStream<Double>

  let task: Task<Result<Bitmap<Sample>, RenderError>, Never>

  /// The finished bitmap. Cancelling the task that waits for it cancels the rendering.
  public var bitmap: Bitmap<Sample> {
    get async throws(RenderError) {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      return try result.get()
    }
  }

  /// Stops within one tile; ``bitmap`` then throws ``RenderError/cancelled``.
  public func cancel() { task.cancel() }
}

private final class CancellationFlag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
