import ColorSpaces
import ColorloomTool
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Looks of several steps through `look convert`, and logarithms before 3D LUTs by `look bake`.
@Suite struct LookChainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  /// The largest error of a printed line.
  private func error(_ line: String) -> Double? {
    line.firstMatch(of: /largest error ([-0-9.e]+)/).flatMap { Double($0.1) }
  }

  @Test(arguments: [
    "chain", "camera-logs", "camera-antilog", "affine-logs", "matrix-range", "curves",
  ])
  func convertKeepsChains(name: String) throws {
    let source = Fixtures.url("Looks/\(name).clf").path
    let converted = run("look", "convert", source, path("a.clf"), "--title", "t")
    #expect(converted.status == .done && converted.text.isEmpty, "\(converted.text)")
    let (look, back) = (try Look(contentsOf: source), try Look(contentsOf: path("a.clf")))
    #expect(back.title == "t")
    for value in [-0.1, 0, 0.02, 0.18, 1, 4, 16] {
      let color = SIMD3(value, 0.3, value / 2)
      let (expected, result) = (look(color), back(color))
      for channel in 0..<3 {
        let limit = 1e-6 * max(1, abs(expected[channel]))
        #expect(abs(expected[channel] - result[channel]) <= limit, "\(color)")
      }
    }
  }

  @Test(arguments: ["grade.cc", "grade.cc,style=unclamped"])
  func colorDecisionsAreAnElement(word: String) throws {
    let converted = run("look", "convert", Fixtures.url("Looks/\(word)").path, path("a.clf"))
    #expect(converted.status == .done && converted.text.isEmpty, "\(converted.text)")
    let look = try Look(contentsOf: path("a.clf"))
    guard case .decisions(let decisions) = look.steps.last, look.steps.count == 1 else {
      Issue.record("\(look)")
      return
    }
    #expect(decisions.style == (word.hasSuffix("unclamped") ? .unclamped : .clamped))
  }

  /// Grid points in stops hold dark and bright values that even ones miss. The tool prints the error of the file.
  @Test func stopsAreBakedBehindALogarithm() throws {
    let words = ["--from", "linear-srgb", "--sigmoid-view", "--size", "17"]
    let even = run(["look", "bake", path("even.clf"), "--domain", "0,64"] + words)
    #expect(even.status == .done, "\(even.errors)")
    for ending in ["clf", "csp"] {
      let name = path("a.\(ending)")
      let baked = run(["look", "bake", name, "--domain", "stops:-10,6"] + words)
      #expect(baked.status == .done, "\(baked.errors)")
      let line = try #require(baked.output.first)
      #expect(line.hasSuffix("; colors outside 0.0…64.0 are clipped"), "\(line)")
      let (worse, better) = (try #require(error(even.output[0])), try #require(error(line)))
      #expect(better < worse / 4, "\(worse) \(better)")
      let exact = try Look.baking(size: 17, in: .linearSRGB, over: .stops(-10...6)) {
        $0.sigmoidView()
      }.look
      let read = try Look(contentsOf: name)
      for value in [0, 0.01, 0.18, 1, 16, 60] {
        let distance = exact(SIMD3(repeating: value)) - read(SIMD3(repeating: value))
        #expect(distance.largest < (ending == "clf" ? 1e-6 : 2e-3), "\(value) in .\(ending)")
      }
    }
    // The points of a .csp are mentioned where a look is converted.
    let points = run("look", "convert", path("a.clf"), path("b.csp"))
    #expect(points.output.count == 1 && points.text.contains("stored as points"), "\(points.text)")
  }

  @Test(arguments: ["cube", "3dl", "spi3d", "png"])
  func otherFormatsRefuseStops(ending: String) {
    let refused = run(
      "look", "bake", path("a.\(ending)"), "--invert", "--domain", "stops:-10,6")
    #expect(refused.status == .misused, "\(refused.errors)")
    #expect(
      refused.complaint.hasSuffix("Write .clf or .csp.")
        && refused.complaint.contains("holds no logarithm before a 3D LUT"))
    #expect(!FileManager.default.fileExists(atPath: path("a.\(ending)")))
  }

  @Test(arguments: ["stops:6,-10", "stops:-10", "stops:", "stops:-200,6", "steps:0,1"])
  func wrongStopsAreRefused(word: String) {
    let refused = run("look", "bake", path("a.clf"), "--invert", "--domain", word)
    #expect(refused.status == .misused && refused.complaint.contains("stops:-10,6"))
  }
}
