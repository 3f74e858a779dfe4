public import ImageBuffer

/// Rotates a picture by quarter turns, or mirrors it. Pixels move and keep their values.
package struct Reorientation: AreaFilter {
  /// The rotation and reflection.
  package var orientation: Orientation

  /// Creates a rotation or a reflection.
  package init(_ orientation: Orientation) { self.orientation = orientation }

  /// Any values.
  package var domain: PixelDomain { .any }

  /// Returns the size, with width and height exchanged by quarter turns.
  package func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    guard input != Region.everywhere.size else { throw .endless }
    return orientation.uprightSize(of: input)
  }

  /// Returns the size, with width and height exchanged by quarter turns: the filter is independent of the resolution.
  package func inputSize(forAtLeast output: PixelSize) -> PixelSize? {
    orientation.uprightSize(of: output)
  }

  /// Returns the region that moves there.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let (columns, rows) = (output.columns, output.rows)
    let (first, last) = (
      source(columns.lowerBound, rows.lowerBound, of: input),
      source(columns.upperBound - 1, rows.upperBound - 1, of: input)
    )
    return Region(
      x: min(first.x, last.x), y: min(first.y, last.y), width: abs(last.x - first.x) + 1,
      height: abs(last.y - first.y) + 1)
  }

  /// Returns the pixel that moves there.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let source = source(x, y, of: input)
    return read(source.x, source.y)
  }

  /// The source position of the pixel (x, y) of the result.
  private func source(_ x: Int, _ y: Int, of input: PixelSize) -> (x: Int, y: Int) {
    orientation.inverse.uprightPosition(x: x, y: y, in: orientation.uprightSize(of: input))
  }

  /// Computes row by row; quarter turns in blocks, for cache locality in both pictures.
  package func render(into output: Tile, from input: Tile, with preparation: Void) {
    let region = output.region
    let origin = source(region.x, region.y, of: input.pictureSize)
    let right = source(region.x + 1, region.y, of: input.pictureSize)
    let down = source(region.x, region.y + 1, of: input.pictureSize)
    // The stride in the input's memory between horizontal neighbors of the result.
    let across = (right.y - origin.y) * input.rowStride + right.x - origin.x
    let below = (down.y - origin.y) * input.rowStride + down.x - origin.x
    for plane in 0..<output.planeCount {
      let corner = input.pointer(origin.y, plane) + (origin.x - input.region.x)
      let target = output.pointer(region.y, plane)
      let side = orientation.exchangesAxes ? 32 : region.width
      for top in stride(from: 0, to: region.height, by: 32) {
        for left in stride(from: 0, to: region.width, by: side) {
          for y in top..<min(top + 32, region.height) {
            let (to, from) = (target + y * output.rowStride, corner + y * below)
            for x in left..<min(left + side, region.width) { to[x] = from[x * across] }
          }
        }
      }
    }
  }
}

extension Reorientation: CustomStringConvertible {
  /// The text of this step in plans, such as “half turn”.
  package var description: String {
    switch orientation {
    case .upright: "as it is"
    case .mirrored: "exchange left and right"
    case .halfTurned: "half turn"
    case .flipped: "exchange top and bottom"
    case .transposed: "exchange rows and columns"
    case .quarterTurned: "quarter turn"
    case .transverse: "exchange rows and columns, half turn"
    case .quarterTurnedBack: "quarter turn back"
    }
  }
}

extension Reorientation: RecipeFilter {
  /// The declaration of `orient`.
  package static let declaration = Declaration<Reorientation>(
    "orient", "Rotates by quarter turns or mirrors, without resampling.",
    aliases: [
      FilterAlias("flip", RecipeValue.Member("to", .string("flipped"))),
      FilterAlias("flop", RecipeValue.Member("to", .string("mirrored"))),
    ],
    keepsGray: true, swift: "picture.oriented(.quarterTurned)",
    Parameter(
      "to", \.orientation, "how the picture turns (clockwise) or is mirrored",
      sample: .quarterTurned)
  ) { Reorientation($0) }.with(.moves)
}

extension Orientation: RecipeChoice {
  /// The names of orientations, such as `quarter-turned`, in recipes and on the command line.
  public static let recipeCases: [RecipeCase<Orientation>] = [
    RecipeCase("upright", .upright), RecipeCase("mirrored", .mirrored),
    RecipeCase("half-turned", .halfTurned), RecipeCase("flipped", .flipped),
    RecipeCase("transposed", .transposed), RecipeCase("quarter-turned", .quarterTurned),
    RecipeCase("transverse", .transverse), RecipeCase("quarter-turned-back", .quarterTurnedBack),
  ]
}

extension Picture {
  /// Returns this picture upright, given the orientation that its file states. Its top left corner keeps its position.
  public func oriented(_ orientation: Orientation) -> Picture {
    orientation == .upright ? self : applying(Reorientation(orientation))
  }

  /// Returns this picture mirrored horizontally.
  public func mirrored() -> Picture { oriented(.mirrored) }

  /// Returns this picture mirrored vertically.
  public func flipped() -> Picture { oriented(.flipped) }

  /// Returns this picture rotated clockwise by quarter turns; negative ones are counterclockwise. Values are unchanged, and the top left
  /// corner keeps its position.
  public func turned(quarters: Int) -> Picture { oriented(Orientation(quarterTurns: quarters)) }

  /// Whether quarter turns and transpositions exchanged width and height, an odd number of times since the source. Of several inputs
  /// the first one counts that no painting is the source of, such as the color behind a picture.
  package var hasExchangedAxes: Bool {
    var (node, exchanges) = (node, false)
    while true {
      let turn = node.areaFilter as? Reorientation
      if turn?.orientation.exchangesAxes ?? false { exchanges.toggle() }
      guard let first = node.inputs.first else { return exchanges }
      node = node.inputs.first { !$0.isPainting } ?? first
    }
  }
}

extension Node {
  /// Whether its first source has infinite extent, as paintings have.
  fileprivate var isPainting: Bool {
    var node = self
    while let input = node.inputs.first { node = input }
    return node.region == .everywhere
  }
}
