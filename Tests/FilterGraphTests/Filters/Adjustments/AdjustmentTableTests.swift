import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Adjustments against values computed by other programs.
@Suite struct AdjustmentTableTests {
  private struct Grades: Decodable {
    struct Case: Decodable {
      struct Parameters: Decodable {
        let slope, offset, power, lift, gain: [Double]?
        let gamma, contrast: OpenColorIOValue?
        let sat, saturation, exposure, pivot: OpenColorIOValue?
        let clampBlack, clampWhite: OpenColorIOValue?
      }
      let kind: String
      let params: Parameters
      /// The formula in double precision, or OpenColorIO's result in single precision.
      let ownDouble, out: [[Double]]?

      enum CodingKeys: String, CodingKey {
        case kind, params, out
        case ownDouble = "own_double"
      }
    }
    let input: [[Double]]
    let cases: [Case]
  }

  @Test func fourChannelMixesEqualTheTable() throws {
    struct Case: Decodable {
      let matrix: [[Double]]
      let offset: [Double]
      let rows: [[[Double]]]
    }
    for mix in try Fixtures.json("Tables/four_channel_mix.json", as: [Case].self) {
      let rows = mix.matrix.map { SIMD4($0) }
      let filter = FourChannelMix(
        red: rows[0], green: rows[1], blue: rows[2], alpha: rows[3], offset: SIMD4(mix.offset))
      for row in mix.rows {
        let difference = filter.pixel([SIMD4(row[0])]) - SIMD4(row[1])
        // OpenColorIO adds five products below 2 in single precision.
        #expect((0..<4).allSatisfy { abs(difference[$0]) <= 5e-7 }, "\(row)")
      }
    }
  }

  /// Fully transparent pixels have no color, whatever is stored; alpha is clamped, color is not.
  @Test func mixesOfTransparentPixels() throws {
    let source = Bitmap<Float>(PixelSize(2, 1), in: .linearSRGB) { x, _ in
      [0.5, 0.25, 1.5, Float(x)]
    }
    let mixed = try Picture(source)
      .channelMix(red: [2, 0, 0, 0], alpha: [1, 1, 1, 0], offset: [0.25, 0, 0, 0.125])
      .render(as: Float.self)
    #expect((0..<4).map { mixed[0, 0, $0] } == [0.25, 0, 0, 0.125])
    #expect((0..<4).map { mixed[1, 0, $0] } == [1.25, 0.25, 1.5, 1])
    let gray = Picture(TestPictures.floats(PixelSize(3, 3), channels: .rgb))
    #expect(!gray.channelMix(red: [0, 1, 0, 0]).hasAlpha)
    #expect(gray.channelMix(alpha: [0, 1, 0, 0]).hasAlpha)
  }

