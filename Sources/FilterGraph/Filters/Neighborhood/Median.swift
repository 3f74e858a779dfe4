internal import CPixelKernels
package import ImageBuffer

/// The median of the square of pixels around each one, channel by channel: specks go, edges stay.
///
/// A NaN counts as greater than every number, and −0 as less than 0.
package struct Median: AreaFilter {
  /// The distance from the center of the window to its sides, in pixels.
  package let radius: Int

  /// The median of a square with 2 · radius + 1 pixels to a side.
  package init(radius: Int) throws(RecipeError) {
    self.radius = radius
    try Self.declaration.check(self)
  }

  /// Returns the region, extended by the radius on each side.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: radius)
  }

  /// The median of the square.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var pixels: [SIMD4<Double>] = []
    for row in y - radius...y + radius {
      for column in x - radius...x + radius { pixels.append(read(column, row)) }
    }
    var result = SIMD4<Double>.zero
    for channel in 0..<4 {
      let sorted = pixels.map { $0[channel] }.sorted(by: Self.precedes)
      result[channel] = sorted[pixels.count / 2]
    }
    return result
  }

  private static func precedes(_ a: Double, _ b: Double) -> Bool {
    if a.isNaN || b.isNaN { return !a.isNaN }
    return a == b ? a.sign == .minus && b.sign == .plus : a < b
  }

  /// What the kernel sorts in.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    let planar = kernels.median_scratch(output.width, 1, radius)
    return prefersPlanes
      ? planar : max(planar, kernels.median_scratch(4 * output.width, 4, radius))
  }

  package func render(into output: Tile, from input: Tile, with preparation: Void) {
    render(
      into: PixelBlock(output), from: PixelBlock(input), memory: output.arena, with: preparation)
  }
}

extension Median: BlockFilter {
  /// Channels whose values are all the same, as alpha often is, take no time by themselves.
  var prefersPlanes: Bool { radius > 2 }
  var keepsOpaquePixels: Bool { true }

  func render(into output: PixelBlock, from input: PixelBlock, memory: Arena, with: Void) {
    let scratch = memory.floats(kernels.median_scratch(output.width, output.channels, radius))
    for plane in 0..<output.planes {
      kernels.median(
        output.pointer(plane), output.rowStride,
        input.window(of: output, columns: radius, rows: radius, plane), input.rowStride,
        output.width, output.region.height, output.channels, radius, output.streams, scratch)
    }
  }
}

extension Median: NeutralFilter {
  var isNeutral: Bool { radius == 0 }
}

extension Median: CustomStringConvertible {
  /// The text of this step in plans, such as “median of 5 × 5”.
  package var description: String { "median of \(2 * radius + 1) × \(2 * radius + 1)" }
}

extension Median: RecipeFilter {
  /// The declaration of `median`.
  package static let declaration = Declaration<Median>(
    "median", "Replaces each pixel by the median of the square around it, channel by channel.",
    keepsGray: true, swift: "picture.median(radius: 2)",
    Parameter(
      "radius", \.radius, "how far the square reaches to each side", unit: "pixels", in: 0...50,
      sample: 2)
  ) { radius throws(RecipeError) in try Median(radius: radius) }
}

extension Picture {
  /// This picture with each pixel the median of a square that reaches `radius` pixels to each side. Beyond the edges the edge pixels
  /// repeat.
  ///
  /// Each channel of linear light, premultiplied, has a median of its own, and so has alpha.
  public func median(radius: Int) -> Picture {
    applying { () throws(RecipeError) in try Median(radius: radius) }
  }
}
