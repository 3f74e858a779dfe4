import ColorSpaces
import Testing
import _TestSupport

/// Properties of the matrices of any primaries, and published values of named ones.
@Suite struct MatrixTests {
  /// Triangles of primaries around those of the named spaces, with white points around theirs.
  private static let primaries: Generator<Primaries> = {
    func near(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> Generator<Chromaticity> {
      Generator<(Double, Double)>.zip(.double(in: x), .double(in: y)).map { Chromaticity($0, $1) }
    }
    return Generator<((Chromaticity, Chromaticity, Chromaticity), Chromaticity)>.zip(
      .zip(
        near(0.60...0.74, 0.25...0.34), near(0.0...0.3, 0.59...0.99), near(0.1...0.16, 0.01...0.08)),
      near(0.29...0.36, 0.31...0.37)
    ).map { Primaries(red: $0.0.0, green: $0.0.1, blue: $0.0.2, white: $0.1) }
  }()

  @Test func whiteConvertsToWhiteExactly() {
    for source in ColorSpace.named {
      for target in ColorSpace.named {
        #expect(source.matrix(to: target) * .one == .one, "\(source) → \(target)")
      }
    }
  }

  @Test func rowsSumToExactlyOneForAnyPrimaries() {
    checkProperty("white stays white", Self.primaries, Self.primaries, cases: 20_000) { a, b in
      let matrix = ColorSpace("a", primaries: a, transfer: .linear)
        .matrix(to: ColorSpace("b", primaries: b, transfer: .linear))
      return matrix.rows.allSatisfy { $0.x + $0.y + $0.z == 1 } && matrix * .one == .one
    }
  }

  @Test func preservingWhiteChangesLastDigitsOnly() {
    checkProperty("preservingWhite mends rounding alone", Self.primaries, Self.primaries) { a, b in
      let hub = ColorSpace("a", primaries: a, transfer: .linear).toHub
      let other = ColorSpace("b", primaries: b, transfer: .linear).toHub
      let raw = other.inverse * hub
      // The rows sum to 1 within the rounding errors of two products and an inverse of small numbers.
      return try requireClose(
        raw.distance(to: raw.preservingWhite(in: Double.self)), 0, within: 1e-14)
    }
  }

  @Test func inverseTimesMatrixIsTheIdentity() {
    checkProperty("m⁻¹ m = 1", Self.primaries) { primaries in
      let matrix = primaries.toXYZ
      // A condition number of about 10: entries up to 5 in the inverse, nine products.
      return try requireClose((matrix.inverse * matrix).distance(to: .identity), 0, within: 1e-14)
    }
  }

  @Test(arguments: [1e-120, 1e-6, 1, 1e120]) func inverseExistsAtAnyScale(scale: Double) {
    let rows = Primaries.rec709.toXYZ.rows.map { $0 * scale }
    let matrix = ColorMatrix(rows: rows[0], rows[1], rows[2])
    #expect((matrix.inverse * matrix).distance(to: .identity) < 1e-14)
    #expect(matrix.isWellConditioned)
    let flat = ColorMatrix(rows: rows[0], rows[0] * 2, rows[2])
    #expect(flat.inverseIfRegular == nil && !flat.isWellConditioned)
  }

  @Test func inverseIsThatOfUnscaledRows() {
    checkProperty("scaling of rows changes no bit", Self.primaries) { primaries in
      let matrix = primaries.toXYZ
      let (a, b, c) = (matrix.column0, matrix.column1, matrix.column2)
      let inverse = ColorMatrix(
        rows: Self.cross(b, c) / matrix.determinant, Self.cross(c, a) / matrix.determinant,
        Self.cross(a, b) / matrix.determinant)
      return inverse == matrix.inverse
    }
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }

  @Test func namedPrimariesHaveNoFlaw() {
    for space in ColorSpace.named { #expect(space.primaries.flaw == nil, "\(space)") }
  }

  @Test func flawedPrimariesHaveAnErrorAndNoMatrix() {
    let (red, green) = (Chromaticity(0.64, 0.33), Chromaticity(0.3, 0.6))
    let onALine = Primaries(red: red, green: green, blue: Chromaticity(0.47, 0.465))
    let whiteOnAnEdge = Primaries(
      red: red, green: green, blue: Chromaticity(0.15, 0.06), white: Chromaticity(0.47, 0.465))
    let infinite = Primaries(red: red, green: green, blue: Chromaticity(0.15, 1e300))
    let dark = Primaries(
      red: red, green: green, blue: Chromaticity(0.15, 0.06), white: Chromaticity(0.3, 0))
    let missing = Primaries(red: red, green: green, blue: Chromaticity(.nan, 0))
    let same = Primaries(red: red, green: red, blue: red)
    for primaries in [onALine, whiteOnAnEdge, infinite, dark, missing, same] {
      #expect(primaries.flaw != nil, "\(primaries)")
      let space = ColorSpace("flawed", primaries: primaries, transfer: .linear)
      // No conversion traps; what it gives means nothing.
      _ = (space.matrix(to: .sRGB), ColorSpace.sRGB.matrix(to: space), space.luminanceWeights)
    }
    #expect(same.toXYZ.column0.x.isNaN)
  }

  @Test func whiteMapsToItsOwnXYZ() {
    checkProperty("toXYZ · (1, 1, 1) = white", Self.primaries) { primaries in
      // The rounding errors of a linear system and three additions.
      try requireClose((primaries.toXYZ * .one - primaries.white.xyz).largest, 0, within: 1e-14)
    }
  }

  @Test func matricesEqualTheTable() throws {
    let table = try Fixtures.json("Tables/rgb_spaces.json", as: SpaceTable.self)
    for (name, expected) in table.spaces {
      let space = try ColorSpace(named: name)
      let lights = space.primaries
      #expect(
        [lights.red, lights.green, lights.blue].map { [$0.x, $0.y] } == expected.primaries,
        "\(name)")
      #expect([lights.white.x, lights.white.y] == expected.white, "\(name)")
      // The table is exact before its last rounding; ours adds some fifty rounding errors of values around 1, divided
      // by chromaticities as small as 0.06.
      #expect(lights.toXYZ.distance(to: ColorMatrix(table: expected.toXYZ)) <= 1e-14, "\(name)")
      #expect(space.toHub.distance(to: ColorMatrix(table: expected.toHub)) <= 1e-14, "\(name)")
    }
    let tabled = Set(try table.spaces.keys.map { try ColorSpace(named: $0).primaries })
    #expect(
      Set(ColorSpace.named.map(\.primaries)) == tabled, "a named space is missing in the table")
  }

