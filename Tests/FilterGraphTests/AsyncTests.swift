import ColorSpaces
import FilterGraph
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
    let rendering = Self.picture.rendering(as: UInt8.self, options: options)
    var last = 0.0
    for await progress in rendering.progress {
      #expect(progress > last)
      last = progress
    }
    #expect(last == 1)
    #expect(try await rendering.bitmap == Self.picture.render(as: UInt8.self))
  }

  @Test func cancellingStopsWithinATile() async throws {
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
    let rendering = Self.picture.rendering(as: UInt8.self, options: options)
    while state.tiles.load(ordering: .relaxed) == 0 { await Task.yield() }
    rendering.cancel()
    state.isCancelled.store(true, ordering: .relaxed)
    await #expect(throws: RenderError.cancelled) { try await rendering.bitmap }
    #expect(state.tiles.load(ordering: .relaxed) == 1)
  }

  @Test func aCancelledTaskRendersNothing() async throws {
    let task = Task { () -> Result<Bitmap<UInt8>, RenderError> in
      while !Task.isCancelled { await Task.yield() }
      do throws(RenderError) {
        return .success(try await Self.picture.rendered())
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
        group.addTask { try await Self.picture.rendered(as: UInt16.self) == expected }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
  }
}

/// Streams of frames.
@Suite struct FrameStreamTests {
  private static func frame(_ number: Int) -> Bitmap<UInt8> {
    Bitmap(PixelSize(2, 1), in: .sRGB, channels: .rgb) { _, _ in [UInt8(number), 0, 0] }
  }

  private static func frames(_ count: Int) -> AsyncStream<Bitmap<UInt8>> {
    AsyncStream { continuation in
      for number in 0..<count { continuation.yield(frame(number)) }
      continuation.finish()
    }
  }

  @Test func blockingLosesNoFrame() async throws {
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

  /// Whatever the speed of both sides: frames come in order, none twice, and each is either rendered or counted as dropped.
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
    // While the first frame was looked at all others came; three of them could wait.
    #expect(counters.dropped >= 190)
    #expect(numbers.last == (oldest ? 199 : numbers.last))
    if oldest { #expect(numbers.suffix(3) == [197, 198, 199]) }
  }

  @Test func errorsOfTheSourceComeAfterItsFrames() async throws {
    struct Broken: Error {}
    let source = AsyncThrowingStream<Bitmap<UInt8>, any Error> { continuation in
      continuation.yield(Self.frame(1))
      continuation.finish(throwing: Broken())
    }
    let iterator = FrameStream(source, when: .block, as: UInt8.self) { $0 }.makeAsyncIterator()
    #expect(try await iterator.next()?.number == 0)
    await #expect(throws: Broken.self) { try await iterator.next() }
  }

  @Test func errorsOfAFilterAreThrown() async throws {
    let stream = FrameStream(Self.frames(3), when: .block, as: UInt8.self) {
      $0.resized(to: .exact(0, 1))
    }
    await #expect(throws: RenderError.self) { for try await _ in stream {} }
  }
}
