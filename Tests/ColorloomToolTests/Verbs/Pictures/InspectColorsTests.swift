import ColorSpaces
import ColorloomTool
import FilterGraph
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The dominant colors that “inspect --colors” lists.
@Suite struct InspectColorsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Report: Decodable {
    struct Color: Decodable { let css: String, fraction: Double }
    let colors: [Color]?
  }

  /// Colors of sRGB are hexadecimal; wider ones name Display P3, Rec. 2020 or XYZ.
  @Test func colorsAreCSS() throws {
    let path = folder.path("in.png")
    let colors: [[UInt8]] = [[255, 0, 0], [120, 120, 120]]
    try ImageFile.write(
      .uint8(
        Bitmap<UInt8>(PixelSize(8, 4), in: .displayP3, channels: .rgb) { x, _ in
          colors[x < 6 ? 0 : 1]
        }), to: path)
    let found = try run("inspect", path, "--colors", "4", "--json").report(as: Report.self)
    let palette = try #require(found.colors)
    #expect(palette.count == 2 && palette[0].fraction == 0.75)
    #expect(palette[0].css.hasPrefix("color(display-p3 "), "\(palette[0].css)")
    let red = try ColorPoint(css: palette[0].css).components
    #expect(abs(red.x - 1) < 1e-3 && abs(red.y) < 0.01 && abs(red.z) < 0.01)
    #expect(palette[1].css == "#787878")
    let lines = run("inspect", path, "--colors", "1").output
    #expect(lines.filter { $0.hasPrefix("dominant color: ") }.count == 1)
    #expect(try run("inspect", path, "--json").report(as: Report.self).colors == nil)
  }

  @Test func colorsNeedAPictureWithColors() throws {
    let profile = run("inspect", "a.icc", "--colors", "3")
    #expect(profile.status == .misused && profile.complaint.contains("--colors"))
    #expect(run("inspect", "a.png", "--colors", "3", "--scan").status == .misused)
    for count in ["0", "257"] {
      #expect(run("inspect", "a.png", "--colors", count).status == .misused)
    }
  }
}