  /// A mix keeps gray where each color has the same sum of weights, the same weight of alpha and the same offset.
  @Test func mixesKeepGrayByTheirRows() throws {
    let row = SIMD4<Double>(0.3, 0.6, 0.1, 0.25)
    let kept = [
      FourChannelMix(), FourChannelMix(alpha: [0.5, 0, 0, 0.5], offset: [0, 0, 0, 0.125]),
      FourChannelMix(red: row, green: row, blue: row, offset: [0.1, 0.1, 0.1, 0]),
      FourChannelMix(red: row, green: [0.1, 0.3, 0.6, 0.25], blue: [0, 0, 1, 0.25], in: .encoded),
    ]
    for mix in kept { #expect(mix.keepsGray, "\(mix.red) \(mix.blue) \(mix.offset)") }
    let colored = [
      FourChannelMix(red: [0.9, 0, 0, 0]), FourChannelMix(blue: [0, 0, 1, 0.25]),
      FourChannelMix(offset: [0, 0.1, 0, 0]),
    ]
    for mix in colored { #expect(!mix.keepsGray, "\(mix.red) \(mix.blue) \(mix.offset)") }
    let gray = Bitmap<Float>(PixelSize(9, 1), in: .linearSRGB) { x, _ in
      [Float(x) / 8, Float(x) / 8, Float(x) / 8, 0.75]
    }
    for mix in kept {
      let mixed = try mix.picture(of: [Picture(gray)]).render(as: Float.self)
      for x in 0..<9 {
        let color = SIMD3(Double(mixed[x, 0, 0]), Double(mixed[x, 0, 1]), Double(mixed[x, 0, 2]))
        #expect(color.max() - color.min() <= 1e-6, "\(color)")
      }
    }
  }

  @Test func gradesEqualTheFixture() throws {
    try check(Fixtures.json("Tables/grading.json", as: Grades.self))
  }

  @Test(SharedReference.whenPresent) func gradesEqualTheWholeReference() throws {
    try check(#require(try SharedReference.json("ocio_ops.json", as: Grades.self)))
  }

  private func check(_ grades: Grades) throws {
    var checked = 0
    for grade in grades.cases {
      guard let (program, tolerance) = try program(of: grade) else { continue }
      checked += 1
      for (input, expected) in zip(grades.input, try #require(grade.ownDouble ?? grade.out)) {
        let color = program(vector(input))
        for channel in 0..<3 {
          // OpenColorIO's linear style clips below zero, ours mirrors.
          if grade.kind == "ExposureContrast-linear", input[channel] < 0 { continue }
          let error = abs(color[channel] - expected[channel])
          #expect(error <= tolerance * (1 + abs(expected[channel])), "\(grade.kind) of \(input)")
        }
      }
    }
    #expect(checked >= 8)
  }

  private func program(of grade: Grades.Case) throws -> (PointProgram, Double)? {
    let parameters = grade.params
    var program = PointProgram()
    switch grade.kind {
    case "CDL-asc", "CDL-noclamp":
      try ColorDecisions(
        slope: vector(#require(parameters.slope)), offset: vector(#require(parameters.offset)),
        power: vector(#require(parameters.power)),
        saturation: #require(parameters.sat?.number),
        style: grade.kind == "CDL-asc" ? .clamped : .unclamped
      ).describe(to: &program, in: .linearSRGB)
      // The table's own values in double precision.
      return (program, 1e-12)
    case "ExposureContrast-linear":
      // There the pivot applies after exposure, and gamma is a separate factor.
      let factor =
        try #require(parameters.contrast?.number) * #require(parameters.gamma?.number)
      let stops = try #require(parameters.exposure?.number)
      try Exposure(stops: stops).describe(to: &program, in: .linearSRGB)
      try Contrast(factor, pivot: #require(parameters.pivot?.number))
        .describe(to: &program, in: .linearSRGB)
      return (program, 1e-12)
    case "GradingPrimary-video":
      let lift = try #require(parameters.lift)
      let gain = try #require(parameters.gain)
      let gamma = try #require(parameters.gamma?.numbers)
      let offset = try #require(parameters.offset)
      // The fourth number is the master's, an offset is applied first, and the luminance weights are Rec. 709's rounded
      // ones.
      program.append(.affine(scale: .one, offset: vector(offset) + offset[3]))
      try LiftGammaGain(
        lift: vector(lift) + lift[3], gamma: vector(gamma) * gamma[3],
        gain: vector(gain) * gain[3]
      ).describe(to: &program, in: .linearSRGB)
      let saturation = try #require(parameters.saturation?.number)
      try ColorDecisions(saturation: saturation, style: .unclamped)
        .describe(to: &program, in: .linearSRGB)
      if let low = parameters.clampBlack?.number, let high = parameters.clampWhite?.number {
        program.append(.clamp(low...high))
      }
      // OpenColorIO's values in single precision, for which the table documents 10⁻⁵.
      return (program, 1e-5)
    default: return nil
    }
  }

  private struct Adjustments: Decodable {
    struct Case: Decodable {
      let space, filter: String
      let parameters: [Double]
      let out: [[Double]]
    }
    let `in`: [[Double]]
    let cases: [Case]
  }

  @Test func adjustmentsEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/adjustments.json", as: Adjustments.self)
    #expect(table.cases.count == 26)
    for adjustment in table.cases {
      let space = try ColorSpace(named: adjustment.space)
      let filter: any PointFilter =
        switch adjustment.filter {
        case "hueRotation": HueRotation(degrees: adjustment.parameters[0])
        case "vibrance": try Vibrance(adjustment.parameters[0])
        case "saturation": Saturation(adjustment.parameters[0])
        case "reinhard": try Reinhard(white: adjustment.parameters[0])
        case "sigmoidView": try SigmoidView(contrast: adjustment.parameters[0])
        case "displayMapping":
          try DisplayMapping(
            from: adjustment.parameters[0], to: adjustment.parameters[1],
            unit: adjustment.parameters[2])
        default:
          try WhiteBalance(light: Chromaticity(adjustment.parameters[0], adjustment.parameters[1]))
        }
      var program = PointProgram()
      filter.describe(to: &program, in: space)
      for (input, expected) in zip(table.in, adjustment.out) {
        let color = program(vector(input))
        for channel in 0..<3 {
          // Vibrance and Reinhard are computed in single precision: 2⁻²⁴ of Oklab's coordinates, three times that in
          // linear light, and channels are mixed with coefficients up to 4. The others have double precision's rounding
          // errors, except cubes of roots and PQ's power of 79.
          let isSingle = ["vibrance", "reinhard"].contains(adjustment.filter)
          let tolerance = isSingle ? 2e-6 : 1e-11
          #expect(
            abs(color[channel] - expected[channel]) <= tolerance,
            "\(adjustment.filter) \(adjustment.parameters) of \(input) in \(space)")
        }
      }
    }
  }

  @Test func pointFiltersEqualTheFixture() throws {
    let table = try Fixtures.json("Tables/point_filters.json", as: Adjustments.self)
    #expect(table.cases.count == 13)
    for entry in table.cases {
      let parameters = entry.parameters
      let filter: (any PointFilter)? =
        switch entry.filter {
        case "invertValue": Inversion(.value)
        case "gamma": try Gamma(exponent: parameters[0])
        case "monochrome": Monochrome(weights: parameters.isEmpty ? nil : vector(parameters))
        case "temperature": try WhiteBalance(kelvin: parameters[0], tint: parameters[1])
        default: nil
        }
      // The inversion of the value is computed in single precision: two rounding errors of values up to 1. The other
      // program sums black bodies in steps of 1 nm, ours in steps of 5 nm, which changes the illuminant's chromaticity
      // by 10⁻⁶ and these values by up to 1.7·10⁻⁵. The rest is double precision's rounding.
      let tolerance =
        switch entry.filter {
        case "invertValue": 1.2e-7
        case "temperature": 2e-5
        default: 1e-14
        }
      var program = PointProgram()
      try #require(filter).describe(to: &program, in: try ColorSpace(named: entry.space))
      #expect(entry.out.count == table.in.count)
      for (input, expected) in zip(table.in, entry.out) {
        let color = program(vector(input))
        for channel in 0..<3 {
          #expect(
            abs(color[channel] - expected[channel]) <= tolerance,
            "\(entry.filter) \(parameters) of \(input): \(color[channel] - expected[channel])")
        }
      }
    }
  }

  private func vector(_ numbers: [Double]) -> SIMD3<Double> {
    [numbers[0], numbers[1], numbers[2]]
  }
}
