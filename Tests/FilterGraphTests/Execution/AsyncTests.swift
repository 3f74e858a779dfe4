import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

@Suite struct AsyncTests {
  private static let picture = Picture(Ramp(), in: .displayP3)
    .cropped(to: Region(PixelSize(300, 200))).exposure(1).converted(to: .sRGB)

  @Test func theSamePixelsAndProgressUpToOne() async throws {
    var options = RenderOptions()
    options.tile = PixelSize(50, 50)
    let rendering = Self.picture.startRendering(as: UInt8.self, options: options)
    var last = 0.0
    for await progress in rendering.progress {
      #expect(progress > last)
      last = progress
    }
    #expect(last == 1)
    #expect(try await rendering.bitmap == Self.picture.render(as: UInt8.self))
  }

  @Test func theSameFormsAsOfRendering() async throws {
    let forms: [(Channels?, Arrangement, Dither?)] = [
      (.bgra, .interleaved, .ordered), (.gray, .planar, .errorDiffusion), (nil, .planar, nil),
    ]
    let source = TestPictures.codes(as: UInt16.self, PixelSize(40, 30), channels: .rgb)
    let picture = Picture(source).exposure(-1)
    for (channels, arrangement, dither) in forms {
      let expected = try picture.render(
        as: UInt8.self, channels: channels, arrangement: arrangement, dither: dither)
      let rendered = try await picture.renderInBackground(
        as: UInt8.self, channels: channels, arrangement: arrangement, dither: dither)
      let rendering = picture.startRendering(
        as: UInt8.self, channels: channels, arrangement: arrangement, dither: dither)
      let stream = FrameStream(
        AsyncStream { frames in
          frames.yield(source)
          frames.finish()
        }, as: UInt8.self, channels: channels, arrangement: arrangement, dither: dither
      ) { $0.exposure(-1) }
      var results = [rendered, try await rendering.bitmap]
      for try await frame in stream { results.append(frame.bitmap) }
      #expect(results == [expected, expected, expected])
      #expect(results.allSatisfy { $0.arrangement == arrangement })
    }
  }

