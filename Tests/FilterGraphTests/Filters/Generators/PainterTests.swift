import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Painters: pictures without inputs.
@Suite struct PainterTests {
  private let red = ColorPoint(1, 0, 0, in: .sRGB)
  private let green = ColorPoint(0, 1, 0, in: .sRGB)

  private func row(_ picture: Picture, _ width: Int, y: Int = 0) throws -> Bitmap<Float> {
    try picture.cropped(to: Region(x: 0, y: y, width: width, height: 1)).render(as: Float.self)
  }

  @Test func solidColorsAreExact() throws {
    let color = ColorPoint(0.2, 0.4, 0.6, in: .displayP3)
    let painted = try row(Picture.constant(color, in: .sRGB).converted(to: .displayP3), 3)
    for channel in 0..<3 {
      // Two curves and a matrix in single precision.
      #expect(abs(Double(painted[2, 0, channel]) - color.components[channel]) < 1e-6)
    }
  }

  /// As in recipes, colors of infinite linear light are refused. Conversions would make NaN of all their channels.
  @Test(arguments: [1e38, -1e38, .infinity, .nan]) func colorsHaveFiniteLight(value: Double) {
    let bright = ColorPoint(value, 0, 0, in: .linearSRGB)
    let pictures: [() throws -> Picture] = [
      { .constant(bright, in: .sRGB) }, { .checker(red, bright, side: 3, in: .sRGB) },
      { .stripes(bright, red, width: 3, in: .sRGB) },
      { .gaussianSpot(red, on: bright, center: [1, 1], sigma: 2, in: .sRGB) },
      { .triangle(top: red, left: red, right: bright, in: .sRGB, size: PixelSize(4, 4)) },
      {
        .mesh(
          [.init([0, 0], red), .init([4, 0], red), .init([0, 4], bright)], triangles: [[0, 1, 2]],
          in: .sRGB)
      },
      {
        try .gradient(
          .linear(from: [0, 0], to: [4, 0]),
          [GradientStop(red, at: 0), GradientStop(bright, at: 1)], in: .sRGB)
      },
      { .constant(red, in: .sRGB).cropped(to: Region(PixelSize(2, 2))).flattened(onto: bright) },
    ]
    for (index, picture) in pictures.enumerated() {
      let error = #expect(throws: (any Error).self) { try row(picture(), 2) }
      let sentence = error.map { "\($0)" } ?? ""
      #expect(sentence.contains("needs finite linear light"), "\(index): \(sentence)")
    }
  }

  @Test func brightColorsArePainted() throws {
    let painted = try row(
      Picture.constant(ColorPoint(1e36, 0, 0, in: .linearSRGB), in: .linearSRGB), 2)
    #expect(painted.row(0) == [1e36, 0, 0, 1e36, 0, 0])
  }

  @Test func checkersExtendToNegativeCoordinates() throws {
    let board = Picture.checker(red, green, side: 3, in: .sRGB)
      .cropped(to: Region(x: -6, y: -1, width: 12, height: 2))
    let painted = try board.render(as: UInt8.self)
    let reds = (0..<2).map { y in (0..<12).map { painted[$0, y, 0] == 255 ? "r" : "g" }.joined() }
    #expect(reds == ["gggrrrgggrrr", "rrrgggrrrggg"])
  }

