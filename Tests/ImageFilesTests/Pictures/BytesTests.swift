import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Synchronization
import Testing
import _TestSupport

/// Pictures from bytes and into bytes, at once and asynchronously.
@Suite struct BytesTests {
  private let folder: TemporaryFolder
  private static let size = PixelSize(220, 190)

  init() throws { folder = try TemporaryFolder() }

  private static func picture(for format: ImageFileFormat) -> Picture {
    let isWhole = format.samples[0] == .uint16 || format.samples[0] == .uint8
    return Picture(
      TestPictures.codes(as: UInt16.self, size, in: .displayP3, channels: .rgb)
    ).converted(to: isWhole ? .displayP3 : .linearDisplayP3)
  }

  private static func writing(_ format: ImageFileFormat) -> WritingOptions {
    WritingOptions(quality: 85, chroma: .half, isUntagged: !format.statesColor)
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
  }

  // MARK: Bytes

  @Test(arguments: ImageFileFormat.all)
  func encodedBytesAreThoseOfTheFile(format: ImageFileFormat) throws {
    let picture = Self.picture(for: format)
    let path = folder.path("file")
    try picture.write(to: path, as: format, writing: Self.writing(format))
    let bytes = try picture.encoded(as: format, writing: Self.writing(format))
    #expect(try bytes == Array(Data(contentsOf: URL(filePath: path))))
  }

