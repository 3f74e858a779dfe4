import ColorSpaces
import ImageFiles
import Testing
import _TestSupport

extension TestTIFF {
  /// The memory of reading the file's pixels beside those of the bitmap: the least limit within which they are read.
  func readingMemory() throws -> Int {
    let folder = try TemporaryFolder()
    let path = folder.path("a.tif")
    try Peers.write(bytes, path)
    var limits = FileLimits()
    limits.memoryLimit = 1
    let error = #expect(throws: ImageFileError.self) {
      try ImageFile.read(path, assuming: .sRGB, limits: limits)
    }
    guard case .tooMuchMemory(_, let needed, 1) = error else { throw Failure("\(error as Any)") }
    limits.memoryLimit = needed
    return needed - (try ImageFile.read(path, assuming: .sRGB, limits: limits).sampleBytes.count)
  }
}
