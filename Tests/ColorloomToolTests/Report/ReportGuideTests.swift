import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The figures and the picture of the guide “Finding where color is lost” are those of the tool. COLORLOOM_RECORD=1 records the picture
/// again.
@Suite struct ReportGuideTests {
  private let folder: TemporaryFolder
  /// The picture that the guide makes of the shipped negative.
  private let photo: String

  init() throws {
    folder = try TemporaryFolder()
    photo = folder.path("photo.png")
    let made = run("develop", Fixtures.url("negative.png").path, photo, "--fit", "400x400")
    #expect(made.status == .done, "\(made.complaint)")
  }

  private static let command = ["--to", "sRGB", "--samples", "uint8"]

  @Test func theGuideHasTheLinesOfTrace() throws {
    let url = Fixtures.url("../Documentation/Guides/ColorLoss.md")
    let guide = try String(contentsOf: url, encoding: .utf8).split { $0.isWhitespace }
      .joined(separator: " ")
    #expect(guide.contains("`colorloom develop Fixtures/negative.png photo.png --fit 400x400`"))
    let lines = run(["trace", photo] + Self.command).output
    #expect(lines.count == 4)
    for line in lines { #expect(guide.contains(line), "\(line)") }
  }

  /// The source of the report and its map of the pixels that lose color, beside each other.
  @Test func theGuideShowsPicturesOfTheReport() throws {
    let page = folder.path("report.html")
    #expect(run(["report", photo, "--out", page] + Self.command).status == .done)
    let text = try String(contentsOf: URL(filePath: page), encoding: .utf8)
    let parts = try ["The source", "Pixels that change at store as uint8"].map { description in
      let images = text.components(separatedBy: "<img alt=\"\(description)").dropFirst()
      let image = try #require(images.first, "\(description)")
      let start = try #require(image.range(of: "base64,"))
      let code = image[start.upperBound...].prefix { $0 != "\"" }
      let bytes = [UInt8](try #require(Data(base64Encoded: String(code))))
      return try ImageFile.read(bytes: bytes).converted(to: UInt8.self)
    }
    #expect(parts.allSatisfy { $0.size == PixelSize(400, 267) && $0.space == .displayP3 })
    let shown = Bitmap<UInt8>(PixelSize(808, 267), in: .displayP3, channels: .rgb) { x, y in
      if (400..<408).contains(x) { return [255, 255, 255] }
      let (part, column) = x < 400 ? (parts[0], x) : (parts[1], x - 408)
      return (0..<3).map { part[column, y, $0] }
    }
    let shipped = Fixtures.url("../Documentation/Images/report.png").path
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] == "1" {
      try ImageFile.write(.uint8(shown), to: shipped)
    }
    #expect(try ImageFile.read(shipped).converted(to: UInt8.self) == shown)
  }
}
