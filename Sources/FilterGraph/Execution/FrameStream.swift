public import ImageBuffer
internal import Synchronization

/// Renders the frames of a stream in order, and drops frames or applies back-pressure when they arrive too fast.
///
/// Frames are bitmaps, or pictures, which keep the precision of their sources: the frames of a video are pictures, because gamut masks depend
/// on the precision of its codes.
///
/// At most ``depth`` frames wait to be rendered. A waiting picture holds its sources, such as a bitmap or an open file, but no pixels of its
/// own: all of its steps are computed when it is rendered. ``Overflow`` says which frame is dropped when another one arrives. The memory of up
/// to two rendered frames is rendered into again once nobody else holds their bitmaps. Until the iterator ends, it holds them itself, so that
/// editing a bitmap in place copies it first.
///
///     for try await frame in FrameStream(camera, when: .dropOldest, as: UInt8.self, { $0.gamutMask(outside: .sRGB) }) { … }
public struct FrameStream<Frames: AsyncSequence & Sendable, Sample: PixelSample>:
  AsyncSequence, Sendable
{
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
  public struct Counters: Hashable, Sendable, Codable {
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
  /// Called when the arrival of a frame is noted, before the frame waits for its place in the queue. For tests.
  package var frameArrived: (@Sendable () -> Void)?

  private let frames: Frames
  private let picture: @Sendable (Frames.Element) -> Picture
  private let render: @Sendable (Picture, ReusableBitmaps<Sample>) async throws -> Bitmap<Sample>
  private let counted = Counted()

  private final class Counted: Sendable { let counters = Mutex(Counters()) }

  /// A stream that renders each of `frames` after `filter`, as ``Picture/render(as:channels:arrangement:dither:options:)`` does.
  ///
  /// An error that `filter` throws ends the stream.
  ///
  /// - Precondition: `depth` is 1 or more.
  public init<Source: PixelSample>(
    _ frames: Frames, when overflow: Overflow = .dropOldest, depth: Int = 1,
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(),
    _ filter: @escaping @Sendable (Picture) throws -> Picture
  ) where Frames.Element == Bitmap<Source> {
    self.init(
      frames, overflow, depth, channels, arrangement, dither, options, picture: { Picture($0) },
      filter)
  }

  /// A stream that renders each picture of `frames` after `filter`, as ``Picture/render(as:channels:arrangement:dither:options:)`` does.
  ///
  /// An error that `filter` throws ends the stream, as does one of a picture's source.
  ///
  /// - Precondition: `depth` is 1 or more.
  public init(
    _ frames: Frames, when overflow: Overflow = .dropOldest, depth: Int = 1,
    as _: Sample.Type = Sample.self, channels: Channels? = nil,
    arrangement: Arrangement = .interleaved, dither: Dither? = nil,
    options: RenderOptions = RenderOptions(),
    _ filter: @escaping @Sendable (Picture) throws -> Picture
  ) where Frames.Element == Picture {
    self.init(
      frames, overflow, depth, channels, arrangement, dither, options, picture: { $0 }, filter)
  }

  private init(
    _ frames: Frames, _ overflow: Overflow, _ depth: Int, _ channels: Channels?,
    _ arrangement: Arrangement, _ dither: Dither?, _ options: RenderOptions,
    picture: @escaping @Sendable (Frames.Element) -> Picture,
    _ filter: @escaping @Sendable (Picture) throws -> Picture
  ) {
    precondition(depth > 0, "At least one frame must be able to wait; the depth is \(depth).")
    (self.frames, self.overflow, self.depth) = (frames, overflow, depth)
    self.picture = picture
    render = { frame, bitmaps in
      try await filter(frame).renderInBackground(options: options) {
        picture, options throws(RenderError) in
        try bitmaps.render(picture, channels, arrangement, dither, options)
      }
    }
  }

  /// What became of the frames so far.
  public var counters: Counters { counted.counters.withLock { $0 } }

  /// Begins to take frames.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Gives the rendered frames in the order in which they came.
  public final class Iterator: AsyncIteratorProtocol {
    private let stream: FrameStream
    private let queue: FrameQueue<Picture>
    private let bitmaps = ReusableBitmaps<Sample>()
    private let intake: Task<Void, Never>
    private var isOver = false

    fileprivate init(_ stream: FrameStream) {
      self.stream = stream
      let queue = FrameQueue<Picture>(depth: stream.depth)
      self.queue = queue
      intake = Task {
        var number = 0
        do {
          for try await frame in stream.frames {
            let arrival = ContinuousClock.now
            stream.frameArrived?()
            if stream.overflow == .block { await queue.waitForSlot() }
            if Task.isCancelled { break }
            // A pushed frame may be rendered at once, so it is counted before.
            stream.counted.counters.withLock { $0.produced += 1 }
            if queue.push(
              (number, stream.picture(frame), arrival),
              droppingOldest: stream.overflow == .dropOldest)
            {
              stream.counted.counters.withLock { $0.dropped += 1 }
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

    /// Takes no more frames, and keeps no bitmaps.
    private func end() {
      isOver = true
      intake.cancel()
      queue.end(nil)
      bitmaps.removeAll()
    }

    private func nextRendered() async throws -> Frame? {
      let queue = queue
      let item = try await withTaskCancellationHandler {
        try await queue.pop()
      } onCancel: {
        queue.end(CancellationError())
      }
      guard let (number, source, arrival) = item else { return nil }
      let bitmap = try await stream.render(source, bitmaps)
      let latency = ContinuousClock.now - arrival
      stream.counted.counters.withLock {
        $0.rendered += 1
        if $0.longestLatency < latency { $0.longestLatency = latency }
      }
      return Frame(number: number, bitmap: bitmap, latency: latency)
    }
  }
}

/// The bitmaps of the last frames, which are rendered into again once the consumer has released them.
private final class ReusableBitmaps<Sample: PixelSample>: Sendable {
  /// Enough for a consumer that holds one frame while the next is rendered.
  private let limit = 2
  private let bitmaps = Mutex<[Bitmap<Sample>]>([])

  /// Renders a picture as ``Picture/render(as:channels:arrangement:dither:options:)`` does.
  func render(
    _ picture: Picture, _ channels: Channels?, _ arrangement: Arrangement, _ dither: Dither?,
    _ options: RenderOptions
  ) throws(RenderError) -> Bitmap<Sample> {
    try picture.checkRenders(options)
    if var bitmap = takeReleased(fitting: picture, channels ?? picture.usualChannels) {
      try picture.render(into: &bitmap, dither: dither, options: options)
      keep(bitmap)
      return bitmap
    }
    let bitmap: Bitmap<Sample> = try picture.render(
      channels: channels, arrangement: arrangement, dither: dither, options: options)
    keep(bitmap)
    return bitmap
  }

  /// Takes a bitmap that nobody else holds, if it has the form that the picture is rendered to. All have the same arrangement.
  ///
  /// Bitmaps of other forms that nobody else holds are released, so that they take no memory beside that of the rendering.
  private func takeReleased(fitting picture: Picture, _ channels: Channels) -> Bitmap<Sample>? {
    bitmaps.withLock { bitmaps in
      func fits(_ bitmap: Bitmap<Sample>) -> Bool {
        bitmap.size == picture.size && bitmap.channels == channels && bitmap.space == picture.space
      }
      for index in bitmaps.indices.reversed()
      where !bitmaps[index].mustCopy() && !fits(bitmaps[index]) {
        bitmaps.remove(at: index)
      }
      let index = bitmaps.indices.first { !bitmaps[$0].mustCopy() && fits(bitmaps[$0]) }
      return index.map { bitmaps.remove(at: $0) }
    }
  }

  /// Keeps a bitmap instead of the oldest one.
  private func keep(_ bitmap: Bitmap<Sample>) {
    bitmaps.withLock { bitmaps in
      if bitmaps.count == limit { bitmaps.removeFirst() }
      bitmaps.append(bitmap)
    }
  }

  /// Releases all bitmaps.
  func removeAll() { bitmaps.withLock { $0 = [] } }
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
  func waitForSlot() async {
    await withCheckedContinuation { continuation in
      let hasSlot = state.withLock { state in
        if state.items.count < depth || state.end != nil { return true }
        state.bringer = continuation
        return false
      }
      if hasSlot { continuation.resume() }
    }
  }

  /// Adds a frame; where the queue is full, it or the oldest is dropped. Returns whether one was.
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
