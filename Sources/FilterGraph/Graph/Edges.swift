/// The extension of a picture beyond its edges.
@nonexhaustive
public enum Edges: String, Hashable, Sendable, CaseIterable {
  /// Transparent pixels.
  case clear
  /// The nearest pixel of the edge is repeated.
  case repeated
  /// The picture mirrored at each edge, with the edge pixel repeated.
  case mirrored
  /// The picture repeated as tiles.
  case wrapped

  /// The position inside 0..<length that `position` maps to; nil for a transparent pixel.
  func position(_ position: Int, in length: Int) -> Int? {
    if position >= 0, position < length { return position }
    switch self {
    case .clear: return nil
    case .repeated: return min(max(position, 0), length - 1)
    case .wrapped: return remainder(position, length)
    case .mirrored:
      let folded = remainder(position, 2 * length)
      return folded < length ? folded : 2 * length - 1 - folded
    }
  }

  /// The smallest range inside 0..<length that contains the mapped `positions`.
  func positions(_ positions: Range<Int>, in length: Int) -> Range<Int> {
    let inside = positions.clamped(to: 0..<length)
    if inside == positions || positions.isEmpty { return inside }
    switch self {
    case .clear: return inside
    case .repeated:
      let first = min(max(positions.lowerBound, 0), length - 1)
      return first..<min(max(positions.upperBound, 1), length)
    case .mirrored, .wrapped:
      guard let first = position(positions.lowerBound, in: length),
        let last = position(positions.upperBound - 1, in: length)
      else { return inside }
      let firstCopy = positions.lowerBound.dividedDown(by: length)
      let lastCopy = (positions.upperBound - 1).dividedDown(by: length)
      // Within one copy, the ends determine the range.
      if firstCopy == lastCopy { return min(first, last)..<max(first, last) + 1 }
      // A copy and its mirror image meet at an edge of the picture, where the range begins or ends.
      if self == .mirrored, lastCopy == firstCopy + 1 {
        return lastCopy.isMultiple(of: 2)
          ? 0..<max(first, last) + 1 : min(first, last)..<length
      }
      // Across other copies any position may be needed.
      return 0..<length
    }
  }
}

extension Edges: RecipeChoice {}

private func remainder(_ a: Int, _ b: Int) -> Int { a - a.dividedDown(by: b) * b }

extension Int {
  /// The quotient, rounded down. The divisor is positive.
  func dividedDown(by divisor: Int) -> Int {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}
