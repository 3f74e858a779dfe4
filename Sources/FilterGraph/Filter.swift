public import ColorSpaces
public import ImageBuffer

/// A filter that changes each pixel by itself.
///
/// It describes itself as stages of a program, so that neighbours fuse and nothing is computed twice.
public protocol PointFilter: Hashable, Sendable {
  /// The light it works in.
  var domain: PixelDomain { get }

  /// Adds its stages; `space` is the space whose lights the channels are.
  func describe(to program: inout PointProgram, in space: ColorSpace)
}

/// A filter whose pixels depend on their neighbours.
///
/// ``pixel(x:y:of:read:)`` is what the filter means; ``render(into:from:with:)`` computes the same for a tile, faster. A filter
/// that does without the second is complete, only slow.
public protocol AreaFilter: Hashable, Sendable {
  /// What is computed once for a picture and used for each of its tiles: weights, tables.
  associatedtype Preparation: Sendable = Void

  /// The light it works in.
  var domain: PixelDomain { get }

  /// The size that comes out for the size that goes in.
  func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize

  /// The pixels it must see to make those of `output`. Beyond the picture's edge the edge's pixels are repeated.
  func inputRegion(for output: Region, of input: PixelSize) -> Region

  /// One pixel of the result in double precision; `read` answers for every pixel, beyond the edges too.
  func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double>

  /// What all tiles share.
  func prepare(for input: PixelSize) -> Preparation

  /// Computes the pixels of `output` from those of `input`.
  func render(into output: Tile, from input: Tile, with preparation: Preparation)
}

extension AreaFilter {
  /// Linear and premultiplied, as mixing wants it.
  public var domain: PixelDomain { .linearPremultiplied }

  /// The size that goes in.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize { input }

  /// Asks for one pixel after the other.
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
  /// Nothing.
  public func prepare(for input: PixelSize) {}
}
