import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Pages of `report`, and a wide-gamut picture for them, which is in the file `original.png`.
struct ReportPages {
  private let folder: TemporaryFolder
  let scene: Picture

  init() throws {
    folder = try TemporaryFolder()
    let (width, height) = (192, 128)
    let pixels = SampleScene.pixels(width: width, height: height, samples: 1)
    let linear = Bitmap<Float>(
      PixelSize(width, height), in: ColorSpace.displayP3.linear, channels: .rgb
    ) { x, y in
      let light = pixels[y * width + x]
      return [light.x, light.y, light.z]
    }
    scene = try Picture(Picture(linear).converted(to: .displayP3).render(as: UInt8.self))
    try scene.write(to: folder.path("original.png"), samples: .uint8)
  }

  /// Returns the page that `report` writes.
  func page(_ words: [String]) throws -> String {
    let path = folder.path("report.html")
    let result = run(["report"] + words + ["-o", path])
    #expect(result.status == .done, "\(result.complaint)")
    return try String(contentsOf: URL(filePath: path), encoding: .utf8)
  }

  /// What stands on the first screen.
  func verdict(_ page: String) throws -> String {
    let start = try #require(page.range(of: "<div class=\"verdict"))
    let end = try #require(page[start.upperBound...].range(of: "</div>"))
    return String(page[start.lowerBound..<end.lowerBound])
  }

  /// Returns the path of a file beside the picture.
  func path(_ name: String) -> String { folder.path(name) }
}
