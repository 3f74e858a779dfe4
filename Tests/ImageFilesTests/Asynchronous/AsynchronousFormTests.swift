import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The asynchronous forms of reading and writing files.
@Suite struct AsynchronousFormTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(""))
  }

  @Test(arguments: [ImageFileFormat.png, .jpeg, .tiff])
  func asynchronousFormsDoTheSame(format: ImageFileFormat) async throws {
    let picture = FormatPictures.picture(for: format)
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
    #expect(try await ImageFile.info(bytes: bytes).size == FormatPictures.size)
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
    let picture = FormatPictures.picture(for: .png).boxBlurred(radius: 3)
    var options = RenderOptions()
    (options.threads, options.tile) = (2, PixelSize(16, 16))
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
    let picture = FormatPictures.picture(for: .png)
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

  @Test func asynchronousFormsTakeDataAndURLs() async throws {
    let picture = FormatPictures.picture(for: .png)
    let url = URL(filePath: folder.path("a.png"))
    try await picture.write(to: url)
    let data = try Data(contentsOf: url)
    let expected = try await picture.renderInBackground(as: UInt16.self)
    let opened = try await Picture(data: data)
    #expect(try await opened.renderInBackground() == expected)
    #expect(try await ImageFile.info(url).size == FormatPictures.size)
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
}