  @Test func linearConversionsEqualTheTable() throws {
    let table = try Fixtures.json("Tables/linear_conversions.json", as: ConversionTable.self)
    for row in table.rows {
      let (source, target) = (try ColorSpace(named: row.from), try ColorSpace(named: row.to))
      let result = ColorPoint(SIMD3(row.input), in: source.linear).converted(to: target.linear)
      let expected = SIMD3(row.output)
      // The documented error of the table.
      #expect(
        (result.components - expected).largest <= 1e-13 * (1 + expected.largest),
        "\(row.from) → \(row.to)")
    }
  }

  @Test func adaptationsEqualTheTable() throws {
    let table = try Fixtures.json("Tables/bradford.json", as: AdaptationTable.self)
    let whites: [String: Chromaticity] = ["D65": .d65, "D50": .d50, "DCI": .dci, "ACES": .aces]
    #expect(table.whites == whites.mapValues { [$0.x, $0.y] })
    for row in table.rows {
      let from = try #require(whites[row.from])
      let to = try #require(whites[row.to])
      // The documented error of the table.
      let distance = ColorMatrix.adapting(from: from, to: to).distance(
        to: ColorMatrix(table: row.matrix))
      #expect(distance <= 1e-14, "\(row.from) → \(row.to)")
      #expect((ColorMatrix.adapting(from: from, to: to) * from.xyz - to.xyz).largest <= 1e-14)
    }
    #expect(ColorMatrix.adapting(from: .d50, to: .d50) == .identity)
  }

  @Test func productsAreAppliedFromTheRight() {
    let swap = ColorMatrix(rows: [0, 1, 0], [1, 0, 0], [0, 0, 1])
    let double = ColorMatrix(diagonal: [2, 1, 1])
    #expect((swap * double) * [3, 5, 7] == [5, 6, 7])
    #expect(swap.determinant == -1)
    #expect(double.determinant == 2)
    #expect(ColorMatrix(rows: [1, 2, 3], [4, 5, 6], [7, 8, 9]).determinant == 0)
    #expect(ColorMatrix(rows: [1, 2, 3], [4, 5, 6], [7, 8, 9]).column1 == [2, 5, 8])
  }
}

private struct SpaceTable: Decodable {
  struct Space: Decodable {
    let primaries: [[Double]]
    let white: [Double]
    let toXYZ: [[Double]]
    let toHub: [[Double]]
  }
  let spaces: [String: Space]
}

private struct ConversionTable: Decodable {
  struct Row: Decodable {
    let from, to: String
    let input, output: [Double]
  }
  let rows: [Row]
}

private struct AdaptationTable: Decodable {
  struct Row: Decodable {
    let from, to: String
    let matrix: [[Double]]
  }
  let whites: [String: [Double]]
  let rows: [Row]
}
