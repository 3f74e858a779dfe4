import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Looks, baked LUTs, Hald images, and the scales of tone curves.
@Suite struct LookTests {
  @Test func bakedTablesReportTheirError() throws {
    let recipe: (Picture) -> Picture = {
      $0.exposure(0.5).saturation(1.3).hueRotation(20).converted(to: .displayP3)
    }
    let coarse = try Look.baking(size: 9, in: .sRGB, recipe)
    let fine = try Look.baking("fine", size: 33, in: .sRGB, recipe)
    #expect(fine.space == .displayP3)
    #expect(fine.look.title == "fine")
    #expect(fine.meanError < coarse.meanError / 4)
    #expect(fine.meanError < fine.largestError && fine.largestError < coarse.largestError)
    // Colors that the baking did not sample.
    let source = TestPictures.codes(as: UInt8.self)
    let exact = try recipe(Picture(source)).render(as: Float.self)
    let baked = try Picture(source).look(fine.look).render(as: Float.self)
    for x in 0..<source.size.width {
      for channel in 0..<3 {
        // One and a half times the error over 32,768 colors.
        #expect(abs(exact[x, 7, channel] - baked[x, 7, channel]) <= Float(1.5 * fine.largestError))
      }
    }
  }

  @Test func linearRecipesAreBakedExactly() throws {
    let baked = try Look.baking(size: 5, in: .linearSRGB, over: .even(-1...3)) {
      $0.saturation(0.5)
    }
    // Floats up to 3, and three steps of interpolation.
    #expect(baked.largestError < 2e-6)
  }

  @Test func errorsCountTheColorsThatATableClips() throws {
    let wide = ColorBox(SIMD3(repeating: -1), SIMD3(repeating: 3))
    func error(_ box: ColorBox) throws -> Double {
      try Look.baking(
        "", size: 5, in: .linearSRGB, over: box, measuredOver: wide, options: RenderOptions(),
        storing: { $0 }, { $0 }
      ).largestError
    }
    #expect(try error(wide) < 1e-6)
    // Among 32,768 colors some are near 3, which become 1.
    #expect(try error(.unit) > 1.9)
  }

