import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Files too large for memory, pipes, and files that change during reading.
@Suite struct ByteSourceTests {
  private let folder: TemporaryFolder
  /// Noise, which does not compress: every format exceeds the size that is kept in memory.
  private static let size = PixelSize(200, 170)
  private static let forms = ImageFileFormat.all.compactMap { format in
    FormatRoundTripTests.Form.all.first { $0.format == format && $0.channels == .rgb }
  }

  init() throws { folder = try TemporaryFolder() }

  private func written(_ form: FormatRoundTripTests.Form) throws -> [UInt8] {
    var options = WritingOptions()
    options.isUntagged = !form.format.statesColor
    (options.quality, options.isLossless) = (100, true)
    var random = SeededGenerator(seed: 3)
    let noise = Bitmap<UInt8>(Self.size, in: form.space, channels: .rgb) { _, _ in
      (0..<3).map { _ in .random(in: 0...255, using: &random) }
    }
    let bitmap = form.format == .jpeg ? .uint8(noise) : form.bitmap(Self.size)
    let bytes = try ImageFile.encode(bitmap, as: form.format, options: options)
    #expect(bytes.count > 1 << 16)
    return bytes
  }

  @Test(arguments: forms)
  func largeFilesReadLikeTheirBytes(form: FormatRoundTripTests.Form) throws {
    let bytes = try written(form)
    try Data(bytes).write(to: URL(filePath: folder.path("large")))
    let fromBytes = try ImageFile.read(bytes: bytes, assuming: form.space)
    let fromFile = try ImageFile.read(folder.path("large"), assuming: form.space)
    #expect(try Picture(fromFile).render(as: Float.self) == Picture(fromBytes).render())
    #expect(
      try Picture(contentsOf: folder.path("large"), assuming: form.space).render(as: Float.self)
        == Picture(fromBytes).render())
  }

  /// A file that is truncated during reading is an error, without a crash or made-up pixels.
  @Test(arguments: forms)
  func truncationDuringReadingIsAnError(form: FormatRoundTripTests.Form) throws {
    let bytes = try written(form)
    try Data(bytes).write(to: URL(filePath: folder.path("large")))
    let picture = try Picture(contentsOf: folder.path("large"), assuming: form.space)
    for count in [bytes.count / 2, 100, 0] {
      #expect(truncate(folder.path("large"), off_t(count)) == 0)
      #expect(throws: RenderError.self) { try picture.render(as: Float.self) }
    }
  }

  @Test func fileThatChangesIsAnError() throws {
    let form = try #require(Self.forms.first { $0.format == .pnm })
    try Data(written(form)).write(to: URL(filePath: folder.path("large")))
    let picture = try Picture(contentsOf: folder.path("large"), assuming: .sRGB)
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path("large")))
    try file.write(contentsOf: Array("P6\n100 10 65535\n".utf8))
    let error = #expect(throws: RenderError.self) { try picture.render(as: Float.self) }
    #expect(error?.description.contains("changed while it was read") == true)
  }

  @Test func replacedFileIsReadUnchanged() throws {
    let form = try #require(Self.forms.first { $0.format == .png })
    try Data(written(form)).write(to: URL(filePath: folder.path("large")))
    let picture = try Picture(contentsOf: folder.path("large"))
    let expected = try picture.render(as: UInt16.self)
    try picture.write(to: folder.path("large"), as: .png)
    try FileManager.default.removeItem(atPath: folder.path("large"))
    #expect(try picture.render(as: UInt16.self) == expected)
  }

  /// Pipes are read once, pictures of them any number of times.
  @Test(arguments: forms)
  func pipesAreReadLikeFiles(form: FormatRoundTripTests.Form) throws {
    let bytes = try written(form)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    Thread.detachNewThread {
      try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: bytes)
    }
    let picture = try Picture(contentsOf: pipe, assuming: form.space)
    let expected: Bitmap<Float> = try Picture(ImageFile.read(bytes: bytes, assuming: form.space))
      .render()
    for _ in 0..<2 { #expect(try picture.render() == expected) }
  }

  /// Bytes of no format are named so, also beyond the limit of bytes: a larger limit would not help.
  @Test func bytesOfNoFormatAreNotRead() throws {
    func isRefused(_ path: String, limits: FileLimits) -> Bool {
      let error = #expect(throws: ImageFileError.self) { try ImageFile.read(path, limits: limits) }
      guard case .unknownFormat(path, _)? = error else { return false }
      return true
    }
    // A device without an end.
    #expect(isRefused("/dev/zero", limits: FileLimits(bytes: 1 << 20)))
    try Data("text".utf8).write(to: URL(filePath: folder.path("large")))
    #expect(truncate(folder.path("large"), 1 << 30) == 0)
    #expect(isRefused(folder.path("large"), limits: FileLimits(bytes: 1 << 20)))
  }

  @Test func pipesHaveALimit() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let form = try #require(Self.forms.first { $0.format == .png })
    let bytes = try written(form)
    Thread.detachNewThread {
      // A write into a closed pipe must not end the process. Blocked for this thread alone: other tests start programs meanwhile, which
      // inherit what the process ignores.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: bytes)
    }
    #expect(throws: ImageFileError.tooManyBytes(file: pipe, limit: 1 << 17)) {
      try ImageFile.read(pipe, limits: FileLimits(bytes: 1 << 17))
    }
  }
}
