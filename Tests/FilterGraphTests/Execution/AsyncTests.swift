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
      for await _ in begun { break }
      // It waits when this returns: a rendering that ends before is not cancelled.
      let waiting = Task(executorPreference: InlineExecutor.shared) { try await rendering.bitmap }
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
func promptly(_ body: @escaping @Sendable () async throws -> Void) async throws {
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
