public import ImageBuffer

/// A filter whose pixels depend on their neighbors.
///
/// ``pixel(x:y:of:read:)`` defines the filter; ``render(into:from:with:)`` computes the same for a tile, faster. Its
/// default implementation calls the former for each pixel.
public protocol AreaFilter: Hashable, Sendable {
  /// The data that is computed once per picture and shared by its tiles, such as weights or tables.
  associatedtype Preparation: Sendable = Void

  /// The domain in which it computes.
  var domain: PixelDomain { get }

  /// Returns the size of the result for an input size.
  func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize

  /// Returns the region of the input that is needed to compute a region of the output.
  ///
  /// The evaluator extends the input by its edge pixels where the region reaches beyond the picture. The region may
  /// also lie entirely outside, as for a filter that shifts pixels; it is then filled from the nearest edge pixels.
  ///
  /// - Parameters:
  ///   - output: The region to compute, in output coordinates.
  ///   - input: The size of the input.
  /// - Returns: The required region, in input coordinates. A larger region than needed costs time; a smaller one is a programming error,
  ///   which the conformance kit reports: the program ends where the filter reads beyond it.
  func inputRegion(for output: Region, of input: PixelSize) -> Region

  /// Returns the size of the input that gives an output at least as large as `output`, for a filter that is independent
  /// of the resolution: it moves pixels, such as a mirror image, and no parameter is in pixels.
  ///
  /// ``Picture/reduced(toAtLeast:)`` passes through such filters on its way to the source. The default, nil, declares
  /// that the filter depends on the resolution.
  func inputSize(forAtLeast output: PixelSize) -> PixelSize?

  /// Returns one pixel of the result in double precision. `read` returns any pixel of the input; beyond the edges, the
  /// nearest edge pixel.
  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double>

  /// Computes the data that all tiles share.
  func prepare(for input: PixelSize) -> Preparation

  /// Returns the maximum number of bytes that ``prepare(for:)`` allocates, from which a plan computes its peak memory.
  ///
  /// Implement it if the preparation holds arrays. The default is the size of the preparation itself.
  func preparationByteCount(for input: PixelSize) -> Int

  /// Returns the maximum number of floats that ``render(into:from:with:)`` requests from ``Tile/scratch(_:)``, from
  /// which a plan computes its peak memory.
  func scratchCount(for output: Region, from input: Region, planes: Int) -> Int

  /// Computes the pixels of `output` from those of `input`.
  func render(into output: Tile, from input: Tile, with preparation: Preparation)
}

extension AreaFilter {
  /// Linear and premultiplied, as mixing neighboring pixels requires.
  public var domain: PixelDomain { .linearPremultiplied }

  /// Returns the size of the input.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize { input }

  /// Returns nil: the filter depends on the resolution.
  public func inputSize(forAtLeast output: PixelSize) -> PixelSize? { nil }

  /// Returns the size of the preparation value, without memory it refers to.
  public func preparationByteCount(for input: PixelSize) -> Int {
    MemoryLayout<Preparation>.stride
  }

  /// Returns 0: no scratch buffers.
  public func scratchCount(for output: Region, from input: Region, planes: Int) -> Int {
    0
  }

  /// Computes each pixel by ``pixel(x:y:of:read:)``.
  public func render(into output: Tile, from input: Tile, with preparation: Preparation) {
    for y in output.region.rows {
      for x in output.region.columns {
        output[x, y] = SIMD4<Float>(
          pixel(x: x, y: y, of: input.pictureSize) { SIMD4<Double>(input[$0, $1]) })
      }
    }
  }
}

extension AreaFilter where Preparation == Void {
  /// Prepares nothing.
  public func prepare(for input: PixelSize) {}
}
