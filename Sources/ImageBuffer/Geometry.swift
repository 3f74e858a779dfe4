/// The width and height of a picture, in pixels.
public struct PixelSize: Hashable, Sendable {
  /// The number of columns and rows.
  public var width, height: Int

  /// Creates a size.
  public init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// The number of pixels, saturating at `Int.max`; 0 where a side is not positive.
  public var pixelCount: Int {
    guard width > 0, height > 0 else { return 0 }
    return width.multipliedSaturated(by: height)
  }
}

extension PixelSize: CustomStringConvertible {
  /// The width and height, such as “800 × 600”.
  public var description: String { "\(width) × \(height)" }
}

extension PixelSize: Codable {
  private enum CodingKeys: CodingKey { case width, height }

  /// Decodes a size. One of fewer than 0 columns or rows is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decodeLength(forKey: .width), try container.decodeLength(forKey: .height))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a number of columns or rows.
  fileprivate func decodeLength(forKey key: Key) throws -> Int {
    let length = try decode(Int.self, forKey: key)
    guard length >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "The \(key.stringValue) is a number of pixels from 0 up; got \(length).")
    }
    return length
  }
}

/// A displacement between pixels.
public struct Offset: Hashable, Sendable {
  /// Columns to the right, and rows down.
  public var x, y: Int

  /// Creates an offset by columns to the right and rows down.
  public init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }

  /// The zero offset.
  public static let zero = Offset(0, 0)

  /// The sum, saturating instead of overflowing.
  public static func + (a: Offset, b: Offset) -> Offset {
    Offset(a.x.addingSaturated(b.x), a.y.addingSaturated(b.y))
  }

  /// The difference, saturating instead of overflowing.
  public static func - (a: Offset, b: Offset) -> Offset {
    Offset(a.x.minus(b.x), a.y.minus(b.y))
  }
}

/// A rectangle of pixels. Row 0 is the top one. Bounds saturate instead of overflowing.
public struct Region: Hashable, Sendable {
  /// The leftmost column and the topmost row.
  public var x, y: Int
  /// The number of columns and rows.
  public var width, height: Int

  /// Creates a rectangle from its top left corner and its size.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Creates the region of a whole picture.
  public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The columns of the region, as a range of x coordinates; empty if the width is not positive.
  public var columns: Range<Int> { x..<max(x, right) }
  /// The rows of the region, as a range of y coordinates; empty if the height is not positive.
  public var rows: Range<Int> { y..<max(y, bottom) }
  /// The column after the last one.
  private var right: Int { x.addingSaturated(width) }
  private var bottom: Int { y.addingSaturated(height) }
  /// Its width and height.
  public var size: PixelSize { PixelSize(width, height) }

  /// Returns the intersection with another region.
  public func intersection(_ other: Region) -> Region {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (min(right, other.right), min(bottom, other.bottom))
    return Region(
      x: left, y: top, width: max(0, right.minus(left)), height: max(0, bottom.minus(top)))
  }

  /// Returns the smallest rectangle that contains both; an empty one adds nothing.
  public func union(_ other: Region) -> Region {
    if other.width <= 0 || other.height <= 0 { return self }
    if width <= 0 || height <= 0 { return other }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Region(
      x: left, y: top, width: max(right, other.right).minus(left),
      height: max(bottom, other.bottom).minus(top))
  }

  /// Returns the rectangle moved by an offset.
  public func moved(by offset: Offset) -> Region {
    Region(
      x: x.addingSaturated(offset.x), y: y.addingSaturated(offset.y), width: width, height: height)
  }

  /// The top left corner.
  public var origin: Offset { Offset(x, y) }

  /// The point in the middle, in pixels from column 0 and row 0 on.
  public var center: SIMD2<Double> {
    SIMD2(Double(x) + Double(width) / 2, Double(y) + Double(height) / 2)
  }

  /// The region of a picture of infinite extent: 2³⁰ pixels in each direction.
  public static let everywhere = Region(
    x: -1 << 30, y: -1 << 30, width: 1 << 31, height: 1 << 31)

  /// Whether `other` lies entirely inside.
  public func contains(_ other: Region) -> Bool { intersection(other) == other }

  /// Returns the rectangle with a margin on each side.
  public func expanded(by margin: Int) -> Region {
    expanded(by: PixelSize(margin, margin))
  }

  /// Returns the rectangle with one margin at the left and the right, and another one at the top and the bottom.
  package func expanded(by margin: PixelSize) -> Region {
    let (left, top) = (x.minus(margin.width), y.minus(margin.height))
    return Region(
      x: left, y: top, width: right.addingSaturated(margin.width).minus(left),
      height: bottom.addingSaturated(margin.height).minus(top))
  }
}

extension Region: Codable {
  private enum CodingKeys: CodingKey { case x, y, width, height }

  /// Decodes a rectangle. One of fewer than 0 columns or rows is an error.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      x: try container.decode(Int.self, forKey: .x), y: try container.decode(Int.self, forKey: .y),
      width: try container.decodeLength(forKey: .width),
      height: try container.decodeLength(forKey: .height))
  }
}

extension Region: CustomStringConvertible {
  /// The size and the position.
  public var description: String { "\(width) × \(height) at (\(x), \(y))" }
}

extension Int {
  /// The sum, or the largest or the smallest number instead of a sum beyond it.
  package func addingSaturated(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The product of numbers that are not negative, or the largest number instead of a product beyond it.
  package func multipliedSaturated(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  /// The difference, saturating.
  fileprivate func minus(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