  /// Sixteen stops through a print's curve: uniform grid points lose everything below white, grid points uniform in
  /// stops do not.
  @Test func highDynamicRangeIsBakedInStops() throws {
    let recipe: (Picture) -> Picture = { $0.sigmoidView().converted(to: .sRGB) }
    let stops = try Look.baking(size: 33, in: .linearSRGB, over: .stops(-10...6), recipe)
    let even = try Look.baking(size: 33, in: .linearSRGB, over: .even(0...64), recipe)
    #expect(stops.largestError < 0.01 && stops.meanError < 0.002, "\(stops.largestError)")
    #expect(stops.space == .sRGB && stops.look.steps.count == 2)
    let gray = Bitmap<Float>(PixelSize(17, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float](repeating: x == 16 ? 0 : Float(exp2(Double(x) - 10)), count: 3)
    }
    func errors(_ baked: Look.Baked) throws -> [Float] {
      let (exact, table) = (
        try recipe(Picture(gray)).render(as: Float.self),
        try Picture(gray).look(baked.look).render(as: Float.self)
      )
      return (0..<17).map { abs(exact[$0, 0, 0] - table[$0, 0, 0]) }
    }
    #expect(try errors(stops).allSatisfy { Double($0) <= 1.5 * stops.largestError })
    #expect(try errors(even)[8] > 0.2)
    // Black is a grid point.
    #expect(try errors(stops)[16] < 1e-6)
    // The shaper curve and its inverse cancel: a table of the identity is the identity.
    let same = try Look.baking(size: 2, in: .linearSRGB, over: .stops(-10...6)) { $0 }
    #expect(same.look([0, 0, 0]) == [0, 0, 0])
    #expect(throws: RenderError.self) {
      try Look.baking(in: .linearSRGB, over: .stops(-2000...6)) { $0 }
    }
  }

  @Test func bakingHasAMemoryLimit() throws {
    var options = RenderOptions()
    // The entries alone take 12 · 33³ bytes.
    let limit = 12 * 33 * 33 * 33
    options.memoryLimit = limit
    let error = #expect(throws: RenderError.self) {
      try Look.baking(in: .sRGB, options: options) { $0.saturation(1.3) }
    }
    guard case .tooMuchMemory(_, limit) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    options.memoryLimit = 64 << 20
    #expect(throws: Never.self) {
      try Look.baking(in: .sRGB, options: options) { $0.saturation(1.3) }
    }
  }

  @Test func onlyPointOperationsAreBaked() {
    #expect(throws: RenderError.recipe(.notPointwise)) {
      try Look.baking(in: .sRGB) { $0.resized(to: .scaled(by: 0.5)) }
    }
    #expect(throws: RenderError.self) { try Look.baking(in: .sRGB) { $0.contrast(-1) } }
    #expect(throws: RenderError.self) { try Look.baking(size: 1, in: .sRGB) { $0 } }
    #expect(throws: RenderError.self) { try Look.baking(size: -5, in: .sRGB) { $0 } }
  }

  /// Errors of the adjustments keep their kind, and those that no rendering has are underlying errors.
  @Test func errorsOfBakedAdjustmentsAreThrown() {
    struct Unreadable: Error, CustomStringConvertible {
      var description: String { "no such look" }
    }
    func error(_ thrown: any Error) -> RenderError? {
      #expect(throws: RenderError.self) {
        try Look.baking(size: 2, in: .sRGB) { _ in throw thrown }
      }
    }
    #expect(error(RenderError.cancelled) == .cancelled)
    #expect(error(RecipeError.notPointwise) == .recipe(.notPointwise))
    #expect(error(Unreadable()) == .source(SourceError(Unreadable())))
  }

  @Test func haldImagesAreTables() throws {
    let identity = ColorTable.identityHald(level: 4, in: .sRGB)
    #expect(identity.size == PixelSize(64, 64))
    let table = try ColorTable(hald: Picture(identity).inverted())
    #expect(table.size == 16)
    for color in [SIMD3(0.1, 0.5, 0.9), [0, 1, 0.33]] {
      let negative = table(color)
      // 16-bit codes.
      for channel in 0..<3 { #expect(abs(negative[channel] - (1 - color[channel])) < 1e-5) }
    }
    #expect(throws: RenderError.recipe(.haldSize(width: 64, height: 63))) {
      try ColorTable(
        hald: Picture(Bitmap<UInt8>(PixelSize(64, 63), in: .sRGB, channels: .rgb)))
    }
  }

  /// The falling diagonal inverts each scale differently: 0.18 becomes another value on each.
  @Test func curvesApplyInTheirScale() throws {
    let falling = try CubicCurve(through: [[0, 1], [1, 0]])
    let gray = Bitmap<Float>(PixelSize(1, 1), in: .sRGB.linear, channels: .rgb) { _, _ in
      [0.18, 0.18, 0.18]
    }
    // 1 − √0.18 squared; sRGB's own; 1 − 0.18.
    let expected: [(ToneScale, Float)] = [
      (.squareRoot, 0.331_472), (.encoded(.sRGB), 0.251_571), (.light, 0.82), (.stored, 0.82),
    ]
    for (scale, value) in expected {
      let result = try Picture(gray).toneCurve(falling, over: scale).render(as: Float.self)
      #expect(abs(result[0, 0, 0] - value) < 1e-5, "\(scale)")
    }
    let log = try Picture(gray).toneCurve(falling, over: .encoded(.acescct))
      .render(as: Float.self)
    let code = 1 - TransferFunction.acescct.encode(0.18)
    #expect(abs(Double(log[0, 0, 0]) - TransferFunction.acescct.decode(code)) < 1e-5)
  }

  @Test func longCurvesAreRendered() throws {
    let points = (0..<64).map { step -> SIMD2<Double> in
      let x = Double(step) / 63
      return [x, x * x]
    }
    let curve = try CubicCurve(through: points, interpolation: .akima, extrapolation: .held)
    let ramp = Bitmap<Float>(PixelSize(257, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      [Float(x) / 256, Float(x) / 128, -Float(x) / 256]
    }
    let result = try Picture(ramp).toneCurve(curve, over: .light).render(as: Float.self)
    for x in 0...256 {
      for channel in 0..<3 {
        // A chain of three multiply-adds.
        #expect(abs(Double(result[x, 0, channel]) - curve(Double(ramp[x, 0, channel]))) < 3e-7)
      }
    }
    #expect(result[256, 0, 1] == 1)
    #expect(result[256, 0, 2] == 0)
  }

  /// A look keeps gray where each of its steps keeps equal channels equal, as far as its parameters tell.
  @Test func looksKeepGrayByTheirSteps() throws {
    func table(
      highest: SIMD3<Double> = .one, by interpolation: ColorTable.Interpolation = .tetrahedral,
      _ color: (SIMD3<Double>) -> SIMD3<Double>
    ) throws -> Look.Step {
      .table(
        try ColorTable(size: 3, highest: highest, interpolation: interpolation, color))
    }
    let saturated: (SIMD3<Double>) -> SIMD3<Double> = { color in
      let mean = color.sum() / 3
      return color.min() == color.max() ? color * color : SIMD3(repeating: mean) + color
    }
    let (root, square) = (Curve.power(.init(exponent: 0.5)), Curve.power(.init(exponent: 2)))
    let kept: [Look.Step] = [
      .affine(scale: SIMD3(repeating: 1.5), offset: SIMD3(repeating: -0.1)), .clamp(0...1),
      .matrix(ColorMatrix(rows: [0.5, 0.25, 0.25], [0, 1, 0], [0.3, 0.3, 0.4])),
      .curves(root, root, root), .hueAdjustedCurves(square, square, square),
      .decisions(try ColorDecisions(slope: SIMD3(repeating: 2), saturation: 1.5)),
      try table(saturated),
    ]
    let colored: [Look.Step] = [
      .affine(scale: [1.1, 1, 1], offset: .zero), .affine(scale: .one, offset: [0, 0, 0.1]),
      .matrix(ColorMatrix(rows: [1.1, 0, 0], [0, 1, 0], [0, 0, 1])), .curves(root, root, square),
      .hueAdjustedCurves(root, square, root),
      .decisions(try ColorDecisions(slope: [1, 1, 0.9])), try table(by: .trilinear, saturated),
      try table(highest: [1, 1, 2], saturated), try table { $0 * SIMD3(1, 1, 0.5) },
    ]
    #expect(Look(steps: []).keepsGray && Look(steps: kept).keepsGray)
    for step in colored { #expect(!Look(steps: kept + [step]).keepsGray, "\(step)") }
    for step in kept { #expect(Look(steps: [step]).keepsGray, "\(step)") }
    let gray = Bitmap<Float>(PixelSize(33, 1), in: .sRGB, channels: .rgb) { x, _ in
      [Float](repeating: Float(x) / 32, count: 3)
    }
    let result = try Picture(gray).look(Look(steps: kept)).render(as: Float.self)
    for x in 0..<33 {
      let color = SIMD3(result[x, 0, 0], result[x, 0, 1], result[x, 0, 2])
      // The roundings of the matrix, enlarged by the steps after it.
      #expect(color.max() - color.min() <= 4e-6, "\(color)")
    }
  }
}
