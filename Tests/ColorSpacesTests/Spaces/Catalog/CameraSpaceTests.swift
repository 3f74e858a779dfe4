import ColorSpaces
import Testing
import _TestSupport

/// Camera spaces and historic spaces.
@Suite struct CameraSpaceTests {
  @Test func matricesEqualTheTable() throws {
    let table = try Fixtures.json(
      "Tables/camera_spaces.json", as: [String: [String: [[Double]]]].self)
    #expect(table.count == 20)
    for (name, matrices) in table {
      let space = try ColorSpace(named: name)
      // Exact rational arithmetic on the same chromaticities: the difference is rounding, amplified by inverses of
      // matrices whose primaries are close together.
      let ownRows = try #require(matrices["rgb_to_xyz"])
      let adaptedRows = try #require(matrices["rgb_to_xyz_d65_bradford"])
      let own = space.primaries.toXYZ.distance(to: ColorMatrix(table: ownRows))
      #expect(own < 1e-13, "\(name)")
      let adapted = space.toHub.distance(to: ColorMatrix(table: adaptedRows))
      #expect(adapted < 1e-13, "\(name)")
      let linear = try ColorSpace(named: "\(name)-linear")
      #expect(linear.transfer.isLinear)
      #expect(linear.primaries == space.primaries)
    }
  }

  /// Camera, print and historic spaces that the other table does not contain.
  @Test func primariesEqualTheOtherTable() throws {
    let table = try Fixtures.json("Tables/more_spaces.json", as: [String: Lights].self)
    #expect(table.count == 33)
    for (name, lights) in table {
      let primaries = try ColorSpace(named: name).primaries
      let points = [primaries.red, primaries.green, primaries.blue].map { [$0.x, $0.y] }
      #expect(points == lights.primaries, "\(name)")
      #expect([primaries.white.x, primaries.white.y] == lights.white, "\(name)")
      // Rounding on both sides, amplified by inverses of matrices whose primaries are close together.
      guard let rows = lights.toXYZ else { continue }
      #expect(primaries.toXYZ.distance(to: ColorMatrix(table: rows)) < 1e-13, "\(name)")
    }
  }

  private struct Lights: Decodable {
    let primaries: [[Double]]
    let white: [Double]
    let toXYZ: [[Double]]?

    enum CodingKeys: String, CodingKey {
      case primaries, white
      case toXYZ = "rgb_to_xyz"
    }
  }

  @Test(arguments: [
    ("srgb", TransferFunction.sRGB), ("S-Log3", .sLog3), ("logc3-ei800", .logC3), ("pq", .pq),
    ("bt709-oetf", .rec709), ("romm", .proPhoto), ("hlg-oetf", .hlg), ("canonlog2", .canonLog2),
    ("blackmagic-film-gen5", .blackmagicFilmGeneration5), ("lstar", .lStar), ("vlog", .vLog),
    ("gamma2.2", .gamma(2.2)), ("gamma 1.8", .gamma(1.8)), ("adobe563_256", .gamma(563.0 / 256)),
    ("bt1886-black0.001", .bt1886(black: 0.001)), ("acesproxy10", .acesProxy10),
  ])
  func curvesAreFoundByName(name: String, function: TransferFunction) throws {
    #expect(try TransferFunction(named: name) == function)
  }

  /// OpenColorIO 2.6.0's ADX10_to_ACES2065-1 and ADX16_to_ACES2065-1, in single precision.
  @Test(
    arguments: [
      (ColorSpace.adx10, [0.1, 0.2, 0.3], [0.011743990704, 0.017874918878, 0.034546189010]),
      (.adx10, [0.5, 0.5, 0.5], [0.314116477966, 0.314116477966, 0.314113318920]),
      (.adx10, [0.9, 0.8, 0.7], [6.486365318298, 4.580998897552, 2.684178590774]),
      (.adx16, [0.1, 0.2, 0.3], [5.559568881988, 6.191108703613, 29.79824829101]),
    ] as [(ColorSpace, SIMD3<Double>, SIMD3<Double>)])
  func filmScansEqualOpenColorIO(
    space: ColorSpace, codes: SIMD3<Double>, expected: SIMD3<Double>
  ) {
    let light = ColorPoint(codes, in: space).converted(to: .aces2065).components
    // OpenColorIO looks exposures up in half precision: a thousandth between two of its steps, two decades of exposure
    // per unit of density.
    #expect((light / expected - .one).largest < 2e-4)
  }

  @Test func unknownCurvesSuggestTheNearest() {
    for name in [
      "gamma -3", "gamma 0x1p1", "BT.1886 black 1", "BT.1886 black 0.9999999999999999",
      "BT.1886 black 0x1p-10",
    ] {
      #expect(throws: ColorError.self, "\(name)") { try TransferFunction(named: name) }
    }
    do {
      _ = try TransferFunction(named: "slog9")
    } catch {
      #expect("\(error)".contains("No transfer function is called “slog9”. Did you mean “S-Log"))
    }
  }
}
