import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The positions of colors in the diagram.
@Suite struct ChromaticityDiagramTests {
  private func place(of color: ColorPoint, side: Int) -> (x: Int, y: Int) {
    let xyz = color.converted(to: .xyzD65).components
    let uv = Chromaticity(xyz.x / xyz.sum(), xyz.y / xyz.sum()).uv / 0.65 * Double(side)
    return (Int(uv.x), side - 1 - Int(uv.y))
  }

  @Test func colorsAreAtTheirChromaticities() throws {
    let side = 256
    let empty = try Picture.constant(ColorPoint(0, 0, 0, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(4, 4))).chromaticityDiagram(side: side, gamuts: [])
      .render(as: Float.self)
    for color: ColorPoint in [
      ColorPoint(0.3, 0.6, 0.2, in: .sRGB), ColorPoint(0.2, 0.3, 0.8, in: .sRGB),
      ColorPoint(1, 1, 1, in: .sRGB), ColorPoint(0.9, 0.4, 0.5, in: .displayP3),
    ] {
      let picture = Picture.constant(color, in: .displayP3)
        .cropped(to: Region(PixelSize(4, 4)))
      let diagram = try picture.chromaticityDiagram(side: side, gamuts: []).render(as: Float.self)
      let place = place(of: color, side: side)
      for y in 0..<side {
        for x in 0..<side {
          let isSame = (0..<3).allSatisfy { diagram[x, y, $0] == empty[x, y, $0] }
          #expect(isSame == ((x, y) != place), "\(color) at \(x), \(y)")
        }
      }
    }
  }

  @Test func trianglesAreDrawn() throws {
    let black = Picture.constant(ColorPoint(0, 0, 0, in: .sRGB), in: .sRGB)
      .cropped(to: Region(PixelSize(4, 4)))
    let diagram = try black.chromaticityDiagram(side: 200, gamuts: [.sRGB]).render(as: Float.self)
    for corner in [[1.0, 0, 0], [0, 1, 0], [0, 0, 1]] {
      let place = place(of: ColorPoint(SIMD3(corner), in: .sRGB), side: 200)
      #expect(diagram[place.x, place.y, 0] > 0.2)
    }
    #expect(diagram[2, 2, 0] < 0.11)
  }
}
