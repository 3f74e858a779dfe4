import Colorloom
import Foundation
import ImageFiles
import Testing
import _TestSupport

// MARK: Step
func developNegative(_ scanPath: String, into printPath: String) throws {
  let scan = try Picture(contentsOf: scanPath)
  // MARK: Step
  let film = try NegativeFilm.colorNegative().measured(on: scan)
  // MARK: Step
  let scene = scan.developed(film)
  // MARK: Step
  let positive = scene.exposure(0.3).paperCurve(contrast: 1.6)
  // MARK: Step
  try positive.fitted(into: .sRGB).write(to: printPath, samples: .uint8)
}
// MARK: End

/// The code of the tutorial about negatives.
@Suite struct DevelopANegative {
  @Test func theNegativeBecomesAPrint() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("print.png")
    try developNegative(Fixtures.url("negative.png").path, into: path)
    let written = try ImageFile.read(path)
    #expect(written.space == .sRGB && written.size == PixelSize(720, 480))
    // Paper has a black and a white, and the picture uses most of the range between them.
    let values = try Picture(written).statistics()
    #expect(values.least.min() < 0.05 && values.greatest.max() > 0.5)
  }
}
