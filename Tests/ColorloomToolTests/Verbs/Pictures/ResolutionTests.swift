import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The resolution that `--resolution` states in files.
@Suite struct ResolutionTests {
  private static let endings = ImageFileFormat.all.filter { $0.metadataKinds.contains(.resolution) }
    .compactMap(\.fileExtensions.first)

  private let folder: TemporaryFolder
  private let source: String

  /// Writes a JPEG file whose resolution is beyond JFIF, so that EXIF states it.
  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("in.jpg")
    var options = WritingOptions()
    options.metadata.resolution = .init(horizontal: 200_000, vertical: 100_000, unit: .inch)
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(12, 8), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: source, options: options)
  }

  /// Returns the pixels per inch of a file.
  private func pixelsPerInch(_ path: String) throws -> [Double] {
    let resolution = try #require(try ImageFile.info(path).metadata.resolution)
    let factor = resolution.unit == .centimetre ? 2.54 : 1
    return [resolution.horizontal * factor, resolution.vertical * factor]
  }

  @Test(arguments: endings)
  func theOptionReplacesTheResolutionOfTheSource(ending: String) throws {
    let output = folder.path("out.\(ending)")
    for words in [[], ["--strip"], ["--strip=exif"], ["--rotate", "90"], ["--fit", "6"]] {
      let result = run(["convert", source, output, "--resolution", "300"] + words)
      #expect(result.status == .done, "\(words): \(result.complaint)")
      // PNG counts whole pixels per metre.
      for number in try pixelsPerInch(output) { #expect(abs(number - 300) < 0.02, "\(words)") }
    }
    #expect(run("convert", source, output).status == .done)
    #expect(try abs(pixelsPerInch(output)[0] - 200_000) < 1)
  }

  @Test func jpegFilesStateItInJFIFAndInEXIF() throws {
    let output = folder.path("out.jpg")
    #expect(run("convert", source, output, "--resolution", "300").status == .done)
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: output)))
    #expect(bytes[6..<11].elementsEqual("JFIF\0".utf8))
    #expect(Array(bytes[13..<18]) == [1, 0x01, 0x2C, 0x01, 0x2C])
    // EXIF counts before JFIF, and holds fractions.
    #expect(try pixelsPerInch(output) == [300, 300])
    #expect(run("convert", source, output, "--resolution", "72.5").status == .done)
    #expect(try pixelsPerInch(output) == [72.5, 72.5])
  }

  @Test func picturesWithoutASourceFileStateIt() throws {
    let output = folder.path("triangle.png")
    let result = run("triangle", output, "--size", "9x7", "--resolution", "118.11")
    #expect(result.status == .done, "\(result.complaint)")
    for number in try pixelsPerInch(output) { #expect(abs(number - 118.11) < 0.02) }
  }

  @Test func inkChannelsStateIt() throws {
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    for ending in ["tif", "jpg"] {
      let output = folder.path("inks.\(ending)")
      let result = run("convert", source, output, "--resolution", "300", "--to", press)
      #expect(result.status == .done, "\(result.complaint)")
      #expect(try pixelsPerInch(output) == [300, 300], "\(ending)")
    }
  }

  @Test(arguments: ["0", "0.5", "-300", "65536", "nan", "300dpi", "0x12C", ""])
  func otherValuesAreRefused(value: String) {
    let result = run("convert", source, folder.path("no.png"), "--resolution", value)
    #expect(result.status == .misused)
    #expect(
      result.complaint.contains("needs a number of pixels per inch from 1 to 65535"),
      "\(result.complaint)")
  }
}
