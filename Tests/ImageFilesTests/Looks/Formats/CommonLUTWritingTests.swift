import ColorSpaces
import FilterGraph
import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Chains of steps in written `.clf` files: each step is an element, and is read back as it was.
@Suite struct CommonLUTWritingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func curves(_ segments: SegmentedCurve.Segment...) -> Look.Step {
    let curve = Curve.segmented(SegmentedCurve(segments))
    return .curves(curve, curve, curve)
  }

  private static func powers(_ curve: PowerCurve) -> Look.Step {
    .curves(.power(curve), .identity, .power(curve))
  }

  private static func sampled(_ count: Int, _ power: Double) -> Curve {
    .sampled(SampledCurve((0..<count).map { Float(pow(Double($0) / Double(count - 1), power)) }))
  }

  private static func decisions(_ style: ColorDecisions.Style) throws -> Look.Step {
    .decisions(
      try ColorDecisions(
        slope: [1.1, 1, 0.95], offset: [0.02, 0, -0.02], power: [1.1, 1, 0.9], saturation: 1.2,
        style: style))
  }

  private static let camera = LogarithmParameters(
    base: 2, logSlope: 0.057, logOffset: 0.55, linearSlope: 1.1, linearOffset: 0.01,
    lineEnd: 0.0078125)

  /// The power with a line below that meets it at the same slope.
  private static func monitor(exponent: Double, offset: Double) -> PowerCurve {
    let end = offset / (exponent - 1)
    let level = pow((end + offset) / (1 + offset), exponent)
    return PowerCurve(
      g: exponent, a: 1 / (1 + offset), b: offset / (1 + offset), c: level / end, d: end)
  }

  /// A look, and the elements that it becomes.
  private struct Chain {
    let elements: [String]
    let steps: [Look.Step]

    init(_ elements: String..., steps: Look.Step...) {
      (self.elements, self.steps) = (elements, steps)
    }
  }

  private static let mixing = Look.Step.matrix(
    ColorMatrix(rows: [1.2, -0.1, -0.1], [0, 1, 0], [0.1, 0, 0.9]))
  private static let offset = SIMD3(0.1, 0, -0.2)

  private static func linearChains() throws -> [Chain] {
    var chains = [
      Chain("ASC_CDL", steps: try decisions(.clamped)),
      Chain("ASC_CDL", steps: try decisions(.unclamped)),
    ]
    chains.append(Chain("Matrix", steps: mixing, .affine(scale: .one, offset: offset)))
    chains.append(Chain("Matrix", steps: .affine(scale: [2, 3, 4], offset: offset)))
    chains.append(Chain("Range", "Matrix", steps: .clamp(-0.25...7), mixing))
    chains.append(Chain("Range", "Matrix", steps: .clamp(0...Double.infinity), mixing))
    return chains
  }

  private static func logarithms() throws -> [Chain] {
    let (log, exponential) = (camera.curve(isInverse: false), camera.curve(isInverse: true))
    var slanted = camera
    slanted.lineSlope = 9
    let (steep, flat) = (slanted.curve(isInverse: false), slanted.curve(isInverse: true))
    let table = try ColorTable(size: 5, lowest: [-0.5, 0, -0.1], highest: [4, 3, 1.1]) {
      $0 * $0 / 3
    }
    let stops = curves(.log(base: 2, shift: 0x1p-10, scale: 1.0 / 16, offset: 0.625))
    let power = curves(.exponential(base: 10, slope: 2, shift: -1, scale: 0.5, offset: -0.01))
    var chains = [Chain("Log", steps: power)]
    chains.append(Chain("Matrix", "Log", steps: mixing, curves(log.segments[0], log.segments[1])))
    chains.append(Chain("Log", "Matrix", steps: curves(.log(base: 10)), mixing))
    chains.append(Chain("Log", "Matrix", steps: curves(.exponential(base: 2)), mixing))
    chains.append(Chain("Log", "Matrix", "LUT3D", steps: stops, .table(table)))
    chains.append(
      Chain("Log", steps: .curves(.segmented(log), .segmented(steep), .segmented(log))))
    chains.append(
      Chain(
        "Log",
        steps: .curves(.segmented(exponential), .segmented(flat), .segmented(exponential))))
    return chains
  }

  private static func tablesAndPowers() -> [Chain] {
    let monitor = monitor(exponent: 2.4, offset: 0.055)
    var continued = monitor
    continued.belowZero = .continued
    let mirrored = PowerCurve(exponent: 1.7, belowZero: .mirrored)
    let passed = PowerCurve(exponent: 0.6, belowZero: .passedThrough)
    let (red, green, blue) = (sampled(9, 2), sampled(9, 0.5), sampled(9, 1))
    var chains = [Chain("Exponent", steps: powers(passed))]
    chains.append(Chain("Exponent", "Exponent", steps: powers(monitor), powers(continued)))
    chains.append(
      Chain("Exponent", "Exponent", steps: powers(monitor.inverse), powers(continued.inverse)))
    chains.append(Chain("Exponent", "Range", steps: powers(mirrored), .clamp(0...3)))
    chains.append(
      Chain(
        "LUT1D", "Matrix", "LUT1D",
        steps: .curves(sampled(5, 2), sampled(4, 0.5), sampled(2, 1)), mixing,
        .curves(red, green, blue)))
    chains.append(Chain("LUT1D", steps: .hueAdjustedCurves(red, green, blue)))
    return chains
  }

  private static let values: [Double] = [-0.1, -0.01, 0, 0.001, 0.02, 0.18, 0.5, 0.99, 1, 4, 16]

  @Test func everyStepIsReadBackAsItWas() throws {
    let chains = try Self.linearChains() + Self.logarithms() + Self.tablesAndPowers()
    for (index, chain) in chains.enumerated() {
      let (elements, look) = (chain.elements, Look(title: "chain \(index)", steps: chain.steps))
      let path = folder.path("\(index).clf")
      try look.write(to: path)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let found = text.matches(of: /<([A-Za-z0-9_]+) inBitDepth/).map { String($0.1) }
      #expect(found == elements, "\(look)")
      let read = try Look(contentsOf: path)
      for red in Self.values {
        for green in [red, 0.3, 2] {
          let color = SIMD3(red, green, 0.4)
          let (expected, result) = (look(color), read(color))
          for channel in 0..<3 {
            let limit = 1e-6 * max(1, abs(expected[channel]))
            #expect(
              abs(expected[channel] - result[channel]) <= limit, "\(elements) of \(color)")
          }
        }
      }
      // A second file equals the first one: numbers do not drift.
      try read.write(to: folder.path("again.clf"))
      #expect(try Look(contentsOf: folder.path("again.clf")) == read, "\(elements)")
    }
  }

  /// Steps without an element of the format are refused by their place.
  @Test func otherStepsAreRefused() throws {
    let (toe, line) = (
      SegmentedCurve.Segment.line(slope: 0.5), SegmentedCurve.Segment.line(from: 1, slope: 1)
    )
    let scaled = PowerCurve(scale: 2, exponent: 2)
    // Readers take slopes up to 10⁶.
    var steep = Self.camera
    steep.lineSlope = 1e7
    let rising = steep.curve(isInverse: false)
    for step in [
      Self.curves(toe, line), Self.powers(scaled),
      Self.curves(rising.segments[0], rising.segments[1]),
      .curves(Self.sampled(3, 1), .identity, .identity),
      .matrix(ColorMatrix(diagonal: [.infinity, 1, 1])),
      Self.powers(PowerCurve(exponent: 2, belowZero: .clamped)),
    ] {
      let error = try #require(throws: LookFileError.self) {
        try Look(steps: [try Self.decisions(.clamped), step]).write(to: folder.path("a.clf"))
      }
      #expect("\(error)".contains("step 2 of the look is none of them"), "\(error)")
    }
  }

  /// Readers refuse empty attributes, and tell files apart by their identifiers.
  @Test func filesOfUntitledLooksHaveNoEmptyAttributes() throws {
    let grade = Look(steps: [try Self.decisions(.clamped)])
    let other = Look(try ColorTable(size: 2) { $0 * 0.5 })
    var identifiers: Set<Substring> = []
    for (look, ending) in [
      (grade, "clf"), (other, "clf"), (Look(), "clf"), (grade, "cc"), (grade, "ccc"),
      (grade, "cdl"),
    ] {
      for name in ["a", "b"] { try look.write(to: folder.path("\(name).\(ending)")) }
      let text = try String(contentsOfFile: folder.path("a.\(ending)"), encoding: .utf8)
      #expect(!text.contains("=\"\""), "\(text)")
      #expect(try text == String(contentsOfFile: folder.path("b.\(ending)"), encoding: .utf8))
      #expect(try Look(contentsOf: folder.path("a.\(ending)")).title.isEmpty)
      guard ending == "clf" else { continue }
      let identifier = text.firstMatch(
        of: /id="(urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12})"/)
      identifiers.insert(try #require(identifier).1)
    }
    #expect(identifiers.count == 3)
    try Look(title: "x", steps: grade.steps).write(to: folder.path("a.clf"))
    let titled = try String(contentsOfFile: folder.path("a.clf"), encoding: .utf8)
    #expect(titled.contains(" name=\"x\" ") && !identifiers.contains { titled.contains($0) })
  }
}
