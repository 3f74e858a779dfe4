import ColorSpaces
import Testing
import _TestSupport

/// The interpreter in double precision, stage by stage.
@Suite struct PointProgramTests {
  private let color: SIMD3<Double> = [0.5, -0.25, 2]

  private static let stages: [PointProgram.Stage] = [
    .affine(scale: [2, 1, 0.5], offset: [0, 0.25, -1]),
    .matrix(ColorSpace.displayP3.matrix(to: .sRGB)), .decode(.sRGB), .encode(.proPhoto),
    .curves("film", .cubic(FilmCurves.red), .cubic(FilmCurves.green), .cubic(FilmCurves.blue)),
    .clamp(-0.5...1.5), .premultiply, .unpremultiply,
    .rows("swap", { ($0.red[0], $0.blue[0]) = ($0.blue[0], $0.red[0]) }),
  ]

  @Test func emptyProgramIsTheIdentity() {
    checkProperty("no stages", .color(limit: .infinity)) { PointProgram()($0) == $0 }
  }

  @Test func programRunsItsStagesInOrder() {
    checkProperty(
      "(a → b)(c) = b(a(c))", .element(of: Array(Self.stages.indices)),
      .element(of: Array(Self.stages.indices)), .color(limit: 10)
    ) { a, b, color in
      let (first, second) = (Self.stages[a], Self.stages[b])
      let whole = PointProgram([first, second])(color, alpha: 0.5)
      let inTurn = PointProgram([second])(PointProgram([first])(color, alpha: 0.5), alpha: 0.5)
      return whole == inTurn
    }
  }

