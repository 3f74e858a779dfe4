import ImageBuffer
import Testing
import _TestSupport

/// Sizes and rectangles.
@Suite struct GeometryTests {
  private static let region = Generator<((Int, Int), (Int, Int))>.zip(
    .zip(.int(in: -20...20), .int(in: -20...20)), .zip(.int(in: 0...20), .int(in: 0...20))
  ).map { Region(x: $0.0.0, y: $0.0.1, width: $0.1.0, height: $0.1.1) }

  /// Whether a pixel lies in a rectangle, by definition.
  private func holds(_ region: Region, _ x: Int, _ y: Int) -> Bool {
    region.columns.contains(x) && region.rows.contains(y)
  }

  private func everywhere(_ body: (_ x: Int, _ y: Int) -> Bool) -> Bool {
    (-42...42).allSatisfy { y in (-42...42).allSatisfy { x in body(x, y) } }
  }

  @Test func anIntersectionHoldsThePixelsOfBoth() {
    checkProperty("p ∈ a ∩ b ⇔ p ∈ a ∧ p ∈ b", Self.region, Self.region) { a, b in
      let both = a.intersection(b)
      return everywhere { holds(both, $0, $1) == (holds(a, $0, $1) && holds(b, $0, $1)) }
    }
  }

  @Test func intersectionsCommuteAndAssociate() {
    checkProperty("∩", Self.region, Self.region, Self.region) { a, b, c in
      let (left, right) = (a.intersection(b).intersection(c), a.intersection(b.intersection(c)))
      // Rectangles without a pixel may lie anywhere.
      let same = left == right || left.size.pixelCount == 0 && right.size.pixelCount == 0
      return a.intersection(b) == b.intersection(a) && a.intersection(a) == a && same
    }
  }

  @Test func containingIsHoldingEveryPixel() {
    checkProperty("contains", Self.region, Self.region) { a, b in
      guard b.size.pixelCount > 0 else { return true }
      return a.contains(b) == everywhere { !holds(b, $0, $1) || holds(a, $0, $1) }
    }
    checkProperty("a contains a ∩ b", Self.region, Self.region) { a, b in
      let both = a.intersection(b)
      return both.size.pixelCount == 0 || a.contains(both) && b.contains(both)
    }
  }

  @Test func expandingHoldsThePixelsAround() {
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

  @Test func theRegionOfASizeIsAllOfIt() {
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

  @Test func whatCannotBeCountedIsTheLargestNumber() {
    #expect(PixelSize(.max, 2).pixelCount == .max)
    #expect(PixelSize(1 << 32, 1 << 32).pixelCount == .max)
    #expect(PixelSize(.max, 1).pixelCount == .max)
    #expect(PixelSize(.max, 0).pixelCount == 0)
  }
}
