import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Looks whose domain is not 0…1, through each format that can state it.
@Suite struct LookDomainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  private let colors: [SIMD3<Double>] = [
    [0, 0, 0], [1, 1, 1], [-0.5, 0.25, 4], [3.9, 2.7, -0.1], [-7, 0.5, 100],
  ]

  /// Curves behind the affine step that readers make of a domain.
  private func curves(_ lowest: SIMD3<Double>, _ highest: SIMD3<Double>) -> Look {
    func curve(_ gain: Float) -> Curve { .sampled(SampledCurve([0, gain / 3, 0.5, gain])) }
    let scale = 1 / (highest - lowest)
    return Look(steps: [
      .affine(scale: scale, offset: -lowest * scale), .curves(curve(1), curve(2), curve(-1)),
    ])
  }

  private func table(_ lowest: SIMD3<Double>, _ highest: SIMD3<Double>) throws -> Look {
    Look(try ColorTable(size: 5, lowest: lowest, highest: highest) { $0 * $0 / 3 })
  }

  /// Whether both looks give the same colors, within the rounding errors of positions in a table.
  private func expectSame(_ look: Look, _ other: Look, _ name: String) {
    for color in colors {
      let distance = look(color) - other(color)
      for channel in 0..<3 { #expect(abs(distance[channel]) <= 1e-12, "\(name) of \(color)") }
    }
  }

  @Test(arguments: ["cube", "csp", "clf", "spi1d"])
  func curvesKeepTheirDomain(ending: String) throws {
    let look = curves([-0.5, -0.5, -0.5], [4, 4, 4])
    try look.write(to: path("a.\(ending)"))
    let read = try Look(contentsOf: path("a.\(ending)"))
    #expect(read.inputBox == look.inputBox)
    expectSame(read, look, ending)
    // A second file equals the first one: numbers do not drift.
    try read.write(to: path("b.\(ending)"))
    #expect(try Look(contentsOf: path("b.\(ending)")) == read)
  }

  @Test(arguments: ["cube", "csp", "clf"])
  func tablesKeepTheDomainOfEachChannel(ending: String) throws {
    let look = try table([-0.5, 0, -0.1], [4, 3, 1.1])
    try look.write(to: path("a.\(ending)"))
    let read = try Look(contentsOf: path("a.\(ending)"))
    expectSame(read, look, ending)
    // Each format reads a domain as other steps: a box, or an affine step or a matrix before the table.
    for other in ["cube", "csp", "clf"] {
      try read.write(to: path("b.\(other)"))
      expectSame(try Look(contentsOf: path("b.\(other)")), look, "\(ending) to \(other)")
    }
  }

  @Test func domainsAreWrittenAsRoundNumbers() throws {
    try curves([-0.5, -0.1, 0], [4, 1.1, 0.3]).write(to: path("a.cube"))
    let text = try String(contentsOfFile: path("a.cube"), encoding: .utf8)
    #expect(text.contains("DOMAIN_MIN -0.5 -0.1 0.0\nDOMAIN_MAX 4.0 1.1 0.3\n"), "\(text)")
  }

  @Test func clampsThatTheTableRepeatsAreLeftOut() throws {
    let curve = curves(.zero, .one).steps[1]
    func look(_ range: ClosedRange<Double>) -> Look {
      Look(steps: [.affine(scale: SIMD3(repeating: 0.5), offset: .zero), .clamp(range), curve])
    }
    try look(0...1).write(to: path("a.cube"))
    expectSame(try Look(contentsOf: path("a.cube")), look(0...1), "0…1")
    #expect(throws: LookFileError.self) { try look(0...0.5).write(to: path("b.cube")) }
    #expect(look(0...0.5).inputBox == ColorBox(.zero, .one))
  }

  @Test func formatsRefuseDomainsTheyCannotHold() throws {
    let wide = try table(.zero, [2, 2, 2])
    for name in ["a.3dl", "a.spi3d"] {
      let error = try #require(throws: LookFileError.self) { try wide.write(to: path(name)) }
      #expect("\(error)".hasSuffix("write .cube, .csp or .clf."), "\(error)")
    }
    do throws(LookFileError) {
      try curves(.zero, [1, 2, 3]).write(to: path("a.spi1d"))
      Issue.record("The file was written.")
    } catch {
      #expect("\(error)".contains("one range of input values for all channels"), "\(error)")
    }
    let falling = Look(steps: [
      .affine(scale: SIMD3(repeating: -1), offset: .one), curves(.zero, .one).steps[1],
    ])
    #expect(throws: LookFileError.self) { try falling.write(to: path("a.cube")) }
    #expect(falling.inputBox == .unit)
  }

  @Test func looksWithoutClampsHaveNoDomain() throws {
    #expect(Look().inputBox == nil)
    #expect(Look(steps: [.decisions(try ColorDecisions(saturation: 2))]).inputBox == nil)
    #expect(Look(steps: [.clamp(0...Double.infinity)]).inputBox == nil)
    #expect(
      Look(steps: [.clamp(-1...2)]).inputBox == ColorBox(SIMD3(repeating: -1), SIMD3(repeating: 2)))
  }

  @Test func commonLUTsKeepTheirInterpolation() throws {
    let table = try ColorTable(size: 3, interpolation: .trilinear) { $0 * $0 }
    try Look(table).write(to: path("a.clf"))
    #expect(try Look(contentsOf: path("a.clf")).steps == [.table(table)])
  }

  private func trilinear(
    _ size: Int, _ color: (SIMD3<Double>) -> SIMD3<Double>
  ) throws -> Look {
    Look(try ColorTable(size: size, interpolation: .trilinear, color))
  }

  @Test(arguments: ["cube", "3dl", "spi3d", "csp"])
  func otherFormatsRefuseTrilinearInterpolation(ending: String) throws {
    // Products of channels differ between the grid points.
    let mixed = try trilinear(3) { color in color * color.y }
    do throws(LookFileError) {
      try mixed.write(to: path("a.\(ending)"))
      Issue.record("The file was written.")
    } catch {
      #expect("\(error)".contains("are interpolated tetrahedrally"), "\(error)")
    }
    // Sums do not, up to the rounding of entries.
    let sum = try trilinear(3) { color in color * 0.3 + color.y * 0.1 }
    try sum.write(to: path("b.\(ending)"))
    let read = try Look(contentsOf: path("b.\(ending)"))
    for color in colors {
      let distance = read(color) - sum(color)
      // A .3dl rounds to 16 bits.
      for channel in 0..<3 { #expect(abs(distance[channel]) <= 1e-5, "\(color)") }
    }
  }

  @Test func lookImagesRefuseTrilinearInterpolation() throws {
    let mixed = try trilinear(16) { color in color * color.y }
    #expect(throws: LookFileError.self) { try mixed.lookImage() }
    let sum = try trilinear(16) { color in color * 0.3 + color.y * 0.1 }
    #expect(throws: Never.self) { try sum.lookImage() }
  }
}
