import ColorSpaces
import Testing
import _TestSupport

/// Spaces of cameras and of the past.
@Suite struct CameraSpaceTests {
  @Test func matricesAreThoseOfTheTable() throws {
    let table = try Fixtures.json(
      "Tables/camera_spaces.json", as: [String: [String: [[Double]]]].self)
    #expect(table.count == 20)
    for (name, matrices) in table {
      let space = try ColorSpace(named: name)
      // Exact rational arithmetic on the same chromaticities: what remains is rounding, enlarged by inverses of matrices whose
      // lights lie close together.
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

  /// Spaces of cameras, printers and the past that the other table does not have.
  @Test func lightsAreThoseOfTheOtherTable() throws {
    let table = try Fixtures.json("Tables/more_spaces.json", as: [String: Lights].self)
    #expect(table.count == 33)
    for (name, lights) in table {
      let primaries = try ColorSpace(named: name).primaries
      let points = [primaries.red, primaries.green, primaries.blue].map { [$0.x, $0.y] }
      #expect(points == lights.primaries, "\(name)")
      #expect([primaries.white.x, primaries.white.y] == lights.white, "\(name)")
      // Rounding, on both sides, enlarged by inverses of matrices whose lights lie close together.
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

  @Test func everySpaceGoesThereAndBack() {
    // Grays lose the color, and ACESproxy the darkest light; what has no curves is in CoordinateTests and others.
    let lossy: [ColorSpace] = ColorSpace.all.filter(\.isGray) + [.acesProxy, .acesProxy12]
    for space in ColorSpace.all where space.transfer.curves != nil && !lossy.contains(space) {
      let channel = Generator<Double>.double(in: 0...1)
      checkProperty("\(space)", .zip(channel, channel, channel), cases: 50) { r, g, b in
        let color = ColorPoint(r, g, b, in: .linearSRGB)
        let back = color.converted(to: space).converted(to: .linearSRGB).components
        // Logarithms have 12 stops of light in 0…1: an error of 1e-16 is one of 1e-12 of light at the top.
        return try requireClose((back - color.components).largest, 0, within: 1e-11)
      }
    }
  }

  @Test(arguments: [
    ("srgb", TransferFunction.sRGB), ("S-Log3", .sLog3), ("logc3-ei800", .logC3), ("pq", .pq),
    ("bt709-oetf", .rec709), ("romm", .proPhoto), ("hlg-oetf", .hlg), ("canonlog2", .canonLog2),
    ("blackmagic-film-gen5", .blackmagicFilmGeneration5), ("lstar", .lStar), ("vlog", .vLog),
    ("gamma2.2", .gamma(2.2)), ("gamma 1.8", .gamma(1.8)), ("adobe563_256", .gamma(563.0 / 256)),
    ("bt1886-black0.001", .bt1886(black: 0.001)), ("acesproxy10", .acesProxy10),
  ])
  func curvesByName(name: String, function: TransferFunction) throws {
    #expect(try TransferFunction(named: name) == function)
  }

  @Test func unknownCurvesSuggestTheNearest() {
    #expect(throws: RecipeError.self) { try TransferFunction(named: "gamma -3") }
    do {
      _ = try TransferFunction(named: "slog9")
    } catch {
      #expect("\(error)".contains("No transfer function is called “slog9”. Did you mean “S-Log"))
    }
  }
}
