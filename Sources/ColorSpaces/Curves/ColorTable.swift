/// A 3D lookup table over a box of colors, with interpolation: the core of looks and of many profiles.
///
/// Colors outside of the box are clamped to its surface. A color with a NaN channel becomes NaN in all channels.
public struct ColorTable: Hashable, Sendable {
  /// The interpolation between grid points.
  @nonexhaustive
  public enum Interpolation: Hashable, Sendable {
    /// Tetrahedral, from four corners of a cell: grays between gray grid points stay gray, within rounding.
    case tetrahedral
    /// Trilinear, from all eight corners of a cell.
    case trilinear
  }

  /// The allowed grid sizes.
  public static let sizes = 2...256
  /// The allowed values; larger ones could overflow a `Float` in differences.
  public static let values = -1e18...1e18

  /// The number of grid points along each axis.
  public let size: Int
  /// The values, three channels per grid point; red varies fastest, blue slowest.
  public let entries: [Float]
  /// The corners of the box.
  public let lowest, highest: SIMD3<Double>
  /// The interpolation between grid points.
  public var interpolation: Interpolation

  /// Creates a table of `size`³ grid points with three channels each.
  ///
  /// - Throws: ``ColorError`` for a size outside of ``sizes``, another number of values than 3 · `size`³, values outside
  ///   of ``values``, and a box whose width is not in 10⁻⁶…10¹⁸.
  public init(
    size: Int, entries: [Float], lowest: SIMD3<Double> = .zero, highest: SIMD3<Double> = .one,
    interpolation: Interpolation = .tetrahedral
  ) throws(ColorError) {
    try Self.checkShape(size, lowest, highest)
    let count = 3 * size * size * size
    guard entries.count == count else {
      throw .parameter(
        "The number of values of a \(size)³ color table", value: Double(entries.count),
        allowed: Double(count)...Double(count))
    }
    if let entry = entries.first(where: { !Self.values.contains(Double($0)) }) {
      throw .parameter("A table's entry", value: Double(entry), allowed: Self.values)
    }
    (self.size, self.entries) = (size, entries)
    (self.lowest, self.highest, self.interpolation) = (lowest, highest, interpolation)
  }

  /// Throws for a grid size that is not allowed, and for a box without width.
  private static func checkShape(
    _ size: Int, _ lowest: SIMD3<Double>, _ highest: SIMD3<Double>
  ) throws(ColorError) {
    guard sizes.contains(size) else { throw refusal(ofSize: size) }
    for channel in 0..<3 {
      try check(
        "The width of a table's box", highest[channel] - lowest[channel], in: 1e-6...1e18)
    }
  }

  /// The error for an invalid grid size.
  package static func refusal(ofSize size: Int) -> ColorError {
    .parameter(
      "The side of a color table", value: Double(size),
      allowed: Double(sizes.lowerBound)...Double(sizes.upperBound))
  }

  /// Returns the interpolated color.
  public func callAsFunction(_ color: SIMD3<Double>) -> SIMD3<Double> {
    guard color.x == color.x, color.y == color.y, color.z == color.z else {
      return SIMD3(repeating: .nan)
    }
    let last = Double(size - 1)
    let position = ((color - lowest) / (highest - lowest) * last)
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: last))
    let cell = position.rounded(.down)
      .clamped(lowerBound: .zero, upperBound: SIMD3(repeating: last - 1))
    let part = position - cell
    let (red, green, blue) = (Int(cell.x), Int(cell.y), Int(cell.z))
    func entry(_ r: Int, _ g: Int, _ b: Int) -> SIMD3<Double> {
      let index = 3 * (red + r + size * (green + g + size * (blue + b)))
      return SIMD3(Double(entries[index]), Double(entries[index + 1]), Double(entries[index + 2]))
    }
    switch interpolation {
    case .tetrahedral:
      // Walks the cell's edges from its lowest corner to its highest, in the order of decreasing fractions.
      var corner = [0, 0, 0]
      var (value, before) = (entry(0, 0, 0), entry(0, 0, 0))
      for axis in [0, 1, 2].sorted(by: { part[$0] > part[$1] }) {
        corner[axis] = 1
        let next = entry(corner[0], corner[1], corner[2])
        value += (next - before) * part[axis]
        before = next
      }
      return value
    case .trilinear:
      func mix(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ part: Double) -> SIMD3<Double> {
        a + (b - a) * part
      }
      func alongRed(_ g: Int, _ b: Int) -> SIMD3<Double> {
        mix(entry(0, g, b), entry(1, g, b), part.x)
      }
      return mix(
        mix(alongRed(0, 0), alongRed(1, 0), part.y), mix(alongRed(0, 1), alongRed(1, 1), part.y),
        part.z)
    }
  }

  /// Creates a table by sampling a function on a uniform grid over a box.
  ///
  /// - Throws: ``ColorError`` for a size outside of ``sizes`` and a box whose width is not in 10⁻⁶…10¹⁸, before `color`
  ///   is called; for colors outside of ``values``.
  public init(
    size: Int, lowest: SIMD3<Double> = .zero, highest: SIMD3<Double> = .one,
    interpolation: Interpolation = .tetrahedral,
    _ color: (SIMD3<Double>) -> SIMD3<Double>
  ) throws(ColorError) {
    try Self.checkShape(size, lowest, highest)
    var entries: [Float] = []
    entries.reserveCapacity(3 * size * size * size)
    let steps = 0..<size
    for blue in steps {
      for green in steps {
        for red in steps {
          let part = SIMD3(Double(red), Double(green), Double(blue)) / Double(size - 1)
          let value = color(lowest + (highest - lowest) * part)
          entries += [Float(value.x), Float(value.y), Float(value.z)]
        }
      }
    }
    try self.init(
      size: size, entries: entries, lowest: lowest, highest: highest, interpolation: interpolation)
  }
}
