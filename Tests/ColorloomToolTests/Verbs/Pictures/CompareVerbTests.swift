import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Comparisons of pictures that differ in alpha.
@Suite struct CompareVerbTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Report: Decodable {
    struct Difference: Decodable { let maximum: Double }
    let deltaE: Difference
    let largestAlphaDifference: Double?
  }

  /// Writes a red picture whose alpha is `alpha` but for one pixel.
  private func picture(
    _ name: String, alpha: Float, of one: Float, red: Float = 1
  ) throws -> String {
    let bitmap = Bitmap<Float>(PixelSize(4, 3), in: .linearSRGB, channels: .rgba) { x, y in
      [red, 0, 0, x == 2 && y == 1 ? one : alpha]
    }
    try ImageFile.write(.float32(bitmap), to: folder.path(name))
    return folder.path(name)
  }

  @Test func alphaIsADifferenceOfItsOwn() throws {
    let half = try picture("half.tif", alpha: 0.5, of: 0.5)
    let other = try picture("other.tif", alpha: 0.5, of: 0.75)
    let words = ["compare", half, other]
    let report: Report = try run(words + ["--json"]).report()
    #expect(report.deltaE.maximum == 0 && report.largestAlphaDifference == 0.25)
    #expect(run(words).output.contains("alpha largest   0.25"))

    #expect(run(words + ["--fail-above", "0"]).status == .failed)
    #expect(run(words + ["--fail-above", "24.9"]).status == .failed)
    #expect(run(words + ["--fail-above", "25"]).status == .done)
    #expect(run("compare", half, half, "--fail-above", "0").status == .done)
  }

  @Test func opaquePicturesHaveFullAlpha() throws {
    let half = try picture("half.tif", alpha: 0.5, of: 0.5)
    let opaque = folder.path("opaque.tif")
    let red = Bitmap<Float>(PixelSize(4, 3), in: .linearSRGB, channels: .rgb) { _, _ in [1, 0, 0] }
    try ImageFile.write(.float32(red), to: opaque)
    let mixed: Report = try run("compare", opaque, half, "--json").report()
    #expect(mixed.largestAlphaDifference == 0.5)
    let same: Report = try run("compare", opaque, opaque, "--json").report()
    #expect(same.largestAlphaDifference == nil)
    #expect(!run("compare", opaque, opaque).text.contains("alpha"))
  }

  /// The difference of alpha does not depend on colors.
  @Test func alphaOfInfiniteColorsIsCompared() throws {
    let first = try picture("first.tif", alpha: 0.5, of: 0.5, red: .infinity)
    let second = try picture("second.tif", alpha: 0.5, of: 0.25, red: .infinity)
    #expect(run("compare", first, second).output.contains("alpha largest   0.25"))
  }

  /// The largest step may be one of colors.
  @Test func alphaIsMeasuredApartFromColors() throws {
    let first = try picture("first.tif", alpha: 1, of: 1)
    let second = try picture("second.tif", alpha: 1, of: 0.75, red: 0.25)
    let lines = run("compare", first, second).output
    #expect(lines.contains("alpha largest   0.25") && lines.contains("largest step    0.75"))
  }
}
