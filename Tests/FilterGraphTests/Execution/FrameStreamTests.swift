import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Streams of frames.
@Suite struct FrameStreamTests {
  private static func frame(_ number: Int) -> Bitmap<UInt8> {
    Bitmap(PixelSize(2, 1), in: .sRGB, channels: .rgb) { _, _ in [UInt8(number), 0, 0] }
  }

  private static func frames(_ count: Int) -> AsyncStream<Bitmap<UInt8>> {
    stream(of: (0..<count).map { frame($0) })
  }

  private static func stream(of frames: [Bitmap<UInt8>]) -> AsyncStream<Bitmap<UInt8>> {
    AsyncStream { continuation in
      for frame in frames { continuation.yield(frame) }
      continuation.finish()
    }
  }

  @Test func backPressureDropsNoFrame() async throws {
    let stream = FrameStream(Self.frames(50), when: .block, depth: 2, as: UInt8.self) {
      $0.inverted()
    }
    var numbers: [Int] = []
    for try await frame in stream {
      numbers.append(frame.number)
      #expect(frame.bitmap[0, 0, 0] == 255 - UInt8(frame.number))
    }
    #expect(numbers == Array(0..<50))
    #expect(stream.counters.rendered == 50)
    #expect(stream.counters.produced == 50)
    #expect(stream.counters.dropped == 0)
  }

  /// The consumer of the first frame continues where the frame is pushed, so nothing can be counted in between.
  @Test func framesAreCountedBeforeTheyAreRendered() async throws {
    let (source, frames) = AsyncStream.makeStream(of: Bitmap<UInt8>.self)
    final class Counts: Sendable {
      let read = Mutex<(@Sendable () -> Int)?>(nil)
      let produced = Mutex<[Int]>([])
    }
    let counts = Counts()
    let stream = FrameStream(source, when: .dropOldest, as: UInt8.self) { picture in
      if let count = counts.read.withLock({ $0 })?() {
        counts.produced.withLock { $0.append(count) }
      }
      return picture
    }
    counts.read.withLock { $0 = { stream.counters.produced } }
    // It waits for a frame when this returns.
    let consumer = Task(executorPreference: InlineExecutor.shared) {
      try await stream.makeAsyncIterator().next()?.number
    }
    frames.yield(Self.frame(1))
    #expect(try await consumer.value == 0)
    frames.finish()
    counts.read.withLock { $0 = nil }
    #expect(counts.produced.withLock { $0 } == [1])
  }

