public import ColorSpaces
public import ImageBuffer

/// A triangle whose corners have three colors that run into each other, on nothing.
///
/// Mixed as light, the middle of an edge is as bright as its ends together; mixed as stored numbers it is darker. A picture of its
/// own: what it is applied to only says in which space to paint.
public struct ColorTriangle: AreaFilter {
  /// What is mixed.
  @nonexhaustive
  public enum Mixing: Hashable, Sendable {
    /// Amounts of light.
    case light
    /// Numbers as the space stores them.
    case storedNumbers
  }

  /// The colors of the corners: at the top, at the bottom left and at the bottom right.
  public var top, left, right: ColorPoint
  /// What is mixed.
  public var mixing: Mixing
  /// The space that the picture is painted in.
  public var space: ColorSpace
  /// The size of the picture; the triangle fills it.
  public var size: PixelSize

  /// A triangle of three colors.
  public init(
    top: ColorPoint, left: ColorPoint, right: ColorPoint, mixing: Mixing, in space: ColorSpace,
    size: PixelSize
  ) {
    (self.top, self.left, self.right) = (top, left, right)
    (self.mixing, self.space, self.size) = (mixing, space, size)
  }

  /// Linear light or the numbers as stored; the triangle's edges are transparent, so without coverage multiplied in.
  public var domain: PixelDomain { mixing == .light ? .linear : .encoded }

  /// The triangle's own size.
  public func outputSize(for input: PixelSize) throws(RecipeError) -> PixelSize { size }

  /// One pixel, which is not looked at.
  public func inputRegion(for output: Region, of input: PixelSize) -> Region {
    Region(x: 0, y: 0, width: 1, height: 1)
  }

  /// The corners' colors by their barycentric weights, and how much of the pixel the triangle covers.
  public func pixel(
    x: Int, y: Int, of input: PixelSize, read: (Int, Int) -> SIMD4<Double>
  ) -> SIMD4<Double> {
    let (width, height) = (Double(size.width), Double(size.height))
    let down = (Double(y) + 0.5) / height
    let across = (Double(x) + 0.5) / width - 0.5
    let weights = SIMD3(1 - down, down / 2 - across, down / 2 + across)
    // The distance to the nearest edge in pixels; half a pixel on both sides of it the coverage fades.
    let slanted = width * height / (width * width / 4 + height * height).squareRoot()
    let distance = min(weights.x * height, min(weights.y, weights.z) * slanted)
    let coverage = min(max(distance + 0.5, 0), 1)
    let inside = weights.clamped(lowerBound: .zero, upperBound: .one)
    let parts = inside / inside.sum()
    let colors = corners
    return SIMD4(colors[0] * parts.x + colors[1] * parts.y + colors[2] * parts.z, coverage)
  }

  /// The corners' numbers in the domain of the mixture.
  private var corners: [SIMD3<Double>] {
    let target = mixing == .light ? space.linear : space
    return [top, left, right].map { $0.converted(to: target).components }
  }
}

extension ColorTriangle: CustomStringConvertible {
  /// The name in plans.
  public var description: String {
    mixing == .light ? "color triangle mixed as light" : "color triangle mixed as stored"
  }
}

extension Picture {
  /// A triangle whose corners have three colors, painted in `space`.
  public static func triangle(
    top: ColorPoint, left: ColorPoint, right: ColorPoint, mixing: ColorTriangle.Mixing = .light,
    in space: ColorSpace, size: PixelSize
  ) -> Picture {
    let nothing = Bitmap<Float>(PixelSize(1, 1), in: space)
    return Picture(nothing).applying(
      ColorTriangle(
        top: top, left: left, right: right, mixing: mixing, in: space, size: size))
  }
}
