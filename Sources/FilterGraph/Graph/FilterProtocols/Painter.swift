public import ImageBuffer

/// A generator of a picture without inputs: gradients, noise, test charts.
///
/// ``pixel(x:y:)`` defines the picture; ``render(into:)`` computes the same for a tile, faster.
public protocol Painter: Hashable, Sendable {
  /// The domain of the generated values.
  var domain: PixelDomain { get }

  /// The size of the picture; nil for infinite extent.
  var size: PixelSize? { get }

  /// Whether some pixels may be transparent.
  var hasAlpha: Bool { get }

  /// Returns one pixel in double precision. With infinite extent, columns and rows may be negative.
  func pixel(x: Int, y: Int) -> SIMD4<Double>

  /// Computes the pixels of `output`.
  func render(into output: Tile)
}

extension Painter {
  /// Linear, straight alpha.
  public var domain: PixelDomain { .linear }

  /// Infinite extent.
  public var size: PixelSize? { nil }

  /// Opaque.
  public var hasAlpha: Bool { false }

  /// Computes each pixel by ``pixel(x:y:)``.
  public func render(into output: Tile) {
    for y in output.region.rows {
      for x in output.region.columns { output[x, y] = SIMD4<Float>(pixel(x: x, y: y)) }
    }
  }
}
