internal import CPixelKernels
package import ImageBuffer

/// The maximum or the minimum of the square of pixels around each one, channel by channel: dilation or erosion.
///
/// Light areas grow, or shrink: masks get a margin, thin lines close or go. `max x(i, j)`, or `min`, over `|i|, |j| ≤ radius`: grayscale
/// dilation and erosion by a flat square (Jean Serra, “Image analysis and mathematical morphology”, 1982). A NaN is passed over unless
/// the square holds nothing else, and −0 counts as less than 0.
package struct Morphology: AreaFilter {
  /// Whether the maximum or the minimum of the window is taken.
  @nonexhaustive
  package enum Operation: String, Hashable, Sendable, CaseIterable {
    /// The maximum: light areas grow.
    case dilate
    /// The minimum: light areas shrink.
    case erode
  }

  /// Whether the maximum or the minimum of the window is taken.
  package let operation: Operation
  /// The distance from the center of the window to its sides, in pixels.
  package let radius: Int

  /// An operation on a square with 2 · radius + 1 pixels to a side.
  package init(_ operation: Operation, radius: Int) throws(RecipeError) {
    (self.operation, self.radius) = (operation, radius)
    try Self.declaration.check(self)
  }

  /// Returns the region, extended by the radius on each side, or by as much as reaches every pixel of the picture.
  package func inputRegion(for output: Region, of input: PixelSize) -> Region {
    output.expanded(by: prepare(for: input))
  }

  /// How many columns and rows the square reaches to each side. From everywhere in a picture it reaches all pixels with one less than there
  /// are: beyond them those at the edges repeat, which changes no maximum.
  package func prepare(for input: PixelSize) -> PixelSize {
    PixelSize(min(radius, input.width - 1), min(radius, input.height - 1))
  }

  /// The maximum or the minimum of the square.
  package func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    var result = read(x, y)
    for row in y - radius...y + radius {
      for column in x - radius...x + radius {
        let pixel = read(column, row)
        for channel in 0..<4 { result[channel] = extreme(result[channel], pixel[channel]) }
      }
    }
    return result
  }

  private func extreme(_ a: Double, _ b: Double) -> Double {
    if a.isNaN || b.isNaN { return a.isNaN ? b : a }
    let isBelow = a < b || a == b && a.sign == .minus
    return isBelow == (operation == .dilate) ? b : a
  }

  /// What the kernel keeps of columns.
  package func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    let across = (input.width - output.width) / 2
    let down = (input.height - output.height) / 2
    func count(_ step: Int) -> Int {
      kernels.extremes_scratch(step * output.width, output.height, step, across, down)
    }
    return prefersPlanes ? count(1) : max(count(1), count(4))
  }

  package func render(into output: Tile, from input: Tile, with reach: PixelSize) {
    render(into: PixelBlock(output), from: PixelBlock(input), memory: output.arena, with: reach)
  }
}

extension Morphology: BlockFilter {
  /// Large squares need much memory as it is.
  var prefersPlanes: Bool { radius > 8 }
  var keepsOpaquePixels: Bool { true }

  func render(
    into output: PixelBlock, from input: PixelBlock, memory: Arena, with reach: PixelSize
  ) {
    let (height, channels) = (output.region.height, output.channels)
    let (across, down) = (reach.width, reach.height)
    let scratch = memory.floats(
      kernels.extremes_scratch(output.width, height, channels, across, down))
    for plane in 0..<output.planes {
      kernels.extremes(
        output.pointer(plane), output.rowStride,
        input.window(of: output, columns: across, rows: down, plane), input.rowStride,
        output.width, height, channels, across, down, operation == .dilate, output.streams,
        scratch)
    }
  }
}

extension Morphology: NeutralFilter {
  var isNeutral: Bool { radius == 0 }
}

extension Morphology: CustomStringConvertible {
  /// The text of this step in plans, such as “dilate by 2”.
  package var description: String { "\(operation.rawValue) by \(radius)" }
}

extension Morphology: RecipeFilter {
  /// The declaration of `morphology`.
  package static let declaration = Declaration<Morphology>(
    "morphology", "Dilates or erodes: takes the maximum or the minimum of a square.",
    keepsGray: true, swift: "picture.dilated(by: 2)",
    Parameter(
      "operation", \.operation, "whether light areas grow or shrink", sample: .dilate),
    Parameter(
      "radius", \.radius, "how far the square reaches to each side", unit: "pixels",
      in: 0...10_000, sample: 2)
  ) { operation, radius throws(RecipeError) in try Morphology(operation, radius: radius) }
}

extension Morphology.Operation: RecipeChoice {}

extension Picture {
  /// Returns the dilation by a square of `2 · radius + 1` pixels to a side: the maximum of each channel. Beyond the edges the edge pixels
  /// repeat.
  ///
  /// Each channel of linear light, premultiplied, has a maximum of its own, and so has alpha.
  public func dilated(by radius: Int) -> Picture {
    applying { () throws(RecipeError) in try Morphology(.dilate, radius: radius) }
  }

  /// Returns the erosion by a square of `2 · radius + 1` pixels to a side: the minimum of each channel. Beyond the edges the edge pixels
  /// repeat.
  ///
  /// Each channel of linear light, premultiplied, has a minimum of its own, and so has alpha.
  public func eroded(by radius: Int) -> Picture {
    applying { () throws(RecipeError) in try Morphology(.erode, radius: radius) }
  }
}
