import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// The output transforms of ACES, against OpenColorIO's built-in transforms from ACES2065-1 to XYZ, 1 for 100 cd/m².
@Suite struct ACESOutputTests {
  private struct Table: Decodable {
    struct Output: Decodable {
      let name: String
      let version: ACESVersion.RawValue
      let display: ACESGamut.RawValue
      let peak: Double
      let xyz: [[Double]]
    }
    let input: [[Double]]
    let outputs: [Output]
  }

  private struct Reference: Decodable {
    let input: [[Double]]
    let outputs: [String: [[Double]]]
  }

  /// XYZ with white point D65, 1 for 100 cd/m², of a color of ACES2065-1.
  private func rendered(_ filter: ACESOutput, _ color: [Double]) -> SIMD3<Double> {
    var program = PointProgram()
    filter.describe(to: &program, in: .aces2065)
    let unit = filter.peak == 100 ? 1 : Luminance.graphicsWhite.candelas / 100
    return ColorSpace.aces2065.toHub * program(SIMD3(color)) * unit
  }

  /// OpenColorIO computes in single precision, whose roundings its tables and searches amplify: by some 300 on 2000 other colors, with
  /// a largest difference of 2.9e-5. Its curve of ACES 1.3 for 1000 cd/m² departs from the formula, which it matches for other
  /// peaks, by up to 4.7e-4 in highlights: it is a spline through rounded points and slopes.
  private func expect(
    _ filter: ACESOutput, _ color: [Double], _ expected: SIMD3<Double>, _ name: String
  ) {
    let tolerance = filter.version == .v13 && filter.peak == 1000 ? 6e-4 : 1e-4
    let error = (rendered(filter, color) - expected).largest
    // In parts of the largest channel; below 0.1 cd/m², of that.
    #expect(error <= tolerance * max(expected.max(), 1e-3), "\(name) of \(color)")
  }

  @Test func rowsOfOpenColorIO() throws {
    let table = try Fixtures.json("Tables/aces_output.json", as: Table.self)
    #expect(table.input.count >= 50 && table.outputs.count == 11)
    for output in table.outputs {
      let filter = try ACESOutput(
        #require(ACESVersion(rawValue: output.version)),
        on: #require(ACESGamut(rawValue: output.display)), peak: output.peak)
      #expect(output.xyz.count == table.input.count)
      for (color, xyz) in zip(table.input, output.xyz) {
        expect(filter, color, SIMD3(xyz), output.name)
      }
    }
  }

  @Test(SharedReference.whenPresent) func theWholeReference() throws {
    let table = try #require(try SharedReference.json("aces_output.json", as: Reference.self))
    let filters = [
      "SDR-100nit-REC709_2.0": try ACESOutput(),
      "SDR-100nit-P3-D65_2.0": try ACESOutput(on: .p3),
      "HDR-1000nit-P3-D65_2.0": try ACESOutput(on: .p3, peak: 1000),
      "HDR-4000nit-REC2020_2.0": try ACESOutput(on: .rec2020, peak: 4000),
      "SDR-VIDEO_1.0": try ACESOutput(.v13),
      "HDR-VIDEO-1000nit-15nit-P3lim_1.1": try ACESOutput(.v13, on: .p3, peak: 1000),
    ]
    #expect(table.outputs.count == filters.count)
    for (name, rows) in table.outputs {
      let filter = try #require(filters[name], "no filter for \(name)")
      for (color, xyz) in zip(table.input, rows) {
        var expected = SIMD3(xyz)
        if name == "SDR-VIDEO_1.0" {
          // It leaves it to the display to clip; ours is held in the gamut of Rec. 709.
          let toXYZ = ColorSpace.linearSRGB.toHub
          expected = toXYZ * (toXYZ.inverse * expected).clamped(lowerBound: .zero, upperBound: .one)
        }
        expect(filter, color, expected, name)
      }
    }
  }

  /// The guide's recipe for projectors of 108 cd/m² gives OpenColorIO's HDR-108nit-P3-D65_2.0.
  @Test func cinemaIsADarkerOutputFor225() throws {
    let filter = try ACESOutput(on: .p3, peak: 225)
    let rows: [(color: [Double], xyz: SIMD3<Double>)] = [
      ([0.18, 0.18, 0.18], [0.053_022_314, 0.055_786_267, 0.060_754_437]),
      ([1, 1, 1], [0.306_892_514, 0.322_890_013, 0.351_645_678]),
      ([0.5, 0.1, 0.1], [0.160_944_536, 0.079_799_555, 0.035_915_278]),
      ([0.05, 0.4, 0.1], [0.047_448_393, 0.103_078_239, 0.055_392_206]),
      ([20, 20, 20], [0.936_129_808, 0.984_927_416, 1.072_642_803]),
    ]
    for (color, xyz) in rows {
      #expect((rendered(filter, color) * 0.48 - xyz).largest <= 1e-4 * xyz.max(), "\(color)")
    }
    let error = #expect(throws: RecipeError.self) { try ACESOutput(.v13, on: .p3, peak: 108) }
    #expect(error?.description.contains("are offered") == true)
  }

  /// The picture's space is where the scene comes from and where the rendering goes.
  @Test func theResultDoesNotDependOnTheSpace() throws {
    let color = SIMD3(0.3, 0.1, 0.05)
    for version in ACESVersion.allCases {
      let filter = try ACESOutput(version, on: .p3)
      func rendered(in space: ColorSpace) -> SIMD3<Double> {
        var program = PointProgram()
        filter.describe(to: &program, in: space)
        let result = program(ColorSpace.acescg.matrix(to: space) * color)
        return space.matrix(to: .linearDisplayP3) * result
      }
      let result = rendered(in: .acescg)
      #expect(result.isWithin(0...1))
      for space in [ColorSpace.aces2065, .linearSRGB, .linearRec2020, .xyzD50] {
        // Matrices of condition 10, and slopes of the rendering below 10.
        #expect((rendered(in: space) - result).largest < 1e-12, "\(space)")
      }
    }
  }

  @Test func extremesAreHeld() throws {
    for version in ACESVersion.allCases {
      for (display, space) in [
        (ACESGamut.rec709, ColorSpace.linearSRGB), (.p3, .linearDisplayP3),
        (.rec2020, .linearRec2020),
      ] {
        for peak in [100.0, 1000] {
          let filter = try ACESOutput(version, on: display, peak: peak)
          var program = PointProgram()
          filter.describe(to: &program, in: space)
          let white = peak == 100 ? 1 : peak / 203
          for color: SIMD3<Double> in [
            .zero, .one * 1e6, .one * .infinity, [1e9, 0, 0], [0, 1e9, 0], [0, 0, 1e9],
            [-1e9, 0, 0], [.infinity, -.infinity, 3], [1e-30, 0, 0], [-1, 2, 0.5], [40, 30, 0.1],
          ] {
            let result = program(color)
            // Through the matrices to the display and back. ACES 1.3 adapts D60 to D65 after clipping, above 100 cd/m²:
            // channels reach 1.04 of the peak there, and −0.01.
            let slack = version == .v13 && peak > 100 ? 0.05 : 1e-12
            #expect(
              result.isWithin(-slack * white...white * (1 + slack)),
              "\(version) \(display) \(peak) of \(color): \(result)")
          }
          #expect(program([0.1, .nan, 0.1]).x.isNaN)
        }
      }
    }
  }

