import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// The shipped scan equals the model, bit for bit. COLORLOOM_RECORD=1 writes it.
@Suite struct FixtureTests {
  @Test func shippedNegativeEqualsTheModel() throws {
    let path = Fixtures.url("negative.png").path
    let scan = try FilmFixture.scan()
    if ProcessInfo.processInfo.environment["COLORLOOM_RECORD"] == "1" {
      try ImageFile.write(.uint16(scan), to: path)
    }
    guard case .uint16(let shipped) = try ImageFile.read(path) else {
      Issue.record("\(path) has no 16-bit samples.")
      return
    }
    #expect(shipped == scan)
  }

  /// Developing the scan restores the scene, within the precision of a 16-bit negative.
  @Test func developedNegativeEqualsTheScene() throws {
    let scan = try FilmFixture.scan(PixelSize(180, 120))
    let film = try FilmFixture.film()
    let print = try Picture(scan).applying(film).converted(to: .linearDisplayP3)
      .render(as: Float.self)
    let scene = FilmFixture.scene(PixelSize(180, 120))
    for y in 0..<120 {
      for x in 0..<180 {
        for channel in 0..<3 {
          let light = Double(scene[x, y, channel])
          // Half a code of 65,535 in the scan, amplified by the slope of the scan's curve and of the film's, which
          // falls with the power 1 + γ: up to 0.0012 of the linear value and its toe at 4 times white.
          #expect(abs(Double(print[x, y, channel]) - light) <= 0.0012 * (light + 0.02))
        }
      }
    }
  }
}
