import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing

/// The words that state the size of a resize.
@Suite struct ResizeWordTests {
  @Test(
    arguments: [
      ("800x600", .exact(800, 600)), ("fit:800x600", .fit(800, 600)), ("fit:80", .fit(80, 80)),
      ("fill:8x6", .fill(8, 6)), ("scaled:0.5", .scaled(by: 0.5)),
      ("200x", .fit(200, 1 << 30)), ("x150", .fit(1 << 30, 150)),
      ("fit:200x", .fit(200, 1 << 30)), ("fit:x150", .fit(1 << 30, 150)),
      ("50%", .scaled(by: 0.5)), ("100%", .scaled(by: 1)), ("12.5%", .scaled(by: 0.125)),
    ] as [(String, ResizeTarget)])
  func wordsStateTargets(word: String, target: ResizeTarget) throws {
    #expect(try ResizeTarget(word: word) == target)
  }

  @Test(arguments: [
    ("200x", 200, 150), ("x150", 200, 150), ("800x", 800, 600), ("x3", 4, 3), ("1x", 1, 1),
    ("50%", 200, 150), ("150%", 600, 450), ("0.1%", 1, 1),
  ])
  func oneSideAndPercentagesKeepProportions(word: String, width: Int, height: Int) throws {
    let picture = Picture(Bitmap<UInt8>(PixelSize(400, 300), in: .sRGB))
    let resized = picture.resized(to: try ResizeTarget(word: word))
    #expect(resized.size == PixelSize(width, height))
  }

  @Test(arguments: [
    "", "x", "x200x", "200y", "0x", "x0", "-5x", "1073741825x", "%", "x%", "nan%", "inf%", "200x%",
    "fit:50%", "fit:x", "fill:200x", "scaled:50%",
  ])
  func otherWordsAreRefused(word: String) {
    #expect(throws: RecipeDecodingError.self) { try ResizeTarget(word: word) }
  }
}
