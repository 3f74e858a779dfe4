import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

// MARK: Step
func paintTriangle(into path: String) throws -> Double {
  let corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map { ColorPoint($0, in: .displayP3) }
  // MARK: Step
  let triangle = Picture.triangle(
    top: corners[0], left: corners[1], right: corners[2], mixing: .light, in: .sRGB,
    size: PixelSize(801, 801))
  // MARK: Step
  let wide = try triangle.fractionOutside(.sRGB)
  // MARK: Step
  try triangle.converted(to: .displayP3).write(to: path, samples: .uint16)
  return wide
}
// MARK: End

/// The code of the tutorial about the wide triangle.
@Suite struct PaintTheWideTriangle {
  @Test func theCornersStayWide() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("triangle.png")
    let wide = try paintTriangle(into: path)
    #expect(wide > 0.1 && wide < 0.6)
    let written = try ImageFile.read(path)
    #expect(written.space == .displayP3 && written.size == PixelSize(801, 801))
    // A sample without alpha would be black beside the triangle; the top corner is the red primary, as far as one pixel is.
    #expect(try Picture(written).fractionOutside(.sRGB) > 0.1)
  }
}
