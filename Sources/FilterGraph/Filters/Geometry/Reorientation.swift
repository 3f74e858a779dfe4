public import ImageBuffer

/// Rotates a picture by quarter turns, or mirrors it. Pixels move and keep their values.
package struct Reorientation: AreaFilter {
  /// What is done.
  package var orientation: Orientation

  /// A turn or a flip.
  package init(_ orientation: Orientation) { self.orientation = orientation }

  /// Whatever the picture holds.
  package var domain: PixelDomain { .any }

  /// Width and height, exchanged by quarter turns.
  package func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    guard input != Region.everywhere.size else { throw .endless }
    return orientation.uprightSize(of: input)
  }

  /// The size, with width and height exchanged by quarter turns. Turns and flips mean the same at every resolution.
  package func inputSize(forAtLeast output: PixelSize) -> PixelSize? {
    orientation.uprightSize(of: output)
  }

  /// The pixels that go there.
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

  /// The pixel that goes there.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let source = source(x, y, of: input)
    return read(source.x, source.y)
  }

  /// Where the pixel (x, y) of the result comes from.
  private func source(_ x: Int, _ y: Int, of input: PixelSize) -> (x: Int, y: Int) {
    orientation.inverse.uprightPosition(x: x, y: y, in: orientation.uprightSize(of: input))
  }

  /// Row by row; quarter turns in blocks, so that both pictures stay in the cache.
  package func render(into output: Tile, from input: Tile, with preparation: Void) {
    let region = output.region
    let origin = source(region.x, region.y, of: input.pictureSize)
    let right = source(region.x + 1, region.y, of: input.pictureSize)
    let down = source(region.x, region.y + 1, of: input.pictureSize)
    // How far apart neighbours of the result are in the input's memory.
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
  /// The name in plans.
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
  ) { Reorientation($0) }
}

extension Orientation: RecipeChoice {
  /// The words for it in recipes.
  public static let recipeCases: [RecipeCase<Orientation>] = [
    RecipeCase("upright", .upright), RecipeCase("mirrored", .mirrored),
    RecipeCase("half-turned", .halfTurned), RecipeCase("flipped", .flipped),
    RecipeCase("transposed", .transposed), RecipeCase("quarter-turned", .quarterTurned),
    RecipeCase("transverse", .transverse), RecipeCase("quarter-turned-back", .quarterTurnedBack),
  ]
}

extension Picture {
  /// This picture as it stands upright, from the orientation that its file states. Its upper left corner stays where it is.
  public func oriented(_ orientation: Orientation) -> Picture {
    orientation == .upright ? self : applying(Reorientation(orientation))
  }

  /// This picture with left and right exchanged.
  public func mirrored() -> Picture { oriented(.mirrored) }

  /// This picture with top and bottom exchanged.
  public func flipped() -> Picture { oriented(.flipped) }

  /// This picture turned clockwise by quarters, counterclockwise below zero. No pixel changes.
  public func turned(quarters: Int) -> Picture { oriented(Orientation(quarterTurns: quarters)) }
}