  @Test func affine() {
    #expect(
      PointProgram([.affine(scale: [2, 4, 1], offset: [0, 1, -1])])(color) == [1, 0, 1])
    var program = PointProgram()
    program.affine(scale: 2, offset: 0.5)
    #expect(program(color) == [1.5, 0, 4.5])
  }

  @Test func matrix() {
    let program = PointProgram([.matrix(ColorMatrix(rows: [0, 1, 0], [1, 0, 0], [1, 1, 1]))])
    #expect(program(color) == [-0.25, 0.5, 2.25])
  }

  @Test func decodeAndEncode() {
    let transfer = TransferFunction.sRGB
    #expect(
      PointProgram([.decode(transfer)])(color)
        == [transfer.decode(0.5), -transfer.decode(0.25), transfer.decode(2)])
    #expect(
      PointProgram([.encode(transfer)])(color)
        == [transfer.encode(0.5), -transfer.encode(0.25), transfer.encode(2)])
  }

  @Test func curvesOnePerChannel() {
    let curves = PointProgram.Stage.curves(
      "three", .identity, .sampled(SampledCurve([0.125, 1])), .power(PowerCurve(exponent: 2)))
    #expect(PointProgram([curves])(color) == [0.5, 0.125, 4])
    var program = PointProgram()
    program.curve("square", .power(PowerCurve(exponent: 2)))
    #expect(program(color) == [0.25, -0.0625, 4])
  }

  @Test func clamp() {
    #expect(PointProgram([.clamp(0...1)])(color) == [0.5, 0, 1])
    let mixed = PointProgram([.clamp(0...1)])([.infinity, -.infinity, .nan])
    #expect(mixed.x == 1)
    #expect(mixed.y == 0)
    #expect(mixed.z.isNaN)
  }

  @Test func alpha() {
    #expect(PointProgram([.premultiply])(color, alpha: 0.5) == [0.25, -0.125, 1])
    #expect(PointProgram([.unpremultiply])(color, alpha: 0.5) == [1, -0.5, 4])
    // A fully transparent pixel has no color to restore.
    #expect(PointProgram([.unpremultiply])(color, alpha: 0) == .zero)
    checkProperty("÷α undoes ·α", .color(limit: 1e4), .double(in: 0.001...1)) { color, alpha in
      let back = PointProgram([.premultiply, .unpremultiply])(color, alpha: alpha)
      // Two rounding errors; subnormal intermediate values lose digits.
      return (back - color).largest <= 2 * color.largest * Double.ulpOfOne
        + 1024 * Double.leastNonzeroMagnitude
    }
  }

  @Test func rowStagesSeeOnePixelAndCannotChangeAlpha() {
    var program = PointProgram()
    program.rows("probe") { strip in
      strip.red[0] = Float(strip.indices.count)
      strip.green[0] = strip.alpha[0]
      strip.blue[0] = Float(strip.x + strip.y)
    }
    program.append(.premultiply)
    #expect(program(color, alpha: 0.5) == [0.5, 0.25, 0])
    // Rendering would store a written alpha.
    let (red, alpha): (AnyKeyPath, AnyKeyPath) = (\PixelStrip.red[0], \PixelStrip.alpha[0])
    #expect(red is ReferenceWritableKeyPath<PixelStrip, Float>)
    #expect(!(alpha is WritableKeyPath<PixelStrip, Float>))
  }

  /// White is special: its encoded value is exact.
  @Test func manyColorsAreConvertedAsEachIs() {
    let colors: [SIMD3<Double>] = [.one, .zero, color, [0.2, 0.4, 0.6], [.nan, 0, .infinity]]
    func isSame(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
      (0..<3).allSatisfy { a[$0].bitPattern == b[$0].bitPattern || a[$0].isNaN && b[$0].isNaN }
    }
    for space in ColorSpace.all {
      let (there, back) = (
        PointProgram(converting: .linearSRGB, to: space),
        PointProgram(converting: space, to: .linearSRGB)
      )
      for program in [there, back] {
        #expect(zip(program(colors), colors).allSatisfy { isSame($0, program($1)) }, "\(program)")
      }
    }
    let stages = PointProgram(Self.stages)
    #expect(zip(stages(colors), colors).allSatisfy { isSame($0, stages($1)) })
    #expect(stages([]).isEmpty)
  }

  @Test func conversionsHaveNoRedundantStages() {
    #expect(PointProgram(converting: .sRGB, to: .sRGB).stages.isEmpty)
    let names: [(ColorSpace, ColorSpace, String)] = [
      (.sRGB, .displayP3, "decode sRGB → matrix → encode sRGB"),
      (.sRGB, .linearSRGB, "decode sRGB"),
      (.linearSRGB, .acescg, "matrix"),
      (.linearRec2020, .adobeRGB, "matrix → encode gamma 2.19921875"),
      (.rec709, .sRGB, "decode Rec. 709 → encode sRGB"),
    ]
    for (source, target, text) in names {
      #expect("\(PointProgram(converting: source, to: target))" == text)
    }
  }

  @Test func conversionsListTheirStages() {
    for source in ColorSpace.all {
      for target in ColorSpace.all {
        let program = PointProgram(converting: source, to: target)
        let words = program.stages.map(\.description)
        #expect(!words.contains("") && "\(program)" == words.joined(separator: " → "))
      }
    }
  }

  @Test func descriptions() {
    #expect("\(PointProgram())" == "")
    #expect(
      "\(PointProgram(Self.stages))"
        == "affine ×(2, 1, 0.5) +(0, 0.25, -1) → matrix → decode sRGB → encode ProPhoto → film → "
        + "clamp -0.5…1.5 → premultiply → unpremultiply → swap")
    #expect("\(PointProgram.Stage.affine(scale: [2, 2, 2], offset: .zero))" == "affine ×2")
    #expect("\(PointProgram.Stage.affine(scale: .one, offset: [0.5, 0.5, 0.5]))" == "affine +0.5")
    // Four decimals at most, and numbers that overflow an integer.
    #expect(
      "\(PointProgram.Stage.affine(scale: SIMD3(repeating: 1 / 3.0), offset: .zero))"
        == "affine ×0.3333")
    #expect("\(PointProgram.Stage.clamp(0 ... .infinity))" == "clamp 0…inf")
    // Only 0 is written as 0.
    #expect("\(PointProgram.Stage.clamp(1e-6...0.5))" == "clamp 1e-06…0.5")
  }

  @Test func stripsRefusePixelsOutside() async {
    await #expect(processExitsWith: .failure) {
      _ = PointProgram([.rows("too far", { $0.red[1] = 0 })])(.zero)
    }
    await #expect(processExitsWith: .failure) {
      _ = PointProgram([.rows("too far", { $0.red[0] = $0.blue[-1] })])(.zero)
    }
  }
}
