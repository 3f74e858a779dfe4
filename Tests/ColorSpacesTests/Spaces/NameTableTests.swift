import ColorSpaces
import Testing

/// Suggestions for unknown names.
@Suite struct NameTableTests {
  private static let table = NameTable(
    ["sRGB", "Display P3", "Rec. 2020", "ProPhoto RGB"].map { (names: [$0], value: 0) })

  @Test func nearestNamesComeFirst() {
    #expect(Self.table.nearest(to: "dispaly-p3").first == "Display P3")
    #expect(Self.table.nearest(to: "rec2002").first == "Rec. 2020")
    #expect(Self.table.nearest(to: "").count == 3)
  }

  /// A name of megabytes in a hostile recipe: a full comparison would take minutes, and far more memory than the name.
  @Test func longNamesAreComparedByTheirPrefix() {
    let name = "Rec. 2020" + String(repeating: "20", count: 1 << 21)
    #expect(Self.table.nearest(to: name).count == 3)
    let long = "displayp3" + String(repeating: " ", count: 100)
    #expect(Self.table.nearest(to: long).first == "Display P3")
  }
}
