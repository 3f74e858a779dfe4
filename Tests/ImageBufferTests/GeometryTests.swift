import ImageBuffer
import Testing
import _TestSupport

/// Sizes and rectangles.
@Suite struct GeometryTests {
  private static let region = Generator<((Int, Int), (Int, Int))>.zip(
    .zip(.int(in: -20...20), .int(in: -20...20)), .zip(.int(in: 0...20), .int(in: 0...20))
  ).map { Region(x: $0.0.0, y: $0.0.1, width: $0.1.0, height: $0.1.1) }

  /// Whether a pixel is in a rectangle, by definition.
  private func holds(_ region: Region, _ x: Int, _ y: Int) -> Bool {
    region.columns.contains(x) && region.rows.contains(y)
  }

  private func everywhere(_ body: (_ x: Int, _ y: Int) -> Bool) -> Bool {
    (-42...42).allSatisfy { y in (-42...42).allSatisfy { x in body(x, y) } }
  }

  @Test func intersectionContainsThePixelsOfBoth() {
    checkProperty("p ∈ a ∩ b ⇔ p ∈ a ∧ p ∈ b", Self.region, Self.region) { a, b in
      let both = a.intersection(b)
      return everywhere { holds(both, $0, $1) == (holds(a, $0, $1) && holds(b, $0, $1)) }
    }
  }

  @Test func intersectionsCommuteAndAssociate() {
    checkProperty("∩", Self.region, Self.region, Self.region) { a, b, c in
      let (left, right) = (a.intersection(b).intersection(c), a.intersection(b.intersection(c)))
      // Empty rectangles may be anywhere.
      let same = left == right || left.size.pixelCount == 0 && right.size.pixelCount == 0
      return a.intersection(b) == b.intersection(a) && a.intersection(a) == a && same
    }
  }

  @Test func containmentIsThatOfEveryPixel() {
    checkProperty("contains", Self.region, Self.region) { a, b in
      guard b.size.pixelCount > 0 else { return true }
      return a.contains(b) == everywhere { !holds(b, $0, $1) || holds(a, $0, $1) }
    }
    checkProperty("a contains a ∩ b", Self.region, Self.region) { a, b in
      let both = a.intersection(b)
      return both.size.pixelCount == 0 || a.contains(both) && b.contains(both)
    }
  }

  @Test func expansionContainsThePixelsAround() {
    checkProperty("expanded(by:)", Self.region, .int(in: 0...10)) { region, margin in
      let larger = region.expanded(by: margin)
      guard larger.expanded(by: -margin) == region else { return false }
      guard region.size.pixelCount > 0 else { return true }
      return everywhere { x, y in
        let across = max(region.x - x, x - (region.columns.upperBound - 1))
        let down = max(region.y - y, y - (region.rows.upperBound - 1))
        return holds(larger, x, y) == (max(across, down) <= margin)
      }
    }
  }

  /// Integers around the ends of their range, and a few others.
  private static let extreme = Generator<Int>.int(in: 0...11).map {
    [.min, .min + 1, -1 << 62, -1 << 31, -1, 0, 1, 7, 1 << 31, 1 << 62, .max - 1, .max][$0]
  }
  private static let farRegion = Generator<((Int, Int), (Int, Int))>.zip(
    .zip(extreme, extreme), .zip(extreme, extreme)
  ).map { Region(x: $0.0.0, y: $0.0.1, width: $0.1.0, height: $0.1.1) }

  /// Saturation: computed rectangles at the ends of the range contain no pixel that they should not.
  @Test func rectangleBoundsSaturate() {
    checkProperty("∩, far away", Self.farRegion, Self.farRegion, cases: 3000) { a, b in
      let both = a.intersection(b)
      func isCommon(_ both: Range<Int>, _ a: Range<Int>, _ b: Range<Int>) -> Bool {
        both.isEmpty ? !a.overlaps(b) : both == a.clamped(to: b)
      }
      return both == b.intersection(a) && isCommon(both.columns, a.columns, b.columns)
        && isCommon(both.rows, a.rows, b.rows)
    }
    checkProperty("∪, far away", Self.farRegion, Self.farRegion, cases: 3000) { a, b in
      let all = a.union(b)
      // A width is at most `Int.max`, so two ends farther apart than that cannot both be inside.
      guard all.width < .max, all.height < .max else { return true }
      return [a, b].allSatisfy {
        let (columns, rows) = (all.columns.clamped(to: $0.columns), all.rows.clamped(to: $0.rows))
        return $0.columns.isEmpty || $0.rows.isEmpty || columns == $0.columns && rows == $0.rows
      }
    }
    checkProperty("expanded, moved", Self.farRegion, Self.extreme, cases: 3000) { region, number in
      let (larger, moved) = (region.expanded(by: number), region.moved(by: Offset(number, number)))
      _ = (larger.columns, larger.rows, moved.columns, moved.rows)
      return number < 0 || region.columns.isEmpty || larger.x <= region.x
    }
    checkProperty("offsets", Self.extreme, Self.extreme) { a, b in
      let (sum, difference) = (Offset(a, b) + Offset(b, a), Offset(a, b) - Offset(b, a))
      return sum.x == sum.y && (a < b ? difference.x < 0 : difference.x >= 0)
    }
    let wide = Region(x: 10, y: 0, width: .max, height: 5)
    #expect(wide.columns == 10..<(.max))
    #expect(
      wide.intersection(Region(PixelSize(30, 9))) == Region(x: 10, y: 0, width: 20, height: 5))
    #expect(!Region.everywhere.contains(Region(x: .max, y: 0, width: 1, height: 1)))
    #expect(wide.expanded(by: 20).x == -10)
  }

  @Test func regionOfASizeIsTheWholePicture() {
    let region = Region(PixelSize(4, 3))
    #expect(region == Region(x: 0, y: 0, width: 4, height: 3))
    #expect(region.columns == 0..<4)
    #expect(region.rows == 0..<3)
    #expect(region.size == PixelSize(4, 3))
    #expect("\(Region(x: 1, y: 2, width: 4, height: 3))" == "4 × 3 at (1, 2)")
  }

  @Test func pixelsAreCounted() {
    #expect(PixelSize(4, 3).pixelCount == 12)
    #expect(PixelSize(0, 3).pixelCount == 0)
    #expect("\(PixelSize(4, 3))" == "4 × 3")
    checkProperty("w · h", .int(in: 0...100_000), .int(in: 0...100_000)) { width, height in
      PixelSize(width, height).pixelCount == width * height
    }
  }

  @Test func pixelCountSaturates() {
    #expect(PixelSize(.max, 2).pixelCount == .max)
    #expect(PixelSize(1 << 32, 1 << 32).pixelCount == .max)
    #expect(PixelSize(.max, 1).pixelCount == .max)
    #expect(PixelSize(.max, 0).pixelCount == 0)
  }
}
