import Colorloom
import ColorloomTool
import Testing

/// The explanation of a filter: its domains, its formula, what it clamps, and the size of generators.
@Suite struct FiltersVerbTests {
  private struct Report: Decodable {
    let kind: String
    let domain: String?
    let formula, clamping: String?
  }

  @Test(arguments: [
    (
      "exposure-contrast",
      "in linear light, or in encoded values with style=video and style=logarithmic", "linear"
    ),
    ("grading-tone", "in encoded values, or in linear light with style=linear", "encoded"),
    ("gamut-fit", "in linear light, or in encoded values with by=clipped", "linear"),
    (
      "invert", "in encoded values, or in linear light with meaning=light and meaning=density",
      "encoded"
    ),
  ])
  func kindsNameTheDomainsOfParameters(name: String, domains: String, usual: String) throws {
    let kind = "point filter: changes each pixel by itself, \(domains)"
    let text = run("filters", name).text
    #expect(text.contains("\nKind: \(kind)\n"), "\(text)")
    let report: Report = try run("filters", name, "--json").report()
    #expect(report.kind == kind && report.domain == usual)
  }

  @Test func clampingIsPrinted() throws {
    let clamping = "Negative values become 0; the curve approaches 1."
    #expect(run("filters", "sigmoid-view").text.contains("\nClamping: \(clamping)\n"))
    let report: Report = try run("filters", "sigmoid-view", "--json").report()
    #expect(report.clamping == clamping)
    let exposure: Report = try run("filters", "exposure", "--json").report()
    #expect(exposure.clamping == nil && exposure.formula == nil)
    #expect(!run("filters", "exposure").text.contains("Clamping:"))
  }

  @Test func formulasArePrinted() throws {
    let formula =
      "In Oklab, chroma C becomes C · (1 + amount / (1 + (C / 0.1)²)); lightness and hue stay."
    #expect(run("filters", "vibrance").text.contains("\nFormula: \(formula)\n"))
    let report: Report = try run("filters", "vibrance", "--json").report()
    #expect(report.formula == formula)
    #expect(run("filters", "--markdown").text.contains("\n\nFormula: \(formula)\n\n"))
  }

  /// A generator of infinite extent says that a step has the size of the picture.
  @Test(arguments: [
    ("noise", true), ("solid-color", true), ("color-bars", false), ("sobel", false),
  ])
  func infiniteGeneratorsStateTheirSize(name: String, isInfinite: Bool) {
    let text = run("filters", name).text
    #expect(text.contains("\nSize: infinite.") == isInfinite, "\(text)")
  }
}