  /// The third frame arrives while the first one is held, and gets its place in the queue only when the second one is taken. Its latency
  /// covers the whole wait, however long threads are held up.
  @Test(.endsDeadlocks) func latencyIncludesBackPressure() async throws {
    final class Arrivals: Sendable { let times = Mutex<[ContinuousClock.Instant]>([]) }
    let arrivals = Arrivals()
    var stream = FrameStream(Self.frames(3), when: .block, as: UInt8.self) { $0 }
    stream.frameArrived = { arrivals.times.withLock { $0.append(.now) } }
    let iterator = stream.makeAsyncIterator()
    var latencies: [Duration] = []
    latencies.append(try #require(try await iterator.next()).latency)
    while arrivals.times.withLock({ $0.count }) < 3 { await Task.yield() }
    // Long beside the rendering of a frame: that alone must not make up for the wait.
    try await Task.sleep(for: .milliseconds(50))
    latencies.append(try #require(try await iterator.next()).latency)
    let isTaken = ContinuousClock.now
    latencies.append(try #require(try await iterator.next()).latency)
    let third = arrivals.times.withLock { $0[2] }
    #expect(latencies[2] >= isTaken - third)
    #expect(stream.counters.longestLatency == latencies.max())
  }

  /// At any speed of both sides, frames arrive in order, none twice, and each is either rendered or counted as dropped.
  @Test(arguments: [true, false]) func droppingKeepsOrderAndCount(oldest: Bool) async throws {
    let stream = FrameStream(
      Self.frames(200), when: oldest ? .dropOldest : .dropNewest, depth: 3, as: UInt8.self
    ) { $0 }
    var numbers: [Int] = []
    for try await frame in stream {
      numbers.append(frame.number)
      #expect(frame.bitmap[0, 0, 0] == UInt8(frame.number))
      if numbers.count == 1 { while stream.counters.produced < 200 { await Task.yield() } }
    }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    let counters = stream.counters
    #expect(counters.produced == 200)
    #expect(counters.rendered == numbers.count)
    #expect(counters.rendered + counters.dropped == 200)
    // While the first frame was processed all others arrived; three of them could wait: the last ones, or the first ones.
    #expect(counters.dropped >= 190)
    if oldest {
      #expect(numbers.suffix(3) == [197, 198, 199])
    } else {
      #expect(numbers.prefix(3) == [0, 1, 2])
    }
  }

  /// A camera of 30 frames per second before a filter of 10: three frames arrive while one is rendered. Two thirds are
  /// dropped, and no more frames are in memory than wait, are rendered, and are arriving.
  @Test(.endsDeadlocks, arguments: [1, 2, 4])
  func slowFilterDropsTwoThirdsOfTheFrames(depth: Int) async throws {
    try await promptly {
      // Waiting, rendered and arriving ones, and one that the thread of its rendering has not released yet.
      let camera = Camera(count: 90, mostAlive: depth + 3)
      var options = RenderOptions()
      // Rendering takes as long as three frames take to arrive.
      options.isCancelled = {
        while !camera.haveFramesCome {}
        return false
      }
      let stream = FrameStream(
        camera, when: .dropOldest, depth: depth, as: UInt8.self, options: options
      ) {
        camera.beginRendering()
        return $0
      }
      var numbers: [Int] = []
      var longest = Duration.zero
      for try await frame in stream {
        numbers.append(frame.number)
        #expect(frame.bitmap[0, 0, 0] == UInt8(frame.number))
        longest = max(longest, frame.latency)
      }
      #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
      let counters = stream.counters
      #expect(counters.produced == 90)
      #expect(counters.rendered == numbers.count)
      // Frames that wait at the end are rendered without another one arriving, as are those that wait when the first
      // one is taken.
      #expect(abs(counters.dropped - 60) <= depth)
      #expect(counters.dropped + counters.rendered == 90)
      #expect(counters.longestLatency == longest && longest > .zero)
      // The task that took the last frame may not have released it yet.
      while camera.alive > 0 { await Task.yield() }
    }
  }

  /// Frames that the consumer has released are rendered into again, at most two of them; those it holds are not changed.
  @Test func memoryOfReleasedFramesIsUsedAgain() async throws {
    let frames = (0..<12).map { number in
      Bitmap<UInt8>(PixelSize(64, 64), in: .sRGB, channels: .rgb) { x, y in
        [UInt8(16 * number), UInt8(x), UInt8(y)]
      }
    }
    func stream() -> FrameStream<AsyncStream<Bitmap<UInt8>>, UInt8> {
      FrameStream(Self.stream(of: frames), when: .block) { $0.inverted() }
    }
    let expected = try frames.map { try Picture($0).inverted().render(as: UInt8.self) }
    // The others take memory that was freed, so that a new frame cannot be there by chance.
    var (addresses, others): (Set<UInt>, [Bitmap<UInt8>]) = ([], [])
    let iterator = stream().makeAsyncIterator()
    while true {
      do {
        guard let frame = try await iterator.next() else { break }
        #expect(frame.bitmap == expected[frame.number])
        addresses.insert(frame.bitmap.withUnsafeRow(0) { UInt(bitPattern: $0.baseAddress) })
      }
      others.append(Bitmap(frames[0].size, in: .sRGB, channels: .rgb))
    }
    #expect(addresses.count <= 3, "\(addresses)")
    // The consumer continues inside of the call that hands it a frame: whatever the thread of the rendering still holds then is noticed.
    let second = stream()
    let consumer = Task(executorPreference: InlineExecutor.shared) {
      var held: [Bitmap<UInt8>] = []
      let iterator = second.makeAsyncIterator()
      while let frame = try await iterator.next() { held.append(frame.bitmap) }
      let isCopied = withExtendedLifetime(iterator) { held[11].mustCopy() }
      return (held, isCopied)
    }
    let (held, isCopied) = try await consumer.value
    #expect(held == expected && others.count == frames.count && !isCopied)
  }

  /// A stream whose frames change their form renders each to its own.
  @Test func framesOfOtherFormsGetMemoryOfTheirOwn() async throws {
    let forms: [(PixelSize, ColorSpace, Channels)] = [
      (PixelSize(5, 4), .sRGB, .rgb), (PixelSize(5, 4), .sRGB, .rgba),
      (PixelSize(4, 5), .sRGB, .rgb), (PixelSize(5, 4), .linearSRGB, .rgb),
    ]
    let frames = (0..<16).map { number in
      let (size, space, channels) = forms[number % 7 % 4]
      return Bitmap<UInt8>(size, in: space, channels: channels) { x, y in
        (0..<channels.count).map { UInt8(10 * number + 20 * $0 + x * y) }
      }
    }
    let stream = FrameStream(Self.stream(of: frames), when: .block, as: UInt16.self) {
      $0.exposure(-0.5)
    }
    for try await frame in stream {
      let picture = Picture(frames[frame.number]).exposure(-0.5)
      #expect(try frame.bitmap == picture.render(as: UInt16.self), "frame \(frame.number)")
    }
  }

  @Test func sourceErrorsFollowItsFrames() async throws {
    struct Broken: Error {}
    let source = AsyncThrowingStream<Bitmap<UInt8>, any Error> { continuation in
      continuation.yield(Self.frame(1))
      continuation.finish(throwing: Broken())
    }
    let iterator = FrameStream(source, when: .block, as: UInt8.self) { $0 }.makeAsyncIterator()
    #expect(try await iterator.next()?.number == 0)
    await #expect(throws: Broken.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func errorsOfAFilterAreThrown() async throws {
    let stream = FrameStream(Self.frames(3), when: .block, as: UInt8.self) {
      $0.resized(to: .exact(0, 1))
    }
    let iterator = stream.makeAsyncIterator()
    // The frames after it are not rendered.
    await #expect(throws: RenderError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  /// A closure may throw before it has a picture: a recipe, for example, whose input has another name.
  @Test func errorsOfAClosureAreThrown() async throws {
    let photo = Picture(Canary(size: PixelSize(8, 8)), in: .sRGB)
    let recipe = try Recipe(photo.exposure(1), inputs: ["scan": photo])
    let stream = FrameStream(Self.frames(3), when: .block, as: UInt8.self) {
      try recipe.picture(["photo": $0])
    }
    let iterator = stream.makeAsyncIterator()
    await #expect(throws: RecipeBindingError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}

/// Produces three frames for each that is rendered, and counts those in memory. Where there are too many, it waits until some are released,
/// which threads of renderings may do late: if they never do, the stream does not end.
private final class Camera: AsyncSequence, Sendable {
  private struct State {
    var given = 0
    var begun = 0
    var alive = 0
  }

  private let count: Int
  private let mostAlive: Int
  private let state = Mutex(State())

  init(count: Int, mostAlive: Int) { (self.count, self.mostAlive) = (count, mostAlive) }

  var alive: Int { state.withLock { $0.alive } }

  func beginRendering() { state.withLock { $0.begun += 1 } }

  /// Whether all frames have arrived that arrive while the ones before are rendered.
  var haveFramesCome: Bool { state.withLock { $0.given >= Swift.min(count, 3 * $0.begun + 3) } }

  func makeAsyncIterator() -> Iterator { Iterator(camera: self) }

  struct Iterator: AsyncIteratorProtocol {
    let camera: Camera

    func next() async throws -> Bitmap<UInt8>? {
      while true {
        let number = camera.state.withLock { state -> Int? in
          guard state.given < Swift.min(camera.count, 3 * state.begun + 3),
            state.alive < camera.mostAlive
          else { return nil }
          state.given += 1
          state.alive += 1
          return state.given - 1
        }
        if let number { return try camera.frame(number) }
        if camera.state.withLock({ $0.given == camera.count }) { return nil }
        await Task.yield()
      }
    }
  }

  private func frame(_ number: Int) throws -> Bitmap<UInt8> {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 6, alignment: 1)
    for index in memory.indices { memory[index] = index == 0 ? UInt8(number) : 0 }
    let address = Int(bitPattern: memory.baseAddress)
    return try Bitmap(
      wrapping: UnsafeRawBufferPointer(memory), PixelSize(2, 1), in: .sRGB, channels: .rgb
    ) { [self] in
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      state.withLock { $0.alive -= 1 }
    }
  }
}
