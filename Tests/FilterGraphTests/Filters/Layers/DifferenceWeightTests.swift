import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Weights of color differences are checked wherever filters and measurements take them.
@Suite struct DifferenceWeightTests {
  private static let formulas: [(formula: ColorDifference, name: String)] =
    [0, -1, Double.nan, .infinity].flatMap { weight in
      [
        (.ciede2000(kL: weight), "The CIEDE2000 weight of lightness"),
        (.ciede2000(kH: weight), "The CIEDE2000 weight of hue"),
        (.cmc(c: weight), "The CMC weight of chroma"),
        (
          .cie94(CIE94Weights(lightness: weight, chroma: 0.045, hue: 0.015)),
          "The CIE94 weight of lightness"
        ),
      ]
    }

  private let photo = Picture(TestPictures.floats(PixelSize(8, 6), channels: .rgb))

  private func message(_ body: () throws -> some Any) -> String {
    do { _ = try body() } catch { return "\(error)" }
    return ""
  }

  @Test(arguments: formulas.indices)
  func unusableWeightsAreErrors(index: Int) {
    let (formula, name) = Self.formulas[index]
    let metric = GamutMetric.difference(formula)
    let messages = [
      message { try photo.difference(from: photo, by: formula).render(as: Float.self) },
      message { try PictureComparison(of: photo, with: photo, by: formula) },
      message { try GamutCoverage(of: [.sRGB], tolerance: 1, metric: metric) },
      message { try photo.fractionOutside(.sRGB, tolerance: 1, metric: metric) },
      message {
        try photo.gamutMask(outside: .sRGB, tolerance: 1, metric: metric).render(as: Float.self)
      },
    ]
    for message in messages { #expect(message.contains("\(name) must"), "\(message)") }
    #expect(photo.difference(from: photo, by: formula).failure != nil)
  }

  @Test func usableWeightsAreNoErrors() throws {
    for formula: ColorDifference in [.ciede2000(kL: 2), .cie94(.textiles), .cmc(l: 1, c: 1)] {
      #expect(photo.difference(from: photo, by: formula).failure == nil)
      _ = try GamutCoverage(of: [.sRGB], tolerance: 1, metric: .difference(formula))
    }
  }
}
