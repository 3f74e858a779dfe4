import ColorSpaces
import ColorloomTool
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The chromaticity diagram that `inspect --plot` writes for a picture.
@Suite struct LabeledDiagramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Each gamut triangle has a color of its own, which the legend below the axes repeats.
  @Test func chromaticityPlotsNameTheirTriangles() throws {
    let (input, plot) = (folder.path("in.png"), folder.path("plot.png"))
    try ImageFile.write(
      .uint8(TestPictures.codes(as: UInt8.self, PixelSize(40, 30), in: .displayP3)), to: input)
    #expect(run("inspect", input, "--plot", plot).status == .done)
    let pixels = try ImageFile.read(plot).converted(to: UInt8.self)
    #expect(pixels.size.width > 512 && pixels.size.height > 512 + 40)
    let colors: [(ColorSpace, [UInt8])] = [
      (.sRGB, [230, 115, 0]), (.displayP3, [51, 140, 242]), (.rec2020, [38, 158, 77]),
    ]
    func isNear(_ x: Int, _ y: Int, _ color: [UInt8]) -> Bool {
      (0..<3).allSatisfy { abs(Int(pixels[x, y, $0]) - Int(color[$0])) < 40 }
    }
    for (space, color) in colors {
      // The middle of the edge from red to blue, at 512 pixels for u′ and v′ of 0…0.65.
      let place = (space.primaries.red.uv + space.primaries.blue.uv) / 2 / 0.65 * 512
      let (x, y) = (48 + Int(place.x), 40 + 512 - Int(place.y.rounded(.up)))
      let isDrawn = (x - 1...x + 1).contains { x in
        (y - 1...y + 1).contains { isNear(x, $0, color) }
      }
      #expect(isDrawn, "\(space)")
      let isNamed = (600..<pixels.size.height).contains { y in
        (48..<pixels.size.width).contains { isNear($0, y, color) }
      }
      #expect(isNamed, "\(space)")
    }
  }
}
