import Colorloom
import Foundation
import ImageFiles
import Testing

/// What the README shows. Tests run in the package's folder, so its relative paths hold.
@Suite struct ReadmeExamples {
  @Test func filmNegative() throws {
    let scan = try Picture(contentsOf: "Fixtures/negative.png")
    let curve = try CubicCurve(through: [[0, 0], [0.25, 0.22], [0.75, 0.79], [1, 1]])
    let positive =
      scan
      .developed(.colorNegative())  // film base measured, scene-linear light
      .exposure(+0.25)  // in stops
      .toneCurve(curve)  // over the square root of light
      .resized(to: .fit(360, 360))  // Lanczos 3 in linear light, premultiplied
      .converted(to: .sRGB)
    print(positive.plan)  // what will run, before anything runs
    try positive.write(to: "small.png", samples: .uint16)

    let file = try ImageFile.read("small.png")
    try FileManager.default.removeItem(atPath: "small.png")
    #expect(file.size == PixelSize(360, 240))
    #expect(file.space == .sRGB)
    #expect(positive.plan.contains("Lanczos 3 resize"))
  }
}
