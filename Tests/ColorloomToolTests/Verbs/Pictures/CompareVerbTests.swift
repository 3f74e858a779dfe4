import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageBuffer
import ImageFiles
import Testing
import _TestSupport

/// Comparisons of pictures, some of which differ in alpha.
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

  @Test func picturesAreCompared() throws {
    let (first, second, map) = (
      folder.path("1.png"), folder.path("2.png"), folder.path("map.png")
    )
    #expect(run("triangle", first, "--size", "64x48").status == .done)
    #expect(run("convert", first, second, "--exposure", "-0.1").status == .done)
    struct Report: Decodable {
      struct Difference: Decodable { let mean, percentile95, maximum: Double }
      let deltaE: Difference
      let largestStep, psnr, ssim: Double
    }
    func written() throws -> Bitmap<UInt16>? {
      if case .uint16(let bitmap) = try ImageFile.read(map) { bitmap } else { nil }
    }
    let transcript = run("compare", first, second, "--json", "--difference", map)
    let other = try transcript.report(as: Report.self)
    let (a, b) = try (Picture(contentsOf: first), Picture(contentsOf: second))
    let expected = try PictureComparison(of: b, with: a)
    let difference = try b.difference(from: a).converted(to: .sRGB).render(as: UInt16.self)
    #expect(other.deltaE.mean == expected.mean)
    #expect(other.deltaE.percentile95 == expected.percentile95)
    #expect(other.deltaE.maximum == expected.maximum)
    #expect(other.largestStep == expected.largestStep)
    #expect(other.psnr == expected.peakSignalToNoise)
    #expect(try written() == difference)
    // The step gives the same map, in any space of the pictures.
    #expect(run("convert", second, map, "--difference-map", first, "--to", "srgb").status == .done)
    #expect(try written() == difference)
    #expect(try other.ssim == a.structuralSimilarity(to: b))
    #expect(run("compare", first, second).output.count == 7)
    #expect(run("compare", first, Fixtures.url("negative.png").path).status == .failed)
  }

  /// JSON has no infinity: strings stand for numbers that are not finite. Their words in text are those of every verb.
  @Test func equalPicturesHaveAnInfinitePSNR() throws {
    struct Report: Decodable {
      struct Difference: Decodable { let maximum: Double }
      let deltaE: Difference
      let psnr: String
    }
    let half = try picture("half.tif", alpha: 0.5, of: 0.5)
    let same: Report = try run("compare", half, half, "--json").report()
    #expect(same.deltaE.maximum == 0 && same.psnr == "inf")
    #expect(run("compare", half, half).output.contains("PSNR            infinity dB"))
    let infinite = try picture("infinite.tif", alpha: 1, of: 1, red: .infinity)
    #expect(run("inspect", infinite).text.contains("red: infinity to infinity, mean "))
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

  /// The largest step may be one of colors, premultiplied: 1 and 0.25 · 0.75.
  @Test func alphaIsMeasuredApartFromColors() throws {
    let first = try picture("first.tif", alpha: 1, of: 1)
    let second = try picture("second.tif", alpha: 1, of: 0.75, red: 0.25)
    let lines = run("compare", first, second).output
    #expect(lines.contains("alpha largest   0.25") && lines.contains("largest step    0.8125"))
  }
}
