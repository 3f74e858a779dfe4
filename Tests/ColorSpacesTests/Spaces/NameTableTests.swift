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

  /// ASCII names take a shorter way to their key.
  @Test func keysHaveLettersAndDigitsInLowercase() {
    let ascii = String(decoding: 0..<UInt8(0x80), as: UTF8.self)
    for name in [ascii, "", "Rec. 2020/PQ", "XYZ cd/m²", "u′v′Y", "\u{212A}elvin 5", "a\u{301}"] {
      let key = name.lowercased().filter { $0.isLetter || $0.isNumber }
      #expect(NameTable<Int>.key(name) == key)
    }
  }

  /// A name of megabytes in a hostile recipe: a full comparison would take minutes, and far more memory than the name.
  @Test func longNamesAreComparedByTheirPrefix() {
    let name = "Rec. 2020" + String(repeating: "20", count: 1 << 21)
    #expect(Self.table.nearest(to: name).count == 3)
    let long = "displayp3" + String(repeating: " ", count: 100)
    #expect(Self.table.nearest(to: long).first == "Display P3")
  }
}