  /// The middle of red and green: the mean of linear light, of encoded values, or in Oklab.
  @Test func gradientsMixInAnySpace() throws {
    let shape = GradientShape.linear(from: [0.5, 0], to: [100.5, 0])
    let stops = [GradientStop(red, at: 0), GradientStop(green, at: 1)]
    func middle(_ mixing: ColorSpace?) throws -> SIMD3<Double> {
      let painted = try row(Picture.gradient(shape, stops, mixedIn: mixing, in: .sRGB), 130)
      #expect(painted[0, 0, 0] == painted[0, 0, 0].rounded() || mixing == .oklab)
      // Beyond the ends the color is constant.
      #expect(painted[120, 0, 1] == painted[100, 0, 1])
      return SIMD3(
        Double(painted[50, 0, 0]), Double(painted[50, 0, 1]), Double(painted[50, 0, 2]))
    }
    let half = TransferFunction.sRGB.encode(0.5)
    #expect(close(try middle(nil), [half, half, 0]))
    #expect(close(try middle(.sRGB), [0.5, 0.5, 0]))
    let oklab = (red.converted(to: .oklab).components + green.converted(to: .oklab).components) / 2
    #expect(
      close(try middle(.oklab), ColorPoint(oklab, in: .oklab).converted(to: .sRGB).components))
  }

  private func close(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
    // Curves and matrices in single precision, some of them cubes.
    (0..<3).allSatisfy { abs(a[$0] - b[$0]) < 4e-6 }
  }

  /// From 350° to 10° through 0°, the shorter arc.
  @Test func huesTakeTheShorterArc() throws {
    let stops = [
      GradientStop(ColorPoint(0.7, 0.1, 350, in: .oklch), at: 0),
      GradientStop(ColorPoint(0.7, 0.1, 10, in: .oklch), at: 1),
    ]
    let gradient = try Picture.gradient(
      .linear(from: [0.5, 0], to: [2.5, 0]), stops, mixedIn: .oklch, in: .linearSRGB)
    let painted = try row(gradient, 3)
    let expected = ColorPoint(0.7, 0.1, 0, in: .oklch).converted(to: .linearSRGB).components
    #expect(
      close(
        SIMD3(Double(painted[1, 0, 0]), Double(painted[1, 0, 1]), Double(painted[1, 0, 2])),
        expected))
  }

  @Test func radialGradientsAreRound() throws {
    let gradient = try Picture.gradient(
      .radial(center: [50, 50], radius: 40),
      [GradientStop(red, at: 0), GradientStop(green, at: 0.5), GradientStop(red, at: 1)],
      in: .linearSRGB
    ).cropped(to: Region(PixelSize(100, 100))).render(as: Float.self)
    #expect(gradient[20, 50, 1] == gradient[79, 49, 1])
    // √(10.5² + 0.5²) / 40 = 0.262798 lies at 0.525595 of the way from 0 to ½, √(29.5² + 0.5²) / 40 at 0.475212 of that from ½ to 1.
    for (x, green) in [(60, Float(0.525_595)), (20, 1 - 0.475_212)] {
      // Six decimals.
      #expect(abs(gradient[x, 50, 1] - green) < 1e-6)
      #expect(abs(gradient[x, 50, 0] - (1 - green)) < 1e-6)
    }
    #expect(gradient[50, 29, 1] > 0.95)
    #expect(gradient[2, 2, 0] == 1)
  }

  /// As in CSS: a gray takes the hue of the color that it is mixed with.
  @Test func graysTakeTheHueOfTheirNeighbor() throws {
    let gray = ColorPoint(0.5, 0.5, 0.5, in: .sRGB)
    let blue = ColorPoint(0, 0, 1, in: .sRGB)
    let shape = GradientShape.linear(from: [0.5, 0], to: [100.5, 0])
    let colors = [gray, blue, gray, red, gray, gray]
    for space in [ColorSpace.oklch, .hsl, .hwb, .lch] {
      let stops = colors.enumerated().map {
        GradientStop($1, at: Double($0) / Double(colors.count - 1))
      }
      let gradient = try Picture.gradient(shape, stops, mixedIn: space, in: .linearSRGB)
      let painted = try row(gradient, 101)
      for (index, pair) in zip(colors, colors.dropFirst()).enumerated() {
        let middle = pair.0.mixed(with: pair.1, in: space).converted(to: .linearSRGB).components
        for c in 0..<3 {
          // Angles in single precision: half a turn is 2·10⁻⁵ degrees.
          #expect(abs(Double(painted[20 * index + 10, 0, c]) - middle[c]) < 3e-6, "\(space)")
        }
      }
      // Recipes keep the stops that gradients were made of.
      let recipe = try Recipe(gradient)
      #expect(try Recipe(json: recipe.json) == recipe)
    }
  }

  @Test func meshesMixHues() throws {
    let vertices = [
      MeshVertex([0.5, 0.5], ColorPoint(0.7, 0.1, 350, in: .oklch)),
      MeshVertex([20.5, 0.5], ColorPoint(0.7, 0.1, 10, in: .oklch)),
      MeshVertex([0.5, 20.5], ColorPoint(0.5, 0, 0, in: .oklch)),
    ]
    let mesh = Picture.mesh(
      vertices, triangles: [[0, 1, 2]], mixedIn: .oklch, in: .oklch
    ).cropped(to: Region(PixelSize(21, 21)))
    let painted = try mesh.render(as: Float.self)
    func hue(_ x: Int, _ y: Int) -> Float { painted[x, y, 2] }
    #expect(abs(hue(10, 0).remainder(dividingBy: 360)) < 1e-3)
    // The gray has no weight in hues.
    #expect(abs((hue(0, 10) - 350).remainder(dividingBy: 360)) < 1e-3)
    #expect(abs((hue(10, 10) - 10).remainder(dividingBy: 360)) < 1e-3)
    #expect(abs(painted[0, 10, 0] - 0.6) < 1e-6)
  }

  @Test(arguments: [0, -3, Double.nan]) func radiiOfGradientsAreAboveZero(radius: Double) {
    let stops = [GradientStop(red, at: 0), GradientStop(green, at: 1)]
    #expect(throws: RecipeError.self) {
      try Picture.gradient(.radial(center: .zero, radius: radius), stops, in: .sRGB)
    }
    #expect(throws: RecipeDecodingError.self) { try GradientShape(word: "radial:1,1,\(radius)") }
  }

  @Test(arguments: [Double.nan, .infinity]) func placesOfGradientsAreFinite(number: Double) {
    let stops = [GradientStop(red, at: 0), GradientStop(green, at: 1)]
    for shape in [
      GradientShape.linear(from: [number, 0], to: [40, 30]),
      .linear(from: .zero, to: [40, number]), .radial(center: [1, number], radius: 5),
    ] {
      #expect(throws: RecipeError.self) { try Picture.gradient(shape, stops, in: .sRGB) }
    }
    #expect(throws: RecipeError.self) {
      try Picture.gradient(
        .linear(from: .zero, to: [9, 9]),
        [GradientStop(red, at: 0), GradientStop(green, at: number)], in: .sRGB)
    }
  }

  /// “in” and “mixed-in” of recipes are the arguments of the methods.
  @Test func recipesNameTheSpaceOfThePicture() throws {
    func check(_ step: String, _ expected: Picture) throws {
      let made = try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#).picture()
      let region = Region(PixelSize(20, 10))
      #expect(made.space == expected.space)
      #expect(
        try made.cropped(to: region).render(as: Float.self)
          == expected.cropped(to: region).render(as: Float.self), "\(step)")
    }
    try check(
      #"{"hue-sweep": {"chroma": 0.1, "size": [20, 10], "in": "sRGB"}}"#,
      .hueSweep(chroma: 0.1, in: .sRGB, size: PixelSize(20, 10)))
    let stops = [GradientStop(red, at: 0), GradientStop(green, at: 1)]
    let colors = #""stops": [{"color": "red", "at": 0}, {"color": "lime", "at": 1}]"#
    let shape = #""shape": {"linear": {"from": [0, 0], "to": [20, 10]}}, \#(colors)"#
    for (spaces, mixing, space) in [
      (#""in": "sRGB", "mixed-in": "oklch""#, ColorSpace.oklch, ColorSpace.sRGB),
      (#""in": "oklch""#, .oklch, .oklch),
    ] {
      try check(
        #"{"gradient": {\#(shape), \#(spaces)}}"#,
        Picture.gradient(
          .linear(from: .zero, to: [20, 10]), stops, mixedIn: mixing, in: space))
      let corners =
        #"[{"at": [0, 0], "color": "red"}, {"at": [20, 0], "color": "lime"}, "#
        + #"{"at": [0, 10], "color": "red"}]"#
      try check(
        #"{"triangle-mesh": {"vertices": \#(corners), "triangles": [[0, 1, 2]], \#(spaces)}}"#,
        .mesh(
          [MeshVertex([0, 0], red), MeshVertex([20, 0], green), MeshVertex([0, 10], red)],
          triangles: [[0, 1, 2]], mixedIn: mixing, in: space))
    }
  }

  /// Positions outside of 0…1 lie before and beyond the line.
  @Test func stopsMayLieBeyondTheLine() throws {
    let stops = [GradientStop(red, at: -1), GradientStop(green, at: 2)]
    let painted = try row(
      Picture.gradient(
        .linear(from: [0.5, 0], to: [2.5, 0]), stops, mixedIn: .linearSRGB, in: .linearSRGB), 3)
    for x in 0..<3 {
      let part = (Float(x) / 2 + 1) / 3
      #expect(abs(painted[x, 0, 0] - (1 - part)) < 1e-6)
      #expect(abs(painted[x, 0, 1] - part) < 1e-6)
    }
  }

  @Test func stopsMustRise() {
    #expect(throws: RecipeError.self) {
      try Picture.gradient(
        .radial(center: .zero, radius: 1),
        [GradientStop(red, at: 1), GradientStop(green, at: 0)], in: .sRGB)
    }
    #expect(throws: RecipeError.self) {
      try Picture.gradient(
        .radial(center: .zero, radius: 1), [GradientStop(red, at: 1)], in: .sRGB)
    }
  }

  /// Painters with parameters out of range cannot be created; pictures of them keep the error until they are rendered.
  @Test func parametersOutOfRangeAreRefused() throws {
    let corner = MeshVertex([.nan, 1], red)
    let refused: [(picture: Picture, sentence: String)] = [
      (
        .checker(red, green, side: 0, in: .sRGB),
        "The side of checker must lie in 1…1073741824; got 0."
      ),
      (
        .stripes(red, green, width: -1, in: .sRGB),
        "The width of stripes must lie in 1…1073741824; got -1."
      ),
      (
        .gaussianSpot(red, on: green, center: [1, 1], sigma: .nan, in: .sRGB),
        "The sigma of gaussian spot must lie in 1e-06…1000000000000; got NaN."
      ),
      (
        .zonePlate(center: [1, 1], radius: 0, in: .sRGB),
        "The radius of zone plate must lie in 1e-06…1000000000000; got 0."
      ),
      (
        .colorBars(level: 5, in: .sRGB, size: PixelSize(8, 4)),
        "The level of color bars must lie in 0…1; got 5."
      ),
      (
        .hueSweep(chroma: -1, in: .sRGB, size: PixelSize(8, 4)),
        "The chroma of hue sweep must lie in 0…10; got -1."
      ),
      (
        .gradientNoise(seed: 1, cell: 0.5, in: .sRGB),
        "The cell of gradient noise must lie in 1…65536; got 0.5."
      ),
      (
        .gradientNoise(seed: 1, cell: 8, octaves: 17, in: .sRGB),
        "The octaves of gradient noise must lie in 1…16; got 17."
      ),
      (
        .colorChecker(patch: 7, in: .sRGB),
        "The patch of color checker must lie in 8…1048576; got 7."
      ),
      (
        .mesh([corner], triangles: [], in: .sRGB),
        "A corner of a triangle mesh must lie at finite positions; got (NaN, 1.0)."
      ),
      (
        .mesh([MeshVertex([1, 1], red)], triangles: [[0, 0, 1]], in: .sRGB),
        "The index of a triangle's corner must be 0; got 1."
      ),
      (
        .mesh([], triangles: [[0, 1, 2]], in: .sRGB),
        "A triangle mesh needs vertices; got none."
      ),
    ]
    for (picture, sentence) in refused {
      do throws(RenderError) {
        _ = try picture.cropped(to: Region(PixelSize(4, 4))).render(as: UInt8.self)
        Issue.record("\(sentence)")
      } catch {
        #expect("\(error)" == sentence)
      }
    }
    #expect(throws: RenderError.self) {
      try Picture.checker(red, green, side: 2, in: .sRGB)
        .cropped(to: Region(PixelSize(4, 4))).chromaticityDiagram(side: 0)
    }
  }

  /// 191 of 255 is the broadcasters' 75 %.
  @Test func barsStandInTheirOrder() throws {
    let bars = try Picture.colorBars(in: .rec709, size: PixelSize(16, 2)).render(as: UInt8.self)
    let codes = (0..<8).map { bar in (0..<3).map { bars[2 * bar, 1, $0] } }
    #expect(
      codes == [
        [255, 255, 255], [191, 191, 0], [0, 191, 191], [0, 191, 0], [191, 0, 191], [191, 0, 0],
        [0, 0, 191], [0, 0, 0],
      ])
  }

  private struct Chart: Decodable {
    let names: [String]
    let lab, linear: [SIMD3<Double>]

    enum CodingKeys: String, CodingKey {
      case names, lab
      case linear = "linear_srgb"
    }
  }

  /// All patches equal another table of the chart, before and after they are painted.
  @Test func chartHasItsColors() throws {
    let table = try Fixtures.json("Tables/color_checker.json", as: Chart.self)
    #expect(table.linear.count == 24)
    #expect(ColorChecker.colors.count == 24)
    let lights = try Picture.colorChecker(patch: 16, in: .linearSRGB).render(as: Float.self)
    let codes = try Picture.colorChecker(patch: 16, in: .sRGB).render(as: UInt8.self)
    #expect(codes.size == PixelSize(110, 74))
    for (patch, expected) in table.linear.enumerated() {
      #expect(ColorChecker.colors[patch].components == table.lab[patch], "\(table.names[patch])")
      let color = ColorChecker.colors[patch].converted(to: .linearSRGB).components
      let (x, y) = (2 + patch % 6 * 18 + 8, 2 + patch / 6 * 18 + 8)
      for channel in 0..<3 {
        // Double precision, through a cube and three matrices.
        #expect(abs(color[channel] - expected[channel]) < 1e-12, "\(table.names[patch])")
        // Rounded to single precision.
        #expect(abs(Double(lights[x, y, channel]) - color[channel]) <= 1e-7)
        let code = 255 * min(max(TransferFunction.sRGB.encode(expected[channel]), 0), 1)
        // Half a code; none is within 10⁻³ of a tie.
        #expect(abs(Double(codes[x, y, channel]) - code) <= 0.5, "\(table.names[patch])")
      }
    }
    // The codes of “neutral 5” are (121, 121, 121); charts before November 2014 have (122, 122, 121).
    #expect((0..<3).map { codes[2 + 3 * 18 + 8, 2 + 3 * 18 + 8, $0] } == [121, 121, 121])
    #expect(codes[0, 0, 0] == 0)
    #expect(codes[17 + 2, 10, 0] == 0)
  }

  @Test func hueSweepExceedsDisplayP3() throws {
    let sweep = Picture.hueSweep(chroma: 0.25, in: .displayP3, size: PixelSize(64, 32))
    let outside = try sweep.fractionOutside(.displayP3)
    #expect(outside > 0.5)
    #expect(outside < 0.98)
    // Coloraide's values of three of its colors: L = 1 − (y + ½) / 16, C = 0.1, h = 360° · (x + ½) / 32.
    let known = try Picture.hueSweep(chroma: 0.1, in: .linearSRGB, size: PixelSize(32, 16))
      .render(as: Float.self)
    for (x, y, expected) in [
      (3, 8, [Float(0.248_550_61), 0.058_294_23, 0.026_126_69]),
      (20, 2, [0.229_774_45, 0.687_264_27, 1.018_237_70]),
      (27, 12, [0.021_101_39, 0.001_327_88, 0.045_079_92]),
    ] {
      // Cubes and matrices with coefficients up to 4, in single precision.
      for channel in 0..<3 { #expect(abs(known[x, y, channel] - expected[channel]) < 2e-6) }
    }
    let gray = try Picture.hueSweep(chroma: 0, in: .linearSRGB, size: PixelSize(8, 8))
      .render(as: Float.self)
    for y in 0..<8 { #expect(abs(gray[3, y, 0] - gray[3, y, 1]) < 1e-6) }
  }

  /// Published centroids: of three vertices, interpolated in linear light and in encoded values.
  @Test func meshesInterpolateTheirVertices() throws {
    let vertices = [
      MeshVertex([0, 0], ColorPoint(1, 0, 0, in: .displayP3)),
      MeshVertex([90, 0], ColorPoint(0, 1, 0, in: .displayP3)),
      MeshVertex([0, 90], ColorPoint(0, 0, 1, in: .displayP3)),
    ]
    let region = Region(PixelSize(90, 90))
    func centroid(_ mixing: ColorSpace?) throws -> [Double] {
      let mesh = try Picture.mesh(
        vertices, triangles: [[0, 1, 2]], mixedIn: mixing, in: .displayP3
      ).cropped(to: region).render(as: Float.self)
      #expect(mesh[80, 80, 3] == 0)
      #expect(mesh[30, 30, 3] == 1)
      return (0..<3).map { (Double(mesh[29, 29, $0]) + Double(mesh[30, 30, $0])) / 2 }
    }
    let third = TransferFunction.sRGB.encode(1.0 / 3)
    for value in try centroid(nil) { #expect(abs(value - third) < 0.01) }
    for value in try centroid(.displayP3) { #expect(abs(value - 1.0 / 3) < 0.01) }
    // Later triangles cover earlier ones.
    let both = try Picture.mesh(
      vertices + [MeshVertex([90, 90], ColorPoint(1, 1, 1, in: .displayP3))],
      triangles: [[0, 1, 2], [3, 3, 3], [3, 1, 2]], in: .displayP3
    ).cropped(to: region).render(as: Float.self)
    #expect(both[80, 80, 3] == 1)
    #expect(both[10, 10, 3] == 1)
  }

  /// Values computed with NumPy, and with Python's integers where they are random.
  @Test func paintersEqualTheTable() throws {
    struct Table: Decodable {
      let spot, zonePlate, noise, bars, stripes: [[Double]]
    }
    let table = try Fixtures.json("Tables/painters.json", as: Table.self)
    let (red, gray) = (
      ColorPoint(1, 0, 0.25, in: .linearSRGB), ColorPoint(0.5, 0.25, 0, in: .linearSRGB)
    )
    let painters: [(any Painter, [[Double]], Double)] = [
      // Exact, or one sum and one product with an error of 1 ulp; the phase of the rings is exact within 1 ulp of up to
      // 10³ turns.
      (
        try GaussianSpot(red, on: gray, center: [31.5, 20.25], sigma: 7, in: .linearSRGB),
        table.spot,
        4e-16
      ),
      (try ZonePlate(center: [40.25, 31], radius: 64), table.zonePlate, 2e-13),
      // Sums of up to five octaves of four products; for the bars, a ramp with an error of 1 ulp.
      (try GradientNoise(seed: 11, cell: 13.5, octaves: 5), table.noise, 2e-15),
      (BroadcastBars(size: PixelSize(1920, 1080)), table.bars, 3e-16),
      (try Stripes(red, gray, width: 7, direction: .horizontal, in: .linearSRGB), table.stripes, 0),
    ]
    for (painter, rows, tolerance) in painters {
      #expect(rows.count >= 40)
      for row in rows {
        let pixel = painter.pixel(x: Int(row[0]), y: Int(row[1]))
        for channel in 0..<3 {
          #expect(
            abs(pixel[channel] - row[2 + channel]) <= tolerance, "\(painter) \(row) is \(pixel)")
        }
        #expect(pixel.w == 1)
      }
    }
  }

  @Test func gradientNoiseIsContinuous() throws {
    let clouds = try GradientNoise(seed: 5, cell: 64)
    var (least, greatest, largestStep) = (1.0, 0.0, 0.0)
    for x in -400..<400 {
      let (here, next) = (clouds.pixel(x: x, y: 77).x, clouds.pixel(x: x + 1, y: 77).x)
      (least, greatest) = (min(least, here), larger(greatest, here))
      largestStep = larger(largestStep, abs(next - here))
    }
    #expect(least >= 0 && least < 0.4 && greatest <= 1 && greatest > 0.6)
    // A slope of 1 in a cell, of √2 / 2, and that of the interpolation of 15 / 8 between two slopes: below 3 over 64
    // pixels.
    #expect(largestStep < 3.0 / 64)
  }

  /// Vertices may be anywhere; a triangle that extends beyond the picture covers it.
  @Test(arguments: [1e6, 1e10, 1e30, 1e300])
  func distantVerticesAreRasterized(distance: Double) throws {
    let red = ColorPoint(1, 0, 0, in: .displayP3)
    for (sign, alpha) in [(1.0, Float(1)), (-1, 0)] {
      let corners: [SIMD2<Double>] = [
        [-sign, -sign] * distance, [3 * distance, -sign * distance],
        [-sign * distance, 3 * distance],
      ]
      let mesh = try Picture.mesh(
        corners.map { MeshVertex($0, red) }, triangles: [[0, 1, 2]], in: .displayP3
      ).cropped(to: Region(PixelSize(5, 4))).render(as: Float.self)
      // The areas of such triangles overflow; they cover nothing.
      #expect(mesh[4, 3, 3] == (distance < 1e150 ? alpha : 0))
    }
  }
}
