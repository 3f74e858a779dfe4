public import ImageBuffer

/// A filter that makes one picture of several, and whose pixels depend on their neighbors: the picture that is filtered, and a
/// displacement map, a guide picture or a mask.
///
/// The first picture is the one that is filtered; the result has its pixels and its size. The others are converted to its space and laid
/// over it, so that all inputs have one size. Where another picture has no pixels, it is transparent.
///
/// ``pixel(x:y:of:read:)`` is what the filter means; ``render(into:from:with:)`` computes the same for a tile, faster. A filter that does
/// without the second is complete, only slow.
public protocol AreaBlendFilter: Hashable, Sendable {
  /// What is computed once for a picture and used for each of its tiles: weights, tables.
  associatedtype Preparation: Sendable = Void

  /// The values that it reads of all inputs.
  var domain: PixelDomain { get }

  /// Returns whether the result may be transparent, of inputs that may or may not be.
  func hasAlpha(_ inputs: [Bool]) -> Bool

  /// Returns the region of an input that is needed to compute a region of the output.
  ///
  /// The evaluator extends each input by its edge pixels where the region reaches beyond the picture.
  ///
  /// - Parameters:
  ///   - input: The input, counted from 0.
  ///   - output: The region to compute.
  ///   - size: The size of the inputs and the output.
  /// - Returns: The required region. A larger region than needed costs time; a smaller one is a programming error that the conformance kit
  ///   reports.
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

  /// Returns what all tiles share.
  func prepare(for size: PixelSize) -> Preparation

  /// Returns how many bytes ``prepare(for:)`` allocates at most, for a plan to promise how much memory it takes.
  ///
  /// Filters whose preparation holds arrays implement it. The default is the size of the preparation itself.
  func preparationByteCount(for size: PixelSize) -> Int

  /// Returns how many floats ``render(into:from:with:)`` asks of ``Tile/scratch(_:)`` at most, for a plan to promise how much memory it
  /// takes.
  func scratchCount(for output: Region, from inputs: [Region], planes: Int) -> Int

  /// Computes the pixels of `output` from those of `inputs`, each of which has the region that ``inputRegion(_:for:of:)`` returns.
  func render(into output: Tile, from inputs: [Tile], with preparation: Preparation)
}

extension AreaBlendFilter {
  /// Linear and premultiplied, as mixing neighbors requires it.
  public var domain: PixelDomain { .linearPremultiplied }

  /// Whether the first input may be transparent.
  public func hasAlpha(_ inputs: [Bool]) -> Bool { inputs[0] }

  /// Returns the size of the preparation itself, without what it refers to.
  public func preparationByteCount(for size: PixelSize) -> Int {
    MemoryLayout<Preparation>.stride
  }

  /// None.
  public func scratchCount(for output: Region, from inputs: [Region], planes: Int) -> Int { 0 }

  /// Asks for one pixel after the other.
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
  /// Nothing.
  public func prepare(for size: PixelSize) {}
}