  @Test func measuresAreTheSameInTheBackground() async throws {
    let picture = Self.picture
    #expect(
      try await picture.inBackground { try $0.statistics(options: $1) } == picture.statistics())
    let counts = try await picture.inBackground { try $0.histogram(steps: 16, options: $1) }
    #expect(try counts == picture.histogram(steps: 16))
    // Errors of the work are passed on as they are.
    struct Failure: Error {}
    await #expect(throws: Failure.self) {
      try await picture.inBackground { _, _ in throw Failure() }
    }
    // The options of the caller arrive.
    var options = RenderOptions()
    options.pixelLimit = 10
    let chosen = options
    await #expect(throws: RenderError.self) {
      try await picture.inBackground(options: chosen) { try $0.statistics(options: $1) }
    }
  }

  @Test func measuresInTheBackgroundAreCancelled() async throws {
    try await promptly {
      final class State: Sendable { let begun = Atomic(false) }
      let state = State()
      let task = Task {
        try await Self.picture.inBackground { picture, options in
          state.begun.store(true, ordering: .relaxed)
          // Until the task is cancelled; then the measure ends at once.
          while options.isCancelled?() != true {}
          return try picture.statistics(options: options)
        }
      }
      while !state.begun.load(ordering: .relaxed) { await Task.yield() }
      task.cancel()
      await #expect(throws: RenderError.cancelled) { _ = try await task.value }
    }
  }

  @Test func cancellingStopsWithinATile() async throws {
    try await promptly {
      final class State: Sendable {
        let tiles = Atomic(0)
        let isCancelled = Atomic(false)
      }
      let state = State()
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(1, 1), 1)
      // The first tile lasts until the rendering is cancelled.
      options.progress = { _ in
        state.tiles.add(1, ordering: .relaxed)
        while !state.isCancelled.load(ordering: .relaxed) {}
      }
      let rendering = Self.picture.startRendering(as: UInt8.self, options: options)
      while state.tiles.load(ordering: .relaxed) == 0 { await Task.yield() }
      rendering.cancel()
      state.isCancelled.store(true, ordering: .relaxed)
      await #expect(throws: RenderError.cancelled) { try await rendering.bitmap }
      #expect(state.tiles.load(ordering: .relaxed) == 1)
    }
  }

  /// Cancelling a task that waits for a rendering cancels the rendering.
  @Test func cancellingTheWaitingTaskStopsTheRendering() async throws {
    try await promptly {
      let (begun, isBegun) = AsyncStream.makeStream(of: Void.self)
      let isCancelled = Mutex(false)
      var options = RenderOptions()
      (options.tile, options.threads) = (PixelSize(1, 1), 1)
      options.progress = { _ in
        isBegun.yield()
        while !isCancelled.withLock(\.self) { Thread.sleep(forTimeInterval: 0.001) }
      }
      let rendering = Self.picture.startRendering(as: UInt8.self, options: options)
      let waiting = Task { try await rendering.bitmap }
      for await _ in begun { break }
      waiting.cancel()
      isCancelled.withLock { $0 = true }
      await #expect(throws: RenderError.cancelled) { try await waiting.value }
    }
  }

  @Test func aCancelledTaskRendersNothing() async throws {
    let task = Task { () -> Result<Bitmap<UInt8>, RenderError> in
      while !Task.isCancelled { await Task.yield() }
      do throws(RenderError) {
        return .success(try await Self.picture.renderInBackground())
      } catch {
        return .failure(error)
      }
    }
    task.cancel()
    await #expect(throws: RenderError.cancelled) { try await task.value.get() }
  }

  @Test func manyTasksAtOnce() async throws {
    let expected = try Self.picture.render(as: UInt16.self)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { try await Self.picture.renderInBackground(as: UInt16.self) == expected }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }

  /// Asynchronous renderings wait for a slot; synchronous ones never do.
  @Test(.endsDeadlocks) func longRenderingsDoNotDelaySynchronousOnes() async throws {
    try await promptly {
      let gate = Gate()
      let long = Picture(Busy(until: gate), in: .sRGB).cropped(to: Region(PixelSize(8, 8)))
      let count = 2 * ProcessInfo.processInfo.activeProcessorCount
      try await withThrowingTaskGroup(of: Bitmap<Float>.self) { group in
        for _ in 0..<count { group.addTask { try await long.renderInBackground() } }
        while gate.entered == 0 { await Task.yield() }
        let short = await onAThread { try? Self.picture.render(as: UInt8.self) }
        #expect(short?.size == Self.picture.size)
        gate.open()
        try await group.waitForAll()
      }
      #expect(gate.entered == count)
    }
  }

  /// While two renderings run, each has half of the cores.
  @Test(.endsDeadlocks) func renderingsShareTheCores() async throws {
    try await promptly {
      let cores = ProcessInfo.processInfo.activeProcessorCount
      let (gate, otherGate) = (Gate(), Gate())
      var options = RenderOptions()
      options.tile = PixelSize(8, 8)
      let begun = options
      let picture = Picture(Busy(until: gate), in: .sRGB).cropped(to: Region(PixelSize(256, 256)))
      let other = Picture(Busy(until: otherGate), in: .sRGB).cropped(to: Region(PixelSize(8, 8)))
      async let first: Bitmap<Float> = picture.renderInBackground(options: begun)
      while gate.entered == 0 { await Task.yield() }
      // On its own thread: it needs no slot while the first rendering has one.
      async let second: Bitmap<Float>? = onAThread { try? other.render(options: begun) }
      while otherGate.entered == 0 { await Task.yield() }
      // Tiles that began before may exceed the share.
      gate.open()
      _ = try await first
      otherGate.open()
      #expect(await second != nil)
      #expect(gate.entered == 32 * 32)
      #expect(gate.mostAtOnceSinceOpened <= max(1, cores / 2))
    }
  }
}

/// Runs with high priority, before the tasks of other tests, whose waiting would keep the cores busy.
private func promptly(_ body: @escaping @Sendable () async throws -> Void) async throws {
  try await Task(priority: .high, operation: body).value
}

