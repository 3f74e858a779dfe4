import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// Pictures from bytes that come part by part.
@Suite struct SpoolingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func parts(_ bytes: [UInt8], of length: Int, _ taken: Fractions) -> AsyncStream<
    ArraySlice<UInt8>
  > {
    let next = Mutex(0)
    return AsyncStream {
      let start = next.withLock { next in
        defer { next += length }
        return next
      }
      if start >= bytes.count { return nil }
      taken.add(1)
      return bytes[start..<min(start + length, bytes.count)]
    }
  }

  @Test(arguments: [1000, 1 << 17, 3 << 20])
  func bytesAreSpooled(count: Int) async throws {
    // Noise, which nothing packs.
    var random = SeededGenerator(seed: 5)
    let width = max(count / 300, 4)
    let noise = Bitmap<UInt8>(PixelSize(width, 100), in: .sRGB, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    let bytes = { try ImageFile.encode(.uint8(noise), as: .png) }
    let file = try bytes()
    let spooled = try await Picture(bytes: parts(file, of: 10_000, Fractions()))
    #expect(try spooled.render(as: UInt8.self) == noise)
    // What went to the disk takes no memory.
    let inMemory = { try Picture(bytes: file) }
    let (kept, all) = try (
      spooled.planReport(as: UInt8.self).peakBytes, inMemory().planReport(as: UInt8.self).peakBytes
    )
    #expect(all - kept == (file.count < 1 << 16 ? 0 : file.count))
    if count == 1000 {
      let single = AsyncStream(UInt8.self) { continuation in
        for byte in file { continuation.yield(byte) }
        continuation.finish()
      }
      #expect(try await Picture(bytes: single).render(as: UInt8.self) == noise)
    }
  }

  /// A gray map of one row that has `count` bytes in all, and its codes.
  private func map(of count: Int) -> (file: [UInt8], codes: [UInt8]) {
    var random = SeededGenerator(seed: 11)
    // The header has ten bytes beside the digits of the width.
    let width = count - 10 - "\(count)".count
    let codes = (0..<width).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return (Array("P5\n\(width) 1\n255\n".utf8) + codes, codes)
  }

  private func codes(_ picture: Picture) throws -> [UInt8] {
    let row = try picture.render(as: UInt8.self).row(0)
    return stride(from: 0, to: row.count, by: 3).map { row[$0] }
  }

  /// Sizes around the 64 KiB from which on a spool has a file, and one of many parts.
  private static let counts = [65_535, 65_536, 65_537, (3 << 20) + 1]

  @Test(arguments: counts, [1000, 1 << 16, 1 << 22])
  func spooledPartsKeepEveryByte(count: Int, length: Int) async throws {
    let (file, expected) = map(of: count)
    #expect(file.count == count)
    let picture = try await Picture(
      bytes: parts(file, of: length, Fractions()), assuming: .sRGB)
    #expect(try codes(picture) == expected)
  }

  @Test(arguments: counts) func pipesKeepEveryByte(count: Int) throws {
    let (file, expected) = map(of: count)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    Thread.detachNewThread {
      try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: file)
    }
    #expect(try codes(Picture(contentsOf: pipe, assuming: .sRGB)) == expected)
  }

  @Test func spoolingStopsAtTheLimit() async throws {
    let taken = Fractions()
    let endless = AsyncStream {
      taken.add(1)
      return Array("P5\n".utf8) + [UInt8](repeating: 0, count: 997)
    }
    await #expect(throws: ImageFileError.tooManyBytes(file: "data", limit: 70_500)) {
      try await Picture(bytes: endless, limits: FileLimits(bytes: 70_500))
    }
    #expect(taken.count == 71)
  }

  /// An upload of text is not copied to the disk up to the limit.
  @Test func spoolingStopsAtBytesOfNoFormat() async throws {
    let taken = Fractions()
    let endless = AsyncStream {
      taken.add(1)
      return Array("text\n".utf8)
    }
    await #expect(throws: ImageFileError.unknownFormat(file: "data", found: "text")) {
      try await Picture(bytes: endless)
    }
    #expect(taken.count == 13)
  }

  @Test func errorsOfASequenceAreThrown() async throws {
    struct Broken: Error {}
    let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
      continuation.yield([0x89, 0x50])
      continuation.finish(throwing: Broken())
    }
    await #expect(throws: Broken.self) { try await Picture(bytes: stream) }
  }

  /// A stream that ends because its task was cancelled is no file.
  @Test func halfASpoolIsNoFile() async throws {
    let picture = Picture(TestPictures.codes(as: UInt16.self, PixelSize(220, 190)))
    let bytes = { try picture.encoded(as: .png) }
    let file = try bytes()
    let task = Task { () -> ImageFileError? in
      let stream = AsyncStream([UInt8].self) { $0.yield(Array(file.prefix(file.count / 2))) }
      do {
        _ = try await Picture(bytes: stream)
        return nil
      } catch {
        return error as? ImageFileError
      }
    }
    task.cancel()
    #expect(await task.value == .rendering(.cancelled))
  }
}
