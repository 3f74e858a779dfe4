import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Looks with a curve for each channel before their table.
@Suite struct ShapedLookTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private func table(_ lowest: Double = 0, _ highest: Double = 1) throws -> Look.Step {
    .table(
      try ColorTable(size: 5, lowest: SIMD3(repeating: lowest), highest: SIMD3(repeating: highest))
      {
        $0 * $0 / 3 + 0.1
      })
  }

  private func sampled(_ values: [Float]...) -> Look.Step {
    let curves = values.map { Curve.sampled(SampledCurve($0)) }
    return .curves(curves[0], curves[1], curves[2])
  }

  private func spread(_ lowest: Double, _ highest: Double) -> Look.Step {
    let scale = 1 / (highest - lowest)
    return .affine(
      scale: SIMD3(repeating: scale), offset: SIMD3(repeating: -lowest * scale))
  }

  private func expectSame(_ look: Look, _ other: Look, within limit: Double = 1e-6) {
    for value in [-0.1, 0, 0.01, 0.18, 0.5, 1, 3.5, 16] {
      let color = SIMD3(value, 0.3, value * 0.7)
      let distance = look(color) - other(color)
      for channel in 0..<3 { #expect(abs(distance[channel]) <= limit, "\(color)") }
    }
  }

  @Test func sampledCurvesStandBeforeTheTable() throws {
    let curves = sampled([0, 0.4, 0.7, 1], [0, 0.2, 1], [0.1, 0.9])
    for (name, first) in [("plain", [curves]), ("wide", [spread(-0.5, 4), curves])] {
      for (box, last) in [("unit", try table()), ("box", try table(-0.5, 1.5))] {
        let look = Look(steps: first + [last])
        for ending in ["csp", "cube"] {
          let path = path("\(name)-\(box).\(ending)")
          try look.write(to: path)
          expectSame(try Look(contentsOf: path), look)
        }
      }
    }
    let text = try String(contentsOfFile: path("wide-unit.csp"), encoding: .utf8)
    #expect(text.contains("\n4\n-0.5 1.0 2.5 4.0\n0.0 0.4 0.7 1.0\n3\n"), "\(text)")
    let resolve = try String(contentsOfFile: path("wide-unit.cube"), encoding: .utf8)
    // The curves of all channels have as many entries.
    #expect(
      resolve.hasPrefix(
        "LUT_1D_SIZE 7\nLUT_1D_INPUT_RANGE -0.5 4.0\nLUT_3D_SIZE 5\nLUT_3D_INPUT_RANGE 0.0 1.0\n"),
      "\(resolve)")
  }

  /// OpenColorIO refuses a `TITLE` in a `.cube` of DaVinci Resolve.
  @Test func titlesOfResolveFilesAreComments() throws {
    try Look(title: "warm", steps: [sampled([0, 0.5], [0, 1], [0, 1]), table()])
      .write(to: path("a.cube"))
    let text = try String(contentsOfFile: path("a.cube"), encoding: .utf8)
    #expect(text.hasPrefix("# warm\nLUT_1D_SIZE 2\n") && !text.contains("TITLE"), "\(text)")
    #expect(try Look(contentsOf: path("a.cube")).title.isEmpty)
  }

  /// A `.csp` has points of a logarithm, and readers are told what they make of these.
  @Test func logarithmsBecomePoints() throws {
    let look = try Look.baking(size: 9, in: .linearSRGB, over: .stops(-6...4)) {
      $0.exposure(-1)
    }.look
    try look.write(to: path("a.csp"))
    let read = try Look(contentsOf: path("a.csp"))
    expectSame(read, look, within: 1e-3)
    let stored = try #require(try look.withPoints(inFile: path("a.csp")))
    expectSame(stored, read)
    #expect(try look.withPoints(inFile: path("a.clf")) == nil)
    #expect(try Look(steps: [table()]).withPoints(inFile: path("a.csp")) == nil)
    // Evenly spaced in stops: half of the points are those of the lower half of them.
    let lines = try String(contentsOfFile: path("a.csp"), encoding: .utf8).split(separator: "\n")
    let index = try #require(lines.firstIndex(of: "1025"))
    let inputs = lines[index + 1].split(separator: " ").compactMap { Double($0) }
    #expect(inputs.count == 1025 && inputs[0] == 0)
    #expect(abs(inputs[1024] - 16) < 1e-9 && abs(inputs[512] - 0.484) < 0.01)
    // A .clf states the logarithm itself.
    try look.write(to: path("a.clf"))
    expectSame(try Look(contentsOf: path("a.clf")), look)
    #expect(throws: LookFileError.self) { try look.write(to: path("a.cube")) }
  }

  /// Readers refuse inputs that are nearer to each other.
  @Test func crowdedPointsAreRefused() throws {
    let values = (0..<2000).map { Float($0) / 1999 }
    let look = Look(steps: [spread(0, 1e-5), sampled(values, values, values), try table()])
    #expect(throws: LookFileError.self) { try look.write(to: path("a.csp")) }
    // A .cube states the ends of the range only.
    try look.write(to: path("a.cube"))
  }

  @Test func fallingCurvesAreNoPoints() throws {
    let falling = Curve.segmented(SegmentedCurve([.line(slope: -1, intercept: 1)]))
    let look = Look(steps: [.curves(falling, falling, falling), try table()])
    #expect(throws: LookFileError.self) { try look.write(to: path("a.csp")) }
    #expect(throws: LookFileError.self) {
      try Look(steps: [sampled([0, 1, 1], [0, 1, 1], [0, 1, 1]), try table()])
        .write(to: path("a.spi3d"))
    }
  }
}
