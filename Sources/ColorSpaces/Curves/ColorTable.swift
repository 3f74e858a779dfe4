/// A table of colors over a box of colors, with interpolation between them: the body of looks, and of many profiles.
///
/// Colors outside of the box count as the nearest one on its surface; a color with a channel that is no number becomes one without any.
public struct ColorTable: Hashable, Sendable {
  /// How colors between the entries are found.
  @nonexhaustive
  public enum Interpolation: Hashable, Sendable {
    /// From the four corners of a tetrahedron: grays between gray entries stay gray, but for rounding.
    case tetrahedral
    /// From all eight corners of a cell, along one axis after the other.
    case trilinear
  }

  /// How many entries a side may have.
  public static let sizes = 2...256
  /// What an entry can be: beyond, differences would not fit a `Float`.
  public static let values = -1e18...1e18

  /// How many entries each side has.
  public let size: Int
  /// The entries' channels, red, green, blue; red varies fastest along the entries, blue slowest.
  public let entries: [Float]
  /// The corners of the box.
  public let lowest, highest: SIMD3<Double>
  /// How colors between the entries are found.
  public var interpolation: Interpolation

  /// A table of `size`³ entries with three channels each.
  public init(
    size: Int, entries: [Float], lowest: SIMD3<Double> = .zero, highest: SIMD3<Double> = .one,
    interpolation: Interpolation = .tetrahedral
  ) throws(ColorError) {
    guard Self.sizes.contains(size) else {
      throw Self.refusal(ofSize: size)
    }
    precondition(
      entries.count == 3 * size * size * size,
      "A table of \(size)³ entries has three times as many numbers; got \(entries.count).")
    if let entry = entries.first(where: { !Self.values.contains(Double($0)) }) {
      throw .parameter("A table's entry", value: Double(entry), allowed: Self.values)
    }
    for channel in 0..<3 where !(highest[channel] - lowest[channel] >= 1e-6) {
      throw .parameter(
        "The width of a table's box", value: highest[channel] - lowest[channel],
        allowed: 1e-6...1e18)
    }
    (self.size, self.entries) = (size, entries)
    (self.lowest, self.highest, self.interpolation) = (lowest, highest, interpolation)
  }

  /// Why a table of this size cannot be.
  package static func refusal(ofSize size: Int) -> ColorError {
    .parameter(
      "The side of a color table", value: Double(size),
      allowed: Double(sizes.lowerBound)...Double(sizes.upperBound))
  }

  /// The table's color for `color`.
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
      // From the lowest corner to the highest one along the edges, the axis of the largest part first.
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

  /// A table of what `color` makes of the points of an even grid over a box.
  public init(
    size: Int, lowest: SIMD3<Double> = .zero, highest: SIMD3<Double> = .one,
    interpolation: Interpolation = .tetrahedral,
    _ color: (SIMD3<Double>) -> SIMD3<Double>
  ) throws(ColorError) {
    var entries: [Float] = []
    let steps = 0..<max(size, 0)
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
