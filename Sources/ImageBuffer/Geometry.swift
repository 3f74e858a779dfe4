/// The width and height of a picture, in pixels.
public struct PixelSize: Hashable, Sendable {
  /// Pixels in a row, and rows.
  public var width, height: Int

  /// So many pixels wide and high.
  public init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

  /// How many pixels that is; the largest number there is where it cannot be counted.
  public var pixelCount: Int {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? .max : count
  }
}

extension PixelSize: CustomStringConvertible {
  /// The numbers, as people write them.
  public var description: String { "\(width) × \(height)" }
}

/// A way from one pixel to another.
public struct Offset: Hashable, Sendable {
  /// Columns to the right, and rows down.
  public var x, y: Int

  /// So many columns to the right and rows down.
  public init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }

  /// No way at all.
  public static let zero = Offset(0, 0)

  /// One way and then the other; as far as can be counted.
  public static func + (a: Offset, b: Offset) -> Offset {
    Offset(a.x.plus(b.x), a.y.plus(b.y))
  }

  /// One way, and the other one back; as far as can be counted.
  public static func - (a: Offset, b: Offset) -> Offset {
    Offset(a.x.minus(b.x), a.y.minus(b.y))
  }
}

/// A rectangle of pixels. The row 0 is the top one. It ends where numbers end, at the latest.
public struct Region: Hashable, Sendable {
  /// The leftmost column and the topmost row.
  public var x, y: Int
  /// How many columns and rows.
  public var width, height: Int

  /// A rectangle from its corner and its extent.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// All of a picture.
  public init(_ size: PixelSize) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The columns.
  public var columns: Range<Int> { x..<max(x, right) }
  /// The rows.
  public var rows: Range<Int> { y..<max(y, bottom) }
  /// Where it ends.
  private var right: Int { x.plus(width) }
  private var bottom: Int { y.plus(height) }
  /// Its width and height.
  public var size: PixelSize { PixelSize(width, height) }

  /// What lies inside of both.
  public func intersection(_ other: Region) -> Region {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (min(right, other.right), min(bottom, other.bottom))
    return Region(
      x: left, y: top, width: max(0, right.minus(left)), height: max(0, bottom.minus(top)))
  }

  /// The smallest rectangle around both; one without pixels adds nothing.
  public func union(_ other: Region) -> Region {
    if other.width <= 0 || other.height <= 0 { return self }
    if width <= 0 || height <= 0 { return other }
    let (left, top) = (min(x, other.x), min(y, other.y))
    return Region(
      x: left, y: top, width: max(right, other.right).minus(left),
      height: max(bottom, other.bottom).minus(top))
  }

  /// The same rectangle somewhere else.
  public func moved(by offset: Offset) -> Region {
    Region(x: x.plus(offset.x), y: y.plus(offset.y), width: width, height: height)
  }

  /// Its upper left corner.
  public var origin: Offset { Offset(x, y) }

  /// Every pixel that a picture without end has: 2³⁰ in each direction.
  public static let everywhere = Region(
    x: -1 << 30, y: -1 << 30, width: 1 << 31, height: 1 << 31)

  /// Whether all of `other` lies inside.
  public func contains(_ other: Region) -> Bool { intersection(other) == other }

  /// The rectangle with `margin` more pixels on each side.
  public func expanded(by margin: Int) -> Region {
    let (left, top) = (x.minus(margin), y.minus(margin))
    return Region(
      x: left, y: top, width: right.plus(margin).minus(left),
      height: bottom.plus(margin).minus(top))
  }
}

extension Region: CustomStringConvertible {
  /// The numbers, as people write them.
  public var description: String { "\(width) × \(height) at (\(x), \(y))" }
}

extension Int {
  /// The sum, or the last number on the way there.
  fileprivate func plus(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the last number on the way there.
  fileprivate func minus(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
