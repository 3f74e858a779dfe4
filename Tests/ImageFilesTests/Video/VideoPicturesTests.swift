import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import PlatformLibc
import Testing
import _TestSupport

/// The frames of a video as an asynchronous sequence of pictures, alone and before a stream of frames. A time limit ends waits that should
/// have ended; it decides nothing else.
@Suite(.timeLimit(.minutes(30))) struct VideoPicturesTests {
  private let folder: TemporaryFolder
  /// Grays, whose codes of 8 bits are those of their pictures.
  private static let format = VideoFormat(
    PixelSize(5, 3), .gray(bits: 8), isFullRange: true)

  init() throws { folder = try TemporaryFolder() }

  private static func samples(of code: UInt8) -> Data {
    Data(repeating: code, count: format.frameBytes)
  }

  /// A reader of frames with these codes, and of bytes after them.
  private func reader(_ codes: [UInt8], rest: [UInt8] = []) throws -> VideoReader {
    let path = folder.path("in.gray")
    try (codes.reduce(Data()) { $0 + Self.samples(of: $1) } + Data(rest))
      .write(to: URL(filePath: path))
    return try VideoReader(path, samples: Self.format)
  }

  private static func code(of picture: Picture?) throws -> UInt8 {
    try #require(picture).render(as: UInt8.self)[4, 2, 1]
  }

  // MARK: Gamut masks

  /// Colors of sRGB that a camera stores as Y′CbCr of Display P3 in 10 bits.
  private func camera(_ frames: Int) throws -> VideoReader {
    let path = folder.path("camera.y4m")
    let format = VideoFormat(PixelSize(64, 48), .planes(.full, bits: 10))
    let writer = try VideoWriter(path, format)
    var random = SeededGenerator(seed: 17)
    for _ in 0..<frames {
      // On the surface of sRGB, where rounding matters.
      try writer.write(
        Picture(
          Bitmap<Float>(format.size, in: .sRGB, channels: .rgb) { x, y in
            var color = SIMD3<Float>.random(in: 0...1, using: &random)
            color[x % 3] = Float(y % 2)
            return [color.x, color.y, color.z]
          }
        ).converted(to: .displayP3))
    }
    try writer.finish()
    return try VideoReader(path)
  }

  private static let mask: @Sendable (Picture) -> Picture = {
    $0.converted(to: .displayP3).gamutMask(outside: .sRGB, marking: .mask)
  }

  private static func marked(_ mask: Bitmap<UInt8>) -> Int {
    (0..<mask.size.height).reduce(0) { count, y in
      count + (0..<mask.size.width).count { mask[$0, y, 0] > 0 }
    }
  }

  @Test func masksOfAStreamMarkNoRounding() async throws {
    let stream = FrameStream(
      try camera(3).pictures(in: .displayP3), when: .block, as: UInt8.self, Self.mask)
    var numbers: [Int] = []
    for try await frame in stream {
      numbers.append(frame.number)
      #expect(Self.marked(frame.bitmap) == 0, "frame \(frame.number)")
    }
    #expect(numbers == [0, 1, 2])
    // The test sees rounding: the same frames as bitmaps of their samples do not have the precision of the codes.
    let reader = try camera(1)
    let (source, frames) = AsyncStream.makeStream(of: Bitmap<UInt16>.self)
    frames.yield(try #require(try reader.next(in: .displayP3)))
    let others = FrameStream(source, as: UInt8.self, Self.mask).makeAsyncIterator()
    let other = try #require(try await others.next())
    #expect(Self.marked(other.bitmap) > other.bitmap.size.pixelCount / 10)
  }

  @Test func masksOfAStreamMarkWideColors() async throws {
    let path = folder.path("wide.y4m")
    let format = VideoFormat(PixelSize(4, 2), .planes(.full, bits: 10))
    let writer = try VideoWriter(path, format)
    try await writer.write(
      Bitmap<UInt16>(format.size, in: .displayP3, channels: .rgb) { x, _ in
        x < 2 ? [62_000, 6_000, 6_000] : [30_000, 30_000, 30_000]
      })
    try await writer.finish()
    let pictures = try VideoReader(path).pictures(in: .displayP3)
    for try await frame in FrameStream(pictures, when: .block, as: UInt8.self, Self.mask) {
      #expect((0..<4).map { frame.bitmap[$0, 1, 0] } == [255, 255, 0, 0])
    }
  }

  // MARK: Order, drops and memory

  @Test func picturesComeInOrder() async throws {
    let codes: [UInt8] = [3, 250, 0, 90, 91]
    var found: [UInt8] = []
    for try await picture in try reader(codes).pictures(in: .rec709) {
      #expect(picture.space == .rec709)
      found.append(try Self.code(of: picture))
    }
    #expect(found == codes)
    var iterator = try reader([]).pictures(in: .rec709).makeAsyncIterator()
    #expect(try await iterator.next() == nil)
    #expect(try await iterator.next() == nil)
  }

  /// While the first frame is held, all others are read. The last two wait, and the others are dropped.
  @Test func framesOfAStreamAreRenderedOrDropped() async throws {
    let reader = try reader(Array(0..<40))
    let stream = FrameStream(
      reader.pictures(in: .rec709), when: .dropOldest, depth: 2, as: UInt8.self
    ) { $0.inverted() }
    var numbers: [Int] = []
    for try await frame in stream {
      numbers.append(frame.number)
      #expect(frame.bitmap[0, 0, 0] == 255 - UInt8(frame.number))
      // A frame is counted as dropped after it was pushed, and as produced before.
      while stream.counters.dropped < 37 { await Task.yield() }
    }
    #expect(numbers.count == 3 && numbers.suffix(2) == [38, 39])
    #expect(stream.counters.rendered == 3 && stream.counters.dropped == 37)
  }

  @Test func memoryOfReleasedPicturesIsUsedAgain() async throws {
    let reader = try reader(Array(0..<20))
    for try await picture in reader.pictures(in: .rec709) { _ = try Self.code(of: picture) }
    #expect(reader.keptBitmapCount == 1)
    // Pictures that are held keep their samples, however many there are.
    let other = try self.reader(Array(0..<20))
    var held: [Picture] = []
    for try await picture in other.pictures(in: .rec709) { held.append(picture) }
    #expect(try held.map { try Self.code(of: $0) } == Array(0..<20))
    #expect(other.keptBitmapCount == 3)
  }

  @Test func aStreamOfAllFramesKeepsAFewBitmaps() async throws {
    let reader = try reader(Array(0..<100))
    let stream = FrameStream(
      reader.pictures(in: .rec709), when: .block, as: UInt8.self
    ) { $0 }
    var codes: [UInt8] = []
    for try await frame in stream { codes.append(frame.bitmap[4, 2, 2]) }
    #expect(codes == Array(0..<100))
    #expect(reader.keptBitmapCount <= 3)
  }

  /// A reader is shared: each frame is given to one of its tasks.
  @Test func eachFrameIsGivenOnce() async throws {
    let codes = Array(UInt8(0)..<200)
    let pictures = try reader(codes).pictures(in: .rec709)
    let found = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var found: [UInt8] = []
          for try await picture in pictures { found.append(try Self.code(of: picture)) }
          return found
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.allSatisfy { $0 == $0.sorted() })
    #expect(found.flatMap(\.self).sorted() == codes)
  }

  // MARK: Errors and early ends

  @Test func errorsFollowTheFramesBefore() async throws {
    let path = folder.path("in.gray")
    let expected = ImageFileError.damaged(
      file: path, reason: "it ends after 2 of the \(Self.format.frameBytes) bytes of frame 3")
    var iterator = try reader([1, 2], rest: [9, 9]).pictures(in: .rec709).makeAsyncIterator()
    for code: UInt8 in [1, 2] { #expect(try await Self.code(of: iterator.next()) == code) }
    await #expect(throws: expected) { try await iterator.next() }
    #expect(try await iterator.next() == nil)

    let pictures = try reader([1, 2], rest: [9, 9]).pictures(in: .rec709)
    let frames = FrameStream(pictures, when: .block, as: UInt8.self) { $0 }.makeAsyncIterator()
    for number in [0, 1] { #expect(try await frames.next()?.number == number) }
    await #expect(throws: expected) { try await frames.next() }
    #expect(try await frames.next() == nil)
  }

  /// A pipe to which the test writes, and which nobody closes.
  private func pipe() throws -> (path: String, file: FileHandle) {
    let path = folder.path("in.pipe")
    try #require(mkfifo(path, 0o600) == 0)
    return (path, try #require(FileHandle(forUpdatingAtPath: path)))
  }

  /// Waits until the reader has taken all bytes of a pipe: it waits for the next one then, or is about to.
  private static func drained(_ file: FileHandle) async {
    func holdsBytes() -> Bool {
      var pipe = pollfd(fd: file.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return poll(&pipe, 1, 0) > 0
    }
    while holdsBytes() { await Task.yield() }
  }

  /// Cancelling ends the wait for a pipe that gives nothing, and no byte of the frame is lost.
  @Test(arguments: ["", "FRA", "FRAME\n", "FRAME\nab", "FRAME\nabcdefgh"])
  func cancellingEndsTheWait(beginning: String) async throws {
    let (path, file) = try pipe()
    try file.write(contentsOf: Data("YUV4MPEG2 W3 H3 Cmono\nFRAME\n123456789".utf8))
    let reader = try VideoReader(path)
    let pictures = reader.pictures(in: .rec709)
    var iterator = pictures.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    try file.write(contentsOf: Data(beginning.utf8))
    let waiting = Task {
      var iterator = pictures.makeAsyncIterator()
      await #expect(throws: ImageFileError.rendering(.cancelled)) { try await iterator.next() }
      return try await iterator.next() == nil
    }
    await Self.drained(file)
    waiting.cancel()
    #expect(try await waiting.value)
    let frame = "FRAME\nabcdefghi"
    try file.write(contentsOf: Data(frame.dropFirst(beginning.count).utf8))
    try file.close()
    let picture = try #require(try await iterator.next())
    let codes = try picture.render(as: UInt8.self)
    #expect((0..<9).map { codes[$0 % 3, $0 / 3, 0] } == Array("abcdefghi".utf8))
    #expect(try reader.next(in: .rec709) == nil)
  }

  /// An iterator that waits for another one ends when its task is canceled, although the pipe still gives nothing. The other one goes on.
  @Test func cancelingEndsTheWaitForAnotherIterator() async throws {
    let (path, file) = try pipe()
    let reader = try VideoReader(path, samples: Self.format)
    let pictures = reader.pictures(in: .rec709)
    let frame = Self.samples(of: 5)
    try file.write(contentsOf: frame.prefix(2))
    let first = Task {
      var iterator = pictures.makeAsyncIterator()
      return try await Self.code(of: iterator.next())
    }
    // The first one has begun to read.
    await Self.drained(file)
    let second = Task {
      var iterator = pictures.makeAsyncIterator()
      await #expect(throws: ImageFileError.rendering(.cancelled)) { try await iterator.next() }
      return try await iterator.next() == nil
    }
    second.cancel()
    #expect(try await second.value)
    try file.write(contentsOf: frame.dropFirst(2))
    #expect(try await first.value == 5)
  }

  /// Calls that block, and iterators, wait for each other. Each gets a frame.
  @Test func blockingCallsAndIteratorsShareThePipe() async throws {
    let (path, file) = try pipe()
    let reader = try VideoReader(path, samples: Self.format)
    let (codes, found) = AsyncStream.makeStream(of: UInt8?.self)
    for _ in 0..<2 {
      Thread.detachNewThread {
        found.yield(try? Self.code(of: reader.nextPicture(in: .rec709)))
      }
      Task {
        var iterator = reader.pictures(in: .rec709).makeAsyncIterator()
        found.yield(try? await Self.code(of: iterator.next()))
      }
    }
    for code: UInt8 in 1...4 { try file.write(contentsOf: Self.samples(of: code)) }
    var given: [UInt8] = []
    for await code in codes.prefix(4) { given.append(try #require(code)) }
    #expect(given.sorted() == [1, 2, 3, 4])
  }

  /// Raw samples may begin as a header does.
  @Test func cancellingKeepsTheFirstBytesOfRawSamples() async throws {
    let (path, file) = try pipe()
    let reader = try VideoReader(
      path, samples: VideoFormat(PixelSize(3, 3), .gray(bits: 8), isFullRange: true))
    try file.write(contentsOf: Data("YUV4".utf8))
    let waiting = Task {
      var iterator = reader.pictures(in: .rec709).makeAsyncIterator()
      await #expect(throws: ImageFileError.rendering(.cancelled)) { try await iterator.next() }
    }
    await Self.drained(file)
    waiting.cancel()
    await waiting.value
    try file.write(contentsOf: Data("MPEG2 W3 H3\n".utf8))
    let error = #expect(throws: ImageFileError.self) { try reader.next(in: .rec709) }
    guard case .unknownFormat = error else {
      Issue.record("\(error as Any)")
      return
    }
  }

  /// A stream that ends early leaves the reader to others, also while it waits for a pipe.
  @Test func theReaderOutlivesAStreamThatEndsEarly() async throws {
    let (path, file) = try pipe()
    try file.write(contentsOf: Self.samples(of: 7))
    let reader = try VideoReader(path, samples: Self.format)
    func firstCode() async throws -> UInt8? {
      let pictures = reader.pictures(in: .rec709)
      for try await frame in FrameStream(pictures, when: .block, as: UInt8.self, { $0 }) {
        return frame.bitmap[0, 0, 0]
      }
      return nil
    }
    #expect(try await firstCode() == 7)
    try file.write(contentsOf: Self.samples(of: 8) + Self.samples(of: 9))
    try file.close()
    #expect(try await firstCode() == 8)
  }
}
