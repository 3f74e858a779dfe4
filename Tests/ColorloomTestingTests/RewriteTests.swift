import Colorloom
import ColorloomTesting
import Testing

/// Filters of other packages are rewritten as the package's own are: what counts is what they say of themselves.
@Suite struct RewriteTests {
  private let scan = Picture(TestPictures.floats(PixelSize(40, 30)))

  @Test func blendsThatRearrangeChannelsAreFused() throws {
    let toned = scan.inverted()
    let picture = toned.applying(RedFromSecond(), with: [toned.contrast(1.5, pivot: 0.25)])
    #expect(!picture.plan.contains("RedFromSecond"), "\(picture.plan)")
    #expect(picture.plan.split(separator: "\n").count == 2, "\(picture.plan)")
    // Stored values belong to another node, so nothing is fused.
    let unfused = toned.applying(
      RedFromSecond(), with: [toned.contrast(1.5, pivot: 0.25).stored(as: .float32)])
    #expect(unfused.plan.contains("RedFromSecond"))
    #expect(try picture.render(as: UInt8.self) == unfused.render(as: UInt8.self))
  }

  @Test func blendsOfDifferentPicturesAreNotFused() {
    let other = Picture(TestPictures.floats(PixelSize(40, 30), seed: 7))
    #expect(scan.applying(RedFromSecond(), with: [other]).plan.contains("RedFromSecond"))
    // A filter that computes is never fused.
    #expect(scan.applying(Average(), with: [scan]).plan.contains("Average"))
  }

  @Test(arguments: WrongChannels.Mistake.allCases)
  func wrongChannelSourcesAreReported(mistake: WrongChannels.Mistake) {
    let violations = FilterLaws.violations(of: WrongChannels(mistake: mistake))
    #expect(violations.contains { $0.law == .fusion }, "\(violations)")
    #expect(FilterLaws.violations(of: RedFromSecond()).isEmpty)
  }

  @Test func sourcesAreReducedBehindFiltersOfEveryResolution() throws {
    let source = Picture(HalvedRows(size: PixelSize(41, 21)))
    let mirrored = source.applying(Mirror()).inverted().reduced(toAtLeast: PixelSize(20, 10))
    #expect(mirrored.size == PixelSize(21, 11))
    let expected = source.reduced(toAtLeast: PixelSize(20, 10)).applying(Mirror()).inverted()
    #expect(try mirrored.render(as: UInt8.self) == expected.render(as: UInt8.self))
    // A mean of so many pixels means something else in fewer of them.
    #expect(
      source.applying(RowMean(reach: 2)).reduced(toAtLeast: PixelSize(20, 10)).size == source.size)
  }
}