/// Counts its callers, and blocks them until it is opened.
private final class Gate: Sendable {
  private struct State {
    var entered = 0
    var isOpen = false
    /// The callers that came before it was opened and are still blocked.
    var early = 0
    var inside = 0
    var mostInside = 0
  }

  private let state = Mutex(State())

  var entered: Int { state.withLock { $0.entered } }
  var isOpen: Bool { state.withLock { $0.isOpen } }
  var mostAtOnceSinceOpened: Int { state.withLock { $0.mostInside } }

  func open() { state.withLock { $0.isOpen = true } }

  func pass() {
    let isEarly = state.withLock { state in
      state.entered += 1
      if state.isOpen {
        state.inside += 1
        if state.early == 0 { state.mostInside = max(state.mostInside, state.inside) }
      } else {
        state.early += 1
      }
      return !state.isOpen
    }
    while !isOpen {}
    state.withLock { if isEarly { $0.early -= 1 } else { $0.inside -= 1 } }
  }
}

/// A painter that keeps a core busy until a gate is opened.
private struct Busy: Painter {
  let gate: Gate

  init(until gate: Gate) { self.gate = gate }

  func pixel(x: Int, y: Int) -> SIMD4<Double> { SIMD4(0, 0, 0, 1) }

  func render(into output: Tile) {
    gate.pass()
    for y in output.region.rows { for x in output.region.columns { output[x, y] = [0, 0, 0, 1] } }
  }

  static func == (a: Busy, b: Busy) -> Bool { a.gate === b.gate }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(gate)) }
}

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

  /// The latency includes the time that a frame waits for room: the third one comes while the first one is held, and is rendered after the
  /// second one is held, too. On a busy machine it may come late, and each try holds frames for twice as long.
  @Test func latencyIncludesBackPressure() async throws {
    for hold in (0..<8).map({ Duration.milliseconds(50 << $0) }) {
      let stream = FrameStream(Self.frames(4), when: .block, as: UInt8.self) { $0 }
      var latencies: [Duration] = []
      for try await frame in stream {
        latencies.append(frame.latency)
        while stream.counters.produced < 2 { await Task.yield() }
        try await Task.sleep(for: hold)
      }
      #expect(stream.counters.longestLatency == latencies.max())
      if latencies[2] >= hold * 1.5 { return }
    }
    Issue.record("No frame waited for as long as the two before it were held.")
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
      let camera = Camera(count: 90)
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
      #expect(camera.mostAlive <= depth + 3)
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
    func stream() -> FrameStream<AsyncStream<Bitmap<UInt8>>, UInt8, UInt8> {
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
    var held: [Bitmap<UInt8>] = []
    let second = stream().makeAsyncIterator()
    while let frame = try await second.next() { held.append(frame.bitmap) }
    let isCopied = withExtendedLifetime(second) { held[11].mustCopy() }
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
}

/// Produces three frames for each that is rendered, and counts those in memory.
private final class Camera: AsyncSequence, Sendable {
  private struct State {
    var given = 0
    var begun = 0
    var alive = 0
    var mostAlive = 0
  }

  private let count: Int
  private let state = Mutex(State())

  init(count: Int) { self.count = count }

  var alive: Int { state.withLock { $0.alive } }
  var mostAlive: Int { state.withLock { $0.mostAlive } }

  func beginRendering() { state.withLock { $0.begun += 1 } }

  /// Whether all frames have arrived that arrive while the ones before are rendered.
  var haveFramesCome: Bool { state.withLock { $0.given >= Swift.min(count, 3 * $0.begun + 3) } }

  func makeAsyncIterator() -> Iterator { Iterator(camera: self) }

  struct Iterator: AsyncIteratorProtocol {
    let camera: Camera

    func next() async throws -> Bitmap<UInt8>? {
      while true {
        let number = camera.state.withLock { state -> Int? in
          guard state.given < Swift.min(camera.count, 3 * state.begun + 3) else { return nil }
          state.given += 1
          state.alive += 1
          state.mostAlive = Swift.max(state.mostAlive, state.alive)
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
