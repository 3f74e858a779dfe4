internal import CPixelKernels
internal import ColorSpaces
public import ImageBuffer

/// Resamples a picture at positions from a table: lens corrections, morphs, heat haze.
///
/// The kernel has its own width everywhere, however far apart the positions lie.
package struct Remap: InterpolatingFilter {
  /// The source position of each pixel of the result: the column in the first channel, the row in the second, in pixels
  /// of the picture. The first pixel fills the square from (0, 0) to (1, 1). The table has the size of the result.
  package let places: Bitmap<Float>
  /// The resampling kernel.
  package var kernel: ResamplingKernel

  /// Creates a remap by a table of positions. Throws if the table has fewer than two channels.
  package init(
    _ places: Bitmap<Float>, by kernel: ResamplingKernel = .catmullRom
  ) throws(RecipeError) {
    guard places.channels.count >= 2 else {
      throw .other(
        "A table of places takes two channels, for columns and rows; the bitmap has "
          + "\(places.channels).")
    }
    (self.places, self.kernel) = (places, kernel)
  }

  /// Hashes the size of the table alone, since it may be large.
  package func hash(into hasher: inout Hasher) { hasher.combine(places.size) }

  /// The size of the table.
  package func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize {
    guard input != Region.everywhere.size else { throw .endless }
    return places.size
  }

  /// The source position of the pixel (x, y); nil where the table holds NaN or infinity.
  private func place(_ x: Int, _ y: Int) -> SIMD2<Double>? {
    let place = SIMD2(Double(places[x, y, 0]), Double(places[x, y, 1]))
    return place.x.isFinite && place.y.isFinite ? PixelInterpolation.limited(place) : nil
  }

  /// Returns the region under the kernels around all source positions of the region.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    // Of floats: planning asks for millions of places, several times.
    var least = SIMD2(repeating: Float.infinity)
    var most = -least
    for y in output.rows {
      withPlaces(y, from: output.x) { columns, rows, step in
        for index in 0..<output.width {
          let place = SIMD2(columns[index * step], rows[index * step])
          guard place.x.isFinite, place.y.isFinite else { continue }
          least.replace(with: place, where: place .< least)
          most.replace(with: place, where: place .> most)
        }
      }
    }
    if least.x > most.x { (least, most) = (.zero, .zero) }
    return PixelInterpolation(kernel: kernel).region(
      PixelInterpolation.limited(SIMD2<Double>(least)),
      PixelInterpolation.limited(SIMD2<Double>(most)), stretch: .one, in: input.bounds)
  }

  /// Returns the weighted mean around the source position; transparent where that is NaN or infinite.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    guard let place = place(x, y) else { return .zero }
    return PixelInterpolation(kernel: kernel).pixel(at: place, stretch: .one, read: read)
  }

  /// Computes row by row.
  package func render(
    into output: Tile, from input: Tile, with interpolation: TabulatedInterpolation
  ) {
    let region = output.region
    interpolation.withWarp(input, in: input.pictureSize.bounds, scratch: output) { warp in
      for y in region.rows {
        var row = output.surface(y, from: region.x)
        withPlaces(y, from: region.x) { columns, rows, step in
          kernels.remap(warp, columns, rows, step, &row, region.width)
        }
      }
    }
  }

  /// Calls a closure with the places of a row from the column `x` on, and how many floats lie between those of neighbors.
  private func withPlaces(
    _ y: Int, from x: Int,
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, _ step: Int) -> Void
  ) {
    let isPlanar = places.arrangement == .planar
    let step = isPlanar ? 1 : places.channels.count
    places.withUnsafeRow(y) { columns in
      places.withUnsafeRow(y, plane: isPlanar ? 1 : 0) { rows in
        guard let columns = columns.baseAddress, let rows = rows.baseAddress else { return }
        body(columns + x * step, rows + (x * step + (isPlanar ? 0 : 1)), step)
      }
    }
  }
}

extension Remap: CustomStringConvertible {
  /// The text of this step in plans, such as “Lanczos 3 remap”.
  package var description: String { "\(kernel) remap" }
}

extension Remap: RecipeFilter {
  /// The declaration of `remap`. Recipes list the coordinates of all positions in row-major order, with `null` for NaN
  /// and infinity.
  package static let declaration = Declaration<Remap>(
    "remap", "Takes each pixel from the place that a table says; where it reduces, it aliases.",
    keepsGray: true, swift: "picture.remapped(by: places)",
    Parameter(
      "size", \.places.size, "the size of the result", unit: "pixels", sample: PixelSize(4, 3)),
    Parameter(
      "columns", { $0.numbers(0) },
      "the x of each pixel's place, row by row; null is transparent; black without alpha",
      unit: "pixels", sample: [35, 25, 15, 5, 35, 25, 15, 5, 35, 25, 15, 5]),
    Parameter(
      "rows", { $0.numbers(1) },
      "the y of each pixel's place, row by row; null is transparent; black without alpha",
      unit: "pixels", sample: [5, 5, 5, 5, 15, 15, 15, 15, 25, 25, 25, 25]),
    Parameter.kernel(\.kernel, default: .catmullRom)
  ) { size, columns, rows, kernel throws(RecipeError) in
    let count = Double(size.pixelCount)
    for (name, numbers) in [("columns", columns), ("rows", rows)] {
      try checked(
        "The number of coordinates in “\(name)”, one for each of \(size.width) × \(size.height) pixels,",
        Double(numbers.count), in: count...count)
    }
    return try Remap(
      Bitmap(size, in: .linearSRGB, channels: .grayAlpha) { x, y in
        [columns, rows].map { $0[y * size.width + x] ?? .nan }
      }, by: kernel)
  }.with(.moves)

  private func numbers(_ channel: Int) -> [Float?] {
    (0..<places.size.height).flatMap { y in
      (0..<places.size.width).map { x in
        let number = places[x, y, channel]
        return number.isFinite ? number : nil
      }
    }
  }
}

extension Picture {
  /// Returns this picture resampled at `places`. Beyond its edges the picture is extended by its edge pixels.
  ///
  /// Where a place is NaN or infinite, the result is transparent; black in a picture without alpha.
  ///
  /// The kernel is not widened where neighboring places lie more than a pixel apart, so fine detail aliases there. Resize the picture
  /// first, and scale the places.
  public func remapped(
    by places: Bitmap<Float>, kernel: ResamplingKernel = .catmullRom
  ) -> Picture {
    applying { () throws(RecipeError) in try Remap(places, by: kernel) }
  }
}
