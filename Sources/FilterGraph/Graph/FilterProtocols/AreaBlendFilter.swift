public import ImageBuffer

/// A filter of several pictures whose pixels depend on their neighbors: the filtered picture, and for example a
/// displacement map, a guide picture or a mask.
///
/// The result has the pixels and the size of the first picture. The other pictures are converted to its space and
/// cropped to its region, so that all inputs have one size. Where another picture has no pixels, it is transparent.
///
/// ``pixel(x:y:of:read:)`` defines the filter; ``render(into:from:with:)`` computes the same for a tile, faster. Its
/// default implementation calls the former for each pixel.
public protocol AreaBlendFilter: Hashable, Sendable {
  /// The data that is computed once per picture and shared by its tiles, such as weights or tables.
  associatedtype Preparation: Sendable = Void

  /// The domain in which it reads the values of all inputs.
  var domain: PixelDomain { get }

  /// Returns whether the result may be transparent, given whether each input may be.
  func hasAlpha(_ inputs: [Bool]) -> Bool

  /// Returns the region of an input that is needed to compute a region of the output.
  ///
  /// The evaluator extends each input by its edge pixels where the region reaches beyond the picture.
  ///
  /// - Parameters:
  ///   - input: The input, counted from 0.
  ///   - output: The region to compute.
  ///   - size: The size of the inputs and the output.
  /// - Returns: The required region. A larger region than needed costs time; a smaller one is a programming error, which the conformance
  ///   kit reports: the program ends where the filter reads beyond it.
  func inputRegion(_ input: Int, for output: Region, of size: PixelSize) -> Region

  /// Returns one pixel of the result in double precision.
  ///
  /// - Parameters:
  ///   - x: The column of the pixel.
  ///   - y: The row of the pixel.
  ///   - size: The size of the inputs and the output.
  ///   - read: Returns the pixel of an input at a column and a row; beyond the edges, the nearest pixel of the edge.
  func pixel(
    x: Int, y: Int, of size: PixelSize, read: (_ input: Int, _ x: Int, _ y: Int) -> SIMD4<Double>
  ) -> SIMD4<Double>

  /// Computes the data that all tiles share.
  func prepare(for size: PixelSize) -> Preparation

  /// Returns the maximum number of bytes that ``prepare(for:)`` allocates, from which a plan computes its peak memory.
  ///
  /// Implement it if the preparation holds arrays. The default is the size of the preparation itself.
  func preparationByteCount(for size: PixelSize) -> Int

  /// Returns the maximum number of floats that ``render(into:from:with:)`` requests from ``Tile/scratch(_:)``, from
  /// which a plan computes its peak memory.
  func scratchCount(for output: Region, from inputs: [Region], planes: Int) -> Int

  /// Computes the pixels of `output` from those of `inputs`, each of which has the region that ``inputRegion(_:for:of:)`` returns.
  func render(into output: Tile, from inputs: [Tile], with preparation: Preparation)
}

extension AreaBlendFilter {
  /// Linear and premultiplied, as mixing neighboring pixels requires.
  public var domain: PixelDomain { .linearPremultiplied }

  /// Returns whether the first input may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] }

  /// Returns the size of the preparation value, without memory it refers to.
  public func preparationByteCount(for size: PixelSize) -> Int {
    MemoryLayout<Preparation>.stride
  }

  /// Returns 0: no scratch buffers.
  public func scratchCount(for output: Region, from inputs: [Region], planes: Int) -> Int { 0 }

  /// Computes each pixel by ``pixel(x:y:of:read:)``.
  public func render(into output: Tile, from inputs: [Tile], with preparation: Preparation) {
    for y in output.region.rows {
      for x in output.region.columns {
        output[x, y] = SIMD4<Float>(
          pixel(x: x, y: y, of: output.pictureSize) { SIMD4<Double>(inputs[$0][$1, $2]) })
      }
    }
  }
}

extension AreaBlendFilter where Preparation == Void {
  /// Prepares nothing.
  public func prepare(for size: PixelSize) {}
}
