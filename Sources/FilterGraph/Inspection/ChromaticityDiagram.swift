public import ColorSpaces
package import ImageBuffer

/// A plot of a picture's colors on the CIE 1976 diagram, with u′ to the right and v′ upwards, 0…0.65 each, with the
/// gamut triangles of some spaces and the spectral locus.
///
/// Brightness shows the number of pixels of a color. Fully transparent pixels and those darker than a thousandth of
/// white are ignored.
package struct ChromaticityDiagram: Painter {
  private let side: Int
  private let counts: [Int]
  private let largestCount: Int
  /// The spectral locus and the gamut triangles, as closed polygons.
  private let outlines: [[SIMD2<Double>]]

  fileprivate init(side: Int, counts: [Int], gamuts: [ColorSpace]) {
    self.init(
      side: side, counts: counts,
      outlines: [Chromaticity.spectrum.map(\.uv)]
        + gamuts.map(\.primaries).map { [$0.red.uv, $0.green.uv, $0.blue.uv] })
  }

  fileprivate init(side: Int, counts: [Int] = [], outlines: [[SIMD2<Double>]] = []) {
    (self.side, self.counts, self.outlines) = (side, counts, outlines)
    largestCount = counts.max() ?? 0
  }

  /// A square of `side` × `side` pixels.
  package var size: PixelSize? { PixelSize(side, side) }

  /// Encoded values, of sRGB.
  package var domain: PixelDomain { .encoded }

  /// Returns the color of a chromaticity that occurs, of a line, or of the background.
  package func pixel(x: Int, y: Int) -> SIMD4<Double> {
    let place = Self.extent * SIMD2(Double(x) + 0.5, Double(side - y) - 0.5) / Double(side)
    let ground = SIMD3(repeating: 0.1)
    let count = counts[y * side + x]
    var color = ground
    if count > 0 {
      // A few pixels must be visible beside a million.
      let share =
        naturalLogarithm(1 + Double(count)) / naturalLogarithm(1 + Double(largestCount))
      color = ground + (Self.brightest(at: place) - ground) * (0.35 + 0.65 * share)
    }
    var distance = Double.infinity
    for outline in outlines { distance = min(distance, Self.distance(from: place, to: outline)) }
    let line = max(0, 1 - distance * Double(side) / Self.extent)
    return SIMD4(color + (SIMD3(repeating: 0.85) - color) * line * 0.6, 1)
  }

  /// The upper end of both axes.
  fileprivate static let extent = 0.65

  /// The brightest sRGB color of a chromaticity, or of the nearest one in gamut.
  private static func brightest(at place: SIMD2<Double>) -> SIMD3<Double> {
    let (u, v) = (place.x, max(place.y, 1e-6))
    let xyz = SIMD3(9 * u / (4 * v), 1, (12 - 3 * u - 20 * v) / (4 * v))
    let light = light(xyz).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1e6))
    return code(light / max(light.max(), 1e-6))
  }

  private static let light = PointProgram(converting: .xyzD65, to: .linearSRGB)
  private static let code = PointProgram(converting: .linearSRGB, to: .sRGB)

  /// The distance from a point to a closed polygon.
  private static func distance(from point: SIMD2<Double>, to outline: [SIMD2<Double>]) -> Double {
    var least = Double.infinity
    for (index, start) in outline.enumerated() {
      let way = outline[(index + 1) % outline.count] - start
      let along = min(max(((point - start) * way).sum() / (way * way).sum(), 0), 1)
      let gap = point - start - way * along
      least = min(least, (gap * gap).sum().squareRoot())
    }
    return least
  }
}

extension ChromaticityDiagram: RecipePainter {
  /// The declaration of `chromaticity-diagram`.
  package static let declaration = Declaration<Painting<ChromaticityDiagram>>(
    "chromaticity-diagram", "Paints where colors lie on the CIE 1976 chromaticity diagram.",
    swift: "try picture.chromaticityDiagram()",
    Parameter(
      "side", \.painter.side, "the width and the height", unit: "pixels", in: 1...8192,
      sample: 16),
    Parameter(
      "counts", \.painter.counts, "how many pixels have the chromaticity of each place, row by row",
      in: 0...Double.greatestFiniteMagnitude, sample: Array(0..<256)),
    Parameter(
      "outlines", \.painter.outlines,
      "closed lines, such as gamut triangles, by their points u′, v′",
      sample: [[[0.451, 0.523], [0.125, 0.563], [0.175, 0.158]]]),
    Parameter("in", \.space, "the color space of the picture", default: .sRGB)
  ) { side, counts, outlines, space throws(RecipeError) in
    let places = Double(side * side)
    try checked(
      "The number of counts in a chromaticity diagram", Double(counts.count), in: places...places)
    return Painting(
      ChromaticityDiagram(side: side, counts: counts, outlines: outlines), in: space)
  }
}

extension ChromaticityDiagram: CustomStringConvertible {
  /// The text of this step in plans: “chromaticity diagram”.
  package var description: String { "chromaticity diagram" }
}

extension Picture {
  /// Returns a plot of this picture's colors on the CIE 1976 diagram, with the gamut triangles of some spaces.
  public func chromaticityDiagram(
    side: Int = 512, gamuts: [ColorSpace] = [.sRGB, .displayP3, .rec2020],
    options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Picture {
    do throws(RecipeError) {
      // Check before the picture is rendered for its measurement.
      try ChromaticityDiagram.declaration.check(ChromaticityDiagram(side: side))
    } catch {
      throw .recipe(error)
    }
    let counts = try converted(to: .linearSRGB)
      .reduced(by: ChromaticityCounts(side: side), options: options)
    return Picture(ChromaticityDiagram(side: side, counts: counts, gamuts: gamuts), in: .sRGB)
  }
}

/// Counts the pixels in each cell of the diagram.
private struct ChromaticityCounts: SizedReduction {
  let side: Int

  var stateByteCount: Int { side * side * MemoryLayout<Int>.size }

  func start(in space: ColorSpace) -> [Int] { [Int](repeating: 0, count: side * side) }

  func add(_ pixel: SIMD4<Float>, to state: inout [Int]) {
    guard pixel.w > 0 else { return }
    let xyz = Self.toXYZ * SIMD3<Double>(SIMD3(pixel.x, pixel.y, pixel.z))
    let weight = xyz.x + 15 * xyz.y + 3 * xyz.z
    guard xyz.y > 0.001, weight > 0 else { return }
    let place = SIMD2(4 * xyz.x, 9 * xyz.y) / weight / ChromaticityDiagram.extent * Double(side)
    let (x, y) = (place.x.rounded(.down), place.y.rounded(.down))
    guard x >= 0, y >= 0, x < Double(side), y < Double(side) else { return }
    state[(side - 1 - Int(y)) * side + Int(x)] += 1
  }

  private static let toXYZ = ColorSpace.linearSRGB.toHub
}
