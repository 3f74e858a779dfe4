import ColorSpaces
import Foundation
import Testing
import _TestSupport

/// Chromatic adaptation transforms: their properties, and matrices of other programs.
@Suite struct ChromaticAdaptationTests {
  /// White points from deep orange to sky blue, on and off the Planckian locus.
  private static let white = Generator<(Double, Double)>.zip(
    .double(in: 0.25...0.48), .double(in: 0.25...0.45)
  ).map { Chromaticity($0.0, $0.1) }

  @Test(arguments: ChromaticAdaptation.named)
  func whiteBecomesWhite(_ model: ChromaticAdaptation) {
    checkProperty("\(model)", Self.white, Self.white) { source, target in
      let adapted = model.matrix(from: source, to: target) * source.xyz
      return (adapted - target.xyz).largest <= 2e-14
    }
  }

  @Test(arguments: ChromaticAdaptation.named) func oppositeAdaptationIsTheInverse(
    _ model: ChromaticAdaptation
  ) {
    checkProperty("\(model)", Self.white, Self.white) { source, target in
      let there = model.matrix(from: source, to: target)
      let back = model.matrix(from: target, to: source)
      return (there * back).distance(to: .identity) <= 1e-13
    }
  }

  @Test(arguments: ChromaticAdaptation.named) func adaptationComposesThroughAThirdWhite(
    _ model: ChromaticAdaptation
  ) {
    checkProperty("\(model)", Self.white, Self.white, Self.white) { a, b, c in
      let stepwise = model.matrix(from: b, to: c) * model.matrix(from: a, to: b)
      return stepwise.distance(to: model.matrix(from: a, to: c)) <= 1e-13
    }
  }

  @Test(arguments: ChromaticAdaptation.named)
  func degreeInterpolatesFromIdentityToComplete(_ model: ChromaticAdaptation) {
    checkProperty("\(model)", Self.white, Self.white, .double(in: 0...1)) { a, b, degree in
      // The degree interpolates linearly: responses are scaled by 1 + D · (gain − 1).
      let whole = model.matrix(from: a, to: b)
      let matrix = model.matrix(from: a, to: b, degree: degree)
      let mixed = zip(ColorMatrix.identity.rows, whole.rows).map { $0 + degree * ($1 - $0) }
      let expected = ColorMatrix(rows: mixed[0], mixed[1], mixed[2])
      return matrix.distance(to: expected) <= 1e-14
        && model.matrix(from: a, to: b, degree: 0) == .identity
        && model.matrix(from: a, to: b, degree: 1) == whole
        && model.matrix(from: a, to: a) == .identity
    }
  }

  @Test func bradfordIsTheDefault() {
    checkProperty("Bradford", Self.white, Self.white) { source, target in
      let matrix = ColorMatrix.adapting(from: source, to: target)
      return matrix == ColorMatrix.adapting(from: source, to: target, by: .bradford)
    }
  }

  /// The papers print coefficients for which equal energy gives equal responses, to the digits printed.
  @Test(arguments: ChromaticAdaptation.named)
  func equalEnergyGivesEqualResponses(_ model: ChromaticAdaptation) {
    // The von Kries cones are normalized to D65 instead.
    let white = model == .vonKries ? Chromaticity.d65.xyz : .one
    #expect((model.sensors * white - .one).largest <= 3e-4, "\(model)")
  }

  @Test(SharedReference.whenPresent) func matricesEqualTheReference() throws {
    let folder = try #require(SharedReference.folder())
    let data = try Data(contentsOf: folder.appending(path: "cat.json"))
    let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let meta = try #require(json["meta"] as? [String: Any])
    let whites = try #require(meta["white_xy"] as? [String: [Double]])
    let models: [String: ChromaticAdaptation] = [
      "bradford": .bradford, "cat02": .cat02, "cat16": .cat16, "von-kries": .vonKries,
      "xyz-scaling": .xyzScaling,
    ]
    let rows = try #require(json["rows"] as? [[Any]])
    #expect(rows.count == models.count * whites.count * (whites.count - 1))
    for row in rows {
      let model = try #require((row[0] as? String).flatMap { models[$0] })
      let from = try #require((row[1] as? String).flatMap { whites[$0] })
      let to = try #require((row[2] as? String).flatMap { whites[$0] })
      let n = try #require(Array(row.dropFirst(3)) as? [Double])
      let expected = ColorMatrix(table: [Array(n[0..<3]), Array(n[3..<6]), Array(n[6..<9])])
      let matrix = model.matrix(
        from: Chromaticity(from[0], from[1]), to: Chromaticity(to[0], to[1]))
      // The documented error of the table; entries go up to 4.
      #expect(matrix.distance(to: expected) <= 1e-14, "\(model) \(row[1]) → \(row[2])")
    }
  }
}
