import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// The memory limit of reading looks.
@Suite struct LookMemoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let size = 33

  /// Files of lines take the memory of their entries, and those of XML also twice their size. One byte less is refused.
  @Test(arguments: [LookFileFormat.cube, .threeDL, .spi3D, .cineSpace, .commonLUT])
  func tablesTakeTheMemoryOfTheirEntries(format: LookFileFormat) throws {
    let path = folder.path("a.\(format.rawValue)")
    let look = Look(try ColorTable(size: Self.size) { $0 * $0 })
    try look.write(to: path)
    let fileBytes = try Data(contentsOf: URL(filePath: path)).count
    let entryBytes = 12 * Self.size * Self.size * Self.size
    let needed = entryBytes + (format == .commonLUT ? 2 * fileBytes : 0)
    var limits = FileLimits()
    limits.memoryLimit = needed
    #expect(throws: Never.self) { try Look(contentsOf: path, limits: limits) }
    limits.memoryLimit = needed - 1
    #expect(
      throws: LookFileError.file(.tooMuchMemory(file: path, bytes: needed, limit: needed - 1))
    ) { try Look(contentsOf: path, limits: limits) }
  }

  private static let curve = "2\n0 1\n0 1\n"

  /// The size that a small file states is refused before its rows are read.
  @Test(arguments: [
    ("cube", "LUT_3D_SIZE 256\n"),
    ("csp", "CSPLUTV100\n3D\n" + curve + curve + curve + "256 256 256\n"),
  ])
  func statedSizesAreRefused(ending: String, header: String) throws {
    let path = folder.path("a.\(ending)")
    try (header + "0 0 0\n").write(toFile: path, atomically: true, encoding: .utf8)
    var limits = FileLimits()
    limits.memoryLimit = 1 << 20
    let error = #expect(throws: LookFileError.self) { try Look(contentsOf: path, limits: limits) }
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains("bytes of memory; the limit is 1048576"), "\(sentence)")
  }

  /// A document is refused by its size, before it is parsed.
  @Test func documentsAreRefusedByTheirSize() throws {
    let path = folder.path("a.cc")
    let comment = String(repeating: " ", count: 1 << 17)
    let text = "<ColorCorrection><!--\(comment)--></ColorCorrection>"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let count = text.utf8.count
    var limits = FileLimits()
    limits.memoryLimit = count
    #expect(
      throws: LookFileError.file(.tooMuchMemory(file: path, bytes: 2 * count, limit: count))
    ) { try Look(contentsOf: path, limits: limits) }
    limits.memoryLimit = 2 * count
    #expect(throws: Never.self) { try Look(contentsOf: path, limits: limits) }
  }

  /// The limit bounds the entries that a file of one curve states, not those that it might have.
  @Test func shortCurvesTakeLittleMemory() throws {
    let path = folder.path("a.spi1d")
    try "Version 1\nLength 3\nComponents 1\n{\n0\n.25\n1\n}\n"
      .write(toFile: path, atomically: true, encoding: .utf8)
    var limits = FileLimits()
    limits.memoryLimit = 1000
    let look = try Look(contentsOf: path, limits: limits)
    #expect(look([0.5, 0.5, 0.5]) == [0.25, 0.25, 0.25])
  }

  /// A curve before a table may have its 65,536 values in one line.
  @Test func cineSpaceCurvesMayBeLong() throws {
    let count = 65_536
    let values = (0..<count).map { "\(Double($0) / Double(count - 1))" }.joined(separator: " ")
    let curve = "\(count)\n\(values)\n\(values)\n"
    let text = "CSPLUTV100\n1D\n" + curve + curve + curve + "2\n0 0 0\n1 1 1\n"
    let look = try Look(Array(text.utf8), as: .cineSpace)
    let color = look([0.25, 0.5, 0.75])
    for (value, expected) in zip([color.x, color.y, color.z], [0.25, 0.5, 0.75]) {
      // Floats below 1.
      #expect(abs(value - expected) <= 6e-8)
    }
  }
}
