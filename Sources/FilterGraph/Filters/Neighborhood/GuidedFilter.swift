internal import CPixelKernels
package import ImageBuffer

/// Smooths what differs little from its surroundings and keeps what differs much: edges stay sharp (He, Sun and Tang, “Guided
/// image filtering”, 2010, with the picture as its own guide, channel by channel).
///
/// Over each square the picture is approximated by a · pixel + (1 − a) · mean, with a = variance / (variance + ε); each pixel is
/// then the mean of what the squares around it say. Means and variances are those of all pixels of a square, those beyond an edge
/// included, which equal the nearest edge pixel.
///
/// Premultiplied channels and alpha have slopes of their own, so that colors change along soft edges of transparency.
package struct GuidedFilter: AreaFilter {
  /// How many pixels a square reaches to each side: at most as many as the picture has in that direction.
  ///
  /// Without that limit the work in small pictures would grow with the square of the radius.
  package let radius: Int
  /// The contrast that is kept by half: the root of ε.
  package let contrast: Double

  /// A filter over squares with 2 · radius + 1 pixels to a side.
  package init(radius: Int, contrast: Double) throws(RecipeError) {
    (self.radius, self.contrast) = (radius, contrast)
    try Self.declaration.check(self)
  }

  /// The squares of the pixels in the square.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    let reach = prepare(for: input)
    return output.expanded(by: PixelSize(2 * reach.width, 2 * reach.height))
  }

  /// How many columns and rows a square reaches to each side.
  package func prepare(for input: PixelSize) -> PixelSize {
    PixelSize(min(radius, input.width), min(radius, input.height))
  }

  /// The mean of what the squares around say.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let reach = prepare(for: input)
    let area = Double((2 * reach.width + 1) * (2 * reach.height + 1))
    func mean(
      _ x: Int, _ y: Int, _ value: (Int, Int) -> SIMD4<Double>
    ) -> SIMD4<Double> {
      var sum = SIMD4<Double>.zero
      for row in y - reach.height...y + reach.height {
        for column in x - reach.width...x + reach.width { sum += value(column, row) }
      }
      return sum / area
    }
    let here = read(x, y)
    var (slope, base) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    for row in y - reach.height...y + reach.height {
      for column in x - reach.width...x + reach.width {
        let center = mean(column, row, read)
        let square = mean(column, row) { (read($0, $1) - center) * (read($0, $1) - center) }
        let a = square / (square + contrast * contrast)
        slope += a
        base += center - a * center
      }
    }
    return (slope * here + base) / area
  }

  /// Slopes and bases, and the sums of them, of the values and of their squares.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    kernels.guided_scratch(
      output.width, output.height, (input.width - output.width) / 4,
      (input.height - output.height) / 4)
  }

  /// Sums over squares in double precision, twice; a channel at a time. What differs from the definition is rounding of results, and an
  /// error of variances below 10⁻¹⁵ of the largest square, beside ε.
  package func render(into output: Tile, from input: Tile, with reach: PixelSize) {
    let (width, height) = (output.region.width, output.region.height)
    let (across, down) = (reach.width, reach.height)
    let scratch = output.scratchPointer(kernels.guided_scratch(width, height, across, down))
    for plane in 0..<output.planeCount {
      kernels.guided(
        output.pointer(output.region.y, plane), output.rowStride,
        input.window(of: output.region, columns: 2 * across, rows: 2 * down, plane),
        input.rowStride, width, height, across, down, contrast * contrast, scratch)
    }
  }
}

extension GuidedFilter: NeutralFilter {
  var isNeutral: Bool { radius == 0 }
}

extension GuidedFilter: CustomStringConvertible {
  /// The text of this step in plans, such as “guided filter of radius 8”.
  package var description: String { "guided filter of radius \(radius)" }
}

extension GuidedFilter: RecipeFilter {
  /// The declaration of `guided-filter`.
  package static let declaration = Declaration<GuidedFilter>(
    "guided-filter",
    "Smooths small differences and keeps edges; flatten transparent pictures first.",
    keepsGray: true, swift: "picture.guidedSmoothed(radius: 3, contrast: 0.1)",
    Parameter(
      "radius", \.radius,
      "how far a square reaches to each side; at most as far as the picture is wide and high",
      unit: "pixels", in: 0...2000, sample: 3),
    Parameter(
      "contrast", \.contrast,
      "the standard deviation at which half of the contrast is kept; less is smoothed",
      unit: "linear light", in: 1e-6...1e6, sample: 0.1)
  ) { radius, contrast throws(RecipeError) in
    try GuidedFilter(radius: radius, contrast: contrast)
  }
  .computing(
    "With the mean m and the variance v of each square and a = v / (v + contrast²), the mean of a · x + "
      + "(1 − a) · m over all squares that contain the pixel x, for each premultiplied channel and alpha. Squares "
      + "centered beyond an edge count, too; there the edge pixels repeat."
  )
}

extension Picture {
  /// This picture with what differs by less than about `contrast` from its surroundings smoothed, in linear light; edges stay.
  ///
  /// Each result is the mean of what squares with `2 · radius + 1` pixels to a side say, with the edge pixels repeated beyond the edges. A
  /// square reaches at most as far as the picture is wide and high: with a larger radius the result is that of the limited squares.
  ///
  /// Channels are smoothed premultiplied, and alpha by itself, so that colors change along soft edges of transparency. Flatten the
  /// picture first (``flattened(onto:)``).
  public func guidedSmoothed(radius: Int, contrast: Double) -> Picture {
    applying { () throws(RecipeError) in
      try GuidedFilter(radius: radius, contrast: contrast)
    }
  }
}