  @Test(arguments: ImageFileFormat.all)
  func bytesAreReadLikeFiles(format: ImageFileFormat) throws {
    let bytes = try Self.picture(for: format).encoded(as: format, writing: Self.writing(format))
    let path = folder.path("file")
    try Data(bytes).write(to: URL(filePath: path))
    let space: ColorSpace? = format.statesColor ? nil : .displayP3
    let fromFile = try Picture(contentsOf: path, assuming: space)
    let fromBytes = try Picture(bytes: bytes, assuming: space)
    let options = RenderOptions()
    #expect(try fromBytes.render(as: UInt16.self) == fromFile.render(as: UInt16.self))
    // The bytes count as memory that rendering takes; those of a large file do not, they stay on the disk.
    let kept = bytes.count > 1 << 16 ? bytes.count : 0
    #expect(
      try fromBytes.planReport(as: UInt8.self, options: options).peakBytes
        == fromFile.planReport(as: UInt8.self, options: options).peakBytes + kept)
  }

  @Test func limitsHoldForBytes() throws {
    let bytes = try Self.picture(for: .png).encoded(as: .png)
    #expect(throws: ImageFileError.tooManyBytes(file: "data", limit: 100)) {
      try Picture(bytes: bytes, limits: FileLimits(bytes: 100))
    }
    #expect(throws: ImageFileError.tooManyPixels(file: "data", Self.size, limit: 99)) {
      try Picture(bytes: bytes, limits: FileLimits(pixels: 99))
    }
    #expect(throws: ImageFileError.self) { try Picture(bytes: []) }
    #expect(throws: ImageFileError.self) { try Picture(bytes: Array(bytes.prefix(40))) }
  }

  @Test func theBytesThatComeOutCount() throws {
    let picture = Self.picture(for: .png)
    let count = try picture.encoded(as: .png).count
    var options = RenderOptions()
    options.threads = 1
    let refused = #expect(throws: ImageFileError.self) {
      options.memoryLimit = 1000
      _ = try picture.encoded(as: .png, options: options)
    }
    guard case .rendering(.tooMuchMemory(let needed, 1000)) = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    // Enough for the rendering, and not for its result.
    options.memoryLimit = needed + 1000
    let error = #expect(throws: ImageFileError.self) {
      try picture.encoded(as: .png, options: options)
    }
    guard case .cannotWrite = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    // Beside the old memory of a result that grows is the new one.
    options.memoryLimit = needed + 4 * count
    #expect(try picture.encoded(as: .png, options: options).count == count)
  }

  @Test func initializerSetsTheNamedWritingOptions() {
    let options = WritingOptions(quality: 85, chroma: .quarter, isProgressive: true)
    #expect(options.quality == 85 && options.chroma == .quarter && options.isProgressive)
    let usual = WritingOptions()
    #expect(usual.quality == 90 && usual.chroma == nil && usual.compression == .deflate)
    #expect(!usual.isUntagged && !usual.isLossless && usual.orientation == .upright)
  }

  // MARK: Names

  @Test func formatsHaveNames() {
    for format in ImageFileFormat.all {
      #expect(ImageFileFormat(named: format.name.uppercased()) == format)
      for ending in format.fileExtensions {
        #expect(ImageFileFormat(named: ending) == format)
        #expect(ImageFileFormat(named: ".\(ending)") == format)
      }
      for type in format.mimeTypes { #expect(ImageFileFormat(mimeType: type) == format) }
    }
    #expect(ImageFileFormat(mimeType: "Image/JPEG; q=0.8") == .jpeg)
    #expect(ImageFileFormat(mimeType: "text/html") == nil && ImageFileFormat(named: "") == nil)
  }

  private static let fields: [(String?, ImageFileFormat?)] = [
    (nil, ImageFileFormat.jpeg), ("", .jpeg), ("*/*", .jpeg), ("image/*;q=0.2", .jpeg),
    ("image/png", .png), ("image/avif,image/png,*/*;q=0.8", .png),
    ("image/jpeg;q=0.5, image/png;q=0.9", .png), ("image/jpeg;q=0, */*", .png),
    ("text/html", nil), ("image/jpeg;q=0,image/png;q=0,*/*", nil),
    ("image/png;q=0.7,image/*;q=0.7", .jpeg),
  ]

  @Test(arguments: fields)
  func theAcceptFieldChooses(accept: String?, format: ImageFileFormat?) {
    #expect(ImageFileFormat.preferred(of: [.jpeg, .png], accept: accept) == format)
  }

  // MARK: Foundation

  @Test func dataAndURLs() throws {
    let picture = Self.picture(for: .png)
    let url = URL(filePath: folder.path("Mit Leerzeichen & ü.png"))
    try picture.write(to: url)
    let data = try Data(contentsOf: url)
    #expect(try data == Data(picture.encoded(as: .png)))
    let expected = try picture.render(as: UInt16.self)
    #expect(try Picture(data: data).render() == expected)
    #expect(try Picture(data: data.dropFirst(0)).render() == expected)
    #expect(try Picture(contentsOf: url).render() == expected)
    #expect(try ImageFile.info(url).size == Self.size)
    let page = try #require(URL(string: "https://example.org/a.png"))
    let read = #expect(throws: ImageFileError.self) { try Picture(contentsOf: page) }
    #expect(read.map { "\($0)".contains("https://example.org/a.png") } == true)
    #expect(throws: ImageFileError.self) { try picture.write(to: page) }
    let other = URL(filePath: folder.path("other.png"))
    try ImageFile.write(ImageFile.read(url), to: other)
    #expect(try Data(contentsOf: other) == data)
    try Picture.write([PictureFile(picture, at: other, samples: .uint8)])
    #expect(try ImageFile.info(other).samples == .uint8)
    #expect(throws: ImageFileError.self) { try PictureFile(picture, at: page) }
    #expect(throws: ImageFileError.self) { try ImageFile.write(ImageFile.read(url), to: page) }
  }

  @Test func asynchronousFormsTakeDataAndURLs() async throws {
    let picture = Self.picture(for: .png)
    let url = URL(filePath: folder.path("a.png"))
    try await picture.write(to: url)
    let data = try Data(contentsOf: url)
    let expected = try await picture.renderInBackground(as: UInt16.self)
    let opened = try await Picture(data: data)
    #expect(try await opened.renderInBackground() == expected)
    #expect(try await ImageFile.info(url).size == Self.size)
    let bitmap = try await ImageFile.read(url)
    let other = URL(filePath: folder.path("b.png"))
    try await ImageFile.write(bitmap, to: other)
    #expect(try Data(contentsOf: other) == data)
  }

  /// Nothing to write is no error.
  @Test func writingNoFilesGivesNoReports() async throws {
    func reports() throws -> [WritingReport] { try Picture.write([]) }
    #expect(try reports().isEmpty)
    #expect(try await Picture.write([]).isEmpty)
  }

  // MARK: Asynchronous forms

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func asynchronousFormsDoTheSame(format: ImageFileFormat) async throws {
    let picture = Self.picture(for: format)
    let (samples, name) = (format.samples[0], "a.\(format.fileExtensions[0])")
    let sync = { try picture.encoded(as: format, samples: samples) }
    let bytes = try sync()
    #expect(try await picture.encoded(as: format, samples: samples) == bytes)
    let told = Fractions()
    var options = RenderOptions()
    options.progress = told.add
    try await picture.write(to: folder.path(name), samples: samples, options: options)
    #expect(told.last == 1)
    #expect(try Array(Data(contentsOf: URL(filePath: folder.path(name)))) == bytes)
    #expect(try await ImageFile.info(bytes: bytes).size == Self.size)
    #expect(try await ImageFile.info(folder.path(name)).format == format)
    let read = told
    let bitmap = try await ImageFile.read(bytes: bytes, progress: read.add)
    #expect(read.last == 1)
    let opened = try await Picture(contentsOf: folder.path(name))
    let expected: Bitmap<UInt16> = try Picture(bitmap).render()
    #expect(try opened.render() == expected)
    let encoded = { try ImageFile.encode(bitmap, as: format) }
    #expect(try await ImageFile.encode(bitmap, as: format) == encoded())
    try await ImageFile.write(bitmap, to: folder.path("b"), as: format)
    #expect(try Array(Data(contentsOf: URL(filePath: folder.path("b")))) == encoded())
  }

  /// Whatever is cancelled, and whenever: it says so, and leaves no file.
  @Test func cancellingLeavesNothing() async throws {
    let picture = Self.picture(for: .png).boxBlurred(radius: 3)
    var options = RenderOptions()
    options.tile = PixelSize(16, 16)
    let told = Fractions()
    options.progress = told.add
    options.isCancelled = { told.count >= 3 }
    let path = folder.path("a.png")
    await #expect(throws: ImageFileError.rendering(.cancelled)) {
      try await picture.write(to: path, options: options)
    }
    // Each of the threads may have been in a band of tiles.
    #expect(told.last.map { $0 < 1 } == true)
    let other = options
    await #expect(throws: ImageFileError.rendering(.cancelled)) {
      try await picture.encoded(as: .png, options: other)
    }
    #expect(try files().isEmpty)
  }

  @Test func cancelledTasksWriteNothing() async throws {
    let picture = Self.picture(for: .png)
    let bitmap = AnyBitmap(try await picture.renderInBackground(as: UInt8.self))
    let path = folder.path("a.png")
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      var errors: [ImageFileError] = []
      func attempt(_ work: () async throws(ImageFileError) -> Void) async {
        do throws(ImageFileError) { try await work() } catch { errors.append(error) }
      }
      await attempt { () async throws(ImageFileError) in try await picture.write(to: path) }
      await attempt { () async throws(ImageFileError) in
        _ = try await picture.encoded(as: .png)
      }
      await attempt { () async throws(ImageFileError) in
        try await ImageFile.write(bitmap, to: path)
      }
      await attempt { () async throws(ImageFileError) in
        _ = try await ImageFile.info(bytes: [1, 2, 3])
      }
      return errors
    }
    task.cancel()
    #expect(
      await task.value == Array(repeating: ImageFileError.rendering(.cancelled), count: 4))
    #expect(try files().isEmpty)
  }

  // MARK: Bytes that come part by part

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

  @Test func spoolingStopsAtTheLimit() async throws {
    let taken = Fractions()
    let endless = AsyncStream {
      taken.add(1)
      return [UInt8](repeating: 0, count: 1000)
    }
    await #expect(throws: ImageFileError.tooManyBytes(file: "data", limit: 70_500)) {
      try await Picture(bytes: endless, limits: FileLimits(bytes: 70_500))
    }
    #expect(taken.count == 71)
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
    let bytes = { try Self.picture(for: .png).encoded(as: .png) }
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

/// What a progress was told.
private final class Fractions: Sendable {
  private let told = Mutex<[Double]>([])

  var last: Double? { told.withLock(\.last) }
  var count: Int { told.withLock(\.count) }
  @Sendable func add(_ fraction: Double) { told.withLock { $0.append(fraction) } }
}
