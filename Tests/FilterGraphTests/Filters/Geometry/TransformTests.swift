import ColorSpaces
import FilterGraph
import ImageBuffer
import Testing
import _TestSupport

/// Rotations, shears and perspectives.
@Suite struct TransformTests {
  private let source = TestPictures.floats(
    PixelSize(40, 30), in: .linearSRGB, channels: .rgb)

  // MARK: Against other implementations

  private struct Table: Decodable {
    var input: [[Float]]
    var cases: [Case]

    struct Case: Decodable {
      var operation, kernel: String
      var parameters: [Double]
      /// Positions in the plane.
      var columns, rows: [Int]
      /// Nil where the kernel reaches the edge.
      var output: [[Float?]]
    }
  }

  /// Positions for each kind of transform, interpolated by four kernels; see the tables' README.
  @Test func transformsEqualTheTable() throws {
    let table = try Fixtures.json("Tables/transforms.json", as: Table.self)
    #expect(table.cases.count == 13)
    let size = PixelSize(table.input[0].count, table.input.count)
    let source = Picture(
      Bitmap<Float>(size, in: .linearSRGB, channels: .gray) { [table.input[$1][$0]] })
    for entry in table.cases {
      let kernel = try #require(ResamplingKernel(named: entry.kernel))
      let numbers = entry.parameters
      let corners = stride(from: 0, to: numbers.count - 1, by: 2).map {
        SIMD2(numbers[$0], numbers[$0 + 1])
      }
      let picture =
        switch entry.operation {
        case "transform":
          source.transformed(
            by: .affine(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]),
            kernel: kernel)
        case "rotate": source.rotated(degrees: numbers[0], kernel: kernel)
        case "perspective": source.perspective(to: corners, kernel: kernel)
        default: source.straightened(corners, to: PixelSize(30, 20), kernel: kernel)
        }
      let result = try picture.render(as: Float.self)
      for (y, row) in zip(entry.rows, entry.output) {
        for (x, expected) in zip(entry.columns, row) {
          guard let expected else { continue }
          let (column, line) = (x - picture.region.x, y - picture.region.y)
          // Weights between entries of a table have errors of 10⁻⁷, those of 4 by 4 pixels add up; Pillow computes in
          // single precision, too.
          #expect(
            abs(result[column, line, 0] - expected) <= 2e-6,
            "\(entry.operation) by \(kernel): (\(x), \(y))")
        }
      }
    }
  }

  // MARK: Properties

  /// A translation by whole pixels moves them unchanged, for every kernel.
  @Test func wholePixelTranslationsAreExact() throws {
    for kernel in [ResamplingKernel.nearest, .triangle, .catmullRom, .lanczos3, .spline36] {
      let moved = Picture(source).transformed(by: .moved(x: 3, y: -2), kernel: kernel)
      #expect(moved.region == Region(x: 3, y: -2, width: 40, height: 30))
      let result = try moved.render(as: Float.self)
      for y in 0..<30 {
        for x in 0..<40 {
          #expect(abs(result[x, y, 0] - source[x, y, 0]) < 1e-6, "\(kernel) at (\(x), \(y))")
          #expect(result[x, y, 3] == 1)
        }
      }
    }
  }

  /// At whole places only one weight is not 0.
  @Test func wholePixelTranslationsSpreadNoInfinity() throws {
    let pixels = Bitmap<Float>(PixelSize(9, 9), in: .linearSRGB, channels: .rgb) { x, y in
      Array(repeating: x == 4 && y == 4 ? .infinity : 1, count: 3)
    }
    for kernel in [ResamplingKernel.triangle, .catmullRom] {
      let moved = try Picture(pixels).transformed(by: .moved(x: 1, y: 0), kernel: kernel)
        .render(as: Float.self)
      for y in 0..<9 {
        for x in 0..<9 {
          #expect(moved[x, y, 0] == (x == 4 && y == 4 ? .infinity : 1), "\(kernel): \(x), \(y)")
        }
      }
    }
  }

  /// A quarter turn moves whole pixels; an eighth keeps the center, and the top right moves to the right.
  @Test func turnsAreClockwise() throws {
    let picture = Picture(source)
    let quarter = picture.rotated(degrees: 90)
    #expect(
      try quarter.render(as: Float.self) == picture.turned(quarters: 1).render(as: Float.self))
    let eighth = picture.rotated(degrees: 45)
    // (40 + 30) / √2 = 49.5 pixels, around the same center.
    #expect(eighth.size == PixelSize(50, 50))
    #expect(2 * eighth.region.x + eighth.region.width == 40)
    // A bright corner at the top right moves to the right.
    var corner = Bitmap<Float>(PixelSize(40, 30), in: .linearSRGB, channels: .rgb)
    for y in 0..<6 { for x in 34..<40 { corner[x, y, 0] = 1 } }
    let turned = try Picture(corner).rotated(degrees: 45).placed(at: .zero).render(as: Float.self)
    let brightest = (0..<50).max { turned[$0, 28, 0] < turned[$1, 28, 0] } ?? 0
    #expect(brightest > 40)
  }

  /// Crops after a quarter turn count from the same corner as before it. About a given center, a quarter turn keeps the center.
  @Test(arguments: [PixelSize(40, 30), PixelSize(3, 17), PixelSize(8, 8)])
  func quarterTurnsKeepTheCorner(size: PixelSize) {
    let picture = Picture(TestPictures.codes(as: UInt8.self, size)).moved(by: Offset(3, -2))
    let center = picture.region.center
    for degrees in [-450, -90, 0, 90, 180, 270, 360] as [Double] {
      #expect(picture.rotated(degrees: degrees).region.origin == picture.region.origin)
      if (size.width - size.height) % 2 == 0 {
        #expect(picture.rotated(degrees: degrees, around: center).region.center == center)
      }
    }
  }

  /// Edges are antialiased over one pixel.
  @Test func edgesAreSmooth() throws {
    let white = Picture(
      Bitmap<Float>(PixelSize(10, 10), in: .linearSRGB, channels: .rgb) { _, _ in [1, 1, 1] })
    let half = try white.transformed(by: .moved(x: 0.5, y: 0)).render(as: Float.self)
    #expect(half.size == PixelSize(11, 10))
    #expect(half[0, 5, 3] == 0.5)
    #expect(half[10, 5, 3] == 0.5)
    #expect(half[5, 5, 3] == 1)
    for x in 0..<11 { #expect(abs(half[x, 5, 0] - 1) < 1e-6) }
  }

  /// The homography maps corners to corners and straight lines to straight lines.
  @Test func perspectivesMapCornersToCorners() throws {
    let corner = Generator.double(in: -20...20)
    checkProperty(
      "corners to corners", .zip(corner, corner, corner), .zip(corner, corner, corner), cases: 500
    ) { first, second in
      // A convex quadrilateral: a square with its corners moved by less than a quarter of its side.
      let corners = [
        SIMD2(first.0, first.1), SIMD2(100 + first.2, second.0),
        SIMD2(100 + second.1, 100 + second.2), SIMD2(first.1, 100 + second.0),
      ]
      let transform = try PlaneTransform.square(to: corners)
      let square = [SIMD2(0.0, 0.0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)]
      for (from, to) in zip(square, corners) {
        guard let point = transform(from), let back = transform.inverse?(to) else { return false }
        let (there, home) = (point - to, back - from)
        // Coordinates up to 130, in double precision, through a matrix and its inverse.
        if (there * there).sum() > 1e-18 || (home * home).sum() > 1e-18 { return false }
      }
      return true
    }
  }

  /// A perspective followed by its rectification is the identity, within two interpolations of a smooth picture.
  @Test func straighteningInvertsPerspective() throws {
    let smooth = Bitmap<Float>(PixelSize(200, 160), in: .linearSRGB, channels: .rgb) { x, y in
      [Float(x) / 200, Float(y) / 160, Float((x - 100) * (x - 100)) / 10_000]
    }
    let corners = [SIMD2(20.0, 10), SIMD2(230, 40), SIMD2(200, 210), SIMD2(0, 170)]
    let back = try Picture(smooth).perspective(to: corners)
      .straightened(corners, to: PixelSize(200, 160)).render(as: Float.self)
    for y in stride(from: 4, to: 156, by: 7) {
      for x in stride(from: 4, to: 196, by: 7) {
        // Catmull–Rom reproduces uniformly sampled lines and parabolas exactly; perspective bends them by some
        // thousandths.
        for channel in 0..<3 {
          #expect(abs(back[x, y, channel] - smooth[x, y, channel]) < 2e-3, "(\(x), \(y))")
        }
        #expect(back[x, y, 3] > 0.999)
      }
    }
  }

  /// Reductions average: fine lines become gray.
  @Test func shrinkingAverages() throws {
    let lines = Bitmap<Float>(PixelSize(200, 40), in: .linearSRGB, channels: .rgb) { x, _ in
      x % 2 == 0 ? [1, 1, 1] : [0, 0, 0]
    }
    let small = try Picture(lines).transformed(by: .scaled(x: 0.25, y: 1), kernel: .triangle)
      .render(as: Float.self)
    for x in 4..<46 { #expect(abs(small[x, 20, 0] - 0.5) < 0.01) }
  }

  @Test func infinitePicturesStayInfinite() throws {
    let picture = Picture(source)
    let wide = picture.extended(by: .mirrored).rotated(degrees: 20, around: picture.region.center)
    #expect(wide.isEndless)
    let part = try wide.cropped(to: Region(PixelSize(40, 30))).render(as: Float.self)
    #expect(part.channels == .rgb)
    // They have no center of their own.
    #expect(throws: RenderError.self) {
      try picture.extended(by: .mirrored).rotated(degrees: 20).cropped(to: picture.region)
        .render(as: Float.self)
    }
  }

  /// A half turn about the center of a picture takes the picture to itself; about another point it moves it, too.
  @Test func rotationsHaveACenter() throws {
    let picture = Picture(source)
    let turned = try picture.turned(quarters: 2).render(as: Float.self)
    let center = picture.region.center
    for half in [
      picture.rotated(degrees: 180), picture.rotated(degrees: 180, around: center),
      picture.extended(by: .mirrored).rotated(degrees: 180, around: center)
        .cropped(to: picture.region),
      picture.rotated(degrees: 180, around: center + [3, -2]).moved(by: Offset(-6, 4)),
    ] {
      let result = try half.cropped(to: picture.region).render(as: Float.self)
      for y in 0..<turned.size.height {
        for x in 0..<turned.size.width {
          // sin π is 10⁻¹⁶.
          for c in 0..<3 { #expect(abs(result[x, y, c] - turned[x, y, c]) < 1e-6) }
        }
      }
    }
  }

  @Test func singularTransformsAreRefused() {
    let picture = Picture(source)
    #expect(throws: RenderError.recipe(.noWayBack)) {
      try picture.transformed(by: .scaled(x: 0, y: 1)).render(as: UInt8.self)
    }
    let behind = [SIMD2(0.0, 0), SIMD2(10, 0), SIMD2(2, 2), SIMD2(0, 10)]
    #expect(throws: RenderError.recipe(.noWayBack)) {
      try picture.perspective(to: behind).render(as: UInt8.self)
    }
  }

  /// Transforms that take a picture too far or make it tiny are not singular.
  @Test func distantAndTinyResultsAreNotSingular() throws {
    let picture = Picture(source)
    let wide = picture.perspective(to: [[0, 0], [1e9, 0], [1e9, 1], [0, 1]])
    #expect(wide.failure == .tooFar(region: "1000000000 × 1 at (0, 0)", limit: 1 << 29))
    let large = picture.transformed(by: .scaled(x: 1e30, y: 1))
    #expect(large.failure == .tooFar(region: "4e+31 × 30 at (0, 0)", limit: 1 << 29))
    for scale in [1e-14, 1e-16, 1e-20] {
      let tiny = try picture.transformed(by: .scaled(x: scale, y: scale)).render(as: Float.self)
      #expect(tiny.size == PixelSize(1, 1))
      let isFinite = tiny.row(0).allSatisfy { $0.isFinite }
      #expect(isFinite, "\(scale)")
    }
  }

  /// Positions far outside of the picture show its edge; their weights are not lost to rounding.
  @Test(arguments: [ResamplingKernel.nearest, .triangle, .catmullRom, .lanczos3])
  func distantPositionsShowTheEdge(kernel: ResamplingKernel) throws {
    let row = Bitmap<Float>(PixelSize(8, 1), in: .linearSRGB, channels: .rgb) { x, _ in
      x < 4 ? [1, 0.5, 0.25] : [0.25, 0.5, 1]
    }
    let edges: [(Double, [Float])] = [(1e13, [0.25, 0.5, 1]), (-1e13, [1, 0.5, 0.25])]
    for (distance, edge) in edges {
      let far = Picture(row).applying(try Transform(from: .moved(x: distance, y: 0), by: kernel))
      let tiles = try far.render(as: Float.self)
      let exact = try ReferenceEvaluator().render(far)
      for channel in 0..<3 {
        #expect(abs(tiles[3, 0, channel] - edge[channel]) < 1e-6)
        #expect(abs(exact[3, 0][channel] - Double(edge[channel])) < 1e-12)
      }
    }
  }

  /// By powers of two; other factors differ by rounding.
  @Test(arguments: [0x1p-40, 0x1p-3, 0x1p40])
  func multiplesOfAMatrixAreTheSameTransform(factor: Double) throws {
    let matrix = [[1, 0.2, 3], [-0.1, 0.9, 1], [0.001, 0.002, 1]]
    func picture(_ step: String, _ factor: Double) throws -> Picture {
      let rows = matrix.map { $0.map { $0 * factor } }
      let recipe = try Recipe(json: #"{"version": 1, "steps": [{\#(step): \#(rows)}}]}"#)
      return try recipe.picture(["input": Picture(source)])
    }
    for step in [#""transform": {"matrix""#, #""transform-from": {"source""#] {
      let (first, other) = (try picture(step, 1), try picture(step, factor))
      #expect(other.region == first.region)
      #expect(try other.render(as: UInt8.self) == first.render(as: UInt8.self), "\(step)")
    }
  }

  /// Products of such entries would be NaN.
  @Test(arguments: [1e31, 1e308, Double.infinity, .nan]) func hugeEntriesAreRefused(entry: Double) {
    let transform = PlaneTransform.affine(1e-10, 0, entry, 0, 1e-10, 0)
    for picture in [Picture(source), Picture(source).extended(by: .mirrored)] {
      #expect(throws: RenderError.self) {
        try picture.transformed(by: transform).cropped(to: Region(PixelSize(4, 4)))
          .render(as: UInt8.self)
      }
    }
    #expect(throws: RecipeError.self) {
      try Transform(from: .affine(1, 0, entry * 1e100, 0, 1, 0))
    }
  }

  /// Parameters out of range are refused when a filter is created, and modifiers keep the error until the picture is
  /// rendered.
  @Test func squaresHaveFourCorners() {
    #expect(throws: RecipeError.self) {
      try PlaneTransform.square(to: [[0, 0], [1, 0], [1, 1]])
    }
  }

  /// Corners on a line, or twice the same one, are refused in words, not by an entry of a matrix.
  @Test(
    arguments: [
      [[0, 0], [1, 1], [2, 2], [3, 3]], [[0, 0], [10, 0], [10, 0], [0, 10]],
      [[0, 0], [10, 0], [10, 10], [10, 10]], [[0, 0], [1, 0], [3, 0], [2, 0]],
      [[4, 4], [4, 4], [4, 4], [4, 4]],
    ] as [[SIMD2<Double>]])
  func cornersAreThoseOfAConvexShape(corners: [SIMD2<Double>]) {
    let picture = Picture(source)
    for picture in [
      picture.perspective(to: corners), picture.straightened(corners, to: PixelSize(4, 4)),
    ] {
      #expect(throws: RenderError.recipe(.noWayBack)) { try picture.render(as: UInt8.self) }
    }
  }

  @Test func squaresNeedCornersOfAShape() {
    #expect(throws: RecipeError.noWayBack) {
      try PlaneTransform.square(to: [[0, 0], [1, 1], [2, 2], [3, 3]])
    }
  }

  @Test func geometryOutOfRangeIsRefused() {
    let picture = Picture(source)
    let far = [SIMD2(0.0, 0), SIMD2(2e9, 0), SIMD2(9, 9), SIMD2(0, 9)]
    let empty = Region(x: 1, y: 1, width: 0, height: 4)
    for (wrong, message) in [
      (
        picture.rotated(degrees: .nan),
        "The degrees of rotate must lie in -1000000000…1000000000; got NaN."
      ),
      (
        picture.perspective(to: far),
        "The to of perspective must lie in -1000000000…1000000000; got 2000000000."
      ),
      (
        picture.straightened(Array(far.prefix(3)), to: PixelSize(4, 4)),
        "A picture has four corners: upper left, upper right, lower right, lower left; got 3."
      ),
      (
        picture.remapped(
          by: Bitmap<Float>(PixelSize(2, 2), in: .linearSRGB, channels: .gray) { _, _ in [1] }),
        "A table of places takes two channels, for columns and rows; the bitmap has gray."
      ),
      (picture.padded(to: empty), "\(RecipeError.emptySize(width: 0, height: 4))"),
      (
        picture.resized(to: .scaled(by: 0)),
        "The scale of a resize must lie in 1e-06…1000000; got 0."
      ),
    ] {
      #expect(throws: RenderError.self) { try wrong.render(as: UInt8.self) }
      #expect(wrong.plan == "cannot run: \(message)")
    }
    #expect(throws: RecipeError.emptySize(width: 0, height: 4)) {
      try Transform(from: .identity, part: empty)
    }
    #expect(throws: RecipeError.emptySize(width: 3, height: -1)) { try Resize(to: .fit(3, -1)) }
  }

  @Test func partsReachNoFartherThanThePicture() throws {
    let size = source.size
    let part = Region(x: size.width - 2, y: 0, width: 3, height: 1)
    let transform = try Transform(from: .identity, part: part)
    #expect(
      Picture(source).applying(transform).plan
        == "cannot run: The part \(part) to transform reaches beyond the picture, which is \(size). Choose one within the picture."
    )
    let inside = Region(x: size.width - 2, y: 0, width: 2, height: 1)
    let whole = try Picture(source).applying(Transform(from: .identity, part: inside))
    #expect(try whole.render(as: UInt8.self).size == size)
  }

  @Test func pointsToRotateAboutAreLimitedAsCornersAre() throws {
    let picture = Picture(source).rotated(degrees: 20, around: [1, -0x1p62])
    #expect(
      picture.plan
        == "cannot run: The around of rotate must lie in -1000000000…1000000000; got -4611686018427387904."
    )
    let step = #"{"rotate": {"degrees": 20, "around": [1, -4611686018427387904]}}"#
    let json = #"{"version": 1, "steps": [\#(step)]}"#
    let error = #expect(throws: RecipeDecodingError.self) { try Recipe(json: json) }
    let words = "steps[0].rotate.around: expected a number in -1000000000…1000000000, found "
    #expect(error.map { "\($0)".hasPrefix(words) } == true)
  }

  /// A remap is transparent where a place is NaN or infinite, and black where the picture has no alpha.
  @Test(arguments: [Float.nan, .infinity, -.infinity])
  func placesThatAreNotFiniteShowNothing(place: Float) throws {
    let places = Bitmap<Float>(PixelSize(2, 1), in: .linearSRGB, channels: .grayAlpha) { x, _ in
      x == 0 ? [place, 0.5] : [0.5, 0.5]
    }
    let opaque = Bitmap<Float>(PixelSize(2, 1), in: .sRGB, channels: .rgb) { _, _ in [1, 1, 1] }
    let shown = try Picture(opaque).remapped(by: places).render(as: Float.self)
    #expect(shown.row(0) == [0, 0, 0, 1, 1, 1])
    let covered = try opaque.converted(channels: .rgba)
    let transparent = try Picture(covered).remapped(by: places).render(as: Float.self)
    #expect(transparent.row(0) == [0, 0, 0, 0, 1, 1, 1, 1])
  }

  @Test(arguments: [
    (#"[1, 2]"#, #"[1, 2, 3]"#, "columns", 2), (#"[1, 2, 3]"#, #"[1]"#, "rows", 1),
  ])
  func remapsNeedOnePlaceForEachPixel(columns: String, rows: String, name: String, count: Int) {
    let step = #"{"remap": {"size": [3, 1], "columns": \#(columns), "rows": \#(rows)}}"#
    let error = #expect(throws: RecipeDecodingError.self) {
      try Recipe(json: #"{"version": 1, "steps": [\#(step)]}"#)
    }
    let words =
      "The number of coordinates in “\(name)”, one for each of 3 × 1 pixels, must be 3; got \(count)."
    #expect(error.map { "\($0)".hasSuffix(words) } == true, "\(error.map { "\($0)" } ?? "")")
  }
}
