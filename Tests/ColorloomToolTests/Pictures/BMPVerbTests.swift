import ColorloomTool
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// BMP files on the command line: read, written, and found in folders.
@Suite struct BMPVerbTests {
  private let folder: TemporaryFolder
  private let file: TestBMP

  init() throws {
    folder = try TemporaryFolder()
    var file = TestBMP(width: 5, height: 6, bits: 24) { x, y in 0x10_2030 * (y + 1) + x }
    file.fields[24] = 11_811
    file.fields[28] = 11_811
    self.file = file
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try Data(file.bytes).write(to: URL(filePath: folder.path("in/a.bmp")))
  }

  @Test func filesAreConvertedBothWays() throws {
    #expect(run("convert", folder.path("in/a.bmp"), folder.path("a.png")).status == .done)
    let back = run("convert", folder.path("a.png"), folder.path("b.bmp"))
    #expect(back.status == .done && back.errors.isEmpty, "\(back.errors)")
    guard case .uint8(let bitmap) = try ImageFile.read(folder.path("b.bmp")) else {
      throw Failure("The result has no bytes.")
    }
    for y in 0..<6 {
      for x in 0..<5 {
        let value = file.rows[y][x]
        #expect(
          (0..<3).map { Int(bitmap[x, y, $0]) } == [16, 8, 0].map { value >> $0 & 255 })
      }
    }
    let resolution = try ImageFile.info(folder.path("b.bmp")).metadata.resolution
    #expect(resolution == .init(horizontal: 118.11, vertical: 118.11, unit: .centimetre))
    #expect(run("info", folder.path("b.bmp")).text.contains("sRGB by its mark “sRGB”"))
    #expect(run("formats").text.contains("BMP (.bmp .dib)"))
  }

  @Test func foldersAreSearchedForThem() throws {
    let made = run("convert", folder.path("in"), "--out", folder.path("out"), "--make-folders")
    #expect(made.status == .done && made.errors.isEmpty, "\(made.errors)")
    #expect(try ImageFile.info(folder.path("out/a.bmp")).format == .bmp)
  }

  /// The bottom row comes first, so the rows at the top are missing.
  @Test func truncatedFilesAreSalvaged() throws {
    try Data(file.bytes.dropLast(40)).write(to: URL(filePath: folder.path("cut.bmp")))
    let refused = run("convert", folder.path("cut.bmp"), folder.path("c.png"))
    #expect(refused.complaint.contains("is truncated: 3 of 6 rows are present"))
    let salvaged = run("convert", folder.path("cut.bmp"), folder.path("c.png"), "--salvage")
    #expect(
      salvaged.errors.contains { $0.contains("3 of 6 rows are read; those above count as black") })
    #expect(try ImageFile.info(folder.path("c.png")).size == PixelSize(5, 6))
  }
}
