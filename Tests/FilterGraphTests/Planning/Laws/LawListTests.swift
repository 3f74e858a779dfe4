import ColorSpaces
import FilterGraph
import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// The list of laws: each is guarded by a test that exists, acts, and keeps its bound.
@Suite struct LawListTests {
  private static let video = ColorSpace.rec709.asVideo(.rec709, .full(bits: 8))

  @Test(arguments: Law.allCases) func everyLawNamesATestThatExists(law: Law) throws {
    let declaration = law.declaration
    for text in [declaration.summary, declaration.condition] { #expect(!text.isEmpty) }
    let words = declaration.test.split(separator: ".").map(String.init)
    try #require(words.count == 2)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let file = files?.compactMap { $0 as? URL }.first {
      $0.lastPathComponent == "\(words[0]).swift"
    }
    let text = try String(contentsOf: #require(file), encoding: .utf8)
    #expect(text.contains("@Suite struct \(words[0]) "))
    #expect(text.contains("func \(words[1])("))
  }

  /// Each law alone, on and off, on random graphs: it acts on some of them, and changes no value by more than its bound.
  @Test func everyLawActsOnRandomGraphsAndKeepsItsBound() throws {
    var counts: [Law: Int] = [:]
    for seed in 0..<1500 {
      var generator = SeededGenerator(seed: (2 << 32) + UInt64(seed))
      var picture = RandomGraph.picture(depth: 5, using: &generator)
      // The random steps have no coordinates of their own.
      if seed % 10 == 0 { picture = picture.converted(to: Self.video).exposure(0.5) }
      let acted = try picture.planReport(as: Float.self).laws
      let laws = acted.keys.filter { counts[$0, default: 0] < 60 }
      if laws.isEmpty { continue }
      let whole = try picture.render(as: Float.self)
      for law in laws {
        counts[law, default: 0] += 1
        var options = RenderOptions()
        options.disabledLaws = [law]
        let without = try picture.render(as: Float.self, options: options)
        #expect(try picture.planReport(as: Float.self, options: options).laws[law] == nil)
        let difference = whole.largestDifference(from: without)
        #expect(difference <= law.declaration.bound, "seed \(seed), \(law): \(picture.plan)")
      }
    }
    for law in Law.allCases { #expect(counts[law, default: 0] > 0, "\(law) never acted.") }
  }

  /// Two laws are seldom met by chance: channels of one picture, and steps that are written twice.
  @Test func disabledLawsLeaveTheirWorkUndone() throws {
    let photo = Picture(TestPictures.codes(as: UInt16.self))
    let blurred = photo.exposure(1).boxBlurred(radius: 1)
    let twice = blurred.applying(
      Mean(extent: .first), with: [photo.exposure(1).boxBlurred(radius: 1)])
    var options = RenderOptions()
    let steps = try twice.planReport(as: Float.self).steps.count
    options.disabledLaws = [.sharing]
    #expect(try twice.planReport(as: Float.self, options: options).steps.count > steps)
    options.disabledLaws = [.passes]
    let chain = photo.exposure(1).saturation(0.5)
    #expect(
      try chain.planReport(as: Float.self, options: options).steps.count
        > chain.planReport(as: Float.self).steps.count)
  }
}
