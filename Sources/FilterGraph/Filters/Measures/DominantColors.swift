public import ColorSpaces
internal import ImageBuffer

extension Picture {
  /// Returns the palette of this picture: the colors that most of its pixels resemble, and the fraction of each.
  ///
  /// ```swift
  /// for (color, fraction) in try photo.dominantColors(count: 5) { print(color, fraction) }
  /// ```
  ///
  /// Pixels are clustered in Oklab, whose distances are those of perception, and each color is the mean of a cluster: of pixels that
  /// are weighted by their alpha. The palette is deterministic: it depends on pixels alone, neither on random numbers nor on tiles and
  /// threads. Clusters that vary by less than a just noticeable difference are not divided, so that there may be fewer colors than
  /// asked for, and none of a picture that is fully transparent.
  ///
  /// Each pixel is counted, in cells of 1/64 in Oklab. That takes 16 MiB, whatever the picture's size.
  ///
  /// - Parameters:
  ///   - count: The most colors, 1…256.
  ///   - options: How the picture is rendered.
  /// - Returns: The colors in Oklab, the most frequent one first, with fractions that sum to 1. A color may be out of the gamut of sRGB.
  /// - Throws: ``RenderError`` for another count, and where the picture cannot be rendered.
  public func dominantColors(
    count: Int = 8, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> [(color: ColorPoint, fraction: Double)] {
    do throws(RecipeError) {
      try checked("The number of dominant colors", Double(count), in: 1...256)
    } catch {
      throw .recipe(error)
    }
    let cells = ColorCells(of: self)
    try Picture.count([cells], options: options)
    let palette = ColorClusters(
      of: cells.occupied, count: count, leastDeviation: Self.leastDominantDeviation)
    return palette.means.map { mean in
      (
        ColorPoint(mean.point.x, mean.point.y, mean.point.z, in: .oklab),
        mean.weight / palette.weight
      )
    }
  }

  /// Half of a just noticeable difference, 0.02 in Oklab: the standard deviation of two equal areas that differ by as much.
  private static let leastDominantDeviation = 0.01
}

/// The sums of the pixels in each cell of Oklab. Rows are added by one thread at a time, hence the unchecked conformance.
private final class ColorCells: Counting, @unchecked Sendable {
  let picture: Picture
  /// The sums of L, a and b, weighted by alpha, and of the weights.
  private var sums: [SIMD4<Double>]

  /// A cell is narrower than a just noticeable difference, 0.02 in Oklab.
  private static let cellsPerUnit: Float = 64
  /// L of 0…2, which is 8 times the luminance of white: all brighter colors share the last cells.
  private static let lightnesses = 128
  /// a and b of −½…½, more than those of Rec. 2020.
  private static let chromas = 64
  private static let count = lightnesses * chromas * chromas

  var stateByteCount: Int { Self.count * MemoryLayout<SIMD4<Double>>.stride }

  init(of picture: Picture) {
    self.picture = picture.converted(to: .oklab)
    sums = [SIMD4<Double>](repeating: .zero, count: Self.count)
  }

  /// The mean of each cell with visible pixels, in the order of the cells.
  var occupied: [WeightedColor] {
    sums.filter { $0.w > 0 }.map {
      WeightedColor(sum: SIMD4($0.x, $0.y, $0.z, 0), weight: $0.w)
    }
  }

  func add(_ row: UnsafeBufferPointer<Float>) {
    let channels = picture.usualChannels.count
    for start in stride(from: 0, to: row.count, by: channels) {
      let alpha = channels == 4 ? min(row[start + 3], 1) : 1
      let color = SIMD4(row[start], row[start + 1], row[start + 2], 1)
      // False for NaN, too. An infinite color has no mean.
      guard alpha > 0, all(color * color .< Float.infinity) else { continue }
      sums[Self.index(of: color)] += SIMD4<Double>(color * alpha)
    }
  }

  /// The cell of a color, or the nearest one.
  private static func index(of color: SIMD4<Float>) -> Int {
    let half = Float(chromas / 2)
    let cell = (color * cellsPerUnit + SIMD4(0, half, half, 0))
      .clamped(
        lowerBound: .zero,
        upperBound: SIMD4(Float(lightnesses - 1), Float(chromas - 1), Float(chromas - 1), .infinity)
      )
    return (Int(cell.x) * chromas + Int(cell.y)) * chromas + Int(cell.z)
  }
}
