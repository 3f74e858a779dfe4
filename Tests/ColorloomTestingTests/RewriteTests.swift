import Colorloom
import ColorloomTesting
import Testing

/// Plans rewrite filters of other packages as they do the package's own, by their declarations.
@Suite struct RewriteTests {
  private let scan = Picture(TestPictures.floats(PixelSize(40, 30)))

  @Test func blendsThatRearrangeChannelsAreFused() throws {
    let toned = scan.inverted()
    let picture = toned.applying(RedFromSecond(), with: [toned.contrast(1.5, pivot: 0.25)])
    #expect(!picture.plan.contains("RedFromSecond"), "\(picture.plan)")
    #expect(picture.plan.split(separator: "\n").count == 2, "\(picture.plan)")
    // Quantized values are another node, which prevents fusion.
    let unfused = toned.applying(
      RedFromSecond(), with: [toned.contrast(1.5, pivot: 0.25).stored(as: .float32)])
    #expect(unfused.plan.contains("RedFromSecond"))
    #expect(try picture.render(as: UInt8.self) == unfused.render(as: UInt8.self))
  }

  @Test func blendsOfDifferentPicturesAreNotFused() {
    let other = Picture(TestPictures.floats(PixelSize(40, 30), seed: 7))
    #expect(scan.applying(RedFromSecond(), with: [other]).plan.contains("RedFromSecond"))
    // A blend that computes its channels is never fused.
    #expect(scan.applying(Average(), with: [scan]).plan.contains("Average"))
  }

  @Test(arguments: WrongChannels.Mistake.allCases)
  func wrongChannelSourcesAreReported(mistake: WrongChannels.Mistake) {
    let violations = FilterLaws.violations(of: WrongChannels(mistake: mistake))
    #expect(violations.contains { $0.law == .fusion }, "\(violations)")
    #expect(FilterLaws.violations(of: RedFromSecond()).isEmpty)
  }

  @Test func sourcesAreReducedBehindResolutionIndependentFilters() throws {
    let source = Picture(HalvedRows(size: PixelSize(41, 21)))
    let mirrored = source.applying(Mirror()).inverted().reduced(toAtLeast: PixelSize(20, 10))
    #expect(mirrored.size == PixelSize(21, 11))
    let expected = source.reduced(toAtLeast: PixelSize(20, 10)).applying(Mirror()).inverted()
    #expect(try mirrored.render(as: UInt8.self) == expected.render(as: UInt8.self))
    // A mean over a number of pixels depends on the resolution.
    #expect(
      source.applying(RowMean(reach: 2)).reduced(toAtLeast: PixelSize(20, 10)).size == source.size)
  }
}
