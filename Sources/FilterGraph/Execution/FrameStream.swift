public import ImageBuffer
internal import Synchronization

/// Renders the frames of a stream in order, and drops frames or applies back-pressure when they arrive too fast.
///
/// At most ``depth`` frames wait to be rendered. ``Overflow`` says which frame is dropped when another one arrives.
///
///     for try await frame in FrameStream(camera, when: .dropOldest, as: UInt8.self, { $0.gamutMask(outside: .sRGB) }) { … }
public struct FrameStream<
  Frames: AsyncSequence & Sendable, Source: PixelSample, Sample: PixelSample
>:
  AsyncSequence, Sendable
where Frames.Element == Bitmap<Source> {
  /// What happens to frames that come faster than they can be rendered.
  @nonexhaustive
  public enum Overflow: Hashable, Sendable {
    /// The frame that waited longest is dropped: the newest is always shown.
    case dropOldest
    /// The frame that came last is dropped.
    case dropNewest
    /// The source waits: no frame is dropped.
    case block
  }

  /// A rendered frame.
  public struct Frame: Sendable {
    /// Its number in the source, from 0; dropped frames are counted.
    public let number: Int
    /// Its pixels.
    public let bitmap: Bitmap<Sample>
    /// The time since the source gave it.
    public let latency: Duration
  }

  /// What became of the frames so far.
  public struct Counters: Hashable, Sendable {
    /// Frames that the source gave.
    public var produced = 0
    /// Frames that were rendered.
    public var rendered = 0
    /// Frames that were dropped.
    public var dropped = 0
    /// The longest time from a frame's arrival to the end of its rendering.
    public var longestLatency = Duration.zero
  }

  /// What happens to frames that come too fast.
  public let overflow: Overflow
  /// How many frames wait at most.
  public let depth: Int

  private let frames: Frames
  private let render: @Sendable (Bitmap<Source>) async throws(RenderError) -> Bitmap<Sample>
  private let counted = Counted()

  private final class Counted: Sendable { let counters = Mutex(Counters()) }

  /// A stream that renders each of `frames` after `filter`, as ``Picture/render(as:channels:arrangement:dither:options:)`` does.
  public init(
    _ frames: Frames, when overflow: Overflow = .dropOldest, depth: Int = 1,
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(),
    _ filter: @escaping @Sendable (Picture) -> Picture
  ) {
    precondition(depth > 0, "At least one frame must be able to wait; the depth is \(depth).")
    (self.frames, self.overflow, self.depth) = (frames, overflow, depth)
    render = { frame throws(RenderError) in
      try await filter(Picture(frame)).renderInBackground(
        channels: channels, arrangement: arrangement, dither: dither, options: options)
    }
  }

  /// What became of the frames so far.
  public var counters: Counters { counted.counters.withLock { $0 } }

  /// Begins to take frames.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Gives the rendered frames in the order in which they came.
  public final class Iterator: AsyncIteratorProtocol {
    private let stream: FrameStream
    private let queue: FrameQueue<Bitmap<Source>>
    private let intake: Task<Void, Never>
    private var isOver = false

    fileprivate init(_ stream: FrameStream) {
      self.stream = stream
      let queue = FrameQueue<Bitmap<Source>>(depth: stream.depth)
      self.queue = queue
      intake = Task {
        var number = 0
        do {
          for try await frame in stream.frames {
            let arrival = ContinuousClock.now
            if stream.overflow == .block { await queue.waitForRoom() }
            if Task.isCancelled { break }
            let isDropped = queue.push(
              (number, frame, arrival), droppingOldest: stream.overflow == .dropOldest)
            stream.counted.counters.withLock {
              $0.produced += 1
              $0.dropped += isDropped ? 1 : 0
            }
            number += 1
          }
          queue.end(nil)
        } catch {
          queue.end(error)
        }
      }
    }

    deinit { end() }

    /// The next rendered frame; nil after the last one, and after an error. What the source throws comes after the frames before it.
    public func next() async throws -> Frame? {
      if isOver { return nil }
      do {
        if let frame = try await nextRendered() { return frame }
        end()
        return nil
      } catch {
        end()
        throw error
      }
    }

    /// Takes no more frames.
    private func end() {
      isOver = true
      intake.cancel()
      queue.end(nil)
    }

    private func nextRendered() async throws -> Frame? {
      let queue = queue
      let item = try await withTaskCancellationHandler {
        try await queue.pop()
      } onCancel: {
        queue.end(CancellationError())
      }
      guard let (number, source, arrival) = item else { return nil }
      let bitmap = try await stream.render(source)
      let latency = ContinuousClock.now - arrival
      stream.counted.counters.withLock {
        $0.rendered += 1
        if $0.longestLatency < latency { $0.longestLatency = latency }
      }
      return Frame(number: number, bitmap: bitmap, latency: latency)
    }
  }
}

/// Frames that wait, between one task that brings them and one that takes them.
private final class FrameQueue<Frame: Sendable>: Sendable {
  typealias Item = (number: Int, frame: Frame, arrival: ContinuousClock.Instant)

  private struct State {
    var items: [Item] = []
    var end: Result<Void, any Error>?
    var taker: CheckedContinuation<Void, Never>?
    var bringer: CheckedContinuation<Void, Never>?
  }

  private let depth: Int
  private let state = Mutex(State())

  init(depth: Int) { self.depth = depth }

  /// Waits until a frame can be pushed without dropping one.
  func waitForRoom() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        if state.items.count < depth || state.end != nil { return true }
        state.bringer = continuation
        return false
      }
      if hasRoom { continuation.resume() }
    }
  }

  /// Adds a frame; where there is no room, it or the oldest is dropped. Returns whether one was.
  func push(_ item: Item, droppingOldest: Bool) -> Bool {
    let (isDropped, taker) = state.withLock { state in
      let isFull = state.items.count >= depth
      if isFull, droppingOldest { state.items.removeFirst() }
      if !isFull || droppingOldest { state.items.append(item) }
      defer { state.taker = nil }
      return (isFull, state.taker)
    }
    taker?.resume()
    return isDropped
  }

  /// No frame comes any more.
  func end(_ error: (any Error)?) {
    let waiting = state.withLock { state in
      if state.end == nil { state.end = error.map(Result.failure) ?? .success(()) }
      defer { (state.taker, state.bringer) = (nil, nil) }
      return [state.taker, state.bringer]
    }
    for continuation in waiting { continuation?.resume() }
  }

  /// The next frame, as soon as there is one; nil after the last.
  func pop() async throws -> Item? {
    while true {
      let (item, end, bringer) = state.withLock { state in
        let item = state.items.isEmpty ? nil : state.items.removeFirst()
        defer { if item != nil { state.bringer = nil } }
        return (item, state.end, item == nil ? nil : state.bringer)
      }
      bringer?.resume()
      if let item { return item }
      if let end {
        try end.get()
        return nil
      }
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.items.isEmpty || state.end != nil { return true }
          state.taker = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }
}
