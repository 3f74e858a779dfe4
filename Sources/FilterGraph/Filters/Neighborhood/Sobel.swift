internal import CPixelKernels
package import ImageBuffer

/// The length of the gradient of each channel, by the two 3 × 3 kernels of the Sobel operator.
///
/// Cameras paint it over edges that are in focus: `√(gₓ² + gᵧ²)`, with gₓ the sum of the pixels times (−1, 0, 1), (−2, 0, 2), (−1, 0, 1)
/// and gᵧ that times the same table turned (Irwin Sobel and Gary Feldman, “A 3 × 3 isotropic gradient operator for image processing”,
/// Stanford Artificial Intelligence Project, 1968). An edge from 0 to 1 gives 4, a slope of 1 for each pixel gives 8.
package struct Sobel: AreaFilter {
  /// Creates the operator.
  package init() {}

  /// Linear light, straight: alpha stays.
  package var domain: PixelDomain { .linear }

  /// The output, expanded by one pixel on each side.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: 1)
  }

  /// The root of the squares of both slopes.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    func column(_ shift: Int) -> SIMD4<Double> {
      read(x + shift, y - 1) + 2 * read(x + shift, y) + read(x + shift, y + 1)
    }
    func row(_ shift: Int) -> SIMD4<Double> {
      read(x - 1, y + shift) + 2 * read(x, y + shift) + read(x + 1, y + shift)
    }
    let (across, down) = (column(1) - column(-1), row(1) - row(-1))
    var result = (across * across + down * down).squareRoot()
    result.w = read(x, y).w
    return result
  }

  package func render(into output: Tile, from input: Tile, with preparation: Void) {
    render(
      into: PixelBlock(output), from: PixelBlock(input), memory: output.arena, with: preparation)
  }
}

extension Sobel: BlockFilter {
  func render(into output: PixelBlock, from input: PixelBlock, memory: Arena, with: Void) {
    for plane in 0..<output.planes {
      // With channels together the kernel keeps alpha.
      if plane == 3 {
        output.copyAlpha(from: input)
        continue
      }
      kernels.sobel(
        output.pointer(plane), output.rowStride,
        input.window(of: output, columns: 1, rows: 1, plane), input.rowStride, output.width,
        output.region.height, output.channels)
    }
  }
}

extension Sobel: CustomStringConvertible {
  /// The text of this step in plans: “Sobel gradient”.
  package var description: String { "Sobel gradient" }
}

extension Sobel: RecipeFilter {
  /// The declaration of `sobel`.
  package static let declaration = Declaration<Sobel>(
    "sobel", "Measures the length of each channel's gradient with the Sobel operator.",
    aliases: ["edges"], keepsGray: true, swift: "picture.edges()"
  ) { Sobel() }
}

extension Picture {
  /// Returns the length of the Sobel gradient of each channel, in linear light. Beyond the edges the edge pixels repeat.
  ///
  /// An edge from 0 to 1 gives 4, a slope of 1 for each pixel gives 8. Colors are straight, and alpha stays.
  public func edges() -> Picture { applying(Sobel()) }
}
