import ColorSpaces
import Dispatch
import FilterGraph
import Foundation
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

@Suite(.endsDeadlocks) struct RenderQueueTests {
  /// The events so far.
  private final class Log: Sendable {
    struct State {
      var inside = 0
      var most = 0
      var order: [Int] = []
    }

    private let state = Mutex(State())
    var most: Int { state.withLock { $0.most } }
    var order: [Int] { state.withLock { $0.order } }

    func enter(_ index: Int) {
      state.withLock { state in
        state.inside += 1
        state.most = max(state.most, state.inside)
        state.order.append(index)
      }
    }

    func leave() { state.withLock { $0.inside -= 1 } }
  }

  @Test func slotsLimitConcurrentRenderings() async throws {
    let queue = RenderQueue(limit: 3)
    let log = Log()
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<400 {
        group.addTask {
          let isDone: Bool? = await queue.run { _ in
            log.enter(index)
            usleep(200)
            log.leave()
            return true
          }
          return isDone == true
        }
      }
      for await isDone in group { #expect(isDone) }
    }
    #expect(Set(log.order) == Set(0..<400))
    #expect(log.most <= 3)
    #expect(queue.counts == (0, 0))
  }

  @Test func excessRenderingsWaitInOrder() async throws {
    let queue = RenderQueue(limit: 1)
    let log = Log()
    let gate = DispatchSemaphore(value: 0)
    async let first = queue.run { _ in gate.wait() }
    while queue.counts.running == 0 { await Task.yield() }
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        group.addTask { _ = await queue.run { _ in log.enter(index) } }
        while queue.counts.waiting == index { await Task.yield() }
      }
      gate.signal()
    }
    _ = await first
    #expect(log.order == Array(0..<20))
  }

  /// Cancelled tasks leave the queue at once, whatever runs; so do renderings whose `isCancelled` returns true.
  @Test func waitingRenderingsCanBeCancelled() async throws {
    let queue = RenderQueue(limit: 1)
    let gate = DispatchSemaphore(value: 0)
    let log = Log()
    async let first = queue.run { _ in gate.wait() }
    while queue.counts.running == 0 { await Task.yield() }
    let task = Task { () -> Bool in
      let value: Void? = await queue.run { _ in log.enter(1) }
      return value == nil
    }
    while queue.counts.waiting == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value)
    let flag = Log()
    async let asked = queue.run(isCancelled: { !flag.order.isEmpty }) { _ in log.enter(2) }
    while queue.counts.waiting == 0 { await Task.yield() }
    flag.enter(0)
    #expect(await asked == nil)
    #expect(queue.counts == (1, 0))
    gate.signal()
    _ = await first
    #expect(log.order.isEmpty)
    #expect(await queue.run { _ in 5 } == 5)
  }

  @Test func renderingsCanBeCancelledAtAnyMoment() async throws {
    let queue = RenderQueue(limit: 2)
    for _ in 0..<20 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 {
          group.addTask { _ = await queue.run { $0() } }
          if Bool.random() { await Task.yield() }
        }
        group.cancelAll()
      }
      #expect(queue.counts == (0, 0))
    }
  }

  /// Whoever is cancelled leaves by its own number: the others are all rendered.
  @Test func cancellingOneRenderingLeavesTheOthers() async throws {
    let queue = RenderQueue(limit: 1)
    for _ in 0..<200 {
      await withTaskGroup(of: Bool.self) { group in
        for index in 0..<24 {
          let task = Task { await queue.run { _ in true } }
          if index.isMultiple(of: 2) {
            group.addTask {
              task.cancel()
              _ = await task.value
              return true
            }
          } else {
            group.addTask { await task.value == true }
          }
        }
        for await isRight in group { #expect(isRight) }
      }
    }
    #expect(queue.counts == (0, 0))
  }

  /// Renderings whose rows are rendered by other renderings do not deadlock, whatever their number.
  @Test func nestedRenderingsDoNotDeadlock() async throws {
    let inner = Picture(TestPictures.codes(as: UInt8.self, PixelSize(20, 30), channels: .rgb))
      .exposure(1)
    let expected = try inner.render(as: UInt8.self)
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 1
    try await withThrowingTaskGroup(of: Bitmap<UInt8>.self) { group in
      for _ in 0..<count {
        // Two levels deep.
        let middle = Picture(AwaitedRows(of: inner))
        group.addTask { try await Picture(AwaitedRows(of: middle)).renderInBackground() }
      }
      for try await bitmap in group { #expect(bitmap == expected) }
    }
  }

  /// Renderings that wait for each other's blocks do not deadlock, with others that wait for a slot.
  @Test func renderingsWithASharedCacheDoNotDeadlock() async throws {
    let source = Picture(TestPictures.floats(PixelSize(90, 70)))
    let expected = try source.boxBlurred(radius: 2).boxBlurred(radius: 1).render(as: Float.self)
    for limit in [0, 4000, 1 << 24] {
      let cache = PictureCache(bytes: limit, blockSide: 16)
      let kept = source.boxBlurred(radius: 2).cached(in: cache).boxBlurred(radius: 1)
        .cached(in: cache)
      try await withThrowingTaskGroup(of: Bitmap<Float>.self) { group in
        for index in 0..<40 {
          var options = RenderOptions()
          options.tile = PixelSize(7 + index, 9)
          let chosen = options
          group.addTask { try await kept.renderInBackground(options: chosen) }
        }
        for try await bitmap in group { #expect(bitmap.firstDifference(from: expected) == nil) }
      }
    }
  }

  /// A rendering that waits for another one's block can be cancelled, however long that takes.
  @Test func waitingForABlockCanBeCancelled() async throws {
    let latch = Latch()
    let cache = PictureCache(bytes: 1 << 20)
    let picture = Picture(Closed(latch: latch), in: .sRGB)
      .cropped(to: Region(PixelSize(16, 16))).boxBlurred(radius: 1).cached(in: cache)
    async let first = onAThread { try? picture.render(as: UInt8.self) }
    await onAThread { latch.waitForVisitor() }
    var options = RenderOptions()
    let log = Log()
    // It is called before steps of the only tile, then while waiting for the block.
    options.isCancelled = {
      log.enter(0)
      return log.order.count > 4
    }
    let chosen = options
    let result = await onAThread {
      Result { () throws(RenderError) -> Bitmap<UInt8> in try picture.render(options: chosen) }
    }
    #expect(throws: RenderError.cancelled) { try result.get() }
    latch.open()
    #expect(await first != nil)
  }
}

/// Blocks callers until it is opened.
private final class Latch: Sendable {
  private let (visited, opened) = (DispatchSemaphore(value: 0), DispatchGroup())

  init() { opened.enter() }

  func pass() {
    visited.signal()
    opened.wait()
  }

  func waitForVisitor() { visited.wait() }
  func open() { opened.leave() }
}

/// A painter that waits until a latch is opened.
private struct Closed: Painter {
  let latch: Latch

  func pixel(x: Int, y: Int) -> SIMD4<Double> { SIMD4(0, 0, 0, 1) }

  func render(into output: Tile) {
    latch.pass()
    for y in output.region.rows { for x in output.region.columns { output[x, y] = [0, 0, 0, 1] } }
  }

  static func == (a: Closed, b: Closed) -> Bool { a.latch === b.latch }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(latch)) }
}

/// The rows of a picture that is rendered at the first request, in a task that the reader waits for.
private struct AwaitedRows: RowSource {
  let picture: Picture

  init(of picture: Picture) { self.picture = picture }

  var size: PixelSize { picture.size }
  var space: ColorSpace { picture.space }
  var channels: Channels { .rgb }
  var alpha: Alpha { .straight }
  var format: SampleFormat { .uint8 }

  func makeReader() -> any RowReader {
    let rendered = Mutex<Bitmap<UInt8>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task {
      let bitmap: Bitmap<UInt8>? = try? await picture.renderInBackground()
      rendered.withLock { $0 = bitmap }
      done.signal()
    }
    done.wait()
    return Reader(rendered.withLock(\.self))
  }

  private final class Reader: RowReader {
    private let bitmap: Bitmap<UInt8>?
    private var y = 0

    init(_ bitmap: Bitmap<UInt8>?) { self.bitmap = bitmap }

    func readRow(into row: UnsafeMutableRawBufferPointer) throws {
      guard let bitmap else { throw RenderError.cancelled }
      bitmap.withUnsafeRow(y) { row.copyMemory(from: UnsafeRawBufferPointer($0)) }
      y += 1
    }
  }
}
