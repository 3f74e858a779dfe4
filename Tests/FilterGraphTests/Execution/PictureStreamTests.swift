import ColorSpaces
import FilterGraph
import ImageBuffer
import Synchronization
import Testing
import _TestSupport

/// Streams whose frames are pictures.
@Suite struct PictureStreamTests {
  private static func picture(_ number: Int) -> Picture {
    Picture(
      Bitmap<UInt8>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { _, _ in
        [UInt8(number), 0, 0]
      })
  }

  private static func stream(of pictures: [Picture]) -> AsyncStream<Picture> {
    AsyncStream { continuation in
      for picture in pictures { continuation.yield(picture) }
      continuation.finish()
    }
  }

  /// Colors of sRGB that were stored in 8 bits of Display P3, and are bitmaps of 16 bits now.
  @Test func masksKnowThePrecisionOfPictures() async throws {
    var random = SeededGenerator(seed: 3)
    let bitmap = Bitmap<UInt16>(PixelSize(64, 64), in: .displayP3, channels: .rgb) { x, y in
      var color = SIMD3<Double>.random(in: 0...1, using: &random)
      color[x % 3] = Double(y % 2)
      let values = ColorPoint(color, in: .sRGB).converted(to: .displayP3).components
      return (0..<3).map { 257 * UInt16((255 * min(max(values[$0], 0), 1)).rounded()) }
    }
    let picture = Picture(
      AnyBitmap(bitmap), precision: ColorPrecision(.uint8, in: .displayP3))
    func marked(_ mask: Bitmap<UInt8>?) throws -> Int {
      let mask = try #require(mask)
      return (0..<64).reduce(0) { count, y in count + (0..<64).count { mask[$0, y, 0] > 0 } }
    }
    let filter: @Sendable (Picture) -> Picture = { $0.gamutMask(outside: .sRGB, marking: .mask) }
    let pictures = FrameStream(Self.stream(of: [picture]), as: UInt8.self, filter)
    #expect(try await marked(pictures.makeAsyncIterator().next()?.bitmap) == 0)
    // A bitmap does not say how its samples were stored before.
    let (bitmaps, frames) = AsyncStream.makeStream(of: Bitmap<UInt16>.self)
    frames.yield(bitmap)
    let others = FrameStream(bitmaps, as: UInt8.self, filter)
    #expect(try await marked(others.makeAsyncIterator().next()?.bitmap) > 400)
  }

  @Test func stepsOfPicturesAreRendered() async throws {
    let pictures = (0..<20).map { Self.picture(10 * $0).exposure(-0.5) }
    let stream = FrameStream(Self.stream(of: pictures), when: .block, as: UInt8.self) {
      $0.inverted()
    }
    var numbers: [Int] = []
    for try await frame in stream {
      numbers.append(frame.number)
      #expect(
        try frame.bitmap == pictures[frame.number].inverted().render(as: UInt8.self),
        "frame \(frame.number)")
    }
    #expect(numbers == Array(0..<20))
  }

  /// Dropped pictures release their bitmaps, and are counted.
  @Test(.endsDeadlocks) func picturesAreDropped() async throws {
    final class Counter: Sendable { let alive = Mutex(0) }
    let counter = Counter()
    func wrapped(_ number: Int) throws -> Picture {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
      memory.copyBytes(from: [UInt8(number), 0, 0])
      let address = Int(bitPattern: memory.baseAddress)
      counter.alive.withLock { $0 += 1 }
      let bitmap = try Bitmap<UInt8>(
        wrapping: UnsafeRawBufferPointer(memory), PixelSize(1, 1), in: .sRGB, channels: .rgb
      ) {
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        counter.alive.withLock { $0 -= 1 }
      }
      return Picture(bitmap)
    }
    let (source, frames) = AsyncStream.makeStream(of: Picture.self)
    let stream = FrameStream(source, when: .dropOldest, depth: 2, as: UInt8.self) { $0 }
    let iterator = stream.makeAsyncIterator()
    frames.yield(try wrapped(0))
    #expect(try await iterator.next()?.number == 0)
    for number in 1...30 { frames.yield(try wrapped(number)) }
    frames.finish()
    // A frame is counted as dropped after it was pushed, and as produced before.
    while stream.counters.dropped < 28 { await Task.yield() }
    #expect(stream.counters.produced == 31)
    // The two that wait. Threads and tasks may release the others a little later.
    while counter.alive.withLock({ $0 }) > 2 { await Task.yield() }
    for number in [29, 30] {
      let frame = try #require(try await iterator.next())
      #expect(frame.number == number && frame.bitmap[0, 0, 0] == UInt8(number))
    }
    #expect(try await iterator.next() == nil)
    while counter.alive.withLock({ $0 }) > 0 { await Task.yield() }
  }

  /// A picture that cannot be rendered ends the stream when its turn comes.
  @Test func errorsOfPicturesFollowTheFramesBefore() async throws {
    let pictures = [Self.picture(1), Self.picture(2).resized(to: .exact(0, 1)), Self.picture(3)]
    let iterator = FrameStream(Self.stream(of: pictures), when: .block, as: UInt8.self) { $0 }
      .makeAsyncIterator()
    #expect(try await iterator.next()?.bitmap[0, 0, 0] == 1)
    await #expect(throws: RenderError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }
}