  @Test func peaksAreRefused() throws {
    #expect(throws: RecipeError.self) { try ACESOutput(.v13, peak: 500) }
    #expect(throws: RecipeError.self) { try ACESOutput(peak: 99) }
    #expect(throws: RecipeError.self) { try ACESOutput(peak: .nan) }
    #expect(throws: RecipeError.self) { try ACESOutput(peak: 10_001) }
    // Every peak has tables; middle gray gets brighter with it.
    var previous = 0.0
    for peak in [100.0, 101, 333, 5000, 10_000] {
      let gray = rendered(try ACESOutput(on: .rec2020, peak: peak), [0.18, 0.18, 0.18]).y
      #expect(gray > previous && gray < 0.3, "\(peak)")
      previous = gray
    }
  }

  /// The display's space encodes the rendering: ACEScg, rendered and stored as sRGB.
  @Test func conversionsEncodeTheResult() throws {
    let scene = Bitmap<Float>(PixelSize(3, 1), in: .acescg, channels: .rgb) { x, _ in
      [[0.18, 0.18, 0.18], [1000, 1000, 1000], [0, 0, 0]][x]
    }
    let result = try Picture(scene).acesOutput(.v13).converted(to: .sRGB).render(as: UInt8.self)
    // Middle gray has 4.8 of 0.02…48 cd/m² in cinema, which is 0.0996; its power of 0.9811 for a dim surround is 0.104, of which sRGB
    // makes 0.356.
    #expect((0..<3).map { result[0, 0, $0] } == [91, 91, 91])
    #expect((0..<3).map { result[1, 0, $0] } == [255, 255, 255])
    #expect((0..<3).map { result[2, 0, $0] } == [0, 0, 0])
    let bright = try Picture(scene).acesOutput(on: .p3, peak: 1000).converted(to: .rec2100PQ)
      .render(as: Float.self)
    // The signal of 1000 cd/m² (SMPTE ST 2084), by single precision through a power of 79.
    #expect(abs(bright[1, 0, 1] - 0.751_827) < 1e-4)
  }
}
