import FilterGraph
import Testing

/// Fractions as percentages.
@Suite struct PercentageTests {
  @Test func onlyNothingAndEverythingAreCalledSo() {
    #expect(percent(0) == "0.0" && percent(1) == "100.0")
    #expect(percent(0.25) == "25.0" && percent(1.0 / 12) == "8.33")
    #expect(percent(1.0 / 4_000_000) == "2.5e-05")
    #expect(percent(0.999_978_624_162) == "99.997862")
    #expect(percent(1 - 0x1p-40) != "100.0" && percent(1e-12) != "0.0")
    #expect(percent(.nan) == "nan")
  }
}
