import ColorSpaces
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Where pictures and their reports go.
@Suite struct PictureOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A report would follow the last byte of the picture, by whatever name standard output is called.
  @Test(arguments: ["-", "/dev/stdout", "/dev/fd/1"], [true, false])
  func reportsDoNotFollowPicturesOnStandardOutput(path: String, isOfInks: Bool) throws {
    let input = folder.path("in.png")
    let photo = TestPictures.codes(as: UInt8.self, PixelSize(8, 6), in: .sRGB, channels: .rgb)
    try ImageFile.write(.uint8(photo), to: input)
    let press = Fixtures.url("Profiles/cmyk-mft2.icc").path
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "colorloom")
    process.arguments =
      ["convert", input, path, "--format", "tiff", "--json"] + (isOfInks ? ["--to", press] : [])
    let (stdout, stderr) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (stdout, stderr)
    try process.run()
    let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
    let errors = try stderr.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 2 && output.isEmpty)
    let message = String(decoding: errors, as: UTF8.self)
    #expect(message.contains("--json cannot print its report"), "\(message)")
  }
}
